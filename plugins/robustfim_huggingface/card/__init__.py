"""Model cards: what a run found, in the words that the hub reads."""
