"""Measures of cues: applicability, productivity and coverage."""
