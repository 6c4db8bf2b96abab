"""The command ``robustfim cues``, and the sections on cues in a record."""
