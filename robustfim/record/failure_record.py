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
    """A move of the embedding, with the text unchanged."""

    direction: str
    norm: float


class ShiftRecord(Part):
    """How a perturbed text moves the embedding of its source."""

    norm: float = Field(ge=0, allow_inf_nan=False)
    """The length of the move over all tokens, in units of the embedding."""
    cosine: float | None = Field(default=None, ge=-1.01, le=1.01)
    """With the top eigenvector of the Fisher information at the source."""
    lambda_max: tuple[float, float] | None = None
    """λmax of the source and of the perturbed text."""


class PredictionRecord(Part):
    """A predicted label with the probabilities of all labels, in the order of the model's labels.

    An answer in free text, or the decision of a rule, has one probability; an abstention has that of the likeliest
    label; a number has none.
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
    """Another text that was tried on the same example."""

    edits: list[EditRecord]
    label: str
    probability: float | None
    """None for a number."""


class ShrunkRecord(Part):
    """The fewest edits of a failing text with which it still fails in the same way."""

    fields: dict[str, str]
    edits: list[EditRecord]
    label: str | None = None
    """As in :class:`Failure`."""
    shift: ShiftRecord | None = None
    after: PredictionRecord
    margin: float = 0.0
    reason: str = ""
    tested: int
    """Edits of the tested text, at least as many as ``edits``."""
    queries: int
    """Texts asked about to find the fewest edits."""


class Failure(Part):
    """A candidate that does not meet its expectation."""

    id: str
    """A hash of check, example and change, equal in every run."""
    check: str
    example: str
    arm: str | None = None
    fields: dict[str, str]
    """The perturbed texts; for a step, the source's."""
    edits: list[EditRecord] = []
    step: StepRecord | None = None
    label: str | None = None
    """The gold label of the perturbed text, with gold spans moved to their new places; None if a span no longer counts.
    """
    shift: ShiftRecord | None = None
    """For a text if a score of the suite takes gradients."""
    before: PredictionRecord
    after: PredictionRecord
    right_before: bool | None = None
    """Whether the model is right about the unchanged text; None without a gold label."""
    right_after: bool | None = None
    """Whether the model is right about the perturbed text."""
    margin: float = 0.0
    reason: str = ""
    queries: int | None = None
    """Texts of the example about which a search had asked before."""
    reproduce: str = ""
    """A command that shows this failure alone."""
    review: Literal["valid", "invalid", "unsure"] | None = None
    """People's answer: does the shown text read naturally and mean what the check assumes?"""
    tried: list[TriedRecord] = []
    """At most eleven other texts tried on the example, the strongest break first, for three examples of each check."""
    shrunk: ShrunkRecord | None = None
    """The text with the fewest edits, which reports show and people review; the check counts the tested text."""

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
