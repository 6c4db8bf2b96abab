"""How a text is written: typos, spaces, punctuation, case, characters that look alike."""
