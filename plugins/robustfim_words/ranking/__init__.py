"""The edit ranker: a small model that chooses among several edits of one place."""
