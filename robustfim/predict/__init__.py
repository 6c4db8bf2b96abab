"""What may be asked of a model: the prediction queue, the store behind it, and the context that plugins see.

Open to plugins: ``context``, ``fingerprint``, ``queue`` and ``store``, for what asks a model outside a run.
"""
