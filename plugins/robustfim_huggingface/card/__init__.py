"""Model cards: a run's results in the format that the hub reads."""
