"""Constraints and scores of language models: perplexity, acceptability and similarity of texts."""
