"""Which texts are tested: edits into candidates, through constraints, with an account of every one.

Open to plugins: ``composition``, by which single edits become candidates, and ``search``, which combines
them by the model's answers.
"""
