"""The experiment of Balanced COPA."""
