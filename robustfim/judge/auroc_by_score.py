"""A measure of how well difficulty scores rank failing examples before passing ones."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from robustfim.judge.trials import Trials
from robustfim.record import AreaRecord, ExampleRecord, Record, ScoreRecord
from robustfim.statistics import auroc, auroc_interval
from robustfim.statistics.clusters import ClusterOf, auroc_effective

__all__ = ["area_of", "areas"]


def area_of(
    hardest: str, values: Mapping[str, float], tested: Collection[str], failing: Collection[str], comparisons: int = 1,
    clusters: ClusterOf = MappingProxyType({}),
) -> AreaRecord:  # fmt: skip
    """Measure how well one difficulty score ranks failing examples before passing ones (AUROC).

    Args:
        hardest: Whether the ``highest`` or the ``lowest`` numbers are those of difficult examples.
        values: Example id to score; NaN if undefined, infinities allowed.
        tested: Ids of the tested examples.
        failing: Ids of the failing examples.
        comparisons: The number of compared scores; the interval is widened so that all intervals hold at once.
        clusters: Example id to cluster (group of dependent examples); an example without a cluster is independent.
    """
    sign = -1.0 if hardest == "lowest" else 1.0
    known = {each: sign * values[each] for each in tested if not math.isnan(values.get(each, math.nan))}
    fail = [number for each, number in known.items() if each in failing]
    hold = [number for each, number in known.items() if each not in failing]
    area = auroc(fail, hold)
    interval = None
    if area is not None:
        names = {each: clusters.get(each, each) for each in known} if clusters else {}
        worth = 1.0 if len({*names.values()}) == len(names) else auroc_effective(known, failing, names) / len(known)
        interval = auroc_interval(area, len(fail) * worth, len(hold) * worth, comparisons=comparisons)
    return AreaRecord(examples=len(known), failing=len(fail), auroc=area, interval=interval)


def areas(record: Record, steps: Collection[str] = ()) -> list[ScoreRecord]:
    """Measure how well each difficulty score of a run ranks failing examples before passing ones (AUROC).

    The examples are the control group (a random sample), or all tested examples if no score selected examples. Checks
    that compare two groups are left out. Checks that move embeddings count only if all checks do.

    Returns:
        The scores of the record with their AUROCs. A score has no AUROC if no randomly drawn example was tested, or if
        the draw was stratified by a score.
    """
    if record.selection.strata:
        return list(record.scores)
    checks = [check.id for check in record.checks if check.estimand.by_example]
    checks = [check for check in checks if check not in steps] or checks
    arm = "control" if any(example.arm == "control" for example in record.examples) else "all"
    trials = Trials.of_record(record).of_checks(*checks)
    trials = trials.where(trials.stratum == arm)
    tested, failing = trials.tested, trials.failing
    chosen = [example for example in record.examples if example.id in tested]
    if not chosen:
        return list(record.scores)

    def area(score: ScoreRecord) -> AreaRecord:
        return area_of(score.hardest, _values(score, chosen), tested, failing, clusters=trials.clusters)

    return [score if score.message else score.model_copy(update={"area": area(score)}) for score in record.scores]


def _values(score: ScoreRecord, examples: Sequence[ExampleRecord]) -> dict[str, float]:
    """The score of each example; a record has no number for what is infinite, and says so."""
    values = {}
    for example in examples:
        number = example.scores.get(score.name)
        missing = math.inf if score.name in example.infinite else math.nan
        values[example.id] = missing if number is None or not math.isfinite(number) else number
    return values
