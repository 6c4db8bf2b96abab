"""The first contact with a model and its data: ``robustfim doctor``, and ``robustfim init`` with its draft.

Open to plugins: ``draft``, for commands that write suites.
"""
