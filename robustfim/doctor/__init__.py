"""The first contact with a model and its data: ``robustfim doctor``, and ``robustfim init`` with its draft."""
