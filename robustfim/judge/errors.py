"""The two kinds of error of a decision for a label: what is missed, and false alarms, before and after the edits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeAlias

from robustfim.prediction import Prediction
from robustfim.record import CheckCounts, Counted, ErrorRecord
from robustfim.statistics import Interval, clustered_rate, wilson
from robustfim.statistics.clusters import by_cluster, stratified_effect
from robustfim.statistics.stratified import Stratum, stratified_rate
from robustfim.statistics.threshold import FewAlarms

__all__ = ["SLICE", "STRICT", "slice_limits", "with_errors", "with_slices"]

STRICT = "missed_at_1_percent"
"""What is missed at the threshold that 1 % of the texts without the label reach."""

SLICE = "slice "
"""What the name of a slice follows."""

_Row: TypeAlias = tuple[Any, ...]
"""An example's id, whether it is wrong before any change, and whether it is before or after one; at a threshold that is
estimated the same at the ends of its interval."""
_Arms: TypeAlias = Mapping[str, Sequence[_Row]]


def with_errors(
    check: CheckCounts,
    tested: Iterable[tuple[str, Collection[str], Prediction, str]],
    after: Mapping[str, Collection[str]],
    limits: Mapping[str, float],
    strict: Mapping[str, FewAlarms | None] = MappingProxyType({}),
    clusters: Mapping[str, str] = MappingProxyType({}),
) -> CheckCounts:
    """Count what is missed and what raises a false alarm among the tested examples that have a gold label.

    Of a tagger an example with gold spans of a label is missed where any of them is, before the edits or after one.

    Where several labels are decided for, each is counted by itself, and so is on how many examples an edit brings it or
    takes it away; a limit holds of every label.

    Each kind is a part of the data, whose share in an arm is that of its tested examples: the estimate of the rate of
    all that the arms stand for is that of two-phase samples, as for all failures.

    Args:
        check: What was counted, with its strata.
        tested: Of each tested example its id, gold decisions, prediction, and arm; of a tagger of each that has a gold
            span, whatever was found in it.
        after: The decisions of the failing texts of an example.
        limits: The check's limits, by kind.
        strict: The threshold of 1 % false alarms of each label, where enough texts set it: there an example is missed
            where P(label) of any of its texts lies below. None where no threshold reaches 1 %: then nothing is tested.
        clusters: Example id to cluster; empty where all are independent.

    Returns:
        The check with ``errors``, none where nothing decides for or against a label.
    """
    tested = list(tested)
    wrong: dict[tuple[str, str], dict[str, list[_Row]]] = {}
    invariant = check.expectation.get("use") == "invariant"
    for id, gold, before, arm in tested:
        if (rule := before.rule) is None:
            continue
        for label in rule.targets:
            one, *now = (rule.takes(each, label) for each in (before.label, *after.get(id, ())))
            # Elsewhere a change to what is right is no failure, and not in ``after``.
            if len(rule.targets) > 1 and invariant:
                wrong.setdefault(("changed", label), {}).setdefault(arm, []).append((id, False, (not one) in now))
            if not gold:
                continue
            for kind in ("missed", "false_alarm"):
                wrong.setdefault((kind, label), {})
            has = any(rule.takes(each, label) for each in gold)
            wrongly = one is not has
            wrong["missed" if has else "false_alarm", label].setdefault(arm, []).append(
                (id, wrongly, wrongly or (not has) in now)
            )
            if not has or label not in strict:
                continue
            rare = wrong.setdefault((STRICT, label), {})
            if (few := strict[label]) is not None:
                was = before.alone(label)
                least = min(was, check.lowest.get((id, label), was))
                row = (id, was < few.at, least < few.at, least < few.low, least < few.high)
                rare.setdefault(arm, []).append(row)
    counted = check.expectation.get("labels")
    arms_of = {id: arm for id, _, _, arm in tested} if check.missed else {}
    for id, label, before_any, after_any in check.missed:
        if (counted is None or label in counted) and id in arms_of:
            wrong.setdefault(("missed", label), {}).setdefault(arms_of[id], []).append((id, before_any, after_any))
    several = len({label for _, label in wrong}) > 1 or bool(check.missed)
    errors, strata = {}, {}
    for (kind, label), arms in wrong.items():
        if not arms and kind not in limits and kind != STRICT:
            continue
        name = f"{kind} {label}" if several else kind
        few = strict[label] if kind == STRICT else None
        errors[name], strata[name] = _part_of(check, arms, clusters, limits.get(kind), label if several else None, few)
    return check.model_copy(update={"errors": errors, "error_strata": strata})


def with_slices(
    check: CheckCounts,
    tested: Iterable[tuple[str, str]],
    failing: Collection[str],
    slices: Mapping[str, tuple[Collection[str], float]],
    clusters: Mapping[str, str] = MappingProxyType({}),
) -> CheckCounts:
    """Count the tested examples of each slice that has a limit; like a kind of error each is a part of the data.

    Args:
        check: What was counted, with its strata.
        tested: Of each tested example its id and arm.
        failing: Ids of those that fail.
        slices: The ids of the examples of each slice, and its limit.
        clusters: Example id to cluster; empty where all are independent.

    Returns:
        The check with ``slice NAME`` in ``errors``.
    """
    tested = list(tested)
    errors, strata = dict(check.errors), dict(check.error_strata)
    for name, (members, limit) in slices.items():
        arms: dict[str, list[_Row]] = {}
        for id, arm in tested:
            if id in members:
                arms.setdefault(arm, []).append((id, False, id in failing))
        errors[SLICE + name], strata[SLICE + name] = _part_of(check, arms, clusters, limit)
    return check.model_copy(update={"errors": errors, "error_strata": strata})


def slice_limits(check: Counted) -> dict[str, float]:
    """The limits of the slices that a check is held to, by ``slice`` and name."""
    known = {name: each.limit for name, each in check.errors.items() if name.startswith(SLICE)}
    return {name: limit for name, limit in known.items() if limit is not None}


def _part_of(
    check: CheckCounts, arms: _Arms, clusters: Mapping[str, str], limit: float | None, label: str | None = None,
    few: FewAlarms | None = None,
) -> tuple[ErrorRecord, tuple[Stratum, ...]]:  # fmt: skip
    """Count a part of the data, and give what its arms stand for where they do so unequally."""
    rows = [row for each in arms.values() for row in each]
    wrong = {row[0] for row in rows if row[2]}
    strata = dict(zip(check.arms, check.strata, strict=False))
    held = {arm: _part(each, _asked(check, arm), arms[arm]) for arm, each in strata.items() if arm in arms}
    uneven = len(held) > 1 and any(each.drawn < each.size for each in held.values())
    effective = _effective(check, [row[0] for row in rows], wrong, clusters)
    if uneven and clusters:
        ids = {arm: [row[0] for row in arms[arm]] for arm in held}
        stands_for = {arm: each.size * each.tested / max(1, each.drawn) for arm, each in held.items()}
        effect = stratified_effect(ids, dict.fromkeys(wrong, 1.0), clusters, stands_for, of_file=check.limit_of_file)
        if len(by_cluster(wrong, [row[0] for row in rows], clusters)) == 1 != check.clusters:
            effect = float(len(rows))
        held = {arm: replace(each, effect=effect) for arm, each in held.items()}

    def rated(column: int) -> tuple[float, Interval | None, bool]:
        """The share that is wrong, its interval, and whether the arms are weighted."""
        counts = {arm: sum(bool(row[column]) for row in each) for arm, each in arms.items()}
        if uneven and (found := stratified_rate([replace(held[arm], failing=counts[arm]) for arm in held])):
            return *found, True
        rate, worth = sum(counts.values()) / max(1, len(rows)), len(rows) if effective is None else effective
        return rate, wilson(rate * worth, worth), False

    rate, interval, weighted = rated(2)
    was, _, weighted_before = rated(1)
    if few is not None and interval is not None:
        interval = FewAlarms.interval(rate, interval, rated(3)[0], rated(4)[0])
    record = ErrorRecord(
        label=label, drawn=len(rows), tested=len(rows), failing=len(wrong),
        before=sum(bool(row[1]) for row in rows), interval=interval, weighted=rate if weighted else None,
        weighted_before=was if weighted_before else None, effective=effective, limit=limit,
        at=None if few is None else few.at, examples=[row[0] for row in rows],
        wrong=[row[0] for row in rows if row[2]],
    )  # fmt: skip
    return record, tuple(held.values()) if uneven else ()


def _effective(
    check: CheckCounts, ids: Sequence[str], wrong: Collection[str], clusters: Mapping[str, str]
) -> float | None:
    """As many independent examples a part of a check's is worth, by its own clusters; None where all are independent.

    A part that lies in one of several clusters is worth one example.
    """
    number = len(by_cluster(wrong, ids, clusters))
    if len(ids) > number == 1 != check.clusters:
        return 1.0
    return clustered_rate(wrong, ids, clusters)[1]


def _asked(check: CheckCounts, arm: str) -> int:
    """Of how many examples of an arm some can be wrong: of a tagger also those of which nothing was found to judge."""
    return check.arms[arm].drawn if check.missed else check.arms[arm].tested


def _part(stratum: Stratum, tested: int, rows: Collection[_Row]) -> Stratum:
    """The part of an arm that can be wrong in one way."""
    share = len(rows) / max(1, tested)
    size, drawn = round(stratum.size * share), round(stratum.drawn * share)
    return replace(
        stratum, size=max(size, drawn, len(rows)), drawn=max(drawn, len(rows)), tested=len(rows),
        failing=sum(bool(row[2]) for row in rows),
    )  # fmt: skip
