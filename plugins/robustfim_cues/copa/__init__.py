"""Balanced COPA: its data, its mirrored instances, and the consistency of a model on pairs of instances."""
