"""Swaps of places, organisations, nouns, groups and numbers within their kind."""
