"""Kinds: changes of form that run through a whole text, one kind a candidate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.guard import guarded_spans, touches

__all__ = ["Change", "Kinds", "by_kind"]

Change = tuple[int, int, str]
"""First character, one past the last, and what takes their place."""

Kinds = Mapping[str, Callable[[str], Iterable[Change]]]
"""Names of kinds, each with the function that lists the changes it makes in a text."""


def by_kind(name: str, known: Kinds, kinds: Sequence[str], example: Example, random: Random) -> Iterator[Candidate]:
    """Propose one candidate a kind, in random order, but for those that change nothing; what is guarded stays.

    Args:
        name: The perturbation's name, for the origin of the edits.
        known: All kinds.
        kinds: The names of those to propose.
        example: The source example.
        random: Draws the order.
    """
    for kind in random.sample(kinds, len(kinds)):
        edits = tuple(
            Edit(field, start, end, text[start:end], after, f"{name}: {kind}")
            for field, text in example.fields.items()
            for guarded in [guarded_spans(text)]
            for start, end, after in known[kind](text)
            if text[start:end] != after and not touches(guarded, start, end)
        )
        if edits:
            yield Candidate(example, edits)
