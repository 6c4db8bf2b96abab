"""A plan: the number of examples that a suite needs for a conclusive result, and their cost."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from robustfim.errors import UsageError, did_you_mean, shown
from robustfim.judge import compare
from robustfim.record import AccuracyComparison, CheckRecord, PairedRecord, Record
from robustfim.statistics import (
    Interval,
    Stratum,
    design_effect,
    examples_for,
)
from robustfim_plan.assurance import Piloted, Runs, grown
from robustfim_power import Churn, limit_kept, paired_power, pass_all

__all__ = ["LimitPlan", "MarginPlan", "Plan", "make_plan"]


@dataclass(frozen=True)
class LimitPlan:
    """The number of examples that a conclusive test of one limit needs.

    Attributes:
        check: The check's name.
        arm: The group of examples (arm) with the limit; "" for a limit on all examples.
        limit: The limit, in (0, 1).
        rate: The assumed failure rate, from the pilot or the user.
        interval: The interval of the pilot's rate; None for a rate from the user.
        testable: The fraction of drawn examples that the check can perturb and test. For a check that counts broken
            examples, a fraction of the examples that the model answers correctly.
        drawn: By power, the number of examples to draw; None if a million are too few.
        counted: The number of independent tested examples for each drawn example, over all groups of examples.
    """

    check: str
    arm: str
    limit: float
    rate: float
    interval: Interval | None
    testable: float
    drawn: Mapping[float, int | None]
    counted: float = 1.0

    def kept(self, drawn: int, churn: float) -> float:
        """Return the probability that a model as good as the pilot's passes the limit."""
        tested = max(1.0, drawn * self.counted)
        return limit_kept(self.rate * tested, tested, self.limit, churn)

    @property
    def name(self) -> str:
        """Return the name of the check, and of the group of examples (arm) if the limit is for one group."""
        return f"{self.check}, {self.arm}" if self.arm else self.check

    def tested(self, power: float) -> int | None:
        """Return the expected number of testable examples among the examples to draw; None if a million are too few."""
        drawn = self.drawn[power]
        return None if drawn is None else math.ceil(drawn * self.testable)


@dataclass(frozen=True)
class MarginPlan:
    """A plan of the test that proves an equally good model no worse than the baseline.

    Attributes:
        name: ``accuracy``, compared on all labelled examples even if fewer are drawn, or ``robust accuracy``.
        margin: The tolerated loss (margin), in (0, 1).
        churn: The examples that an equally good model answers differently: wrong ones that become right (or robust),
            and right ones that become wrong.
        effect: The design effect: the number of tested examples that count as one independent example, estimated from
            the pilot's clusters; 1 without clusters.
        labelled: For accuracy, the number of labelled examples in the data; else None.
    """

    name: str
    margin: float
    churn: Churn
    effect: float = 1.0
    labelled: int | None = None

    def power(self, drawn: int) -> float:
        """Return the probability of proving an equally good model no worse, with a number of drawn examples."""
        return self.power_of(drawn if self.labelled is None else self.labelled)

    def power_of(self, examples: int) -> float:
        """Return the probability of proving an equally good model no worse, with a number of compared examples."""
        return paired_power(self.churn, max(1, round(examples / self.effect)), self.margin)


@dataclass(frozen=True)
class Plan:
    """The number of examples that a suite needs, and their cost.

    Attributes:
        limits: For each limit, the number of examples that decides it.
        margins: For accuracy (with gold labels) and robust accuracy, the number of examples that a proof against a
            baseline needs; empty without a margin.
        powers: The planned powers, ascending.
        release: By power, the number of drawn examples that proves an equally good model no worse in both accuracies;
            None if a million drawn examples, or all labelled examples for accuracy, are too few.
        per_example: The number of texts sent to the model for each drawn example, over all checks.
        fixed: The number of texts sent in any case: the examples themselves.
        seconds: Seconds for each text in the pilot; None if the store had all answers.
        pilot: The largest number of examples that the pilot drew for a check.
        available: The number of usable examples of the data.
        at_hand: For each of ``limits``, the power with all usable examples.
        runs: Simulated runs with each of ``limits``, at growing numbers of drawn examples; None without limits.
        codes: By power, the probabilities that a run with the planned number of examples ends with exit code 0, 1 and 6
            by its limits.
        churn: The fraction of examples that an equally good model answers differently; None if unknown.
        selected: The number of examples that the suite draws; None if it tests all.
        notes: Sentences on what the plan leaves out, and why.
    """

    limits: tuple[LimitPlan, ...]
    margins: tuple[MarginPlan, ...]
    powers: tuple[float, ...]
    release: Mapping[float, int | None]
    per_example: float
    fixed: int
    seconds: float | None
    pilot: int
    available: int
    at_hand: tuple[float, ...]
    runs: Runs | None
    codes: Mapping[float, tuple[float, float, float]]
    notes: tuple[str, ...]
    churn: float | None = None
    selected: int | None = None

    def equal(self, drawn: int) -> float | None:
        """Return a lower bound on the probability that an equally good model passes all limits and the comparison.

        The comparison is that with the baseline. None without a tolerated loss (margin), or without churn (the fraction
        of examples answered differently).
        """
        if self.churn is None or not self.margins:
            return None
        kept = (limit.kept(drawn, self.churn) for limit in self.limits)
        return pass_all([*kept, *(margin.power(drawn) for margin in self.margins)])

    def rows(self, power: float) -> Mapping[str, int]:
        """Return the number of examples to draw from each group (arm) for a conclusive result of all limits.

        The arm "" stands for all data. Limits that a million examples cannot decide are left out; the comparison with a
        baseline is included.
        """
        found: dict[str, int] = {}
        for limit in self.limits:
            found[limit.arm] = max(found.get(limit.arm, 0), limit.drawn[power] or 0)
        if (release := self.release.get(power)) is not None:
            found[""] = max(found.get("", 0), release)
        return {arm: number for arm, number in found.items() if number}

    def drawn(self, power: float) -> int:
        """Return the total number of examples to draw."""
        rows = self.rows(power)
        return max(rows.get("", 0), sum(number for arm, number in rows.items() if arm))

    def calls(self, power: float) -> int:
        """Return the number of texts to send to the model."""
        return self.fixed + math.ceil(self.per_example * self.drawn(power))


def make_plan(
    pilot: Record,
    *,
    rates: Mapping[str, float],
    margin: float | None = None,
    churn: float | None = None,
    powers: Sequence[float] = (0.8, 0.9),
    selected: int | None = None,
) -> Plan:
    """Plan the number of examples that a suite needs, from a pilot (a small first run).

    Args:
        pilot: A run of the suite, however small. The plan uses the pilot's failure rates unless ``rates`` gives others,
            and its fractions of testable examples and candidates for each example.
        rates: Failure rates to assume instead of the pilot's, by check, or ``check.arm`` for a group of examples; ""
            for all others.
        margin: The tolerated loss against a baseline; the pilot's by default.
        churn: The fraction of examples that an equally good model answers differently, half of them for the worse. By
            default the pilot's churn against its baseline; without one, the largest possible churn.
        powers: The probabilities of a conclusive result to plan for, each in (0, 1).
        selected: The number of examples that the suite draws; None if it tests all.

    Raises:
        UsageError: A rate belongs to no check, or the pilot tested nothing.
    """
    tested = [check for check in pilot.checks if check.tested and check.estimand.counts]
    notes = [
        f"{check.name} {check.estimand.verb}: how many examples decide that is not planned."
        if check.gap is None or not check.gap.alone
        else f"{check.name} has a limit for what exceeds the model's own noise, by 'repeat': how many examples decide "
        "that is not planned. '-o repeat=0' plans it as for a model without noise."
        for check in pilot.checks
        if not check.estimand.counts
    ]
    notes += [
        f"{check.name} tested nothing in the pilot: {check.message}" for check in pilot.checks if not check.tested
    ]
    if not tested:
        reasons = "".join(f" {note}" for note in notes)
        raise UsageError(f"the pilot of suite {pilot.suite!r} tested nothing, so there is nothing to plan.{reasons}")
    _known(rates, tested)
    limits, aims, told = _limits(pilot, tested, rates)
    runs = grown(aims, until=max(powers)) if aims else None
    limits = [
        replace(limit, drawn={power: runs.first(place, power) for power in powers} if runs else {})
        for place, limit in enumerate(limits)
    ]
    margin = pilot.margin if margin is None else margin
    margins = _margins(pilot, tested, margin, churn)
    per_example = sum(check.candidates.tested / drawn for check in tested if (drawn := _drawn(check)))
    sent = pilot.model_calls
    available = max(1, pilot.data.examples)
    made = Plan(
        limits=tuple(limits),
        margins=tuple(margins),
        powers=tuple(sorted(powers)),
        release={power: _release(margins, power) for power in powers} if margins else {},
        per_example=per_example,
        fixed=pilot.data.examples,
        seconds=pilot.duration_s / sent if sent > pilot.cached_calls else None,
        pilot=max(map(_drawn, tested)),
        available=pilot.data.examples,
        at_hand=tuple(grown(aims, [available]).decided[0].tolist()) if aims else (),
        runs=runs,
        codes={},
        notes=(*notes, *told),
        churn=churn,
        selected=selected,
    )
    return replace(made, codes={power: _codes(made, aims, power) for power in powers}) if aims else made


def _codes(plan: Plan, aims: Sequence[Piloted], power: float) -> tuple[float, float, float]:
    """Simulate runs that draw what a power takes, each arm its own."""
    rows, whole = plan.rows(power), max(1, plan.drawn(power))
    own = [rows.get(limit.arm, whole) if limit.arm in ("difficult", "control") else whole for limit in plan.limits]
    sized = [replace(aim, share=aim.share * part / whole) for aim, part in zip(aims, own, strict=True)]
    proved, failed, inconclusive = grown(sized, [whole]).codes[0].tolist()
    return proved, failed, inconclusive


def _known(rates: Mapping[str, float], checks: Sequence[CheckRecord]) -> None:
    names = [name for check in checks for name in (check.name, *(f"{check.name}.{arm}" for arm in check.arms))]
    for name in rates:
        if name and name not in names:
            raise UsageError(f"--rate: the pilot tested no check {shown(name)}.{did_you_mean(name, names)}")


def _limits(
    pilot: Record, checks: Sequence[CheckRecord], rates: Mapping[str, float]
) -> tuple[list[LimitPlan], list[Piloted], list[str]]:
    """Find every limit that so many examples can decide, with what the pilot says of it."""
    plans, aims, notes = [], [], []
    scored = pilot.selection.pilot
    sizes = pilot.selection.sizes(pilot.data.examples - (0 if scored is None else len(scored.examples)))
    for check in checks:
        if check.limit_of_valid:
            notes.append(f"{check.name} has a limit for valid failures, which people's answers decide, too.")
            continue
        if not check.gated:
            notes.append(f"{check.name} has no limit to decide.")
            continue
        if not check.limit_claims:
            notes.append(f"{check.name}: {check.message}")
        places = ["", *check.parts]
        for claim in sorted(check.limit_claims, key=lambda claim: places.index(claim.where)):
            arm, limit, found = claim.where, claim.limit, claim.estimate
            name, tested, rate = f"{check.name}, {arm}" if arm else check.name, found.tested, found.rate or 0.0
            drawn = check.arms[arm].drawn if arm in check.arms else _drawn(check)
            feared = next((rates[key] for key in (f"{check.name}.{arm}", check.name, "") if key in rates), None)
            if not 0 < limit < 1:
                notes.append(f"{name} has a limit of {limit:g}, which one failing example decides, or none.")
            elif feared == limit:
                notes.append(f"{name} has a rate of just its limit, {limit:g}, which no number of examples decides.")
            else:
                parts = () if arm else _parts(check, sizes)
                dependence = _effect(check, arm) * (design_effect(parts) if parts else 1.0)
                planned, fraction = rate if feared is None else feared, tested / drawn
                ends = found.interval if feared is None else None
                worth = tested / dependence
                counted = worth / _drawn(check)
                plans.append(LimitPlan(check.name, arm, limit, planned, ends, fraction, {}, counted))
                aims.append(Piloted(limit, rate * worth, worth, fraction / dependence, feared))
    return plans, aims, notes


def _margins(
    pilot: Record, checks: Sequence[CheckRecord], margin: float | None, churn: float | None
) -> list[MarginPlan]:
    """Plan the proof against a baseline for a model that is as good as it."""
    if margin is None:
        return []
    compared = pilot.comparisons[0] if pilot.comparisons and churn is None else None
    robust = None if compared is None else compared.whole
    effect = max(_effect(check, "") for check in checks)
    alone = compare(pilot, pilot).whole.old
    rate = 1.0 if alone is None else 1 - alone
    plans = [MarginPlan("robust accuracy", margin, _churn(robust, churn, rate), effect)]
    right = pilot.model.accuracy
    if right.rate is None:
        return plans
    own = _churn(None if compared is None else compared.accuracy, churn, 1 - right.rate)
    return [MarginPlan("accuracy", margin, own, effect, labelled=right.tested), *plans]


def _churn(found: PairedRecord | AccuracyComparison | None, feared: float | None, rate: float) -> Churn:
    """What an equal model changes: as the pilot found, as feared, or the most there can be at a rate of failures."""
    if found is None or not found.estimate.tested:
        return Churn.of(rate) if feared is None else Churn(feared / 2, feared / 2)
    if isinstance(found, AccuracyComparison):
        changed = found.newly_wrong + found.newly_right
    else:
        lists = (found.newly_broken, found.newly_fixed, found.newly_wrong, found.newly_right)
        changed = sum(map(len, lists))
    # An equal model breaks as many as it fixes: half of what changed.
    return Churn(*[changed / 2 / found.estimate.tested] * 2)


def _release(margins: Sequence[MarginPlan], power: float) -> int | None:
    """Examples to draw so that an equal model is proved no worse in every test at once, at least so often."""
    return examples_for(lambda drawn: pass_all(margin.power(drawn) for margin in margins), power)


def _effect(check: CheckRecord, arm: str) -> float:
    """The design effect of the pilot's clusters."""
    found = check.parts[arm] if arm else check
    return max(1.0, found.tested / found.effective) if found.effective else 1.0


def _parts(check: CheckRecord, sizes: Mapping[str, int]) -> tuple[Stratum, ...]:
    """The two arms, or the strata, that a rate was estimated from; none where it is that of a plain draw."""
    arms = {name: arm for name, arm in check.arms.items() if arm.tested}
    whole = all(arm.drawn == sizes.get(name) for name, arm in arms.items())
    covered = sum(sizes.get(name, 0) for name in arms) >= sum(sizes.values())
    if whole or not covered or len(arms) < 2 or not check.estimand.counts:
        return ()
    return tuple(Stratum(sizes[name], arm.drawn, arm.tested, arm.failing) for name, arm in arms.items())


def _drawn(check: CheckRecord) -> int:
    return sum(arm.drawn for arm in check.arms.values()) or check.tested
