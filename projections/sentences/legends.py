"""Legends & Bonk, told."""

from projections.sentences.saying import Sayings

SAYINGS: Sayings = {}
