"""Shortcuts across sources: what a classifier learns in one source of data that does not hold in the others."""
