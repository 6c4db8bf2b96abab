"""Examples, with the importance of their words, in the run record."""

from __future__ import annotations

from typing import Any

from robustfim.record.part import Part
from robustfim.record.selection_record import Arm

__all__ = ["AttributionRecord", "ExampleRecord", "ImportanceRecord", "WordRecord"]


class WordRecord(Part):
    """How much a word contributes to the predicted label."""

    field: str
    start: int
    end: int
    value: float
    """The contribution to the margin of the predicted label, in logits; negative if the word speaks for another label.
    """


class ImportanceRecord(Part):
    """The contributions of an example's words to the predicted label. The values sum to ``change + delta``."""

    words: list[WordRecord] = []
    change: float | None = None
    """The margin of the example minus that of the baseline input, in logits; None if not finite."""
    delta: float | None = None
    """The convergence delta: the sum of the values minus ``change``."""


class AttributionRecord(Part):
    """How the importance of words was computed."""

    options: dict[str, Any] = {}
    """The suite's options."""
    calls: int = 0
    """Points at which the model was differentiated, several per example."""
    message: str = ""
    """The reason why failing examples have no importance of words."""


class ExampleRecord(Part):
    """One usable example."""

    id: str
    fields: dict[str, str]
    label: str | None = None
    prediction: str | None = None
    """The label, or the answer in the model's own words."""
    probabilities: list[float] | None = None
    """In the order of the model's labels; for an answer in the model's own words, its probability."""
    correct: bool | None = None
    """Whether the prediction is the gold label or an accepted one; None without a gold label."""
    again: tuple[int, int] | None = None
    """With ``repeat``: right answers, and all answers, when the unchanged text was asked again."""
    cluster: str | None = None
    """The cluster of dependent examples; None if the example is independent."""
    arm: Arm | None = None
    """None if the example was not tested."""
    scores: dict[str, float | None] = {}
    infinite: list[str] = []
    """Names of infinite scores, which are ``null`` in ``scores``."""
    importance: ImportanceRecord | None = None
    """None if it was not computed."""
