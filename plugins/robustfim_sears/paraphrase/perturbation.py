"""Paraphrases as a perturbation: semantically equivalent adversaries (SEAs) in a check of a suite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.parts import ParaphraserPart
from robustfim.roles import Paraphrase, Paraphraser
from robustfim.suite import Fraction

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Paraphrased"]


class Paraphrased:
    """Replaces a field by a paraphrase of any paraphraser, the paraphrase with the highest score first.

    A paraphrase x′ of x is a candidate if its score S(x, x′), which rates whether the meaning stays, is at least a
    threshold τ. If it changes the label, it is a semantically equivalent adversary (SEA; Ribeiro, Singh and Guestrin
    2018). With ``candidates: 1`` only the paraphrase with the highest score is tested.

    Args:
        by: The paraphraser: its name, or a mapping with ``use`` and its options.
        least: The smallest score of a candidate, in [0, 1]; by default the paraphraser's own τ.

    Raises:
        ModelError: A model that the paraphraser needs is missing (in ``prepare``).
    """

    def __init__(self, *, by: Paraphraser, least: Fraction | None = None) -> None:
        self._paraphraser, self._seed = by, 0
        self._least = by.contract.tau if least is None else least
        self._known: dict[str, Sequence[Paraphrase]] = {}

    def resources(self) -> dict[str, str]:
        """Return the resources of the paraphraser."""
        return dict(ParaphraserPart(self._paraphraser).resources())

    def prepare(self, context: Context) -> None:
        """Let the paraphraser load its models."""
        self._seed, self._known = context.seed, {}
        ParaphraserPart(self._paraphraser).prepare(context)

    def foresee(self, examples: Sequence[Example]) -> None:
        """Paraphrase the texts of a block of examples together."""
        texts = list(dict.fromkeys(text for example in examples for text in example.fields.values()))
        self._known = dict(zip(texts, self._paraphraser.paraphrase(texts, seed=self._seed), strict=True))

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose the paraphrases of all fields, the highest score first."""
        if any(text not in self._known for text in example.fields.values()):
            self.foresee([example])
        found = [
            (paraphrase.score, name, paraphrase.text)
            for name, text in example.fields.items()
            for paraphrase in self._known[text]
            if paraphrase.score >= self._least and paraphrase.text != text
        ]
        for _, name, text in sorted(found, key=lambda each: -each[0]):
            yield Candidate.replacing(example, {**example.fields, name: text})
