"""Look-alikes: harmless requests with a word of an attack, which a guard should let pass."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.errors import ModelError, UsageError, did_you_mean
from robustfim.example import Example
from robustfim_evasion.options import at_least
from robustfim_evasion.tables import table
from robustfim_evasion.wrapping import wrapped

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["LookAlikes"]


class LookAlikes:
    """Puts one word of an attack in a harmless request: "How do I spell 'bypass'?".

    Models the false alarms of a guard that goes by words. Nothing of the attack but a word stays, so each candidate has
    the harmless label, which ``expect: equals``, the default, holds it to. Examples whose gold label that is, or that
    have none, are left out. The requests stand in ``tables/look_alikes.yaml``; a policy that forbids a word itself is
    not theirs.

    Args:
        label: The label of harmless texts.
        letters: The shortest word that is taken, at least 1 letter.

    Raises:
        UsageError: ``letters`` is below 1; in ``prepare``, the model has no such label.
    """

    contract = Contract(expects="equals")  # each candidate names its own label

    def __init__(self, *, label: str, letters: int = 5) -> None:
        self._label, self._letters = label, at_least("letters", letters, 1)

    def prepare(self, context: Context) -> None:
        """See that the model has the label; where only texts are asked for, there is no model."""
        with suppress(ModelError):
            labels = tuple(getattr(context.model, "labels", (self._label,)))
            if self._label not in labels:
                hint = did_you_mean(self._label, labels)
                raise UsageError(f"label: the model has no {self._label!r}.{hint} It has: {', '.join(labels)}.")

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose a request with a word of the example, each request once, in random order."""
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
