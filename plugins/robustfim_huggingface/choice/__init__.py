"""Models of multiple choice."""
