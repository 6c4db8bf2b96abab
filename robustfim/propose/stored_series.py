"""The stored edits and candidates of a perturbation, so that a later run need not compute them again.

The key in the store is made of everything that decides the texts: the perturbation's code, options and named resources
(such as word lists), the example and the draw. A perturbation that names no resources, or asks the model, is called in
every run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import cached_property, partial
from itertools import islice
from operator import attrgetter
from typing import Any

from robustfim.builtin.composed import Composed
from robustfim.candidate import Candidate, Edit
from robustfim.collect.check import Check
from robustfim.collect.resources import resources
from robustfim.example import Example
from robustfim.parts import ConstraintPart, PerturbationPart
from robustfim.predict.context import RunContext
from robustfim.predict.fingerprint import code_fingerprint
from robustfim.predict.store import key_of
from robustfim.version import __version__

__all__ = ["Series", "StoredSeries"]

_END = object()
_listed = attrgetter(*(field.name for field in fields(Edit)))
"""Write an edit as a list of six."""
_TYPES = [str, int, int, str, str, str]


class Series:
    """The edits or perturbed texts of one example: stored ones first, then new ones from the perturbation.

    Args:
        part: The perturbation.
        make: Calls the perturbation, which starts from the beginning.
        answers: Returns the number of answers that the model has given so far.
        most: The largest number of items to read.
        known: The items (edits or texts) that an earlier run stored.
        ended: Whether ``known`` holds all items of the example.

    Attributes:
        read: The items read so far, in order.
        ended: Whether there are no more items.
        grew: Whether there are new items to store: the perturbation was called, and did not ask the model.
        left: The number of texts that the perturbation reported as left unchanged, by reason.
    """

    def __init__(
        self,
        part: PerturbationPart,
        make: Callable[[], Iterator[Any]],
        answers: Callable[[], int],
        most: int,
        known: Sequence[Any] = (),
        *,
        ended: bool = False,
    ) -> None:
        self._part, self._make, self._answers, self._most = part, make, answers, most
        self.read, self.ended, self.grew = list(known), ended, False
        self.left: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Any]:
        yield from self.read[: self._most]
        if self.ended or len(self.read) >= self._most:
            return
        before, self.grew = Counter(self._part.skipped), True
        more = islice(self._make(), len(self.read), self._most)
        one = self._next(more)
        self.left = Counter(self._part.skipped) - before
        while one is not _END:
            self.read.append(one)
            yield one
            one = self._next(more)
        self.ended = len(self.read) < self._most

    def _next(self, more: Iterator[Any]) -> Any:
        """Ask for one more, and see whether the model was asked for it."""
        asked = self._answers()
        one = next(more, _END)
        self.grew = self.grew and self._answers() == asked
        return one


class StoredSeries:
    """The stored edits or perturbed texts of all examples of one check.

    Args:
        check: The check. Nothing is stored if its perturbation combines others, moves embeddings or names no resources.
        context: The run's context.
    """

    def __init__(self, check: Check, context: RunContext) -> None:
        self._check, self._context, self._store = check, context, context.store
        part = check.perturbation
        self.keeps = part.names_resources and not part.takes_steps and not isinstance(part.made, Composed)
        self._open: dict[bytes, Series] = {}

    @cached_property
    def _made_with(self) -> str:
        """A hash of what decides the series beside their examples."""
        check = self._check
        return key_of(
            __version__, check.perturbation.identity, resources(check), self._context.seed, check.purpose
        ).hex()

    def of(self, examples: Sequence[Example], make: Callable[[Example], Iterator[Any]], most: int) -> list[Series]:
        """Return the edits or perturbed texts of each example of a block, stored or new.

        Returns:
            One lazy series per example, which calls the perturbation only if more items are read than are stored.

        Raises:
            PluginError: The perturbation raised, or returned malformed resources.
        """
        part, answers = self._check.perturbation, self._context.answers
        keys = [
            key_of("series", self._made_with, dict(example.fields), example.gold, dict(example.meta))
            for example in examples
        ]
        known = self._store.get(keys)
        series, fresh = [], []
        for key, example in zip(keys, examples, strict=True):
            asks = partial(make, example)
            if (kept := _read(known.get(key), example)) is None:
                fresh.append(example)
                one = Series(part, asks, answers, most)
            else:
                made, ended, left = kept
                one = Series(part, asks, answers, most, made, ended=ended)
                part.left.update(left)
            series.append(one)
            self._open[key] = one
        before = part.skipped
        part.foresee(fresh)
        if part.skipped != before:  # an answer of a service that could not be used is asked for again
            self._open.clear()
        return series

    def reasons(
        self,
        examples: Sequence[Example],
        lists: Sequence[Sequence[Edit]],
        constraints: Sequence[ConstraintPart],
        ask: Callable[[Sequence[Example], Sequence[Sequence[Edit]]], list[list[str | None]]],
    ) -> list[list[str | None]]:
        """Return why constraints reject single edits of a block of examples; answers are stored and reused.

        Args:
            examples: The examples, ``[examples]``.
            lists: The edits of each example, ``[examples][edits]``.
            constraints: The constraints that judge single edits.
            ask: Asks the constraints about some examples and their edits.

        Returns:
            A reason, or None for an accepted edit, ``[examples][edits]``.
        """
        if not all(constraint.names_resources for constraint in constraints):
            return ask(examples, lists)
        with_these = [self._made_with, [code_fingerprint(type(constraint.made)) for constraint in constraints]]
        keys = [
            key_of(
                "reasons", *with_these, dict(example.fields), example.gold, dict(example.meta), [*map(_listed, edits)]
            )
            for example, edits in zip(examples, lists, strict=True)
        ]
        known = self._store.get(keys, _read_reasons)
        fresh = [place for place, key in enumerate(keys) if len(known.get(key, [])) != len(lists[place])]
        if fresh:
            before = self._context.answers(), [constraint.skipped for constraint in constraints]
            said = ask([examples[place] for place in fresh], [lists[place] for place in fresh])
            known |= (asked := {keys[place]: own for place, own in zip(fresh, said, strict=True)})
            if before == (self._context.answers(), [constraint.skipped for constraint in constraints]):
                self._store.put(asked)
        return [known.get(key, []) for key in keys]

    def keep(self) -> None:
        """Write to the store the items that perturbations have added so far."""
        if grown := {key: _plain(one) for key, one in self._open.items() if one.grew}:
            self._store.put(grown)
        self._open.clear()


def _plain(series: Series) -> list[Any]:
    """Write a series as JSON: an edit as a list of six, a candidate as a list of its edits and its label."""
    made = [
        [[_listed(edit) for edit in one.edits], one.label] if isinstance(one, Candidate) else _listed(one)
        for one in series.read
    ]
    return [made, series.ended, dict(series.left)]


def _read(value: Any, example: Example) -> tuple[list[Any], bool, dict[str, int]] | None:
    """Read what was kept of an example; None of what cannot be that."""
    try:
        made, ended, left = value
        made = [_candidate(one, example) if len(one) == 2 else _edit(one, example) for one in made]
        return made, bool(ended), {str(reason): int(number) for reason, number in left.items()}
    except (TypeError, ValueError, AttributeError):
        return None


def _read_reasons(value: Any) -> list[str | None]:
    if not all(isinstance(each, str | None) for each in value):
        raise TypeError("a reason is a text")
    return list(value)


def _edit(plain: Sequence[Any], example: Example) -> Edit:
    edit = Edit(*plain)
    if [*map(type, plain)] != _TYPES:
        raise TypeError("an edit holds texts and places")
    edit.require_in(example)
    return edit


def _candidate(plain: Sequence[Any], example: Example) -> Candidate:
    edits, label = plain
    if not isinstance(label, str | None):
        raise TypeError("a label is a text")
    return Candidate(example, tuple(_edit(edit, example) for edit in edits), label=label)
