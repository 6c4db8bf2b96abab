"""Slices: parts of the data with rates of their own, defined by properties of the examples."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from itertools import compress, islice
from typing import Annotated, Any, Protocol

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from robustfim.errors import UsageError, shown, suggestions
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.roles import Progress
from robustfim.words import word_spans

__all__ = ["Members", "Rows", "SliceSpec", "slice_members"]

_STEP = 4096
"""Examples between two updates of the progress."""


Range = tuple[int | float | None, int | float | None]
"""Smallest and largest number, both included; None is open."""


def _range(value: Any) -> Any:
    numbers = value if isinstance(value, list | tuple) else ()
    plain = all(
        number is None or (isinstance(number, int | float) and not isinstance(number, bool)) for number in numbers
    )
    if len(numbers) != 2 or not plain or numbers == [None, None]:
        raise ValueError(f"{shown(value)} is no range: write [least, largest], null for an open end")
    low, high = numbers
    if low is not None and high is not None and not low <= high:
        raise ValueError(f"[{low}, {high}] is an empty range: write the smaller number first")
    return tuple(numbers)


def _several(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


_Range = Annotated[Range, BeforeValidator(_range)]
_Texts = Annotated[list[str], BeforeValidator(_several)]


class SliceSpec(BaseModel):
    """The definition of a slice: the examples that meet all of its conditions."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    words: _Range | None = Field(None, description="The number of words of the example.")
    characters: _Range | None = Field(None, description="The number of characters of the example.")
    contains: _Texts | None = Field(None, description="A word or phrase in the example; in a list, one is enough.")
    field: dict[str, Any] | None = Field(None, description="Columns of the data, with a value or a list of values.")
    label: _Texts | None = Field(None, description="The gold label of the example, or a list of labels.")
    prediction: _Texts | None = Field(None, description="The label predicted for the example, or a list of labels.")
    score: dict[str, _Range] | None = Field(None, description="Scores and their ranges.")
    confidence: _Range | None = Field(None, description="The probability of the predicted label.")
    range: dict[str, _Range] | None = Field(None, description="Columns of numbers and their ranges.")
    within: _Texts | None = Field(
        None, description="Slices defined earlier in the suite. The example must belong to all of them."
    )
    limit: float | None = Field(
        None, description="The tolerated share of failing examples of every check in this slice.", ge=0, le=1
    )

    @model_validator(mode="after")
    def _something(self) -> SliceSpec:
        if not self.model_fields_set - {"limit"}:
            raise ValueError(
                "the slice has no condition, so that every example would be in the slice: write a condition"
            )
        return self


class Rows(Protocol):
    """The examples of a run, read from disk."""

    @property
    def columns(self) -> Collection[str]:
        """The names of the examples' fields, and of all other columns of the data."""

    def __len__(self) -> int:
        """How many there are."""

    def __iter__(self) -> Iterator[Example]:
        """The examples, in order."""

    def ids(self) -> Iterator[str]:
        """The ids of the examples, in order."""

    def place(self, id: str, /) -> int | None:
        """The row number of an example, from 0; None for an unknown id."""


class Members(Set[str]):
    """The ids of the examples in a slice (a named part of the data), stored as one byte per example.

    Args:
        rows: The examples.
        held: For each example 1 if it is in the slice, else 0, ``[examples]``.
    """

    def __init__(self, rows: Rows, held: bytearray) -> None:
        self._rows, self.held = rows, held

    def __contains__(self, id: object) -> bool:
        place = self._rows.place(id) if isinstance(id, str) else None
        return place is not None and bool(self.held[place])

    def __iter__(self) -> Iterator[str]:
        return compress(self._rows.ids(), self.held)

    def __len__(self) -> int:
        return self.held.count(1)

    @classmethod
    def _from_iterable(cls, ids: Iterable[Any]) -> frozenset[Any]:  # what & and | make
        return frozenset(ids)


def slice_members(
    slices: Mapping[str, SliceSpec],
    examples: Rows,
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
        if place % _STEP == 0:
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
