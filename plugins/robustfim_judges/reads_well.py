"""Reads well: lets a candidate through whose judges' numbers reach what was learnt from people's answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.candidate import Candidate
from robustfim.contract import ConstraintContract
from robustfim.errors import ModelError, UsageError
from robustfim.parts import ConstraintPart
from robustfim_judges.judge_file import JudgeFile

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["ReadsWell"]


class ReadsWell:
    """Rejects a candidate that a judge, calibrated on people's answers, does not take for valid and natural.

    Judges are constraints that give a number: ``perplexity`` and ``acceptable`` by models of transformers,
    ``chat_judge`` by a chat, ``similarity``, ``equivalent``, or your own. ``robustfim review --learn FILE`` fits
    them to answers, and finds the loosest threshold of which is proved, with 95 % confidence and on pairs that took no
    part in the fit, that at least 95 % of what it lets through is valid.

    Args:
        judge: The file that ``robustfim review --learn`` wrote.
        by: The judges, in the order and with the models that were learnt from.
        of: The perturbation whose own threshold counts; the one of all by default.

    Raises:
        UsageError: The file is missing, or was learnt from other judges, or nothing can be promised.
        ModelError: A judge's model is another one (in ``prepare``).
    """

    contract = ConstraintContract(natural=1)

    def __init__(self, *, judge: Path, by: list[ConstraintPart], of: str | None = None) -> None:
        self._file, self._judges, self._path = JudgeFile.load(judge), by, judge
        learnt, given = [each.use for each in self._file.judges], [each.use for each in by]
        if learnt != given:
            raise UsageError(f"{judge} was learnt from {', '.join(learnt)}, not from {', '.join(given) or 'nothing'}.")
        self._at, self._weights = self._file.threshold(of), self._file.weights

    def prepare(self, context: Context) -> None:
        """Let the judges load what they need.

        Raises:
            ModelError: A model is missing, or is not the one that was learnt from.
        """
        for part, learnt in zip(self._judges, self._file.judges, strict=True):
            part.prepare(context)
            if (now := part.resources()) != learnt.resources:
                raise ModelError(
                    f"{self._path} was learnt from {part.use} with {_told(learnt.resources)}, and now it works with "
                    f"{_told(now)}: learn anew."
                )

    def resources(self) -> dict[str, str]:
        """Name what the judges work with, and the threshold."""
        told = {f"{part.use}, {name}": what for part in self._judges for name, what in part.resources().items()}
        return {**told, "threshold": f"{self._at:.6g}"}

    def foresee(self, candidates: Sequence[Candidate]) -> None:
        """Let judges that look at many at once do so."""
        for part in self._judges:
            if part.foresees:
                part.foresee(candidates)

    def numbers(self, candidates: Sequence[Candidate]) -> list[float]:
        """Add the judges' numbers up: the logarithm of the odds that a candidate is valid."""
        rows = zip(*(part.numbers(candidates) for part in self._judges), strict=True)
        return [self._weights.number(row) for row in rows]

    def reject(self, candidate: Candidate) -> str | None:
        """Reject below the threshold, and without a verdict of a judge."""
        number = self.numbers([candidate])[0]
        return "does not read well" if number < self._at or number == -float("inf") else None


def _told(resources: dict[str, str]) -> str:
    return ", ".join(f"{name} {what}" for name, what in resources.items()) or "nothing beside its options"
