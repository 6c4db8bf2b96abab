"""Parts of speech: the shipped tagger, and a dictionary that replaces the tagger without spaCy."""
