"""A saved model: where it is, how it is read, and its network."""
