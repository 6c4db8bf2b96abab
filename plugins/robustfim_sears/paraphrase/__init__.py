"""Paraphrasers, with their scores of whether two texts mean the same."""
