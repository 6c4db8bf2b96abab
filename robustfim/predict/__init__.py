"""What may be asked of a model: the prediction queue, the store behind it, and the context that plugins see."""
