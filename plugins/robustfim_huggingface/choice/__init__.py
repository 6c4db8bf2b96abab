"""Multiple choice."""
