"""The server's time."""

from time import time_ns


def now_us() -> int:
    """Microseconds since 1970."""
    return time_ns() // 1_000
