"""How the world gets in: HTTP, live feed, pipeline, log, brokers, dice source, command line."""
