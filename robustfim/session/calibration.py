"""Calibration of a run: what the model's probabilities are worth before the edits and after them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.record import CalibrationRecord, CheckCounts, ClaimsRecord
from robustfim.statistics.calibration import Claim, claims, worth_of

__all__ = ["calibration"]


def calibration(
    checks: Iterable[CheckCounts],
    tested: Iterable[tuple[Example, Prediction]],
    clusters: Mapping[str, str],
    weights: Mapping[str, float],
) -> CalibrationRecord | None:
    """Hold what the model claims of texts that keep their gold label beside what it claimed of their sources.

    Args:
        checks: What was counted.
        tested: Examples, with their predictions; those without a text among the claims do not count.
        clusters: Example id to cluster, of those that are not independent.
        weights: Example id to what it counts; 1 of those that it lacks.

    Returns:
        None where no example has gold labels, or the model tells no probability between 0 and 1.
    """
    after = [claim for check in checks if not check.yardstick for claim in check.claims]
    ids = {claim[0] for claim in after}
    before: list[Claim] = []
    numbers: dict[tuple[bool, str], int] = {}
    places: dict[str, int] = {}
    for example, prediction in tested:
        if example.id in ids:
            before += claims(example.id, prediction, example.gold)
            key = example.id in clusters, clusters.get(example.id, example.id)
            places[example.id] = numbers.setdefault(key, len(numbers))
    records = []
    for claimed in (before, [claim for claim in after if claim[0] in places]):
        worth = worth_of(claimed, places.__getitem__, lambda id: weights.get(id, 1.0))
        if worth is None:
            return None
        brier, ece = worth
        records.append(
            ClaimsRecord(brier=brier.value, brier_interval=brier.interval, ece=ece.value, ece_interval=ece.interval)
        )
    return CalibrationRecord(examples=len(places), before=records[0], after=records[1])
