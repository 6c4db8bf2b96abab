"""``robustfim cues``, and what it adds to a record."""
