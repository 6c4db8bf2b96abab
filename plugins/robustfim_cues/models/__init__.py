"""Models that see a part of the input only."""
