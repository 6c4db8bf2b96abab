"""The two kinds of error of a decision for a label: what is missed, and false alarms, before and after the edits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from robustfim.judge.strata import share_of
from robustfim.prediction import Prediction
from robustfim.record import CheckCounts, ErrorRecord
from robustfim.statistics import wilson
from robustfim.statistics.stratified import Stratum, stratified_rate

__all__ = ["with_errors"]


def with_errors(
    check: CheckCounts,
    tested: Iterable[tuple[str, Collection[str], Prediction, str]],
    after: Mapping[str, Collection[str]],
    limits: Mapping[str, float],
) -> CheckCounts:
    """Count what is missed and what raises a false alarm among the tested examples that have a gold label.

    Where several labels are decided for, each is counted by itself, and so is on how many examples an edit brings it or
    takes it away; a limit holds of every label.

    Each kind is a part of the data, whose share in an arm is that of its tested examples: the estimate of the rate of
    all that the arms stand for is that of two-phase samples, as for all failures.

    Args:
        check: What was counted, with its strata.
        tested: Of each tested example its id, gold decisions, prediction, and arm.
        after: The decisions of the failing texts of an example.
        limits: The check's limits, by kind.

    Returns:
        The check with ``errors``, none where nothing decides for or against a label.
    """
    wrong: dict[tuple[str, str], dict[str, list[tuple[str, bool, bool]]]] = {}
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
    several = len({label for _, label in wrong}) > 1
    strata = dict(zip(check.arms, check.strata, strict=False))
    errors, parts, share = {}, {}, share_of(check)
    for (kind, label), arms in wrong.items():
        rows = [row for each in arms.values() for row in each]
        if not rows and kind not in limits:
            continue
        held = {arm: _part(each, check.arms[arm].tested, arms[arm]) for arm, each in strata.items() if arm in arms}
        uneven = len(held) > 1 and any(each.drawn < each.size for each in held.values())
        first = {arm: replace(each, failing=sum(wrongly for _, wrongly, _ in arms[arm])) for arm, each in held.items()}
        found, was = (stratified_rate([*each.values()]) if uneven else None for each in (held, first))
        failing = sum(now for *_, now in rows)
        name = f"{kind} {label}" if several else kind
        errors[name] = ErrorRecord(
            label=label if several else None,
            drawn=len(rows), tested=len(rows), failing=failing, before=sum(wrongly for _, wrongly, _ in rows),
            interval=wilson(failing * share, len(rows) * share) if found is None else found[1],
            weighted=None if found is None else found[0], weighted_before=None if was is None else was[0],
            effective=None if share == 1 else share * len(rows), limit=limits.get(kind),
            examples=[id for id, *_ in rows], wrong=[id for id, _, now in rows if now],
        )  # fmt: skip
        parts[name] = tuple(held.values()) if uneven else ()
    return check.model_copy(update={"errors": errors, "error_strata": parts})


def _part(stratum: Stratum, tested: int, rows: Collection[tuple[str, bool, bool]]) -> Stratum:
    """The part of an arm that can be wrong in one way."""
    share = len(rows) / max(1, tested)
    size, drawn = round(stratum.size * share), round(stratum.drawn * share)
    return replace(
        stratum, size=max(size, drawn, len(rows)), drawn=max(drawn, len(rows)), tested=len(rows),
        failing=sum(now for *_, now in rows),
    )  # fmt: skip
