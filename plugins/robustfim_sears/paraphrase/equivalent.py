"""A constraint: a candidate must have the same meaning as its source, by the score of a paraphraser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from robustfim.candidate import Candidate
from robustfim.parts import ParaphraserPart
from robustfim.roles import Paraphraser
from robustfim.suite import Fraction

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Equivalent"]


class Equivalent:
    """Rejects a perturbed text x′ whose meaning differs from its source x, by a paraphraser's score S(x, x′).

    Each changed field is compared with the same field of the source, and the lowest score decides. The scale of the
    score, and its threshold, depend on the paraphraser: ``back-translation`` compares the probabilities of two
    translation models (Ribeiro et al. 2018), ``masked-lm`` the words that changed, an ``encoder`` the cosine of
    sentence embeddings.

    Args:
        by: The paraphraser: its name, or a mapping with ``use`` and its options.
        least: The smallest score that is accepted, in [0, 1]; by default the paraphraser's own threshold τ.

    Raises:
        ModelError: A model that the score needs is missing (in ``prepare``).
    """

    def __init__(self, *, by: Paraphraser, least: Fraction | None = None) -> None:
        self._paraphraser = by
        self._least = by.contract.tau if least is None else least

    def prepare(self, context: Context) -> None:
        """Let the paraphraser load what it needs for its score."""
        ParaphraserPart(self._paraphraser).prepare(context)

    def reject(self, candidate: Candidate) -> str | None:
        """Reject a candidate if the score of a changed field is too low."""
        reason = f"{self._paraphraser.contract.score} score too low"
        return reason if self.numbers([candidate])[0] < self._least else None

    def numbers(self, candidates: Sequence[Candidate]) -> list[float]:
        """Return for each candidate the lowest score of its changed fields, in [0, 1]."""
        found = []
        for candidate in candidates:
            before, after = candidate.source.fields, candidate.example.fields
            changed = [name for name in after if after[name] != before[name]]
            texts = [before[name] for name in changed], [after[name] for name in changed]
            found.append(min(self._paraphraser.score(*texts)) if changed else 1.0)
        return found
