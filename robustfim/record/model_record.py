"""The model under test, in the run record."""

from __future__ import annotations

from typing import Any

from robustfim.printable import counted
from robustfim.record.association import AssociationRecord
from robustfim.record.part import Part, RateField
from robustfim.statistics import Rate, percent

__all__ = ["AskedAgainRecord", "ModelRecord", "NoiseRecord", "ThresholdRecord"]

_SHARES = (0.15, 0.05, 0.02)
"""Fractions of changed answers for which the record states the probability that a sample detects the change."""


class AskedAgainRecord(Part):
    """The comparison of a sample of stored answers with new ones, for a model that may have changed."""

    stored: int
    """Stored answers that the run would use."""
    asked: int
    """Stored answers in the random sample that was asked again first."""
    differing: int = 0
    """Answers of the sample that are different now."""
    noisy: int = 0
    """Answers of a third time that differ from the second; it is asked if the second differed."""
    flipped: int = 0
    """Answers of the sample with another likeliest label or first answer."""
    changed: bool = False
    """Whether the model or its decision rule changed; the run then discards all stored answers."""
    generation: int = 0
    """How often stored answers of this fingerprint have been discarded."""
    seed: int
    """The seed of the sample; it differs between runs."""

    @property
    def unasked(self) -> bool:
        """Whether stored answers were used without asking any of them again, as with ``--offline``."""
        return self.stored > 0 and self.asked == 0

    @property
    def sentence(self) -> str:
        """A sentence on the compared answers, with the size of a change that the sample can detect."""
        stored = counted(self.stored, "stored answer")
        if self.unasked:
            return f"{stored}: not asked again, so that nothing says that the model is still the same"
        asked = f"{self.asked:,} of {stored} asked again"
        if self.changed:
            why = "the model has changed" + ", or does not give one answer to one text" * (self.noisy > 0)
            return (
                f"{asked}, {self.differing:,} differ: {why}; its answers were put aside as those of "
                f"generation {self.generation - 1}, and it was asked anew"
            )
        told = f"{self.differing:,} differ, as a noisy model's do" if self.differing else "all alike"
        chances = [(share, round(1 - (1 - share) ** self.asked, 2)) for share in _SHARES]
        seen = ", ".join(f"of {percent(share)} with {percent(chance)}" for share, chance in chances)
        return f"{asked}, {told}; so many see a change {seen}"


class NoiseRecord(Part):
    """How often the model decides differently about an unchanged text."""

    texts: int
    """Unchanged texts that were asked again."""
    again: RateField
    """Repeated answers that decide differently from the first."""

    @property
    def sentence(self) -> str:
        """A sentence that reports the model's own noise."""
        asked = f"{self.again.tested:,} further answers to {self.texts:,} unchanged texts"
        return f"{self.again.count:,} of {asked} differ from the first, {self.again.text}"


class ThresholdRecord(Part):
    """A decision threshold that was set on data of its own."""

    label: str
    """The label that the model decides for from the threshold on."""
    at: float
    """The threshold, in (0, 1)."""
    fpr: float
    """The target: the largest expected fraction of texts without the label that reach the threshold."""
    alarms: RateField
    """Texts that reach the threshold, among those without the label."""

    @property
    def sentence(self) -> str:
        """A sentence that reports the threshold and its false positive rate."""
        low, high = (f"{100 * end:.2g}" for end in self.alarms.ends)
        alarms = f"{self.alarms.count:,} of {self.alarms.tested:,}"
        return (
            f"{self.label} from {self.at:.4g} on, where {alarms} texts without it are: "
            f"{low} to {high} % of all such texts"
        )


_UNCLAIMED = 4
"""The most labels that the record names of those that a tagger never finds; it only counts further labels."""


class ModelRecord(Part):
    """The model under test."""

    use: str
    options: dict[str, Any] = {}
    fingerprint: str | None = None
    """A hash of all that decides a prediction; None if the model could not be loaded."""
    labels: list[str] = []
    """Empty for a model that answers in its own words."""
    asked_again: AskedAgainRecord | None = None
    """The check of stored answers; None if the fingerprint decides every answer."""
    noise: NoiseRecord | None = None
    """None without ``repeat``."""
    accuracy: RateField = Rate(0, 0)
    """Right predictions among the labelled examples, unperturbed."""
    unlabelled: int = 0
    """Usable examples without a gold label."""
    unclaimed: dict[str, int] = {}
    """Gold spans that were ignored, by label: the tagger never finds the label."""
    gold: list[str] = []
    """The gold labels in the data; empty for a model that answers in its own words."""
    majority: float | None = None
    """The fraction of the commonest gold label: the accuracy of a constant answer."""
    association: AssociationRecord = AssociationRecord()
    threshold: ThresholdRecord | None = None
    """The threshold that data set; None if there is none, or the suite names it."""

    @property
    def labelled_text(self) -> str:
        """A note on the gold labels, printed after the accuracy; empty if the labels need no remark.

        ``(450 labelled, all 'pos', 450 unlabelled)``, ``(not claimed by the model: 41 spans of GPE)``.
        """
        if self.unclaimed:
            named = [f"{counted(number, 'span')} of {label}" for label, number in self.unclaimed.items()]
            more = len(named) - _UNCLAIMED
            rest = [counted(more, "more label")] * (more > 0)
            return f" (not claimed by the model: {', '.join(named[:_UNCLAIMED] + rest)})"
        labelled = self.accuracy.tested
        if not labelled or not (self.unlabelled or len(self.gold) == 1):
            return ""
        labels = [f"all {self.gold[0]!r}"] if len(self.gold) == 1 else [f"{len(self.gold)} labels"] * bool(self.gold)
        rest = [f"{self.unlabelled:,} unlabelled"] * bool(self.unlabelled)
        return f" ({', '.join([f'{labelled:,} labelled', *labels, *rest])})"
