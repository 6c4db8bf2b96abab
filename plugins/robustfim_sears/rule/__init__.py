"""Replacement rules, and the perturbation that applies rules."""
