"""Difficulty from queries alone: how often a cheap edit flips the label."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import nan

from robustfim.contract import ScoreContract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.roles import Context
from robustfim.spans import refuse_tagger

__all__ = ["Flips", "dropped"]

_WORD = re.compile(r"\S+\s*")


class Flips:
    """The share of cheap edits that flip the predicted label, in [0, 1]; needs no gradients.

    Each edit drops one word; a text of more than ``queries`` words is cut into that many runs of neighbouring words,
    and each edit drops one run. So every word is dropped once, and nothing is random. Costs at most
    ``queries`` texts sent to the model for each example (480 examples: 9,600), in batches and once, since answers
    are kept. NaN where no word can be dropped: a field is never emptied.

    Args:
        queries: Texts sent for each example, at most.
        soft: Count an edit by the probability it takes the label below certainty, 1 − p(label), rather than by
            0 or 1: finer, for models that give probabilities; the same for models that give labels alone.
    """

    contract = ScoreContract(hardest="highest")

    def __init__(self, queries: int = 20, soft: bool = False) -> None:
        if queries < 1:
            raise UsageError(f"{queries=} asks nothing of the model; it is at least 1.")
        self.queries, self.soft = queries, soft

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Score examples.

        Returns:
            The flip rate of each example; NaN where it has no edit, or the model no finite answer.

        Raises:
            UsageError: The model is a tagger.
        """
        refuse_tagger(context.model, "the score 'flips'")
        edited = [list(dropped(example, self.queries)) for example in examples]
        before = context.predict(examples)
        answers = iter(context.predict([each for group in edited for each in group]))
        after = [[next(answers) for _ in group] for group in edited]
        return [self._rate(source, group) for source, group in zip(before, after, strict=True)]

    def _rate(self, before: Prediction | None, after: Sequence[Prediction | None]) -> float:
        answered = [each for each in after if each is not None]
        if before is None or not answered:
            return nan
        if self.soft:
            return sum(1 - each.tilt(before.label) for each in answered) / len(answered)
        return sum(each.label != before.label for each in answered) / len(answered)


def dropped(example: Example, queries: int) -> Iterator[Example]:
    """Drop each run of words of an example once.

    Args:
        example: The example.
        queries: The largest number of runs; a run is one word where there are no more words than that.

    Yields:
        The example without one run; never one with a field that held words and holds none.
    """
    words = [(name, *word.span()) for name, text in example.fields.items() for word in _WORD.finditer(text)]
    runs = min(queries, len(words))
    for number in range(runs):
        fields = dict(example.fields)
        for name, start, end in reversed(words[number * len(words) // runs : (number + 1) * len(words) // runs]):
            fields[name] = (fields[name][:start] + fields[name][end:]).rstrip()
        if all(fields[name].strip() for name, text in example.fields.items() if text.strip()):
            yield Example(fields, example.label, example.meta)
