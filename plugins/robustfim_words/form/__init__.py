"""Perturbations of spelling and layout: typos, spaces, punctuation, case, characters that look alike."""
