"""Words and texts, for the other subpackages: tokens, case, articles, numerals, lexicons."""
