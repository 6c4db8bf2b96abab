"""What may not change: the share of words, the part of speech, the edits."""
