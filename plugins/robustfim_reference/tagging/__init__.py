"""The small tagger of people, places, organisations and personal data, and its training."""
