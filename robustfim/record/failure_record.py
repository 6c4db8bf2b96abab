"""Failing candidates, in the run record."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from robustfim.prediction import Prediction
from robustfim.record.part import Part

__all__ = ["EditRecord", "Failure", "PredictionRecord", "ShiftRecord", "ShrunkRecord", "StepRecord", "TriedRecord"]


class EditRecord(Part):
    """One replacement, in the source example's text."""

    field: str
    start: int
    end: int
    before: str
    after: str
    origin: str = ""


class StepRecord(Part):
    """A step in embedding space: a move of the embedding, with the text unchanged."""

    direction: str
    norm: float


class ShiftRecord(Part):
    """How a perturbed text moves the embedding of its source."""

    norm: float = Field(ge=0, allow_inf_nan=False)
    """Euclidean length of the move over all tokens together, in units of the embedding."""
    cosine: float | None = Field(default=None, ge=-1.01, le=1.01)
    """Cosine with the top eigenvector of the Fisher information at the source; None if either vector is 0."""
    lambda_max: tuple[float, float] | None = None
    """λmax of the source and of the perturbed text; None if the geometry does not report them."""


class PredictionRecord(Part):
    """A predicted label and its probabilities, in the order of the model's labels.

    An answer in the model's own words is recorded with the probability of this answer alone. So is the decision of a
    rule such as ``{label: block, at: 0.7}``; for an abstention the probability of the likeliest label is recorded. A
    predicted number has no probability.
    """

    label: str
    probabilities: list[float]

    @classmethod
    def of(cls, prediction: Prediction) -> PredictionRecord:
        """Make the record of a prediction."""
        alone = prediction.answer is not None or prediction.rule is not None
        numbers = (prediction.confidence,) if alone else prediction.probabilities
        return cls(label=prediction.shown, probabilities=list(numbers if prediction.number is None else ()))

    @property
    def confidence(self) -> float | None:
        """The largest recorded probability, in [0, 1]; None if no probability is recorded, as for a number."""
        return max(self.probabilities, default=None)

    def told(self, form: str = ".2f") -> str:
        """The label with its probability, if one is recorded."""
        return self.label if self.confidence is None else f"{self.label} {self.confidence:{form}}"


class TriedRecord(Part):
    """Another text that was tried on the same example, with the model's answer."""

    edits: list[EditRecord]
    label: str
    probability: float | None
    """The probability of ``label``; None for a number."""


class ShrunkRecord(Part):
    """The fewest edits of a failing text that still break the model in the same way, and the resulting text."""

    fields: dict[str, str]
    edits: list[EditRecord]
    label: str | None = None
    """The texts by field name, as in :class:`Failure`."""
    shift: ShiftRecord | None = None
    after: PredictionRecord
    margin: float = 0.0
    reason: str = ""
    tested: int
    """The number of edits of the text that the check tested, at least the number of ``edits``."""
    queries: int
    """Texts that the model was asked about to find the fewest edits."""


class Failure(Part):
    """A candidate that does not meet its expectation."""

    id: str
    """A content hash of check, example and change: the same failure has the same id in every run."""
    check: str
    example: str
    arm: str | None = None
    fields: dict[str, str]
    """The perturbed texts; for a step in embedding space, the source's texts."""
    edits: list[EditRecord] = []
    step: StepRecord | None = None
    label: str | None = None
    """The gold label of the perturbed text if its perturbation names one, else the gold label of the example. Gold
    spans are moved to their places after the edits; None if a gold span is no longer counted."""
    shift: ShiftRecord | None = None
    """The shift of the embedding, for a text if a score of the suite takes gradients; otherwise None."""
    before: PredictionRecord
    after: PredictionRecord
    right_before: bool | None = None
    """Whether the model is right about the unchanged text; None without a gold label."""
    right_after: bool | None = None
    """Whether the model is right about the perturbed text; None without a gold label."""
    margin: float = 0.0
    reason: str = ""
    queries: int | None = None
    """The number of texts of the example about which a search had asked the model when it found this failure; None
    without a search."""
    reproduce: str = ""
    """A command line that shows this failure alone."""
    review: Literal["valid", "invalid", "unsure"] | None = None
    """People's answer about the text that reports show: whether it reads naturally and means what the check assumes.
    None without a review."""
    tried: list[TriedRecord] = []
    """At most eleven other texts tried on the example, the strongest break first, so that a page can show them without
    the model. They are recorded for three failing examples of each check."""
    shrunk: ShrunkRecord | None = None
    """The failing text with the fewest edits, for failures that reports show first and whose edits are independent of
    each other. People review this text; the check counts only the text that it tested."""

    @property
    def shown(self) -> Failure:
        """The failure as reports show it: with the fewest edits if ``shrunk`` is known."""
        if self.shrunk is None:
            return self
        changed = ShrunkRecord.model_fields.keys() & Failure.model_fields.keys() - {"queries"}
        return self.model_copy(update={name: getattr(self.shrunk, name) for name in changed})

    @property
    def needed(self) -> str:
        """The number of tested edits that are shown, as in "1 of 12 edits"; empty if all edits are shown."""
        if self.shrunk is None or len(self.shrunk.edits) == self.shrunk.tested:
            return ""
        return f"{len(self.shrunk.edits)} of {self.shrunk.tested} edits"
