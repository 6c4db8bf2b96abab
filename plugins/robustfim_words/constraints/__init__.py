"""Constraints: limits on the changed words, the edit distance, the parts of speech and the kinds of edits."""
