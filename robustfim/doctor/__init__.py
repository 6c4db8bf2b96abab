"""The first contact with a model and its data: ``robustfim doctor``, and ``robustfim init`` with its draft.

Open to plugins: ``draft``, ``first_suite`` and ``budgeted_scan``, for commands that write suites or scan.
"""
