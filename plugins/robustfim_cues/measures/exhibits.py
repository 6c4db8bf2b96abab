"""Exhibits of cues, and of easy and hard examples: the tables and figures of a page, and of the HTML report."""

from __future__ import annotations

from robustfim.exhibit import Figure, Series, Table
from robustfim.statistics import Gap, Rate, percent
from robustfim_cues.measures.measures import Cues

__all__ = ["BY_CONSTRUCTION", "cues_answer", "cues_table", "productivity_figure", "sides"]

BY_CONSTRUCTION = (
    "Easy is what a model of words solves that does not read everything. Another model of words, such as a bag of "
    "words, differs between Easy and Hard by construction; for any other model the difference says how far it does as "
    "words do."
)
"""What a difference between Easy and Hard does not show."""

_CHOICES = (
    "Productivity is the share of choices in which the cue stands in the right alternative, of those in which it "
    "stands in one alone; coverage the share of all choices in which it does so (Niven & Kao 2019)."
)
_LABELS = (
    "Productivity is the share of examples with the label beside the cue, of those in which it occurs; coverage the "
    "share of all examples in which it occurs (Niven & Kao 2019)."
)


def productivity_figure(cues: Cues, most: int | None = None) -> Figure:
    """Draw productivity against coverage.

    Args:
        cues: The cues.
        most: How many of them, the surest first; None for all.
    """
    sure, shown = set(cues.significant()), cues.found[:most]
    parts = {
        "surely no accident (corrected p at most 0.05)": [cue for cue in shown if cue in sure],
        "may be an accident": [cue for cue in shown if cue not in sure],
    }
    notes = [_CHOICES if cues.choices else _LABELS]
    if len(shown) < len(cues.found):
        notes.append(f"The {len(shown)} surest of {len(cues.found)} cues.")
    return Figure(
        title="Productivity of cues against their coverage",
        across="coverage",
        up="productivity",
        series=[
            Series(
                name=name, kind="dots", points=[(cue.coverage, cue.productivity) for cue in part],
                labels=[cue.text for cue in part],
            )
            for name, part in parts.items()
            if part
        ],
        shares=True,
        level=0.5 if cues.choices else None,
        level_name="tells nothing" if cues.choices else "",
        notes=notes,
    )  # fmt: skip


def cues_table(cues: Cues, most: int | None = None) -> Table:
    """List cues, the surest first.

    Args:
        cues: The cues.
        most: How many; None for all.
    """
    rows = [
        [
            cue.text, cue.label, str(cue.applicability), str(cue.hits), percent(cue.productivity, cue.interval),
            percent(cue.coverage), f"{cue.p_value:.2g}", f"{cue.adjusted:.2g}",
        ]
        for cue in cues.found[:most]
    ]  # fmt: skip
    header = ["cue", "label", "applies", "hits", "productivity", "coverage", "p", "corrected"]
    what = "choices between two alternatives" if cues.choices else "examples"
    note = f"{len(cues.found)} cues apply to {cues.minimum} or more of {cues.examples} {what}"
    rest = f"; the surest {len(rows)} are listed" if len(rows) < len(cues.found) else ""
    notes = [f"{note}{rest}.", "In brackets: 95 % Wilson intervals."]
    return Table(title="Cues", header=header, rows=rows, notes=notes)


def cues_answer(cues: Cues) -> str:
    """Say in a sentence whether a cue surely gives the answer away.

    Args:
        cues: The cues.
    """
    sure = cues.significant()
    what = "choices" if cues.choices else "examples"
    if not sure:
        return (
            f"None of {len(cues.found)} cues in {cues.examples} {what} surely tells the answer: each may stand by "
            "accident where it does."
        )
    best = sure[0]
    where = "the right alternative" if cues.choices and best.label == "right" else f"{best.label!r}"
    if cues.choices and best.label != "right":
        where = f"the {best.label} alternative"
    verb = "stands in" if cues.choices else "goes with"
    return (
        f"{len(sure)} of {len(cues.found)} cues surely tell something of the answer in {cues.examples} {what}; the "
        f"surest, {best.text!r}, {verb} {where} in {percent(best.productivity, best.interval)} of the "
        f"{best.applicability} {what} that it applies to."
    )


def sides(gap: Gap) -> tuple[Figure, Table]:
    """Draw and list the accuracy on easy and on hard examples.

    Args:
        gap: The errors on hard examples against those on easy ones.
    """
    rights = {"easy": gap.second, "hard": gap.first}
    rates = {name: Rate(round(tested - wrong), round(tested)) for name, (wrong, tested) in rights.items()}
    points = [(float(place), each.rate, *each.ends) for place, each in enumerate(rates.values())]
    figure = Figure(
        title="Easy and hard examples",
        across="solved, or not, without reading everything",
        up="accuracy of the model",
        series=[Series(name="accuracy", kind="bars", points=points)],
        names=[f"{name} ({each.tested})" for name, each in rates.items()],
        shares=True,
    )
    told = f"{percent(gap.difference, gap.interval, unit='points')} between them, p = {gap.p_value(0):.2g}."
    rows = [[name, str(each)] for name, each in rates.items()]
    return figure, Table(title="Accuracy on easy and hard examples", header=["side", "right"], rows=rows, notes=[told])
