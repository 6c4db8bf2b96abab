"""Tables, figures and lines of a plan, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from rich.console import Console

from robustfim.commands import print_line, print_rule, print_table
from robustfim.exhibit import Bar, Figure, Series, Table
from robustfim.judge import points
from robustfim.statistics import examples_for, percent
from robustfim.suite import SelectSpec
from robustfim_drawing import count
from robustfim_plan.plan import Plan

__all__ = ["answer", "figures", "findings", "lines_to_paste", "print_plan", "tables"]

_STEPS = 40
"""Points of a curve of drawn examples."""
_ASKED = "the comparison and every limit"
_CURVES = 8
"""Curves in one figure: the colours there are."""


def tables(plan: Plan) -> list[Table]:
    """Write the plan as tables."""
    heads = [f"{what}, power {power:g}" for power in plan.powers for what in ("tested", "drawn")]
    limits = sorted(
        zip(plan.limits, plan.at_hand, strict=True), key=lambda pair: -(pair[0].drawn[plan.powers[-1]] or 10**9)
    )
    found = [
        Table(
            title="To decide every limit",
            header=["check", "rate", "limit", "testable", *heads, f"power of all {plan.available:,}"],
            rows=[
                [
                    row.name, percent(row.rate, row.interval), percent(row.limit), percent(row.testable),
                    *(count(n) for power in plan.powers for n in (row.tested(power), row.drawn[power])),
                    f"{at_hand:.2f}",
                ]
                for row, at_hand in limits
            ],
            bars=[Bar(rate=row.rate, interval=row.interval, limit=row.limit) for row, _ in limits],
            bars_name="rate, interval, limit",
            notes=[
                "Tested examples decide, drawn ones are what to select: not every example is testable. Simulated runs "
                "whose rates are what the pilot leaves open of all together, judged as a run is."
            ],
        )
    ]  # fmt: skip
    if plan.margins:
        found.append(
            Table(
                title="To prove that an equal model is no worse",
                header=["compared", "margin", "regressions", "fixes"],
                rows=[
                    [margin.name, points(margin.margin), percent(margin.churn.broken), percent(margin.churn.fixed)]
                    for margin in plan.margins
                ],
                notes=[
                    "Regressions and fixes: the share of examples that a model as good as the baseline makes worse and "
                    "better. Both have to be 'no worse' at once."
                ],
            )
        )  # fmt: skip
    return found


def figures(plan: Plan) -> list[Figure]:
    """Draw the probability of a conclusive result (power) against the number of examples, for each limit."""
    tried = [] if plan.runs is None else plan.runs.drawn.tolist()
    decided = [limit.drawn[plan.powers[0]] for limit in plan.limits]
    needed = max(tried, default=0) if None in decided else max((each or 0 for each in decided), default=0)
    rows = [row for row, number in enumerate(tried) if number <= 1.5 * needed]
    lines = [
        Series(
            name=limit.name, kind="line",
            points=[(log10(tried[row]), float(plan.runs.decided[row, place])) for row in rows] if plan.runs else [],
        )
        for place, limit in enumerate(plan.limits)
    ]  # fmt: skip
    found = _curves(plan, "Power by drawn examples", "decided", lines, [tried[row] for row in rows])
    release = max((each or 0 for each in plan.release.values()), default=0)
    steps = sorted({max(1, round((1.2 * release) ** (step / _STEPS))) for step in range(_STEPS // 4, _STEPS + 1)})
    lines = [
        Series(name=margin.name, kind="line", points=[(log10(n), margin.power(n)) for n in steps])
        for margin in plan.margins
        if release
    ]
    proved = "an equal model is proved no worse"
    return [*found, *_curves(plan, "Power against a baseline, by drawn examples", proved, lines, steps)]


def _curves(plan: Plan, title: str, up: str, lines: Sequence[Series], drawn: Sequence[int]) -> list[Figure]:
    """Draw lines over a logarithmic axis that holds the numbers and the data at hand."""
    low, high = (end(*drawn, max(1, plan.available)) if drawn else 1 for end in (min, max))
    round_ones = [first * 10**digits for digits in range(8) for first in (1, 2, 5)]
    return [
        Figure(
            title=title + (f", from {first + 1}" if first else ""), across="drawn examples", up=up,
            series=list(lines[first : first + _CURVES]), shares=True,
            level=plan.powers[0], level_name=f"power {plan.powers[0]:g}",
            upright=log10(max(1, plan.available)), upright_name=f"the {plan.available:,} at hand",
            along=(log10(low), log10(high)),
            places=[(log10(number), f"{number:,}") for number in round_ones if low <= number <= high],
        )
        for first in range(0, len(lines), _CURVES)
    ]  # fmt: skip


def answer(plan: Plan) -> list[str]:
    """Return a sentence on how many examples a suite needs for a conclusive result of all limits.

    The list is empty if the suite has no limit and no margin (tolerated loss against a baseline).
    """
    power, often = plan.powers[0], f"in {percent(plan.powers[0])} of cases"
    open_, drawn = [limit.name for limit in plan.limits if limit.drawn[power] is None], plan.drawn(power)
    release = plan.release.get(power, 0)
    number = max(drawn, release or 0)
    does = ["decide each limit"] * bool(plan.limits and not open_) + ["prove an equal model no worse"] * bool(release)
    never = [f"decides {', '.join(open_)}"] * bool(open_) + ["proves an equal model no worse"] * (release is None)
    said = [f"{number:,} examples {' and '.join(does)} {often}"] * bool(does and number)
    said += [f"no number that can be drawn {' or '.join(never)} so often"] * bool(never)
    if not said:
        return []
    held = f"; the data hold {plan.available:,}" * (number > plan.available or bool(never))
    line = f"{'; '.join(said)}{held}."
    return [f"{line[0].upper()}{line[1:]}"]


def findings(plan: Plan) -> list[str]:
    """Return sentences on the cost of the plan."""
    found = []
    for power in plan.powers:
        drawn, release = plan.drawn(power), plan.release.get(power)
        text = f"power {power:g}: draw {drawn:,} examples; about {plan.calls(power):,} texts to the model"
        if plan.seconds is not None:
            text += f", {_duration(plan.calls(power) * plan.seconds)} at the pilot's speed"
        if (chance := plan.equal(drawn)) is not None:
            text += f"; a model as good passes {_ASKED} in at least {percent(chance)}"
        elif power in plan.codes:
            text += "; by its limits it ends with " + ", ".join(
                f"{code} in {percent(chance)}" for code, chance in zip((0, 1, 6), plan.codes[power], strict=True)
            )
        if release is not None:
            text += f"; an equal model is proved no worse with {release:,} drawn examples"
        found.append(f"{text}.")
        if drawn > plan.available:
            found.append(f"The data hold {plan.available:,} usable examples: fewer than power {power:g} takes.")
    number = plan.selected or plan.available
    if (chance := plan.equal(number)) is not None:
        found.append(
            f"With the suite's {number:,} examples a model as good passes {_ASKED} in at least {percent(chance)}."
        )
    for power, release in plan.release.items():
        if release is None:
            found.append(_unproved(plan, power))
    for limit in plan.limits:
        if None in limit.drawn.values():
            found.append(
                f"{limit.name}: {percent(limit.rate)} is too near the limit of {percent(limit.limit)} to decide."
            )
    found += _proved(plan)
    if plan.seconds is None:
        found.append("How long it takes is not known: the store answered the pilot.")
    return [*found, *plan.notes]


def lines_to_paste(plan: Plan, select: SelectSpec | None, power: float) -> list[str]:
    """Write the ``select`` line of a suite that draws as many examples as a planned power needs.

    Args:
        plan: The plan.
        select: The suite's selection; None if it tests all examples.
        power: One of the planned powers.
    """
    rows, drawn = plan.rows(power), plan.drawn(power)
    by = f"by: {select.by}, " if select is not None and select.by else ""
    if select is not None and select.examples:
        return [f"select: {{{by}examples: {drawn}}}"]
    if select is None or not select.chosen:
        return [f"select: {{{by}difficult: 0, control: {max(drawn, rows.get('control', 0))}}}"]
    drawn -= select.easiest
    by += f"easiest: {select.easiest}, " if select.easiest else ""
    fraction = select.difficult / (select.difficult + select.control or 1)
    difficult, control = rows.get("difficult", 0), rows.get("control", 0)
    difficult = max(difficult, min(round(fraction * drawn), drawn - control))
    control = max(control, drawn - difficult)
    return [f"select: {{{by}difficult: {difficult}, control: {control}}}"]


def print_plan(console: Console, plan: Plan, select: SelectSpec | None) -> None:
    """Print the tables of the plan, its cost, and the lines to paste into the suite."""
    for table in tables(plan):
        print_rule(console, table.title, style="bold")
        print_table(console, table.header, table.rows)
        for note in table.notes:
            print_line(console, note, style="dim")
    print_rule(console, "what it takes", style="bold")
    for sentence in findings(plan):
        print_line(console, sentence)
    for power in plan.powers:
        for line in lines_to_paste(plan, select, power):
            print_line(console, f"{line}    # power {power:g}")


def _proved(plan: Plan) -> list[str]:
    """Say how many examples prove every limit so often, or why none do; not where arms draw numbers of their own."""
    if plan.runs is None or {limit.arm for limit in plan.limits} & {"difficult", "control"}:
        return []
    chances, drawn, wanted = plan.runs.codes[:, 0], plan.runs.drawn, plan.powers[0]
    if (enough := chances >= wanted).any():
        first = f"{drawn[enough.argmax()]:,}"
        return [f"Exit code 0, every limit proved, comes with {wanted:g} from {first} drawn examples on."]
    return [
        f"The pilot promises exit code 0, every limit proved, with no more than {chances.max():.2f}, however many are "
        "drawn: it leaves open whether each rate lies below its limit, and a larger one, or --rate, tells more."
    ]


def _unproved(plan: Plan, power: float) -> str:
    """Say why no number of drawn examples proves an equal model no worse."""
    for margin in plan.margins:
        if margin.labelled is not None and (held := margin.power(0)) <= power:
            needed = examples_for(margin.power_of, power)
            more = "a million would not do" if needed is None else f"{needed:,} alone are needed"
            return (
                f"Accuracy is compared on all {margin.labelled:,} labelled examples of the data, which prove an "
                f"equal model no worse by {points(margin.margin)} with a power of {held:.2f}; for a power of "
                f"{power:g} {more}."
            )
    return "A million examples would not prove an equal model to be no worse: the margin is too small."


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
