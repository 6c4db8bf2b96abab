"""Tables and figures of cues, and of easy and hard examples, for HTML pages and the HTML report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from robustfim.example import Example
from robustfim.exhibit import Figure, Mark, Passage, Passages, Series, Table
from robustfim.statistics import Gap, Rate, percent
from robustfim_cues.choices.choice import ALTERNATIVES
from robustfim_cues.choices.tokens import placed_words
from robustfim_cues.measures.measures import Cue, Cues
from robustfim_cues.measures.occurrence import standing

__all__ = [
    "BY_CONSTRUCTION",
    "cue_passages",
    "cues_answer",
    "cues_table",
    "productivity_figure",
    "sides",
    "standing_passages",
]

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


_LEADING, _SHOWN = 100, 10
"""Cues of a page that lead to examples, and how many examples each."""


def cue_passages(cues: Cues, examples: Sequence[Example], fields: Sequence[str] = ()) -> list[Passages]:
    """Find examples of the most significant cues (words that betray the label), with the cues marked.

    Args:
        cues: The cues.
        examples: The examples on which the cues were measured.
        fields: The fields that were read; by default the alternatives of choices, all fields of other examples.

    Returns:
        The examples of each cue; examples with the label that the cue suggests come first.
    """
    return [
        _passages(row, cue, list(standing_passages(cue, cues.choices, examples, fields)))
        for row, cue in enumerate(cues.found[:_LEADING])
    ]


def _place(row: int) -> str:
    return f"cue-{row + 1}"


def _passages(row: int, cue: Cue, found: list[tuple[bool, Passage]]) -> Passages:
    found.sort(key=lambda pair: not pair[0])
    more = f", {_SHOWN} of them here" if len(found) > _SHOWN else ""
    title = f"{cue.text}: {percent(cue.productivity, cue.interval)} {cue.label}, in {cue.applicability} examples{more}"
    return Passages(id=_place(row), title=title, passages=[passage for _, passage in found[:_SHOWN]])


def standing_passages(
    cue: Cue, choices: bool, examples: Sequence[Example], fields: Sequence[str] = ()
) -> Iterator[tuple[bool, Passage]]:
    """Yield the examples that contain a cue, and whether each has the label that the cue suggests.

    Args:
        cue: The cue.
        choices: Whether the examples are choices.
        examples: The examples to search.
        fields: The fields to read; by default the alternatives of choices, all fields of other examples.

    Yields:
        Whether the example has the label of the cue (for choices: whether the cue stands in the right alternative), and
        the text with the cue marked.
    """
    for example in examples:
        if choices:
            place = standing(cue.text, example)
            if place is not None:
                right = example.label == str(place + 1)
                note = f"{'right' if right else 'wrong'}; {example.fields['premise']}"
                yield right, Passage(note=note, pieces=_marked(example.fields[ALTERNATIVES[place]], cue.text))
            continue
        read = list(fields or example.fields)
        for name in read:
            words = cue.text if len(read) == 1 else cue.text.removeprefix(f"{name}:")
            if len(read) > 1 and words == cue.text:
                continue
            pieces = _marked(example.fields[name], words)
            if len(pieces) > 1:
                yield example.label == cue.label, Passage(note=str(example.label), pieces=pieces)


def _marked(text: str, cue: str) -> list[tuple[Mark, str]]:
    """Mark a cue wherever it stands in a text."""
    words, wanted, done = list(placed_words(text)), cue.split(" "), 0
    pieces: list[tuple[Mark, str]] = []
    for start in range(len(words) - len(wanted) + 1):
        part = words[start : start + len(wanted)]
        if [word for word, _, _ in part] == wanted and part[0][1] >= done:
            pieces += [("", text[done : part[0][1]]), ("mark", text[part[0][1] : part[-1][2]])]
            done = part[-1][2]
    return [*pieces, ("", text[done:])]


def productivity_figure(cues: Cues, most: int | None = None) -> Figure:
    """Draw, for cues (words that betray the label), how often they are right against how often they occur.

    Args:
        cues: The cues. The figure shows their productivity, the fraction of hits where they apply, against their
            coverage, the fraction of examples to which they apply.
        most: The largest number of cues to draw, the most significant first; None for all.
    """
    sure, shown = set(cues.significant()), cues.found[:most]
    parts = {
        "surely no accident (corrected p at most 0.05)": [cue for cue in shown if cue in sure],
        "may be an accident": [cue for cue in shown if cue not in sure],
    }
    notes = [_CHOICES if cues.choices else _LABELS, "Lines through dots: 95 % Wilson intervals of the productivity."]
    if len(shown) < len(cues.found):
        notes.append(f"The {len(shown)} surest of {len(cues.found)} cues.")
    return Figure(
        title="Productivity of cues against their coverage",
        across="coverage",
        up="productivity",
        series=[
            Series(
                name=name, kind="dots",
                points=[(cue.coverage, cue.productivity, *cue.interval) for cue in part],
                labels=[cue.text for cue in part], leads=[_place(cues.found.index(cue)) for cue in part],
            )
            for name, part in parts.items()
            if part
        ],
        shares=True,
        across_shares=True,
        level=0.5 if cues.choices else None,
        level_name="tells nothing" if cues.choices else "",
        notes=notes,
    )  # fmt: skip


def cues_table(cues: Cues, most: int | None = None) -> Table:
    """Return a table of cues (words that betray the label) with their measures, the most significant first.

    Args:
        cues: The cues.
        most: The largest number of cues to list; None for all.
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
    """Return a sentence on whether a significant cue gives the answer away."""
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
    """Draw and list the model's accuracy on easy and on hard examples."""
    rights = {"easy": gap.second, "hard": gap.first}
    rates = {name: Rate(round(tested - wrong), round(tested)) for name, (wrong, tested) in rights.items()}
    figure = Figure(
        title="Easy and hard examples",
        across="solved, or not, without reading everything",
        up="accuracy of the model",
        series=[Series.bars("accuracy", ((rate.rate, rate.interval, rate.tested) for rate in rates.values()))],
        names=list(rates),
        shares=True,
    )
    sentence = f"{percent(gap.rate, gap.interval, unit='points')} between them, p = {gap.p_value(0):.2g}."
    rows = [[name, str(rate)] for name, rate in rates.items()]
    return figure, Table(
        title="Accuracy on easy and hard examples", header=["side", "right"], rows=rows, notes=[sentence]
    )
