"""Texts with labels that stand for praise and for blame, for what turns one side."""

from __future__ import annotations

from typing import Any

from robustfim.example import Example
from robustfim.predict.context import RunContext
from robustfim.predict.queue import PredictionQueue
from robustfim.predict.store import Store
from robustfim.seeds import random_for
from tests.plugins.robustfim_words.samples import LetterModel

PRAISE = ["A good film.", "A great, warm and clever tale.", "I loved it.", "A superb cast.", "It is wonderful."]
BLAME = ["A bad film.", "A dull, stale and stupid tale.", "I hated it.", "An awful cast.", "It is horrible."]


def examples() -> list[Example]:
    """List texts of two labels, ten of each."""
    return [
        Example({"text": f"{text} {number}"}, label=label)
        for label, its in (("positive", PRAISE), ("negative", BLAME))
        for text in its
        for number in range(2)
    ]


def prepared_on_labels(made: Any) -> Any:
    """Prepare a perturbation in a run on labelled texts."""
    model = LetterModel()
    context = RunContext(model, PredictionQueue(model, Store(None)), None, seed=0)
    context.examples = examples()
    made.prepare(context)
    return made


def edited(made: Any, text: str, label: str | None) -> list[str]:
    """List what a perturbation makes of a text with a label, in a run on labelled texts."""
    edits = prepared_on_labels(made).edits(Example({"text": text}, label=label), random_for(0, "words"))
    return [text[: edit.start] + edit.after + text[edit.end :] for edit in edits]


def proposed(made: Any, text: str, label: str | None) -> list[str]:
    """List the texts of the candidates that a prepared perturbation makes of a text with a label."""
    source = Example({"text": text}, label=label)
    return [candidate.example.fields["text"] for candidate in made.propose(source, random_for(0, "words"))]
