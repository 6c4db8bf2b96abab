"""Base of perturbations that change the form of a whole text. Each candidate has changes of one kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar

from robustfim.candidate import Candidate, Edit
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_texts import guarded_spans, touches
from robustfim_words.tagging.resourced import Proposing
from robustfim_words.text.options import some_of

__all__ = ["ByKind", "Change", "Kind", "replaced"]

Change = tuple[int, int, str]
"""A change: index of its first character, index after its last character, and the new text."""

Kind = Callable[[str], Iterable[Change]]
"""A function that lists the changes of one kind in a text."""


def replaced(pattern: str, after: str | Callable[[re.Match[str]], str]) -> Kind:
    """Return a kind of change that replaces every match of a pattern in a text.

    Args:
        pattern: A regular expression.
        after: The new text, or a function of the match that returns it.
    """

    def changes(text: str) -> Iterator[Change]:
        for match in re.finditer(pattern, text):
            yield match.start(), match.end(), after if isinstance(after, str) else after(match)

    return changes


class ByKind(Proposing):
    """A perturbation that applies one kind of change, such as dropping commas, everywhere in an example."""

    contract = Contract(carries=True, separable="edits")
    any_language = True
    _name: ClassVar[str]
    _known: ClassVar[Mapping[str, Kind]]
    _on_demand: ClassVar[tuple[str, ...]] = ()
    """Kinds that are used only if a suite names them."""
    _alternatives: ClassVar[tuple[str, ...]] = ()
    """Kinds of which a text gets one at most, so that none dominates."""

    def __init__(self, *, kinds: list[str] | None = None) -> None:
        usual = [kind for kind in self._known if kind not in self._on_demand]
        self._kinds = some_of("kinds", usual if kinds is None else kinds, self._known)

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate a kind, in random order, but for those that change nothing."""
        excluded: Sequence[str] = ()
        for kind in random.sample(self._kinds, len(self._kinds)):
            if kind in excluded:
                continue
            edits = tuple(
                Edit(field, start, end, text[start:end], after, f"{self._name}: {kind}")
                for field, text in example.fields.items()
                for guarded in [guarded_spans(text)]
                for start, end, after in self._known[kind](text)
                if text[start:end] != after and not touches(guarded, start, end)
            )
            if edits:
                excluded = self._alternatives if kind in self._alternatives else excluded
                yield Candidate(example, edits)
