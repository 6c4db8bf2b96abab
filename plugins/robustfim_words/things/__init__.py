"""Perturbations that swap places, organisations, nouns, groups and numbers for others of the same kind."""
