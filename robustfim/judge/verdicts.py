"""Verdicts: the outcomes of all checks of a run, from their counts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.claims import Claim, claims_of, claims_of_check
from robustfim.judge.errors import SLICE, STRICT, slice_limits
from robustfim.judge.estimate import Estimate, ValidEstimate
from robustfim.judge.strata import held_strata, of_what, whole_estimate
from robustfim.outcome import ExitCode, Outcome
from robustfim.record import CheckRecord, ClaimRecord, Counted, ErrorRecord, Record
from robustfim.statistics import Interval, Tail, percent
from robustfim.statistics.estimand import MEAN
from robustfim.statistics.rate import LEVEL, POWER
from robustfim.statistics.tails import BESIDE
from robustfim.statistics.tails import corrected as correct
from robustfim.statistics.validity import ReviewCounts
from robustfim.suite.format import ERRORS

__all__ = [
    "above_limits",
    "alarm_p_value",
    "claim_text",
    "decide",
    "error_text",
    "exit_code",
    "fails_alone",
    "gates",
    "limit_text",
    "rate_of",
    "rate_text",
    "summarise",
    "whole_limit_text",
]


_ALONE = " of the file alone"
_FAR = 10
"""More than this many times the tested examples is not suggested as a sample size."""
_FEW = 0.1
"""The largest fraction of drawn examples tested by a check that counts as having left out almost all."""
_POWER = f"{POWER:.0%} of cases".replace("%", " %")


def decide(
    checks: Sequence[CheckCounts],
    xfail: Mapping[str, str],
    reviews: Mapping[str, ReviewCounts] = MappingProxyType({}),
    others: int = 0,
    beside: float | None = None,
) -> list[CheckRecord]:
    """Decide for every check whether it passes, fails or is inconclusive, corrected for the number of checks.

    Passes, and failures that an ``xfail`` expects, are tested at 2.5 % without correction. The alarms, which are
    failures, and passes of checks that are expected to fail, are corrected as a family: see
    :func:`robustfim.statistics.tails.corrected`.

    Args:
        checks: The counts of each check.
        xfail: Check id to reason, for checks that are expected to fail.
        reviews: People's answers about the failing examples, by check id, for the checks that limit valid failures.
        others: The number of the suite's comparisons that are not made here. They count as not significant, so a
            decision made now stays valid when they are added.
        beside: The p-value of the test whether answers contradict the gold labels. The test belongs to the same family,
            with a tenth of a limit's weight; None if the test is not made.

    Returns:
        The results of the checks: outcome, p-value, message, and the number of further examples that a verdict needs.
    """
    claims = claims_of(checks, xfail, reviews)
    aside = [] if beside is None else [beside]
    tails = [*zip(claims, _corrected(claims, aside, others), strict=False)]
    number = len(claims) + others
    alarms = sum(tail.side is claim.side for claim, tail in tails)
    rivals = number + BESIDE * len(aside) - alarms  # by which Holm's correction divides the level of one more
    decided = []
    for check in checks:
        if check.ended is not None:
            decided.append(check.record(check.ended))
        elif untested := _untested(check):
            decided.append(check.record(Outcome.ERROR, message=untested))
        elif not check.gated:
            decided.append(check.record(Outcome.MEASURED, message=_measured(check), **_weighted(check)))
        else:
            own = [tail for tail in tails if tail[0].check is check]
            decided.append(_decide(check, own, (number, rivals), xfail.get(check.id)))
    return decided


def alarm_p_value(
    p_value: float,
    checks: Sequence[CheckCounts],
    xfail: Mapping[str, str],
    reviews: Mapping[str, ReviewCounts] = MappingProxyType({}),
    others: int = 0,
) -> float:
    """Correct the p-value of the test whether answers contradict the gold labels for the number of checks.

    Returns:
        The corrected p-value, in [0, 1]; the run fails if this p-value is at most 0.025.
    """
    claims = claims_of(checks, xfail, reviews)
    return _corrected(claims, [p_value], others)[-1].p_value


def _corrected(claims: Sequence[Claim], beside: Sequence[float], others: int = 0) -> list[Tail]:
    """Correct the claims of the checks, those that are left out, and the test beside them."""
    left_out = [Tail(Outcome.INCONCLUSIVE, 1.0)] * others
    tails = [*(claim.tail for claim in claims), *left_out, *(Tail(Outcome.FAILED, each) for each in beside)]
    sides = [*(claim.side for claim in claims), *[Outcome.FAILED] * (others + len(beside))]
    return correct(tails, sides, [1.0] * (len(tails) - len(beside)) + [BESIDE] * len(beside))


def _measured(check: CheckCounts) -> str:
    """Say what a check without a limit found."""
    (claim,) = claims_of_check(check)
    return f"{_found(claim)}; it has no limit{_aside(check)}."


def _untested(check: Counted) -> str:
    """Say which limit was compared with nothing; a limit that nothing could exceed must not pass."""
    for arm in check.limit if isinstance(check.limit, dict) else ():
        if arm in ERRORS:
            found = check.errors_of(arm)
            empty = [f"label {error.label}" if error.label else "label" for error in found.values() if not error.tested]
            if empty or not found:
                which, label = ("with" if arm == "missed" else "without"), (empty or ["label"])[0]
                return f"tested no text {which} the {label}, so that there is no rate of {arm.replace('_', ' ')} ones."
        if arm not in ERRORS and (arm not in check.arms or not check.arms[arm].tested):
            return f"tested nothing in the {arm} arm, which has a limit of its own."
    for name, group in check.groups.items():
        if not group.tested:
            return f"tested nothing of the group {name!r}, so there is nothing to compare."
    return ""


def _decide(
    check: CheckCounts,
    own: list[tuple[Claim, Tail]],
    numbers: tuple[int, float],
    xfail: str | None,
) -> CheckRecord:
    """Decide by the worst comparison of a check: failed, then inconclusive, then passed.

    ``numbers`` are the tests of the family, and the number of them that a further alarm is corrected for.
    """
    number, rivals = numbers
    order = [Outcome.FAILED, Outcome.INCONCLUSIVE, Outcome.PASSED]
    own = sorted(own, key=lambda pair: (order.index(pair[1].side), pair[0].limit - pair[0].estimate.rate))
    claims = [each.record(tail.side) for each, tail in own]
    claim, after = own[0]
    message = _message(claim, after, number)
    outcome, rate = after.side, claim.estimate.rate
    needed = rows = None
    if outcome is Outcome.INCONCLUSIVE and claim.tested:
        needed = claim.estimate.examples_to_decide(
            claim.limit, rivals if (rate > claim.limit) is (xfail is None) else 1.0
        )
        drawn = _drawn(check, claim.where)
        if needed and drawn > claim.tested:
            rows = math.ceil(needed * drawn / claim.tested)
        if isinstance(claim.estimate, ValidEstimate) and claim.failing:
            message += _to_look_at(claim.estimate.reviewed)
        elif claim.answered.side is not claim.tail.side:
            needed = rows = None
            message += "; let the model answer them"
        else:
            message += f"; {_advice(claim, needed, rows)}"
    if xfail is not None and outcome is Outcome.FAILED:
        outcome, message = Outcome.XFAILED, f"{message} (expected: {xfail})"
    elif xfail is not None and outcome is Outcome.PASSED:
        outcome, message = (
            Outcome.XPASSED,
            f"{message}, though it was expected to fail: {xfail}. Remove its 'xfail'",
        )
    return check.record(
        outcome,
        p_value=after.p_value,
        needed=needed,
        needed_rows=rows,
        message=f"{message}.",
        claims=claims,
        **_weighted(check),
    )


def _weighted(check: CheckCounts) -> dict[str, Any]:
    """The rate of a check with its interval, where arms or strata are weighted."""
    strata = held_strata(check)
    estimate = whole_estimate(check, strata).counts
    return {"rate": estimate.rate, "interval": estimate.interval} if strata else {}


def _advice(claim: Claim, needed: int | None, rows: int | None) -> str:
    """Say what decides: more of the data, if they hold so many, else another limit, other data, or no check."""
    check, where = claim.check, claim.where
    part = dict(zip(check.arms, check.strata, strict=False)).get(where)
    left = check.left if part is None else part.size - part.drawn
    more = ""
    if needed and needed <= _FAR * claim.tested:
        clusters = math.ceil(needed * check.clusters / claim.tested) if check.clusters else 0
        more = f"about {rows or needed:,} more {'rows' if rows else 'examples'}"
        more += f" in {clusters:,} more clusters" * bool(clusters)
        kind = "are such examples" if where in check.errors else "can be tested"
        more += f", of which about {needed:,} {kind}" * bool(rows)
        if left is None or (rows or needed) <= left:
            return f"draw {more}: they decide in {_POWER}"
    ways = ["choose another limit", f"add {more}" if more else ""]
    if check.tested <= _FEW * (drawn := _drawn(check, "")):
        ways.append(f"drop the check, which reaches {check.tested:,} of {drawn:,} examples")
    limit, rate = rate_of(check, claim.limit), rate_of(check, claim.estimate.rate)
    return f"these data cannot decide a limit of {limit} at a rate of {rate}: {', or '.join(filter(None, ways))}"


def _to_look_at(reviewed: ReviewCounts) -> str:
    """Say what would decide a limit for valid failures."""
    if not reviewed.looked:
        return (
            "; nobody has looked at a failure: 'robustfim review' asks which are valid, and 'review: FILE' in the "
            "suite counts the answers"
        )
    left = reviewed.failing - reviewed.looked
    if not left:
        return "; all failures were looked at, and more examples would decide"
    return f"; look at more failures ('robustfim review'; {left:,} are left), or test more examples"


def _drawn(check: Counted, where: str) -> int:
    """Examples that a check asked for candidates, in one arm; for a part of the data, and for "", in all."""
    return sum(arm.drawn for name, arm in check.arms.items() if where == name or where not in check.arms)


def _found(claim: Claim) -> str:
    """Say how many examples fail, of what."""
    check = claim.check
    if claim.where in check.errors:
        return error_text(claim.where, check.errors[claim.where], check.of)
    arm = f" of the {claim.where} arm" if claim.where else ""
    compared = claim.estimate
    if isinstance(compared, Estimate) and check.estimand is MEAN:
        by = "" if check.fails["use"] == "mean" else f", as {_reducer(check)} tells"
        return (
            f"on average {percent(compared.rate, compared.counts.interval)} of an example's candidates fail{by}, in "
            f"{claim.failing} of {claim.tested} examples{arm} at least one"
        )
    rate = f"{claim.failing} of {claim.tested} examples{arm} {check.verb} ({percent(claim.failing / claim.tested)})"
    strata = compared.strata if isinstance(compared, Estimate) and not claim.where else ()
    if isinstance(compared, Estimate) and strata and all(stratum.drawn for stratum in strata):
        arms = [f"{arm.failing} of {arm.tested} {name}" for name, arm in check.arms.items() if arm.drawn]
        if len(arms) > 1:
            both = " and ".join(arms) if len(arms) == 2 else f"{claim.failing} of {claim.tested}"
            rate = f"{both} examples {check.verb}"
        ends = compared.counts.ends
        rate += f", {percent(compared.rate, ends)} of the {check.of}" * (ends[0] < ends[1])
    if isinstance(compared, ValidEstimate) and compared.reviewed.looked:
        valid = percent(compared.rate, compared.counts.ends)
        rate += f", {valid} validly as {compared.reviewed.looked} of them looked at tell"
    if check.gap is not None:
        shares = [
            f"{group.count} of {group.tested} {name} examples {check.verb}" for name, group in check.groups.items()
        ]
        more = "more" if compared.rate >= 0 else "fewer"
        rate = f"{' and '.join(shares)}, {rate_of(check, abs(compared.rate))} {more}"
        if not check.gap.alone:  # the reducer itself compares
            return rate
        rate += f", by up to {check.gap.answers} answers to each" * (check.gap.answers > 1)
    if check.fails["use"] != "any":
        rate += f", counted by {_reducer(check)}"
    return rate


def _reducer(check: Counted) -> str:
    return f"'{' '.join(map(str, check.fails.values()))}'"


def _message(claim: Claim, after: Tail, number: int) -> str:
    """Say what was found and what that proves among so many tests."""
    check, before = claim.check, claim.tail
    rate, limit = _found(claim), rate_of(check, claim.limit)
    limit += _ALONE * check.limit_of_file if claim.where else of_what(check)
    verb = {Outcome.FAILED: "above", Outcome.PASSED: "within", Outcome.INCONCLUSIVE: "too near"}[claim.answered.side]
    text = f"{rate}: {verb} the limit of {limit}"
    if before.side is not after.side:
        alone = before.p_value > LEVEL
        why, p_value = ("by the exact test", before.p_value) if alone else (f"among {number} tests", after.p_value)
        text += f", not proved {why} (p = {p_value:.3f})"
    elif before.side is not claim.answered.side:
        number = math.ceil(check.unanswered)
        text += f", unless {number:,} example{'s' * (number > 1)} without an answer fail{'s' * (number == 1)}"
    elif not claim.tested:
        text = f"{rate}, so the limit of {limit} is not proved"
    elif before.side is Outcome.INCONCLUSIVE:
        text += " to tell"
    if check.budget is not None:
        text += f", after {check.budget.drawn} of at most {check.budget.most} examples"
        looks = claim.estimate.looks if isinstance(claim.estimate, Estimate) else None
        if looks is not None and after.side is Outcome.INCONCLUSIVE and looks.evidence:
            text += f", with {percent(looks.evidence)} of the evidence for {looks.towards}"
    return text + _aside(check, claim.where)


def _aside(check: Counted, arm: str = "") -> str:
    """Say what an outcome says less of than it sounds like."""
    text = ""
    if check.clusters is not None and check.clusters < check.tested:
        text = f", in {check.clusters} cluster{'s' * (check.clusters > 1)}"
    text += "".join(
        f"; {error_text(name, error, check.of)}"
        for name, error in check.errors.items()
        if name != arm and not error.label
    )
    told = {name: error for name, error in check.errors.items() if error.limit is not None or not check.recall}
    for label in dict.fromkeys(error.label for error in told.values() if error.label):
        own = [_short(name, error) for name, error in told.items() if error.label == label]
        text += f"; {label}: {', '.join(own)}"
    if check.unseen:
        text += f"; the model does not see this change: none of {check.candidates.tested:,} texts moves a probability"
    return "; ".join([text, *check.recalled, *check.caveats])


def _short(kind: str, error: ErrorRecord) -> str:
    """Say of one label what :func:`error_text` does, without what stands in the record."""
    if kind.startswith(STRICT):
        return error_text(kind, error).replace(f" of {error.label}", "", 1)
    what = kind.removesuffix(f" {error.label}").replace("_", " ")
    before = f" ({error.before:,} before)" if error.unchanged is None else f" ({error.unchanged:,} unchanged)"
    before = "" if what in ("broken", "changed") else before
    return f"{error.failing:,} of {error.tested:,} {what}{'s' * (what == 'false alarm')}{before}"


def error_text(kind: str, error: ErrorRecord, whose: str = "population") -> str:
    """Return a sentence on false negatives or positives: ``missed 7 of 40 with the label, 17.5 % [8.7, 31.9]``.

    Args:
        kind: ``missed``, ``false_alarm`` or the false negatives at 1 % false positives, with the label if there are
            several; or ``slice`` and its name.
        error: The counts of the errors.
        whose: The examples that a weighted rate is about: ``population`` or ``file``.
    """
    of = f" of {error.label}" if error.label else ""
    if kind.startswith(STRICT) and error.at is None:
        return f"no threshold reaches 1 % false alarms{of}"
    if error.at is not None:
        rate, before = (None if each is None else 1 - each for each in (error.rate, error.rate_before))
        interval = error.interval and (1 - error.interval[1], 1 - error.interval[0])
        return (
            f"recall{of} at 1 % false alarms (P ≥ {error.at:.2g}) {percent(rate, interval)}, "
            f"{percent(before)} before any change"
        )
    # Beside counts of which it is not the share, an estimate from arms or strata names what it is of.
    rated = f"of the {whose} " * error.weighted + percent(error.rate, error.interval)
    if kind.startswith(SLICE):
        if not error.tested:
            return f"nothing of the {kind} was tested"
        counts = f"{error.failing:,} of {error.tested:,} examples of the {kind}"
        return f"{counts} fail, {rated}"
    word, label = ("missed", "with") if kind.startswith("missed") else ("false alarms", "without")
    if error.unchanged is not None:
        excess = percent(error.rate, error.interval, unit="points")
        counts = f"{word} {error.failing:,} of {error.tested:,} {label} {error.label or 'the label'}"
        return f"{counts} perturbed and {error.unchanged:,} unchanged, {excess} more"
    return (
        f"{word} {error.failing:,} of {error.tested:,} {label} {error.label or 'the label'}, "
        f"{rated}, {percent(error.rate_before)} before any change"
    )


def fails_alone(check: CheckRecord) -> bool:
    """Return whether a check fails its run by itself: its rate is proved to exceed the limit, or it is an error."""
    return check.outcome in (Outcome.FAILED, Outcome.ERROR, Outcome.XPASSED)


def above_limits(record: Record) -> tuple[int, str]:
    """Count the checks whose rate is proved above the limit, but which only a baseline comparison can fail.

    Returns:
        Their number, and a phrase for it: ``above their limits, as in the baseline``; 0 and ``""`` if there are none.
    """
    if not record.comparisons or any(comparison.fail_on == "any" for comparison in record.comparisons):
        return 0, ""
    failing = {found.id for comparison in record.comparisons for found in comparison.checks if found.fails}
    excused = {check.id for check in record.checks if check.outcome is Outcome.FAILED} - failing
    then = {
        found.id: found.before is Outcome.FAILED for comparison in record.comparisons for found in comparison.checks
        if found.id in excused
    }  # fmt: skip
    one = len(excused) == 1
    as_before = excused and all(then.get(id) for id in excused)
    why = "as in the baseline" if as_before else "which the baseline excuses"
    return len(excused), f"above {'its limit' if one else 'their limits'}, {why}" if excused else ""


def summarise(checks: Sequence[CheckRecord]) -> dict[str, int]:
    """Count checks by outcome; every outcome is a key, even if its count is 0."""
    counted = Counter(check.outcome for check in checks)
    return {outcome.value: counted[outcome] for outcome in Outcome}


def exit_code(checks: Sequence[CheckRecord]) -> ExitCode:
    """Return the exit code for the outcomes of some checks.

    Returns:
        FAILED if a check is proved to fail or is an error; else INCONCLUSIVE if a check is inconclusive; else OK.
    """
    if any(fails_alone(check) for check in checks):
        return ExitCode.FAILED
    return ExitCode.INCONCLUSIVE if any(check.outcome is Outcome.INCONCLUSIVE for check in checks) else ExitCode.OK


def gates(record: Record) -> bool:
    """Return whether the run was able to fail: it has a limit, a baseline, or a check that ended with an error."""
    free = {Outcome.MEASURED, Outcome.SKIPPED}
    return bool(record.comparisons) or any(check.outcome not in free for check in record.checks)


def limit_text(check: Counted) -> str:
    """Return the limits of a check as text: ``10 %`` or ``difficult 30 %, control 5 %``; ``""`` if there are none.

    The text adds what the limit is about, if not the population: ``10 % of valid failures``, ``10 % of the file
    alone``, ``0 % of the tested texts alone``.
    """
    parts = {**(check.limit if isinstance(check.limit, dict) else {}), **slice_limits(check)}
    told = [
        whole_limit_text(check),
        *(f"{name} {percent(limit)}{_ALONE * check.limit_of_file}" for name, limit in parts.items()),
    ]
    return ", ".join(filter(None, told))


def whole_limit_text(check: Counted) -> str:
    """Write the limit for all examples together: ``10 %``; ``""`` if there is none."""
    return rate_of(check, check.limit) + of_what(check) if isinstance(check.limit, float) else ""


def rate_of(check: Counted, rate: float | None, interval: Interval | None = None) -> str:
    """Return a rate of a check as text: in percent, or in points if it is a difference between two groups."""
    return percent(rate, interval, unit=check.estimand.unit)


def rate_text(check: Counted) -> str:
    """Return the failure rate of a check as text, in the form of :func:`claim_text`; ``""`` without a rate."""
    if check.rate is None or check.interval is None:
        return ""
    return claim_text(check, ClaimRecord(estimate=check.estimate))


def claim_text(check: Counted, claim: ClaimRecord) -> str:
    """Return the rate of a claim as text, with interval and number: ``40 % [11.8, 76.9] of 5``.

    If several sampled groups are weighted, the text shows the estimate: ``3.1 % [1.2, 6.3] from 200``. The text says if
    the number is a mean or a rate of changes.

    Args:
        check: The check.
        claim: One of its claims.
    """
    rate, mean = claim.estimate, "mean " * (check.estimand is MEAN)
    changed = " changed" * (check.counts == "changes" and claim.where not in check.errors)
    of = "from" if check.estimand.counts and rate.weighted else "of"
    return f"{mean}{rate_of(check, rate.rate, rate.interval)} {of} {rate.tested:,}{changed}"
