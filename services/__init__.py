"""How the world gets in: HTTP, live feed, pipeline, log, brokers, dice source, command line."""

VERSION = "0.1.0"
"""Of the package, of the contract at the edge and of the command line."""
