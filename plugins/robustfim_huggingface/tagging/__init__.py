"""Models that find spans in a text, such as names or personal data."""
