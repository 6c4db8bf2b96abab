"""The perturbation ``look_alikes``: harmless requests with one word of an attack, which a guard should let pass."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.errors import ModelError, UsageError, suggestions
from robustfim.example import Example
from robustfim_evasion.disguise import Some
from robustfim_evasion.tables import table
from robustfim_evasion.wrapping import wrapped

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["LookAlikes"]


class LookAlikes:
    """Puts one word of an attack in a harmless request: "How do I spell 'bypass'?".

    Tests for false positives of a guard that reacts to single words. Only one word of the attack remains, so the right
    label of a candidate is the harmless one; the default ``expect: equals`` requires it. Examples with the harmless
    gold label, or without a gold label, are left out. The requests are in ``tables/look_alikes.yaml``. Do not use them
    if your policy forbids the words themselves.

    Args:
        label: The label of harmless texts.
        letters: The smallest number of letters of a word that is put into a request, at least 1.

    Raises:
        UsageError: The model does not have the label (in ``prepare``).
    """

    contract = Contract(expects="equals")  # each candidate names its own label

    def __init__(self, *, label: str, letters: Some = 5) -> None:
        self._label, self._letters = label, letters

    def prepare(self, context: Context) -> None:
        """Check that the model, if there is one, has the label."""
        with suppress(ModelError):
            labels = tuple(getattr(context.model, "labels", (self._label,)))
            if self._label not in labels:
                raise UsageError(f"label: the model has no {self._label!r}.{suggestions(self._label, labels)}")

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose requests with a word of the example, in random order and without duplicates."""
        if not example.gold or self._label in example.gold:
            return
        words = {
            word.lower(): field
            for field, text in example.fields.items()
            for word in re.findall(rf"(?<!\w)[^\W\d_]{{{self._letters},}}(?!\w)", text)
        }
        if not words:
            return
        requests: list[str] = table("look_alikes")
        for request in random.sample(requests, len(requests)):
            word = random.choice(sorted(words))
            made = Candidate.replacing(example, {words[word]: wrapped(request, word)}, origin="look_alikes")
            yield Candidate(example, made.edits, label=self._label)
