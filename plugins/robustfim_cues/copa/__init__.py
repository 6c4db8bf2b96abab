"""Balanced COPA: its data, its mirrored instances, and how consistent a model is on them."""
