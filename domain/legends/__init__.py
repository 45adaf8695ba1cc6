"""Legends & Bonk (catalogue prefix LB)."""
