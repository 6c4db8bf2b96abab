"""Parts of speech: the shipped tagger, the dictionary that stands in for it, and how it is trained."""
