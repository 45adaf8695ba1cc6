"""Servers that come along: Postgres for a first evening and for small tables, Valkey for tests and local runs.

Only the programs inside the packages are used, never their Python layer. Only the standard library is needed here.
"""


class ServerFailed(RuntimeError):
    """A server that came along did not start. Says what happened, the end of its log, and what to do."""
