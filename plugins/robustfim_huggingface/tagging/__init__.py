"""Models that find spans in a text: names, personal data."""
