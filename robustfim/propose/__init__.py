"""Which texts are tested: edits into candidates, through constraints, each of them counted.

Open to plugins: what this package exports, by which single edits become candidates, and a search combines them by the
model's answers.
"""

from __future__ import annotations

from robustfim.propose.composition import compose_guided, compose_random, words_to_change
from robustfim.propose.search import Answer, Opening, Search, in_step, nearness

__all__ = ["Answer", "Opening", "Search", "compose_guided", "compose_random", "in_step", "nearness", "words_to_change"]
