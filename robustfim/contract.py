"""Contracts: the facts that the harness may rely on about a plugin's object, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

__all__ = [
    "INCIDENTAL",
    "ConstraintContract",
    "Contract",
    "EngineContract",
    "ExpectationContract",
    "FormatContract",
    "ModelContract",
    "ParaphraserContract",
    "ReportContract",
    "ScoreContract",
]

INCIDENTAL: Final = "incidental"
"""Marks an option that affects no text, so that locks ignore it: ``timeout: Annotated[float, INCIDENTAL] = 60.0``.

Annotate an argument of a class that a plugin offers, or a field of a dataclass that is the type of such an argument.
"""


@dataclass(frozen=True, kw_only=True)
class Contract:
    """The facts that a perturbation declares about its perturbed texts (candidates): ``Contract(keeps="nothing")``.

    Attributes:
        keeps: ``"label"`` if a candidate has the gold label of its example, or names its own label; ``"nothing"`` if
            the label may change: training data is not augmented with such candidates.
        expects: The default expectation of checks (which change of the prediction is right), as a suite writes it.
        noise: Whether the candidates are random noise, a control for other perturbations, and need not keep the
            meaning.
        unchanged: Whether a candidate equal to its source text is tested.
        cased: Whether the perturbation finds words by their capital letters.
        carries: Whether a span keeps its label if an edit changes its words: one person's name replaced by another, or
            a typo in a name. Otherwise the span is not counted.
        per_character: The number of changes per character of the text, above 0. It replaces the number of ``words``;
            None if words count.
        separable: Whether failing texts can be shrunk to fewer edits: ``"edits"`` if each edit can be dropped alone,
            ``"mentions"`` if equal edits must be dropped together, as for a name that occurs twice. None if no edit can
            be dropped. Single edits of a :class:`robustfim.roles.Substitution` can always be dropped.

    Raises:
        ValueError: ``keeps`` or ``separable`` has another value, or a flag is not a bool.
    """

    keeps: Literal["label", "nothing"] = "label"
    expects: str | Mapping[str, Any] = "invariant"
    noise: bool = False
    unchanged: bool = False
    cased: bool = False
    carries: bool = False
    per_character: float | None = None
    separable: Literal["edits", "mentions"] | None = None

    def __post_init__(self) -> None:
        if self.keeps not in ("label", "nothing"):
            raise ValueError(f"a contract keeps 'label' or 'nothing', not {self.keeps!r}")
        if self.separable not in ("edits", "mentions", None):
            raise ValueError(f"a contract's 'separable' is 'edits', 'mentions' or None, not {self.separable!r}")
        for name in ("noise", "unchanged", "cased", "carries"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"the contract's {name!r} is {getattr(self, name)!r}, not True or False")


@dataclass(frozen=True, kw_only=True)
class ConstraintContract:
    """The facts that a constraint declares about itself: ``contract = ConstraintContract(per_edit=True)``.

    Attributes:
        per_edit: Whether the constraint judges single edits before they are combined.
    """

    per_edit: bool = False


@dataclass(frozen=True, kw_only=True)
class ModelContract:
    """The facts that a model declares about its answers: ``contract = ModelContract(batch_size=32)``.

    Attributes:
        batch_size: Texts per call, ≥ 1; None leaves the number to the caller.
        several: Whether each label has a separate sigmoid output: rows need not sum to 1, and ``decide`` has to name
            the labels that count.
        may_change: Whether answers can change although the fingerprint stays, as for a web service. A sample of stored
            answers is then asked again before any is used.
        unusable: The tolerated fraction of examples without a prediction, in [0, 1]. A run ends if more examples, and
            more than ten, have none.
        gradients: The default number of gradients per text with which a guided search ranks edits, ≥ 1.

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
                "the contract of a model takes 'batch_size' and 'gradients' of at least 1 and 'unusable' from 0 "
                f"to 1, not {self}"
            )


@dataclass(frozen=True, kw_only=True)
class ExpectationContract:
    """The facts that an expectation declares: ``contract = ExpectationContract(labels=("positive",))``.

    Attributes:
        labels: The labels that it names. robustfim refuses a label that the model lacks before the first prediction.
    """

    labels: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class ScoreContract:
    """The facts that a difficulty score declares: ``contract = ScoreContract(hardest="highest")``.

    Attributes:
        hardest: The end of the scale, ``"highest"`` or ``"lowest"``, at which examples are difficult.
        symbol: The name of the number beside a failing example, such as ``"λmax"``.
        gradients: The number of gradients computed per example; 0 for none. If the score takes any, the run also
            records, for each failing text, how far the input embedding moved.
        default: Whether the score selects examples if a suite names no score.

    Raises:
        ValueError: ``hardest`` has another value.
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
    """The facts by which a report is chosen and written: ``contract = ReportContract(suffix=".md")``.

    Attributes:
        suffix: The suffix of the report's file, if the suffix alone identifies the report.
        default: Whether the report is written if a suite lists no reports.
        compares: Whether ``write`` also takes the record of an earlier run and shows both runs side by side.
        summary: Whether the report needs only ``results.json``, without the example rows in the database beside it.
    """

    suffix: str = ""
    default: bool = False
    compares: bool = False
    summary: bool = False


@dataclass(frozen=True, kw_only=True)
class FormatContract:
    """The facts about a published test suite's files: ``contract = FormatContract(title="HANS (McCoy et al. 2019)")``.

    Attributes:
        title: The suite and its paper.
        licence: The licence of the published files.
        labels: The suite's labels.
        slice_by: Columns in the examples' ``meta``; each of their values becomes a slice of the imported suite.
        source: The name of the check source that reads the files in the imported suite.
    """

    title: str
    licence: str = ""
    labels: Sequence[str] = ()
    slice_by: Sequence[str] = ()
    source: str = "released"


@dataclass(frozen=True, kw_only=True)
class ParaphraserContract:
    """The scale on which a paraphraser scores its texts: ``contract = ParaphraserContract(score="edit", tau=0.9)``.

    Attributes:
        score: The name of the score S, such as ``"translation"``, ``"similarity"`` or ``"edit"``.
        tau: The threshold τ: two texts with S ≥ τ are taken to mean the same.
    """

    score: str
    tau: float


@dataclass(frozen=True, kw_only=True)
class EngineContract:
    """The facts that an engine declares about its worker processes: ``contract = EngineContract(workers=4)``.

    Attributes:
        workers: The number of workers to start; 0 computes in the run's own process.
        in_flight: Tasks that a worker holds at once, ≥ 1, so that it need not wait for the next.
    """

    workers: int
    in_flight: int = 2
