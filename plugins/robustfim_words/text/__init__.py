"""What the other rooms know of words and texts: tokens, case, articles, numerals, lexicons."""
