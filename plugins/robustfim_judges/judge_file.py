"""The judge file: what was learnt of judges from people's answers. It holds numbers, and no text."""

from __future__ import annotations

from math import inf
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from robustfim.errors import UsageError, did_you_mean, shown
from robustfim.record import read_versioned
from robustfim.whole_file import write_json
from robustfim_judges.fit import Weights
from robustfim_judges.risk import Promise

__all__ = ["ALL", "JudgeFile", "Judged", "Kept"]

ALL = "all perturbations"
"""The name of the threshold for every perturbation that has none of its own."""

_VERSION = 1


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Judged(_Part):
    """A judge whose numbers were learnt from."""

    use: str
    """Its name."""
    resources: dict[str, str] = {}
    """What it works with, such as the hash of its model."""
    slope: float
    """What its number counts, in logarithms of odds."""


class Kept(_Part):
    """What can be promised of a perturbation."""

    at: float | None = None
    """The least sum that is let through; None lets all through."""
    promised: bool
    """Whether that is proved; where it is not, nothing is let through."""
    through: int = 0
    """Pairs kept out that it lets through."""
    bad: int = 0
    """Those of them that people call not valid."""
    tested: int
    """Pairs kept out."""

    @classmethod
    def of(cls, found: Promise | None, tested: int) -> Kept:
        """Write a promise down, or that there is none."""
        if found is None:
            return cls(promised=False, tested=tested)
        at = None if found.at == -inf else found.at
        return cls(at=at, promised=True, through=found.through, bad=found.bad, tested=tested)


class JudgeFile(_Part):
    """A learnt judge."""

    robustfim_judge: int = _VERSION
    judges: list[Judged]
    intercept: float
    risk: float
    """The largest share of pairs that are not valid among those let through."""
    error: float
    """How often a promise may be wrong."""
    learnt_from: int
    """Answered pairs that the weights and the sequence of thresholds come from."""
    auroc: float
    """Within perturbations, on pairs kept out."""
    auroc_interval: tuple[float, float]
    perturbations: dict[str, Kept]

    @classmethod
    def load(cls, path: Path) -> JudgeFile:
        """Read a judge file.

        Raises:
            UsageError: It is missing, or something else.
        """
        hint = "'robustfim review --learn FILE' writes one."
        return read_versioned(path, cls, key="robustfim_judge", version=_VERSION, what="judge file", hint=hint)

    def save(self, path: Path) -> None:
        """Write it whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, self.model_dump(mode="json"))

    @property
    def weights(self) -> Weights:
        """How the judges' numbers are added up."""
        return Weights(tuple(each.slope for each in self.judges), self.intercept)

    def threshold(self, of: str | None) -> float:
        """Tell from which sum on a pair is let through.

        Args:
            of: A perturbation with a threshold of its own; None for the one of all.

        Raises:
            UsageError: There is no such perturbation, or nothing can be promised of it.
        """
        name = ALL if of is None else of
        if name not in self.perturbations:
            known = [each for each in self.perturbations if each != ALL]
            way = did_you_mean(name, known) or f" It has: {', '.join(known) or 'the one of all alone, without of'}."
            raise UsageError(f"the judge has no threshold of its own for {shown(name)}.{way}")
        kept = self.perturbations[name]
        if not kept.promised:
            raise UsageError(
                f"of {name} nothing can be promised by this judge: no threshold lets pairs through of which surely "
                f"{1 - self.risk:.0%} are valid. More answers, or a better judge, may change that."
            )
        return -inf if kept.at is None else kept.at
