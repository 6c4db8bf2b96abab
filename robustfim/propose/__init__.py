"""The choice of the tested texts: single edits become candidates, and constraints accept or reject candidates.

Open to plugins: what this package exports. Plugins use these names to combine single edits into candidates, and to
search for combinations by the model's answers.
"""

from __future__ import annotations

from robustfim.propose.composition import compose_guided, compose_random, words_to_change
from robustfim.propose.search import in_step, nearness

__all__ = ["compose_guided", "compose_random", "in_step", "nearness", "words_to_change"]
