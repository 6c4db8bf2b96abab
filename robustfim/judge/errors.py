"""Counts of false negatives (missed) and false positives (false alarms) about a label, before and after edits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

from robustfim.decision import ABSTAINS
from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.design import Design
from robustfim.judge.estimate import Compared, Estimate
from robustfim.judge.trials import Trials
from robustfim.prediction import Prediction
from robustfim.record import Counted, ErrorRecord
from robustfim.statistics import Excess
from robustfim.statistics.clusters import ClusterOf, clustered_pairs
from robustfim.statistics.threshold import FewAlarms

__all__ = ["SLICE", "STRICT", "kind_text", "slice_limits", "with_errors", "with_excess", "with_slices"]

STRICT = "missed_at_1_percent"
"""The false negative rate at the threshold that 1 % of the texts without the label reach."""

SLICE = "slice "
"""The prefix of a slice's name."""

_COUNTED = {"broken": "broken", "changes": "changed"}
"""The verb for one of several labels, by how the check counts."""

_Row: TypeAlias = tuple[Any, ...]
"""An example's id, whether it is wrong before any change, and whether it is wrong before or after one; at an estimated
threshold, also both for the ends of the threshold's interval."""


def with_errors(
    check: CheckCounts,
    tested: Iterable[tuple[str, Collection[str], Prediction, str]],
    after: Mapping[str, Collection[str]],
    limits: Mapping[str, float],
    strict: Mapping[str, FewAlarms | None] = MappingProxyType({}),
    clusters: ClusterOf = MappingProxyType({}),
) -> CheckCounts:
    """Count false negatives and false positives among a check's tested examples with a gold label.

    For a tagger, an example with gold spans of a label is a false negative if the tagger misses any of these spans, in
    the unchanged or in a perturbed text.

    If the model decides for several labels, each label has its own counts, and a limit applies to every label. Two more
    numbers are counted: right decisions about the label that an edit breaks, and decisions that an edit changes.

    A model without a decision rule answers with one of its labels; a limit then applies to each of them.

    Args:
        check: The counts of the check.
        tested: The id, gold decisions, prediction and group (arm) of each tested example; for a tagger, of each example
            with a gold span, even if the tagger found nothing in it.
        after: Example id to the decisions on its failing perturbed texts.
        limits: The check's limits, by kind of error.
        strict: For each label with enough texts, the threshold with 1 % false positives: an example is missed if
            P(label) of any of its texts is below. If broken examples are counted, the threshold is at least that of the
            decision, since texts below the latter were not edited. None if no threshold has 1 % false positives;
            nothing is then tested.
        clusters: Example id to cluster (group of dependent examples); empty if all examples are independent.

    Returns:
        The check with ``errors``; empty if nothing decides for or against a label.
    """
    tested, asked = list(tested), {} if check.missed else limits  # a tagger's labels are counted by their spans
    design = Design.of(check)
    rule = next((before.rule for _, _, before, _ in tested if before.rule is not None), None)
    if rule is not None and check.counts == "broken":
        strict = {label: few and few.at_least(rule.threshold(label)) for label, few in strict.items()}
    wrong: defaultdict[tuple[str, str], defaultdict[str, list[_Row]]] = defaultdict(lambda: defaultdict(list))
    for id, gold, before, arm in tested:
        for label in _targets(before, asked):
            one, *now = (_takes(before, each, label) for each in (before.label, *after.get(id, ())))
            has = any(_takes(before, each, label) for each in gold)
            # Elsewhere a change to what is right is no failure, and not in ``after``.
            if before.rule is not None and before.rule.several and check.counts is not None:
                rows = wrong[_COUNTED[check.counts], label]
                if check.counts == "changes" or (gold and one is has):
                    rows[arm].append((id, False, (not one) in now))
            if not gold:
                continue
            for kind in ("missed", "false_alarm") if before.rule is not None and before.rule.targets else ():
                wrong[kind, label]  # a kind without an example is counted, too
            wrongly = one is not has
            wrong["missed" if has else "false_alarm", label][arm].append((id, wrongly, wrongly or (not has) in now))
            if not has or label not in strict:
                continue
            rare = wrong[STRICT, label]
            if (few := strict[label]) is not None:
                was = before.alone(label)
                least = min(was, check.lowest.get((id, label), was))
                row = (id, was < few.at, least < few.at, least < few.low, least < few.high)
                rare[arm].append(row)
    counted = check.expectation.get("labels")
    arms_of = {id: arm for id, _, _, arm in tested} if check.missed else {}
    for id, label, before_any, after_any in check.missed:
        if (counted is None or label in counted) and id in arms_of:
            wrong["missed", label][arms_of[id]].append((id, before_any, after_any))
    several = len({label for _, label in wrong}) > 1 or bool(check.missed)
    errors, estimates = {}, dict(check.estimates)
    for (kind, label), arms in wrong.items():
        if not arms and kind not in limits and kind != STRICT:
            continue
        name = f"{kind} {label}" if several else kind
        few = strict[label] if kind == STRICT else None
        error, estimates[name] = _error(design, arms, clusters, few)
        errors[name] = error.model_copy(update={"label": label if several else None, "limit": limits.get(kind)})
    return check.model_copy(update={"errors": errors, "estimates": estimates})


def with_excess(
    check: CheckCounts,
    tested: Iterable[tuple[str, Collection[str], Prediction, str]],
    limits: Mapping[str, float],
    clusters: ClusterOf = MappingProxyType({}),
) -> CheckCounts:
    """Count both kinds of error of a model that is asked repeatedly, beyond those that its own noise causes.

    The excess is the error rate of perturbed texts minus that of unchanged texts, on the same examples and with equally
    many answers. An example is a false negative if any of these answers misses the label.

    Args:
        check: The counts of the check, with the repeated answers.
        tested: As for :func:`with_errors`.
        limits: The check's limits for the excess, by kind of error.
        clusters: Example id to cluster (group of dependent examples); empty if all examples are independent.

    Returns:
        The check with ``errors`` and their ``estimates``; both are empty without a limit and a decision for a label.
    """
    rows: dict[tuple[str, str], dict[str, tuple[bool, bool]]] = {}
    for id, gold, before, _ in tested:
        for label in _targets(before, limits) if gold and id in check.said else ():
            has = any(_takes(before, each, label) for each in gold)
            changed, unchanged = (
                any(_takes(before, each, label) is not has for each in side) for side in check.said[id]
            )
            rows.setdefault(("missed" if has else "false_alarm", label), {})[id] = changed, unchanged
    several = len({label for _, label in rows}) > 1
    errors, estimates = {}, dict(check.estimates)
    for (kind, label), wrong in sorted(rows.items()):
        failing = [id for id, (changed, _) in wrong.items() if changed]
        changes = {id: float(changed) - unchanged for id, (changed, unchanged) in wrong.items()}
        paired, effective = clustered_pairs(changes, [*wrong], clusters)
        name, excess = f"{kind} {label}" if several else kind, Excess(paired, paired.matched / len(wrong))
        estimates[name] = excess
        errors[name] = ErrorRecord(
            drawn=len(wrong), tested=len(wrong), failing=len(failing),
            unchanged=sum(unchanged for _, unchanged in wrong.values()), rate=excess.rate,
            interval=excess.interval, effective=effective, label=label if several else None, limit=limits.get(kind),
            examples=[*wrong], wrong=failing,
        )  # fmt: skip
    return check.model_copy(update={"errors": errors, "estimates": estimates})


def _targets(prediction: Prediction, limits: Collection[str]) -> tuple[str, ...]:
    """The labels that are decided for or against: those of the rule, or each label of a model where a limit asks."""
    if prediction.rule is not None and prediction.rule.targets:
        return prediction.rule.targets
    asked = prediction.answer is None and not {"missed", "false_alarm"}.isdisjoint(limits)
    return tuple(label for label in prediction.labels if label != ABSTAINS) if asked else ()


def _takes(prediction: Prediction, decision: str, label: str) -> bool:
    return decision == label if prediction.rule is None else prediction.rule.takes(decision, label)


def _error(
    design: Design, arms: Mapping[str, Sequence[_Row]], clusters: ClusterOf, few: FewAlarms | None
) -> tuple[ErrorRecord, Estimate]:
    """Estimate one kind of error, before and after the edits, and at the ends of a threshold's interval."""
    rows = [(arm, *row) for arm, own in arms.items() for row in own]
    drawn_from, ids, *columns = zip(*rows, strict=True) if rows else ((), (), (), ())
    trials = [Trials.made(ids, value=column, stratum=drawn_from, cluster=map(clusters.get, ids)) for column in columns]
    before, after, *ends = map(design.estimate, trials)
    error = _record(after, trials[1], None, before)
    if few is not None and error.interval is not None:
        interval = FewAlarms.interval(after.rate, error.interval, *(end.rate for end in ends))
        error = error.model_copy(update={"interval": interval})
    return error.model_copy(update={"at": None if few is None else few.at}), after


def with_slices(
    check: CheckCounts, slices: Mapping[str, tuple[Trials, float]], whole: Collection[str] = ()
) -> CheckCounts:
    """Count the failing and tested examples of each slice that has a limit.

    Args:
        check: The counts of the check.
        slices: For each slice, the check's results in it, and its limit.
        whole: The slices of which all examples were drawn.

    Returns:
        The check with an entry ``slice NAME`` in ``errors`` for each slice.
    """
    errors, estimates = dict(check.errors), dict[str, Compared](check.estimates)
    for name, (trials, limit) in slices.items():
        estimates[SLICE + name] = estimate = Design.of(check).estimate(trials, whole=name in whole)
        errors[SLICE + name] = _record(estimate, trials, limit)
    return check.model_copy(update={"errors": errors, "estimates": estimates})


def _record(estimate: Estimate, trials: Trials, limit: float | None, was: Estimate | None = None) -> ErrorRecord:
    """The record of a part of the data, and of how it was before any change."""
    return ErrorRecord(
        drawn=len(trials), tested=len(trials), failing=estimate.counts.count,
        before=0 if was is None else was.counts.count,
        interval=estimate.counts.interval,
        rate=estimate.counts.rate, rate_before=None if was is None else was.counts.rate,
        effective=estimate.effective, limit=limit, examples=trials.example.tolist(),
        wrong=trials.example[trials.value > 0].tolist(),
    )  # fmt: skip


def kind_text(name: str) -> str:
    """Write the name of a kind of error for a reader; the label in it is unchanged.

    >>> kind_text("false_alarm CREDIT_CARD")
    'false alarm CREDIT_CARD'
    """
    kind, blank, label = name.partition(" ")
    return kind.replace("_", " ") + blank + label


def slice_limits(check: Counted) -> dict[str, float]:
    """Return the failure rates that a check tolerates in slices; the keys are ``slice`` and the slice's name."""
    return {name: part.limit or 0.0 for name, part in check.limited.items() if name.startswith(SLICE)}
