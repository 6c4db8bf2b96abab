"""A check on the page: a row of the table, a row of the chart, and the details under it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from markupsafe import Markup

from robustfim.collect import flow
from robustfim.judge import limit_text
from robustfim.outcome import BY_URGENCY, Outcome
from robustfim.record import ArmRecord, CandidateCounts, CheckRecord
from robustfim.statistics import Rate
from robustfim_drawing import (
    count,
    decimal,
    interval,
    nice_ceiling,
    percent,
    rate_bar,
    share_bar,
)  # fmt: skip

__all__ = ["CheckView", "RateCell", "rate_cell", "scale", "view"]


@dataclass(frozen=True)
class RateCell:
    """A rate as text and as a bar."""

    heading: str
    rate: str
    interval: str
    counts: str
    limit: str
    bar: Markup


_Share: TypeAlias = tuple[str, str, Markup, bool]
"""A line about candidates: its words, its number, its bar, and whether it is a part of the line above."""


@dataclass(frozen=True)
class CheckView:
    """The values that the templates print for one check."""

    index: int
    record: CheckRecord
    total: RateCell
    arms: tuple[RateCell, ...]
    summary: str
    facts: tuple[tuple[str, str], ...]
    shares: tuple[_Share, ...]
    keys: str
    """What the table sorts by: outcome, name, rate, gap of the arms, failing, duration."""
    pairs: int
    """Failing pairs in the record."""


def _used(part: Mapping[str, Any]) -> str:
    """Write a part of a suite: what it uses, then its options."""
    name = str(part.get("use", ""))
    options = [f"{key}: {flow(value)}" for key, value in part.items() if key != "use"]
    return " · ".join([name, *options] if name else options)


def rate_cell(
    heading: str, rate: Rate, kind: str, *, limit: float | None = None, top: float = 1.0, height: int = 12,
    more: str = "",
) -> RateCell:  # fmt: skip
    """Make a cell of a rate.

    Args:
        heading: The name of the rate.
        rate: The rate.
        kind: The colour of the bar, as for :func:`robustfim_drawing.rate_bar`.
        limit: The limit of the rate.
        top: The rate that a bar of full width stands for, in (0, 1].
        height: The height of the bar, in CSS pixels.
        more: Words behind the counts.
    """
    return RateCell(
        heading,
        percent(rate.rate),
        interval(rate.interval),
        f"{count(rate.count)} of {count(rate.tested)}{more}",
        "" if limit is None else percent(limit).replace(".0", ""),
        rate_bar(rate.rate, rate.interval, limit, top=top, kind=kind, height=height),
    )


def scale(checks: Sequence[CheckRecord]) -> float:
    """Choose a common scale for the bars that show the rates of all checks.

    Returns:
        The rate at the right end, in (0, 1].
    """
    parts: list[CheckRecord | ArmRecord] = [*checks, *(arm for check in checks for arm in check.arms.values())]
    ends = [end for part in parts for end in (part.rate, *(part.interval or ())) if end is not None]
    highest = max([0.05, *ends, *(claim.limit for check in checks for claim in check.limit_claims)])
    return min(nice_ceiling(min(highest, 1.0), 5)[0], 1.0)


def view(check: CheckRecord, *, index: int, top: float, pairs: int) -> CheckView:
    """Prepare the results of a check for the page's templates.

    Args:
        check: The check.
        index: The index of the check in the record.
        top: The rate that a bar of full width stands for, in (0, 1].
        pairs: The number of the check's failing pairs (source and perturbed text) in the record.
    """
    limits = {claim.where: claim.limit for claim in check.limit_claims}
    total = rate_cell("", check.estimate, str(check.outcome), limit=limits.get(""), top=top, height=16)
    if check.estimand.unit == "points":  # a difference between two rates is not a share of anything
        ends = "" if check.interval is None else "{:.1f}, {:.1f}".format(*(100 * end for end in check.interval))
        total = replace(total, rate=total.rate.replace("%", "points"), interval=ends)
    if total.limit:
        total = replace(total, limit=limit_text(check))
    return CheckView(
        index=index,
        record=check,
        total=total,
        arms=tuple(
            rate_cell(name, check.arms[name].estimate, name, limit=limits.get(name), top=top)
            for name in ("difficult", "control", "easiest")
            if name in check.arms
        ),
        summary=_used(check.perturbation),
        facts=tuple((name, value) for name, value in (*_settings(check), *_findings(check)) if value),
        shares=tuple(_shares(check.candidates)),
        keys="|".join(_keys(check)),
        pairs=pairs,
    )


_COUNTS = {
    "broken": "broken examples: right before, wrong after an edit",
    "changes": "changes of the answer, right or wrong",
}


def _settings(check: CheckRecord) -> list[tuple[str, str]]:
    """List what the suite says of a check; what it does not say is empty."""
    return [
        ("check", check.id),
        ("perturbation", _used(check.perturbation)),
        ("card", "" if check.card is None else check.card.sentence),
        ("constraints", ", ".join(map(flow, check.constraints))),
        *((f"works with: {name}", version) for name, version in check.resources.items()),
        ("expectation", _used(check.expectation)),
        ("an example fails by", "" if check.fails["use"] == "any" else _used(check.fails)),
        ("limit", "" if check.limit is None else limit_text(check)),
    ]


def _findings(check: CheckRecord) -> list[tuple[str, str]]:
    """List what the run found of a check; what it did not find is empty."""
    left_out = {"wrong before any edit": check.wrong_before, "without a gold label": check.unlabelled}
    drawn = sum(arm.drawn for arm in check.arms.values())
    level = "at full level" if check.outcome in (Outcome.PASSED, Outcome.XFAILED) else "corrected"
    facts = [
        *(
            (f"failing, {name}", f"{count(group.count)} of {count(group.tested)} · {percent(group.rate)}")
            for name, group in check.groups.items()
        ),
        ("counts", _COUNTS.get(check.counts or "", "")),
        ("not perturbed", ", ".join(f"{count(n)} {why}" for why, n in left_out.items() if n)),
        ("testable", f"{count(check.tested)} of {count(drawn)} examples drawn" if drawn > check.tested else ""),
        ("marks", ", ".join(check.marks)),
        (f"p-value, {level}", "" if check.p_value is None else decimal(check.p_value)),
        ("decides in 80 % of cases", "" if check.needed is None else _wanted(check)),
    ]
    if check.budget is not None:
        spent = f"{count(check.budget.drawn)} of at most {count(check.budget.most)} examples drawn"
        facts.append(("budget", f"{spent}, about {count(check.budget.saved)} candidates saved"))
    if check.path:
        facts.append(("written in", check.path if check.line is None else f"{check.path}:{check.line}"))
    return facts


def _shares(counts: CandidateCounts) -> list[_Share]:
    """Follow the candidates from single edits to failed."""
    edits = [("single edits found", counts.edits, "all", False)] if counts.edits else []
    edits += [(f"refused: {why}", number, "lost", True) for why, number in _largest(counts.edits_rejected)]
    lines = [
        ("proposed", counts.proposed, "all", False),
        ("unchanged text", counts.unchanged, "lost", True),
        ("proposed before", counts.duplicate, "lost", True),
        *((f"rejected: {why}", number, "lost", True) for why, number in _largest(counts.rejected)),
        ("no finite prediction", counts.undefined, "lost", True),
        ("expectation does not apply", counts.not_applicable, "lost", True),
        ("tested", counts.tested, "all", False),
        ("failed", counts.failed, "failed", True),
    ]
    kept = {"proposed", "tested", "failed"}
    most = max(counts.edits, counts.proposed, counts.tested, 1)  # one scale, so that twice as many are twice as long
    return [
        (label, count(number), share_bar(number / most, kind), part)
        for label, number, kind, part in edits + lines
        if number or label in kept
    ]


def _largest(reasons: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(reasons.items(), key=lambda item: (-item[1], item[0]))


def _keys(check: CheckRecord) -> list[str]:
    rates = [check.arms[name].rate if name in check.arms else None for name in ("difficult", "control")]
    gap = None if rates[0] is None or rates[1] is None else rates[0] - rates[1]
    rank = BY_URGENCY.index(Outcome(check.outcome))
    numbers = [rank, None, check.rate, gap, check.failing, check.duration_s]
    keys = ["" if number is None else f"{number:.6g}" for number in numbers]
    keys[1] = check.name.replace("|", " ")
    return keys


def _wanted(check: CheckRecord) -> str:
    """Write what would decide a check: testable examples, and the rows that hold so many."""
    if check.needed_rows is None:
        return f"about {count(check.needed or 0)} more examples"
    return f"about {count(check.needed or 0)} more testable examples, {count(check.needed_rows)} more rows"
