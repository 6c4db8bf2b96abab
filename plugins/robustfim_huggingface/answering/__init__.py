"""Models that answer questions on a text or an image."""
