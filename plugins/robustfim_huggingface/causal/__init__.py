"""Causal language models as classifiers."""
