"""What has happened: immutable facts, their bytes and their hash chain. Pure."""
