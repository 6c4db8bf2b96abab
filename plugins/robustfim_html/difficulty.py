"""How often examples fail by their difficulty: a bar for each tenth of the tested examples, by a score."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from robustfim.exhibit import Figure, Series
from robustfim.record import AreaRecord, Record
from robustfim.statistics import Rate
from robustfim_drawing import area_text, count, decimal
from robustfim_html.visible import plain

__all__ = ["Difficulty", "difficulties", "score_title"]

_PARTS = 10
"""Bars of a figure."""


@dataclass(frozen=True)
class Difficulty:
    """The share of failing examples by a difficulty score.

    Attributes:
        name: The score's name in the suite.
        title: The score's name for a reader.
        chosen: Whether the score selected the group of difficult examples.
        notes: Sentences under the figure.
        figure: The failing share of each tenth of the tested examples.
        leads: The titles of the lists of examples to which the bars link, by address.
    """

    name: str
    title: str
    chosen: bool
    notes: tuple[str, ...]
    figure: Figure
    leads: Mapping[str, str]


def score_title(name: str) -> str:
    """Return the name of a score for a reader, such as λmax for ``fisher``."""
    return "λmax" if name == "fisher" else name


def difficulties(record: Record, names: Sequence[str], failing: Collection[str]) -> list[Difficulty]:
    """Show how often tested examples fail by each difficulty score.

    Args:
        record: The run.
        names: The names of the scores; a score without a finite value of a tested example is left out.
        failing: The ids of the examples with a failing pair.
    """
    made = []
    for name in names:
        values = [(example.scores.get(name), example.id in failing) for example in record.examples if example.arm]
        scored = sorted((value, fails) for value, fails in values if value is not None and math.isfinite(value))
        if scored:
            made.append(_difficulty(record, name, scored, len(values) - len(scored)))
    return made


def _difficulty(record: Record, name: str, scored: Sequence[tuple[float, bool]], missing: int) -> Difficulty:
    parts: list[list[tuple[float, bool]]] = []
    for value, fails in scored:  # equal values stay together
        if not parts or (len(parts[-1]) >= len(scored) / _PARTS and value != parts[-1][-1][0]):
            parts.append([])
        parts[-1].append((value, fails))
    rates = [Rate(sum(fails for _, fails in part), len(part)) for part in parts]
    ends = [(part[0][0], part[-1][0]) for part in parts]
    leads = [urlencode({"x": plain(name), "y": "count", "x-range": f"{low!r}..{high!r}"}) for low, high in ends]
    names = [decimal(low) if low == high else f"{decimal(low)} to {decimal(high)}" for low, high in ends]
    told = [
        f"{part}: {count(rate.count)} of {count(rate.tested)} with a failing pair"
        for part, rate in zip(names, rates, strict=True)
    ]
    title, whole = score_title(name), Rate(sum(fails for _, fails in scored), len(scored))
    return Difficulty(
        name=name,
        title=title,
        chosen=name == record.selection.by,
        notes=_notes(record, name, scored, missing),
        figure=Figure(
            title=f"The {count(len(scored))} tested examples, by {title}; all: dashed", across=title,
            up="with a failing pair", names=names, shares=True, level=whole.rate,
            series=[
                Series.bars(
                    "with a failing pair", ((rate.rate, rate.interval, rate.tested) for rate in rates), leads=leads
                )
            ],
        ),
        leads=dict(zip(leads, told, strict=True)),
    )  # fmt: skip


def _notes(record: Record, name: str, scored: Sequence[tuple[float, bool]], missing: int) -> tuple[str, ...]:
    chosen = record.selection
    notes = []
    for score in record.scores:
        if score.name == name:
            notes.append(f"The {score.hardest} values are the difficult ones.")
            kind = "control" if chosen.control else "tested"
            notes += _area("How well it predicted failures", score.area, f"{kind} examples")
    if name == chosen.by and chosen.threshold is not None and chosen.difficult:
        notes.append(f"The difficult arm, which the score chose itself, ends at {decimal(chosen.threshold)}.")
    if chosen.pilot is not None:
        which = "pilot that chose it" if name == chosen.by else "pilot"
        notes += _area(f"On the {which}", chosen.pilot.scores.get(name), "examples, which are not judged")
    sides = {fails: [value for value, failed in scored if failed is fails] for fails in (True, False)}
    if all(sides.values()):
        broken, others = (f"{decimal(statistics.median(side))} (n = {count(len(side))})" for side in sides.values())
        notes.append(f"Median of the tested examples with a failing pair {broken}, of those without {others}.")
    if missing:
        notes.append(f"{count(missing)} tested {'example has' if missing == 1 else 'examples have'} no value.")
    return tuple(notes)


def _area(head: str, area: AreaRecord | None, of: str) -> list[str]:
    if area is None or area.auroc is None:
        return []
    return [
        f"{head}: AUROC {area_text(area)} (0.5 is chance), {count(area.failing)} of {count(area.examples)} {of} fail."
    ]
