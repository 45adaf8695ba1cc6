"""What may happen: pure decisions over the state of a campaign."""
