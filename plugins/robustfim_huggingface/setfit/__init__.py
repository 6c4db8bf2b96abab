"""Models of SetFit: sentence embeddings with a logistic regression."""
