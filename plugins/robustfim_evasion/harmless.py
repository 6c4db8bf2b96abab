"""Harmless words or sentences that are added to a text; a search finds additions that change the model's answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from robustfim.candidate import Candidate, Edit
from robustfim.errors import DataError, UsageError, did_you_mean
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.propose import in_step
from robustfim.reading import read_text
from robustfim.roles import Answer, Opening, Searching
from robustfim_evasion.disguise import Some
from robustfim_evasion.search import Beam
from robustfim_evasion.tables import table
from robustfim_texts import some_of

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["HarmlessPrefix", "HarmlessSuffix"]

_UNITS = ("sentences", "words")
_SLOT = "·"
_SURE = 1e-12
"""Probabilities are kept this far from 0 and 1, so that logarithms are finite."""


class _Harmless:
    """Adds harmless units to a text, chosen by the model's answers.

    The units stand in one order, so that a set of them is one text, and the sets are searched as the harness searches
    sets of edits: each unit has a slot, a greedy or beam search fills slots, and what was learned tells which first.

    Args:
        units: ``sentences`` or ``words`` of ``tables/harmless.yaml``, or both, the default.
        path: A file with your own units, one on each line, instead of the shipped units.
        most: The largest number of added units, at least 1.
        queries: The largest number of texts sent for each example, at least 1.
        beam: The number of states that the search keeps; 1 is a greedy search.
        learn: The number of examples on which the units are ranked first; 0 tries the units in random order.
        field: The field to add to; the last one by default.
    """

    name: str

    def __init__(
        self,
        *,
        units: list[str] | None = None,
        path: Path | None = None,
        most: Some = 8,
        queries: Some = 25,
        beam: Some = 1,
        learn: Annotated[int, Field(ge=0)] = 8,
        field: str | None = None,
    ) -> None:
        self._pool = _read(path) if path is not None else _shipped(some_of("units", units, _UNITS))
        if path is not None and units is not None:
            raise UsageError(
                f"units and path: units {units} belong to the shipped pool, path names another pool; give one option"
            )
        self._most, self._queries, self._beam, self._learn, self._field = most, queries, beam, learn, field
        self._slots = Example({"units": _SLOT * len(self._pool)})
        self._edits = [Edit("units", place, place + 1, _SLOT, unit) for place, unit in enumerate(self._pool)]
        self._effects: dict[str, list[float]] = {}
        self._made: dict[str, Candidate] = {}

    def prepare(self, context: Context) -> None:
        """Learn on a few examples what each unit does to each label.

        Raises:
            UsageError: No example has the field.
        """
        self._context = context
        known = dict.fromkeys(name for example in context.examples for name in example.fields)
        if self._field is not None and self._field not in known:
            raise UsageError(f"field: no example has {self._field!r}.{did_you_mean(self._field, known)}")
        number = min(self._learn, len(context.examples))
        sample = context.random("harmless", self.name).sample(range(len(context.examples)), number)
        self._effects = self._learned([context.examples[place] for place in sorted(sample)])

    def _learned(self, examples: Sequence[Example]) -> dict[str, list[float]]:
        """For each label that examples have, how far each unit moves the model away from it, on average."""
        if not examples:
            return {}
        before = self._context.predict(examples)
        texts = [self._candidate(example, [unit]).example for example in examples for unit in self._pool]
        after = iter(self._context.predict(texts))
        gains: dict[str, list[list[float]]] = {}
        for known in before:
            row = [next(after) for _ in self._pool]
            if known is not None:
                start = _away(known, known.label)
                moved = [0.0 if prediction is None else _away(prediction, known.label) - start for prediction in row]
                gains.setdefault(known.label, []).append(moved)
        return {label: [sum(unit) / len(rows) for unit in zip(*rows, strict=True)] for label, rows in gains.items()}

    def foresee(self, examples: Sequence[Example]) -> None:
        """Search for the additions to a block of examples, all side by side."""
        known = self._context.predict(examples)
        pairs = [(example, before) for example, before in zip(examples, known, strict=True) if before is not None]
        searches = [self._searching(*pair) for pair in pairs]
        best: dict[int, tuple[bool, float, Candidate]] = {}

        def ask(asked: list[tuple[int, Candidate]]) -> list[Answer | None]:
            made = [self._candidate(pairs[index][0], [edit.after for edit in slots.edits]) for index, slots in asked]
            answers: list[Answer | None] = []
            predictions = self._context.predict([candidate.example for candidate in made])
            for (index, slots), candidate, after in zip(asked, made, predictions, strict=True):
                if after is None:
                    answers.append(None)
                    continue
                label = pairs[index][1].label
                answer = Answer(_away(after, label), not after.says(label))
                answers.append(answer)
                rank = (answer.failed, -len(slots.edits) if answer.failed else answer.value, candidate)
                if index not in best or rank[:2] > best[index][:2]:
                    best[index] = rank
            return answers

        in_step(searches, ask)
        self._made = {pairs[index][0].id: candidate for index, (*_, candidate) in best.items()}

    def _searching(self, example: Example, before: Prediction) -> Searching:
        effects = self._effects.get(before.label)
        edits = list(self._edits)
        self._context.random("harmless", self.name, example.id).shuffle(edits)
        opening = Opening(self._slots, edits, self._most)
        if effects is not None:
            opening = Opening(self._slots, self._edits, self._most, effects).by_effect()
        return Beam(self._queries, self._beam).search(opening, _away(before, before.label), lambda _: True, 1)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose the addition that changes the answer with the fewest units, else the one that comes nearest."""
        if example.id not in self._made:
            self.foresee([example])
        if example.id in self._made:
            yield Candidate(example, self._made[example.id].edits)

    def _candidate(self, example: Example, units: Sequence[str]) -> Candidate:
        field = self._field if self._field in example.fields else list(example.fields)[-1]
        return Candidate(example, (self._edit(str(field), example.fields[str(field)], " ".join(units)),))

    def _edit(self, field: str, text: str, added: str) -> Edit:
        raise NotImplementedError


class HarmlessSuffix(_Harmless):
    """Searches for harmless words or sentences after the text that change the model's answer.

    The texts imitate an attack diluted by harmless text until a classifier lets it pass. The original text stays
    unchanged. A greedy or beam search lowers the probability of the predicted label, with at most ``queries`` texts for
    each example. Before the search, the units (words or sentences) are ranked: the model is asked about ``learn``
    examples with each unit added.

    Raises:
        UsageError: A unit is unknown, a number is too small, ``path`` cannot be read or is empty; in ``prepare``, no
            example has the field.
    """

    name = "harmless_suffix"

    def _edit(self, field: str, text: str, added: str) -> Edit:
        return Edit(field, len(text), len(text), "", f" {added}", self.name)


class HarmlessPrefix(_Harmless):
    """Searches for harmless words or sentences before the text that change the model's answer.

    The texts imitate harmless text before an attack, which also pushes the attack towards the end of the model's
    window. Options and search are the same as for ``harmless_suffix``.
    """

    name = "harmless_prefix"

    def _edit(self, field: str, text: str, added: str) -> Edit:
        return Edit(field, 0, 0, "", f"{added} ", self.name)


def _away(prediction: Prediction, label: str) -> float:
    """How far a prediction is from a label: half the log-odds against it."""
    probability = min(max(prediction.tilt(label), _SURE), 1 - _SURE)
    return 0.5 * log((1 - probability) / probability)


def _shipped(units: Sequence[str]) -> tuple[str, ...]:
    pools: Mapping[str, list[str]] = table("harmless")
    return tuple(unit for name in units for unit in pools[name])


def _read(path: Path) -> tuple[str, ...]:
    """Read a user's own units."""
    try:
        lines = read_text(path).splitlines()
    except DataError as error:
        raise UsageError(f"path: {error} Write one unit (a harmless passage) per line, in UTF-8.") from error
    units = tuple(dict.fromkeys(line.strip() for line in lines if line.strip()))
    if not units:
        raise UsageError(f"path: {str(path)!r} has no unit. Write one unit (a harmless passage) per line.")
    return units
