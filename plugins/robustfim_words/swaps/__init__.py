"""Words and phrases that become others: synonyms, negation, contractions, insertions, sentences."""
