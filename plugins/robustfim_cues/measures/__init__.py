"""Cues, measured: applicability, productivity, coverage."""
