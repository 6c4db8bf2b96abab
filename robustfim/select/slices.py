"""The examples of each slice: a part of the data with rates of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from robustfim.collect.spool import BLOCK, ByExample, Examples
from robustfim.errors import UsageError, shown, suggestions
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.roles import Progress
from robustfim.suite.slices import Range, SliceSpec
from robustfim.words import word_spans

__all__ = ["Members", "slice_members"]


class Members(ByExample[bool]):
    """The examples in a slice (a named part of the data), by id.

    Args:
        examples: The examples.
        held: For each example 1 if it is in the slice, else 0, ``[examples]``.
    """

    def at(self, place: int) -> bool | None:
        """Return True for an example in the slice, from its place; else None."""
        return bool(self._held[place]) or None


def slice_members(
    slices: Mapping[str, SliceSpec],
    examples: Examples,
    predictions: Mapping[str, Prediction],
    scores: Mapping[str, Mapping[str, float]],
    progress: Progress = lambda *_: None,
) -> dict[str, Members]:
    """Find the examples of each slice (named part of the data), in one pass over the examples.

    Args:
        slices: The slices by name.
        examples: The examples, ``[examples]``.
        predictions: The model's predictions, by example id.
        scores: Score name to example id to number; an example without a number is in no slice by this score.
        progress: Called with ("slice", examples done, examples).

    Raises:
        UsageError: A slice names an unknown column, score or label.
    """
    tests: dict[str, list[Callable[[Example], bool]]] = {}
    for name, spec in slices.items():
        with _named(name):
            tests[name] = list(_tests(spec, examples.columns, predictions, scores))
    held = {name: bytearray(len(examples)) for name in slices}
    gold: set[str] = set()
    for place, example in enumerate(examples if slices else ()):
        if place % BLOCK == 0:
            progress("slice", place, len(examples))
        if example.label is not None:
            gold.add(example.label)
        for name, own in tests.items():
            around = all(held[other][place] for other in slices[name].within or ())
            held[name][place] = around and all(test(example) for test in own)
    for name, spec in slices.items():
        if not gold.issuperset(spec.label or ()):
            with _named(name):
                _require(spec.label or (), gold | _said(predictions), "label")
    return {name: Members(examples, each) for name, each in held.items()}


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Say in an error which slice is wrong."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"slice {shown(name)}: {error}") from error


def _tests(
    spec: SliceSpec,
    columns: Collection[str],
    predictions: Mapping[str, Prediction],
    scores: Mapping[str, Mapping[str, float]],
) -> Iterator[Callable[[Example], bool]]:
    """One test for each key that the slice gives."""
    if (words := spec.words) is not None:
        yield lambda example: _within(_words(example), words)
    if (characters := spec.characters) is not None:
        yield lambda example: _within(len(example.text), characters)
    if spec.contains is not None:
        found = re.compile("|".join(rf"(?<!\w){re.escape(phrase)}(?!\w)" for phrase in spec.contains), re.IGNORECASE)
        yield lambda example: found.search(example.text) is not None
    if (labels := spec.label) is not None:
        yield lambda example: example.label in labels
    if (predicted := spec.prediction) is not None:
        if not _answers(predictions):
            _require(predicted, _said(predictions), "label")
        yield lambda example: (told := predictions.get(example.id)) is not None and any(map(told.says, predicted))
    if (confidence := spec.confidence) is not None:
        yield lambda example: (told := predictions.get(example.id)) is not None and _within(told.confidence, confidence)
    for name, value in (spec.field or {}).items():
        _require([name], columns, "column")
        values = value if isinstance(value, list) else [value]
        yield lambda each, name=name, values=values: _column(each, name) in values  # type: ignore[misc]  # bound early
    for name, ends in (spec.range or {}).items():
        _require([name], columns, "column")
        yield lambda each, name=name, ends=ends: _within(_number(each, name), ends)  # type: ignore[misc]  # bound early
    for name, ends in (spec.score or {}).items():
        _require([name], scores, "score")
        numbers = scores[name]
        yield lambda each, numbers=numbers, ends=ends: _within(numbers.get(each.id), ends)  # type: ignore[misc]  # bound early


def _require(names: Sequence[str], known: Any, word: str) -> None:
    for name in names:
        if name not in known:
            raise UsageError(f"there is no {word} {shown(name)}.{suggestions(name, sorted(known), 'There are')}")


def _answers(predictions: Mapping[str, Prediction]) -> bool:
    """Whether the model answers in its own words: then it does so everywhere."""
    return any(prediction.answer is not None for prediction in islice(predictions.values(), 1))


def _said(predictions: Mapping[str, Prediction]) -> set[str]:
    """The labels of a model, which are the same everywhere; of answers in its own words all."""
    most = None if _answers(predictions) else 1
    return {label for prediction in islice(predictions.values(), most) for label in prediction.labels}


def _words(example: Example) -> int:
    return len(word_spans(example.text))


def _within(number: float | None, ends: Range) -> bool:
    low, high = ends
    if number is None or number != number:  # NaN lies in no range
        return False
    return (low is None or low <= number) and (high is None or number <= high)


def _column(example: Example, name: str) -> Any:
    return example.fields[name] if name in example.fields else example.meta.get(name)


def _number(example: Example, name: str) -> float | None:
    """A column as a number; None where it is none."""
    try:
        return float(_column(example, name))
    except (TypeError, ValueError):
        return None
