"""Models that give a text a number: regressions, reward models."""
