"""Names of people: where they stand, and what they may become."""
