"""Find unclaimed labels: labels of gold spans that a tagger never finds. Their spans are ignored."""

from __future__ import annotations

from collections.abc import Sequence

from robustfim.collect.check import Check
from robustfim.record import Record
from robustfim.select.columns import Predictions

__all__ = ["unclaimed_spans"]


def unclaimed_spans(predictions: Predictions, checks: Sequence[Check], baseline: Record | None) -> dict[str, int]:
    """Count the gold spans of each label that a tagger does not know: it found none of them in unchanged texts.

    A tagger that has lost a label must not pass. So a label is not counted if the expectation of a check names it, or
    if the baseline's tagger found it. No label is counted if a check limits false negatives without naming labels. If
    the tagger finds no gold label at all, its labels have other names, and no label is counted either.

    Args:
        predictions: The model's predictions for the unchanged texts.
        checks: The checks of the run.
        baseline: The record that the run is compared with; None without one.

    Returns:
        The number of spans by label, the most frequent label first; empty for a model that is not a tagger.
    """
    gold, claimed = predictions.gold_spans, set(predictions.claimed)
    if baseline is not None:
        claimed |= gold.keys() - baseline.model.unclaimed.keys()
    if claimed.isdisjoint(gold):
        return {}
    for check in checks:
        claimed |= set(check.expectation.contract.labels or (gold if check.spec.limit_of_errors else ()))
    return {label: number for label, number in gold.most_common() if label not in claimed}
