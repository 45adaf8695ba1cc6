"""House rules on a 3.5 base, and potions that mix (catalogue prefix HM)."""
