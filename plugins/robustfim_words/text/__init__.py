"""Helpers for words and texts that the other subpackages use: tokens, case, articles, numerals, lexicons."""
