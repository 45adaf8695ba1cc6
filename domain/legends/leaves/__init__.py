"""What is remembered of each chapter beside the fighters, and how its facts change it."""
