"""TextAttack's greedy search by word importance (TextFooler's, Jin et al. 2020), over given edits of given sources."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.roles import Model

__all__ = ["WIR", "Remaining", "greedy_search"]

WIR = "delete"
"""How a word's importance is measured: by the prediction without it, as TextFooler does."""


class Remaining:
    """The perturbation that adds one more of a source's edits to a text, until enough words are changed.

    Args:
        source: The source.
        edits: Its edits.
        words: How many may be together in a text.
    """

    def __init__(self, source: Example, edits: Sequence[Edit], words: int) -> None:
        self._source, self._edits, self._words = source, edits, words
        self._applied: dict[str, tuple[Edit, ...]] = {source.text: ()}

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the edits that can be added, at their places in the text as it is now.

        Args:
            example: The source, or what such edits have made of it.
            random: Not used: the list is complete.
        """
        applied = self._applied[example.text]
        if len(applied) == self._words:
            return
        for edit in self._edits:
            if any(edit.overlaps(other) for other in applied):
                continue
            # TextAttack ranks an edit by its first word, which is not to be an article that stays.
            article, gap, _ = edit.before.partition(" ")
            same = len(article + gap) if gap and edit.after.startswith(article + gap) else 0
            longer = sum(len(other.after) - len(other.before) for other in applied if other.end <= edit.start)
            together = (*applied, edit)
            self._applied.setdefault(Candidate(self._source, together).example.text, together)
            start, end = edit.start + longer + same, edit.end + longer
            yield Edit(edit.field, start, end, edit.before[same:], edit.after[same:], edit.origin)


def greedy_search(model: Model, sources: Iterable[tuple[Remaining, Example, str]]) -> tuple[int, int]:
    """Attack sources one after the other.

    Args:
        model: The model under attack.
        sources: What may be done to each source, the source, and the label it has now, which is to change.

    Returns:
        Sources whose label was changed, and texts sent to the model, the sources themselves counted; a text that
        turns up twice is sent once.

    Raises:
        UsageError: TextAttack is not installed, or fails for want of something.
    """
    adapters: Any = importlib.import_module("robustfim_textattack.adapters")
    textattack: Any = importlib.import_module("textattack")
    wrapper = adapters.ModelWrapper(model)
    goal = textattack.goal_functions.UntargetedClassification(wrapper)
    found = 0
    for remaining, source, label in sources:
        search = textattack.search_methods.GreedyWordSwapWIR(wir_method=WIR)
        attack = textattack.Attack(goal, [], adapters.Transformation(remaining), search)
        result = attack.attack(source.text, wrapper.labels.index(label))
        found += isinstance(result, textattack.attack_results.SuccessfulAttackResult)
    return found, wrapper.queue.sent
