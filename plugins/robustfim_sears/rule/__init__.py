"""A rule: what it matches, what it writes, and the perturbation that applies rules."""
