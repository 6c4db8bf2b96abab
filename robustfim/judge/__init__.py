"""From counts to outcomes: limits, slices, the baseline, and the exit code."""
