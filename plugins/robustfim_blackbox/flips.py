"""The score ``flips``: the fraction of a text's words that change the predicted label when they are dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import nan

from pydantic import PositiveInt

from robustfim.contract import ScoreContract
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.roles import Context
from robustfim.spans import refuse_tagger

__all__ = ["Flips", "dropped"]

_WORD = re.compile(r"\S+\s*")


class Flips:
    """The fraction of dropped words that change the predicted label, in [0, 1]; needs no gradients.

    Each edit drops one word. A text of more than ``queries`` words is cut into ``queries`` runs of neighbouring words,
    and each edit drops one run. Every word is dropped once, and nothing is random. The score sends at most ``queries``
    texts to the model for each example, and the answers are stored. A field is never emptied; the score is NaN if no
    word can be dropped.

    Args:
        queries: The largest number of texts sent for each example.
    """

    contract = ScoreContract(hardest="highest")

    def __init__(self, queries: PositiveInt = 20) -> None:
        self.queries = queries

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Return for each example the fraction of dropped words that change the predicted label.

        Returns:
            Fractions in [0, 1]; NaN if no word can be dropped or no answer is finite.

        Raises:
            UsageError: The model is a tagger.
        """
        refuse_tagger(context.model, "the score 'flips'")
        edited = [list(dropped(example, self.queries)) for example in examples]
        before = context.predict(examples)
        answers = iter(context.predict([example for group in edited for example in group]))
        after = [[next(answers) for _ in group] for group in edited]
        return [self._rate(source, group) for source, group in zip(before, after, strict=True)]

    def _rate(self, before: Prediction | None, after: Sequence[Prediction | None]) -> float:
        answered = [prediction for prediction in after if prediction is not None]
        if before is None or not answered:
            return nan
        return sum(prediction.label != before.label for prediction in answered) / len(answered)


def dropped(example: Example, queries: int) -> Iterator[Example]:
    """Yield copies of an example, each without one run of neighbouring words.

    Args:
        example: The example.
        queries: The largest number of runs. If there are at most this many words, each run is one word.

    Yields:
        The example without one run. A field with words never loses all of them.
    """
    words = [(name, *word.span()) for name, text in example.fields.items() for word in _WORD.finditer(text)]
    runs = min(queries, len(words))
    for number in range(runs):
        fields = dict(example.fields)
        for name, start, end in reversed(words[number * len(words) // runs : (number + 1) * len(words) // runs]):
            fields[name] = (fields[name][:start] + fields[name][end:]).rstrip()
        if all(fields[name].strip() for name, text in example.fields.items() if text.strip()):
            yield Example(fields, example.label, example.meta)
