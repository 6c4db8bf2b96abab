"""Sentence embeddings with a head, as SetFit saves them."""
