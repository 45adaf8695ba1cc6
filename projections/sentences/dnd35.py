"""The house rules on a 3.5 base, told."""

from projections.sentences.saying import Sayings

SAYINGS: Sayings = {}
