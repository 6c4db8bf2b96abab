"""Exhibits of sensitivity: how far cues move a model's choice, and how it tells the alternatives apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from robustfim.example import Example
from robustfim.exhibit import Figure, Passage, Passages, Series, Table
from robustfim.roles import DifferentiableModel
from robustfim.statistics import percent
from robustfim_cues.measures.exhibits import standing_passages
from robustfim_cues.sensitivity.components import Components, components, differences
from robustfim_cues.sensitivity.measure import Band, Sensitivities, bands

__all__ = [
    "band_passages",
    "components_figure",
    "sensitivity_answer",
    "sensitivity_bands",
    "sensitivity_exhibits",
    "sensitivity_figure",
    "sensitivity_passages",
    "sensitivity_table",
]

_SHOWN = 30
"""Cues of a bar that are shown."""


def sensitivity_exhibits(
    models: Mapping[str, DifferentiableModel], found: Mapping[str, Sensitivities], examples: Sequence[Example]
) -> tuple[list[Table], list[Figure]]:
    """Show the sensitivity of models, and how they tell the alternatives apart.

    Args:
        models: The models, by name.
        found: Their sensitivities.
        examples: The choices; of originals and mirrors, the originals decide on the components.

    Raises:
        DataError: The examples are too few for components.
    """
    tables = [sensitivity_bands(found), sensitivity_table(found)]
    figures = [sensitivity_figure(found)]
    for name, model in models.items():
        figures += _components(f" ({name})" if len(models) > 1 else "", model, examples)
    return tables, figures


def _components(suffix: str, model: DifferentiableModel, examples: Sequence[Example]) -> Iterator[Figure]:
    """Draw the original instances, and beside them all, where some are mirrored."""
    labelled = [each for each in examples if each.label is not None]
    original = [not each.meta.get("mirrored") for each in labelled]
    if sum(original) < 3:
        return
    points = differences(model, labelled)
    if not points.any():  # an untrained tokenizer, or one of other languages, may know none of the words
        return
    found = components(points, original)
    labels = [str(each.label) for each in labelled]
    chosen = [row for row, own in enumerate(original) if own]
    ids = [each.id for each in labelled]
    yield components_figure(f"Differences of alternatives, original instances{suffix}", found, labels, chosen, ids)
    if not all(original):
        everything = range(len(labelled))
        title = f"Differences of alternatives, with the mirrors{suffix}"
        yield components_figure(title, found, labels, everything, ids)


def sensitivity_passages(examples: Sequence[Example]) -> list[Passages]:
    """Show the instances that the dots of components lead to."""
    return [
        Passages.of(each.id, each.fields, f"{each.fields['premise']} Alternative {each.label} is right.")
        for each in examples
        if each.label is not None
    ]


def _place(band: int) -> str:
    return f"band-{band + 1}"


def band_passages(found: Mapping[str, Sensitivities], examples: Sequence[Example]) -> list[Passages]:
    """Show the cues that a bar of :func:`sensitivity_figure` is the mean of, each in an example, marked."""
    cues = {each.cue.text: each.cue for model in found.values() for each in model.cues}
    passages = []
    for place, own in enumerate(zip(*map(bands, found.values()), strict=True)):
        named = {name: band.relative for name, band in zip(found, own, strict=True)}
        here = sorted({cue for each in own for cue in each.relative},
                      key=lambda cue: (-max(each.relative.get(cue, 0.0) for each in own), cue))  # fmt: skip
        shown = []
        for cue in here[:_SHOWN]:
            told = ", ".join(f"{name} {each[cue]:.2f}" for name, each in named.items() if cue in each)
            _, where = next(standing_passages(cues[cue], True, examples))
            shown.append(Passage(note=f"{cue}: {told}; in an alternative that is {where.note}", pieces=where.pieces))
        if here:
            more = f", the {_SHOWN} that move most of them here" if len(here) > _SHOWN else ""
            title = f"Productivity {_range(own[0])}: {len(here)} {'cue' if len(here) == 1 else 'cues'}{more}"
            passages.append(Passages(id=_place(place), title=title, passages=shown))
    return passages


def sensitivity_answer(found: Mapping[str, Sensitivities]) -> str:
    """Say in a sentence how the sensitivity to the most productive cues compares with that to a usual word."""
    told = []
    for name, each in found.items():
        filled = [band for band in bands(each) if band.relative]
        if not filled:
            told.append(f"for {name} no cue could be measured")
            continue
        top = filled[-1]
        where = f"cues of {percent(top.low)} productivity or more move {name}"
        low, high = top.interval or (-math.inf, math.inf)
        which = "surely more than" if low > 1 else "surely less than" if high < 1 else "not surely more or less than"
        told.append(
            f"{where} {which} a word like any other: {_mean(top.mean, top.interval)} times as much, "
            f"on {len(top.relative)} {'cue' if len(top.relative) == 1 else 'cues'}"
        )
    text = "; ".join(told)
    return f"{text[:1].upper()}{text[1:]}."


def sensitivity_bands(found: Mapping[str, Sensitivities]) -> Table:
    """List how sensitive models are to cues, by productivity; of two models the difference, too."""
    banded = {name: bands(each) for name, each in found.items()}
    heads = [f"{word}{f', {name}' if len(found) > 1 else ''}" for name in found for word in ("cues", "relative")]
    rows = []
    for own in zip(*banded.values(), strict=True):
        row = [_range(own[0])]
        for band in own:
            row += [str(len(band.relative)), _mean(band.mean, band.interval)]
        if len(own) == 2:
            row.append(_mean(*own[0].difference(own[1])))
        rows.append(row)
    note = "1 is a word like any other of its alternative; the mean over cues, with its 95 % t interval."
    heads += ["difference"] if len(found) == 2 else []
    return Table(title="Sensitivity by productivity", header=["productivity", *heads], rows=rows, notes=[note])


def _range(band: Band) -> str:
    return f"{100 * band.low:.0f} – {100 * band.high:.0f} %"


def _mean(mean: float, interval: tuple[float, float] | None) -> str:
    """Write a mean with its interval; a dash for one of nothing."""
    if math.isnan(mean):
        return "–"
    text = f"{mean:.2f}" + ("" if interval is None else " [{:.2f}, {:.2f}]".format(*interval))
    return text.replace("-", "−")


def sensitivity_figure(found: Mapping[str, Sensitivities]) -> Figure:
    """Draw how sensitive models are to cues, by productivity."""
    banded = {name: bands(each) for name, each in found.items()}
    first = next(iter(banded.values()))
    return Figure(
        title="Sensitivity to cues by their productivity",
        across="productivity of the cue",
        up="sensitivity, a usual word's is 1",
        series=[
            Series(
                name=name,
                kind="bars",
                points=[
                    (float(place), band.mean, *(band.interval or (None, None)))
                    for place, band in enumerate(each)
                    if band.relative
                ],
                leads=[_place(place) for place, band in enumerate(each) if band.relative],
                counts=[len(band.relative) for band in each if band.relative],
            )
            for name, each in banded.items()
        ],
        names=[_range(band) for band in first],
        level=1.0,
        level_name="a word like any other",
        notes=[
            "The norm of the gradient of the chosen alternative's score with respect to the cue's embedding, in units "
            "of the mean norm of the words of that alternative; the mean over cues, with its 95 % t interval."
        ],
    )


def sensitivity_table(found: Mapping[str, Sensitivities], most: int = 20) -> Table:
    """List the cues with the sensitivity of each model, the surest cues first.

    Args:
        found: The sensitivities of each model, by its name.
        most: How many cues.
    """
    known = {name: {each.cue.text: each for each in model.cues} for name, model in found.items()}
    cues = {each.cue.text: each.cue for model in found.values() for each in model.cues}
    norms = [each.norm for model in found.values() for each in model.cues]
    written = ".1e" if min(norms, default=1.0) < 1e-3 else ".3f"  # one form for all
    rows = []
    for cue in sorted(cues.values(), key=lambda each: (each.p_value, -each.applicability, each.text))[:most]:
        row = [cue.text, f"{cue.hits} of {cue.applicability}", percent(cue.productivity)]
        for model in known.values():
            each = model.get(cue.text)
            row += ["–"] * 3 if each is None else [str(each.places), f"{each.norm:{written}}", f"{each.relative:.2f}"]
        rows.append(row)
    heads = [
        f"{word}{f', {name}' if len(known) > 1 else ''}" for name in known for word in ("places", "norm", "relative")
    ]
    return Table(title="Sensitivity to single cues", header=["cue", "right", "productivity", *heads], rows=rows)


def components_figure(
    title: str, found: Components, labels: Sequence[str], rows: Sequence[int], ids: Sequence[str]
) -> Figure:
    """Draw the differences between alternatives in their two principal components, coloured by the gold label."""
    places = found.places
    return Figure(
        title=title,
        across=f"component 1 ({100 * found.explained[0]:.0f} % of the variance)",
        up=f"component 2 ({100 * found.explained[1]:.0f} %)",
        series=[
            Series(
                name=f"alternative {label} is right",
                kind="dots",
                points=[(float(places[row, 0]), float(places[row, 1])) for row in rows if labels[row] == label],
                leads=[f"x-{ids[row]}" for row in rows if labels[row] == label],
            )
            for label in sorted(set(labels))
        ],
        notes=[
            "An alternative is the mean of the model's input embeddings of its tokens; first less second. "
            f"{_contradicted(found, labels, rows)} of {len(rows)} instances drawn stand in one place with another "
            "whose other alternative is right, as an instance and its mirror with the same alternatives do."
        ],
    )


def _contradicted(found: Components, labels: Sequence[str], rows: Sequence[int]) -> int:
    """Count the drawn examples in whose place another one with another answer stands."""
    answers: dict[tuple[float, ...], list[str]] = {}
    for row in rows:
        answers.setdefault(tuple(found.places[row].round(6).tolist()), []).append(labels[row])
    return sum(len(each) for each in answers.values() if len(set(each)) > 1)
