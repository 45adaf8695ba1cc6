"""Speed, as ratios measured within one run: the machines are noisy, the ratios less so."""
