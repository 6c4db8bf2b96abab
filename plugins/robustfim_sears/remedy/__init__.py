"""``robustfim augment``: augment training data, and measure whether training on them fixes failures."""
