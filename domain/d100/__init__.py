"""Percentile magic (catalogue prefix MD). No rule of it is played yet."""
