"""Paraphrasers, and how each scores that a text means the same."""
