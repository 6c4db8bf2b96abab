"""``robustfim augment``: training data, and how much of a weakness it takes away."""
