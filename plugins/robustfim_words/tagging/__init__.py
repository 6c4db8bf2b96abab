"""Parts of speech: the shipped spaCy tagger, and a dictionary that replaces the tagger if spaCy is not installed."""
