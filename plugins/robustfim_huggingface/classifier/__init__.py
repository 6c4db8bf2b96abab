"""Sequence classification."""
