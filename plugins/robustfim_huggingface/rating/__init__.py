"""Models that predict a number for a text: regressions and reward models."""
