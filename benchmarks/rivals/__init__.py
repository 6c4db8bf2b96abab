"""Other tools on the same texts."""
