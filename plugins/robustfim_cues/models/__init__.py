"""Models that read only a part of the input."""
