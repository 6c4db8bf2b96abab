"""Places, organisations, nouns, groups and numbers: other ones of the same kind."""
