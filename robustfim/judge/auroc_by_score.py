"""How well difficulty scores rank the examples that fail before those that do not."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from robustfim.record import AreaRecord, ExampleRecord, Failure, Record, ScoreRecord
from robustfim.statistics import auroc, auroc_interval

__all__ = ["area_of", "areas"]


def area_of(
    hardest: str, values: Mapping[str, float], tested: Collection[str], failing: Collection[str], comparisons: int = 1
) -> AreaRecord:
    """Measure one score.

    Args:
        hardest: Which end of its scale is the difficult one.
        values: Example id to score; NaN where it is undefined, infinities allowed.
        tested: Ids of the tested examples.
        failing: Ids of those that fail.
        comparisons: Scores whose intervals are to hold together.
    """
    sign = -1.0 if hardest == "lowest" else 1.0
    known = {each: sign * values[each] for each in tested if not math.isnan(values.get(each, math.nan))}
    fail = [number for each, number in known.items() if each in failing]
    hold = [number for each, number in known.items() if each not in failing]
    area = auroc(fail, hold)
    interval = None if area is None else auroc_interval(area, len(fail), len(hold), comparisons=comparisons)
    return AreaRecord(examples=len(known), failing=len(fail), auroc=area, interval=interval)


def areas(record: Record, steps: Collection[str] = ()) -> list[ScoreRecord]:
    """Measure the scores of a run on examples that none of them chose.

    These are the control arm, or all tested examples where there are no arms. Checks that compare two groups take no
    part, and checks of steps only where there are no others: some scores measure such steps themselves.

    Returns:
        The scores of the record with their areas; without one, where no such example was tested, and for strata, which
        a score has made.
    """
    if record.selection.strata:
        return list(record.scores)
    checks = [check for check in record.checks if check.estimand.by_example]
    checks = [check for check in checks if check.id not in steps] or checks
    names = {check.id for check in checks}
    arms = {each.arm for each in record.examples}
    arm = "control" if "control" in arms else "all"
    judged = {each for check in checks for each in check.examples}
    chosen = [each for each in record.examples if each.arm == arm and each.id in judged]
    if not chosen:
        return list(record.scores)
    failing = _failing(record.failures, names)
    tested = {each.id for each in chosen}
    return [
        score
        if score.message
        else score.model_copy(update={"area": area_of(score.hardest, _values(score, chosen), tested, failing)})
        for score in record.scores
    ]


def _failing(failures: Sequence[Failure], checks: Collection[str]) -> set[str]:
    return {each.example for each in failures if each.check in checks}


def _values(score: ScoreRecord, examples: Sequence[ExampleRecord]) -> dict[str, float]:
    """The score of each example; a record has no number for what is infinite, and says so."""
    values = {}
    for each in examples:
        number = each.scores.get(score.name)
        missing = math.inf if score.name in each.infinite else math.nan
        values[each.id] = missing if number is None or not math.isfinite(number) else number
    return values
