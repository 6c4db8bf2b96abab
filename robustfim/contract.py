"""Contract: what the harness may take for granted of a plugin's object, one frozen value each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

__all__ = [
    "INCIDENTAL",
    "ConstraintContract",
    "Contract",
    "EngineContract",
    "FormatContract",
    "ModelContract",
    "ParaphraserContract",
    "ReportContract",
    "ScoreContract",
]

INCIDENTAL: Final = "incidental"
"""Annotates an option that decides no text, which no lock compares: ``timeout: Annotated[float, INCIDENTAL] = 60.0``.

It stands at an argument of a class that a plugin offers, or at a field of a dataclass that such an argument takes.
"""


@dataclass(frozen=True, kw_only=True)
class Contract:
    """What a perturbation promises of its candidates: ``contract = Contract(keeps="nothing")`` in its class.

    Attributes:
        keeps: ``"label"`` where a candidate has its example's gold label or names its own; ``"nothing"`` where it may
            have another: training data is not augmented with it.
        expects: The expectation of checks that name none, as a suite writes it.
        noise: Whether candidates are not meant to keep the meaning: it measures others.
        unchanged: Whether a candidate that changes nothing is tested.
        cased: Whether it finds what it changes by capital letters.
        carries: Whether a span keeps its label where an edit changes its words: another person for a person, a typo in
            a name. Else it leaves the count.
        per_character: Changes of a candidate for each character of the text, above 0, in place of ``words``; or None.

    Raises:
        ValueError: ``keeps`` is neither of the two, or a flag is no truth value.
    """

    keeps: Literal["label", "nothing"] = "label"
    expects: str | Mapping[str, Any] = "invariant"
    noise: bool = False
    unchanged: bool = False
    cased: bool = False
    carries: bool = False
    per_character: float | None = None

    def __post_init__(self) -> None:
        if self.keeps not in ("label", "nothing"):
            raise ValueError(f"a contract keeps 'label' or 'nothing', not {self.keeps!r}")
        for name in ("noise", "unchanged", "cased", "carries"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"the contract's {name!r} is {getattr(self, name)!r}, not True or False")


@dataclass(frozen=True, kw_only=True)
class ConstraintContract:
    """What a constraint judges: ``contract = ConstraintContract(per_edit=True)``.

    Attributes:
        per_edit: Whether it judges single edits before they are combined.
    """

    per_edit: bool = False


@dataclass(frozen=True, kw_only=True)
class ModelContract:
    """What holds of a model's answers: ``contract = ModelContract(batch_size=32)``.

    Attributes:
        batch_size: Texts a call, ≥ 1; None leaves it to whoever calls.
        several: Whether it tells each label by itself, with a sigmoid for each: rows need not sum to 1, and ``decide``
            has to say which labels count.
        may_change: Whether its fingerprint cannot know all that decides an answer, such as what stands behind an
            address: a sample of stored answers is asked again before they are believed.
        unusable: The share of examples without a prediction beyond which, and beyond ten, a run ends, in [0, 1].
        gradients: How many a guided order takes of each text where the suite names no number, ≥ 1.

    Raises:
        ValueError: A number is out of its range.
    """

    batch_size: int | None = None
    several: bool = False
    may_change: bool = False
    unusable: float = 1.0
    gradients: int = 1

    def __post_init__(self) -> None:
        if (self.batch_size is not None and self.batch_size < 1) or self.gradients < 1 or not 0 <= self.unusable <= 1:
            raise ValueError(
                f"a model's batch_size and gradients are at least 1 and unusable is a share, unlike {self}"
            )


@dataclass(frozen=True, kw_only=True)
class ScoreContract:
    """What a score's numbers are: ``contract = ScoreContract(hardest="highest")``.

    Attributes:
        hardest: Which end of its scale is the difficult one.
        symbol: How its numbers are called where they stand beside a failing example, such as ``"λmax"``.
        gradients: How many it takes of each example; the run of one that takes any also records, for each failing text,
            how it moves the embedding.
        default: Whether it selects where a suite names no score.

    Raises:
        ValueError: ``hardest`` is neither of the two.
    """

    hardest: Literal["highest", "lowest"]
    symbol: str = ""
    gradients: int = 0
    default: bool = False

    def __post_init__(self) -> None:
        if self.hardest not in ("highest", "lowest"):
            raise ValueError(f"hardest is 'highest' or 'lowest', not {self.hardest!r}")


@dataclass(frozen=True, kw_only=True)
class ReportContract:
    """When a report is written: ``contract = ReportContract(suffix=".md")``.

    Attributes:
        suffix: What its file ends with, where that alone tells the report.
        default: Whether it is written where a suite lists no reports.
        compares: Whether its ``write`` takes the record of an earlier run, too, and shows both side by side.
    """

    suffix: str = ""
    default: bool = False
    compares: bool = False


@dataclass(frozen=True, kw_only=True)
class FormatContract:
    """What the files of a released suite hold: ``contract = FormatContract(title="HANS (McCoy et al. 2019)")``.

    Attributes:
        title: The suite and its paper.
        licence: Under which it was released.
        labels: Its labels.
        slice_by: Columns in its examples' ``meta``, each of whose values becomes a slice of the imported suite.
        source: The source of checks that the imported suite uses; it is given the format's options.
    """

    title: str
    licence: str = ""
    labels: Sequence[str] = ()
    slice_by: Sequence[str] = ()
    source: str = "released"


@dataclass(frozen=True, kw_only=True)
class ParaphraserContract:
    """The scale on which a paraphraser scores: ``contract = ParaphraserContract(score="edit", tau=0.9)``.

    Attributes:
        score: Which score S this is, such as ``"translation"``, ``"similarity"`` or ``"edit"``.
        tau: The threshold τ on its scale, from which on two texts are taken to mean the same.
    """

    score: str
    tau: float


@dataclass(frozen=True, kw_only=True)
class EngineContract:
    """How an engine computes: ``contract = EngineContract(workers=4)``.

    Attributes:
        workers: How many workers to start; 0 computes in the run's own process.
        in_flight: Tasks that a worker is given ahead, ≥ 1, so that it need not wait for the next.
    """

    workers: int
    in_flight: int = 2
