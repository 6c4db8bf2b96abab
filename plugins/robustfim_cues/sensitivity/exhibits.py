"""Tables and figures of sensitivity: how strongly cues affect a model's choice."""

from __future__ import annotations

import math
from collections.abc import Mapping

from robustfim.exhibit import Figure, Series, Table
from robustfim.statistics import percent
from robustfim_cues.sensitivity.measure import Band, Sensitivities, bands

__all__ = [
    "sensitivity_answer",
    "sensitivity_bands",
    "sensitivity_figure",
    "sensitivity_table",
]


def sensitivity_answer(found: Mapping[str, Sensitivities]) -> str:
    """Return a sentence on how much more models react to the strongest cues than to an average word."""
    sentences = []
    for name, sensitivities in found.items():
        filled = [band for band in bands(sensitivities) if band.relative]
        if not filled:
            sentences.append(f"for {name} no cue could be measured")
            continue
        top = filled[-1]
        where = f"cues of {percent(top.low)} productivity or more move {name}"
        low, high = top.interval or (-math.inf, math.inf)
        which = "surely more than" if low > 1 else "surely less than" if high < 1 else "not surely more or less than"
        sentences.append(
            f"{where} {which} a word like any other: {_mean(top.mean, top.interval)} times as much, "
            f"on {len(top.relative)} {'cue' if len(top.relative) == 1 else 'cues'}"
        )
    text = "; ".join(sentences)
    return f"{text[:1].upper()}{text[1:]}."


def sensitivity_bands(found: Mapping[str, Sensitivities]) -> Table:
    """Return a table of each model's mean sensitivity to cues, by how often the cues are right (productivity)."""
    banded = {name: bands(sensitivities) for name, sensitivities in found.items()}
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
    """Draw each model's mean sensitivity to cues by bands of productivity."""
    banded = {name: bands(sensitivities) for name, sensitivities in found.items()}
    first = next(iter(banded.values()))
    return Figure(
        title="Sensitivity to cues by their productivity",
        across="productivity of the cue",
        up="sensitivity, a usual word's is 1",
        series=[
            Series.bars(name, ((band.mean, band.interval, len(band.relative)) for band in each))
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
    """Return a table of cues (words that betray the label) and each model's sensitivity to them.

    Args:
        found: The sensitivities of each model, by the model's name.
        most: The largest number of cues to list, the most significant first.
    """
    known = {name: {cue.cue.text: cue for cue in model.cues} for name, model in found.items()}
    cues = {cue.cue.text: cue.cue for model in found.values() for cue in model.cues}
    norms = [cue.norm for model in found.values() for cue in model.cues]
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
