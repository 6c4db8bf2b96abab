"""Swaps of words and phrases: synonyms, negation, contractions, insertions, sentences."""
