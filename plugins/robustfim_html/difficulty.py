"""Histograms of the examples over a difficulty score, and of the examples with a failing pair."""

from __future__ import annotations

import math
import statistics
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from urllib.parse import urlencode

from robustfim.exhibit import Figure, Series, Table, Tone
from robustfim.record import ExampleTable, Record, ScoreRecord
from robustfim_drawing import Bins, bins_for, count, decimal
from robustfim_html.visible import plain

__all__ = ["Histogram", "histograms", "score_title"]

_ARMS: tuple[tuple[str | None, str, Tone], ...] = (
    ("difficult", "difficult arm", ""),
    ("control", "control arm", "control"),
    ("easiest", "easiest arm", "rest"),
    ("all", "tested", ""),
    (None, "not tested", "rest"),
)


@dataclass(frozen=True)
class Histogram:
    """The histograms of a difficulty score over a run's examples, and the plotted numbers.

    Attributes:
        name: The score's name in the suite.
        title: The score's name for a reader.
        chosen: Whether the score selected the group of difficult examples.
        notes: Sentences under the figures.
        figures: The histogram of all examples, and that of the failing examples.
        leads: The titles of the lists of examples to which the bars link, by address.
        table: The plotted numbers as a table, one row for each bin that is not empty.
    """

    name: str
    title: str
    chosen: bool
    notes: tuple[str, ...]
    figures: tuple[Figure, ...]
    leads: Mapping[str, str]
    table: Table


def score_title(name: str) -> str:
    """Return the name of a score for a reader, such as λmax for ``fisher``."""
    return "λmax" if name == "fisher" else name


def histograms(record: Record, failing: Collection[str]) -> list[Histogram]:
    """Make histograms of every difficulty score; the score that selected the difficult examples comes first."""
    known = {score.name: score for score in record.scores}
    for example in record.examples:
        for name in example.scores:
            known.setdefault(name, ScoreRecord(name=name, hardest="highest"))
    ordered = sorted(known.values(), key=lambda score: score.name != record.selection.by)
    table = record.table
    made = (_histogram(record, table, score, failing) for score in ordered)
    return [histogram for histogram in made if histogram is not None]


@dataclass(frozen=True)
class _Column:
    """The examples with a value, ``[examples]``: as many as the run has, so numbers and no objects."""

    values: array[float]
    arms: array[int]
    """Places in ``_ARMS``."""
    failing: array[int]
    missing: int
    """Examples without a value."""

    @classmethod
    def read(cls, table: ExampleTable, name: str, failing: Collection[str]) -> _Column:
        """Read a score of all usable examples."""
        places = {arm: place for place, (arm, *_) in enumerate(_ARMS)}
        values, arms, fails = array("d"), array("b"), array("b")
        column = f"scores.{name}"
        rows = table.rows(["id", "arm", column]) if column in table.columns else ()
        for example, arm, value in rows:
            if value is not None and math.isfinite(value):
                values.append(value)
                arms.append(places[arm])
                fails.append(example in failing)
        return cls(values, arms, fails, len(table) - len(values))

    def tested(self, fails: bool) -> list[float]:
        """Return the scores of the tested examples with, or without, a failing pair."""
        rows = zip(self.values, self.arms, self.failing, strict=True)
        return [value for value, arm, failing in rows if _ARMS[arm][0] is not None and failing == fails]


def _histogram(record: Record, table: ExampleTable, score: ScoreRecord, failing: Collection[str]) -> Histogram | None:
    scored = _Column.read(table, score.name, failing)
    if not scored.values:
        return None
    bins = bins_for(scored.values)

    def counted(values: Iterable[float]) -> list[int]:
        by_bin = Counter(map(bins.slot, values))
        return [by_bin[slot] for slot in range(len(bins))]

    by_arm: dict[int, list[float]] = {}
    for value, arm in zip(scored.values, scored.arms, strict=True):
        by_arm.setdefault(arm, []).append(value)
    arms = [(_ARMS[arm][1], _ARMS[arm][2], counted(values)) for arm, values in sorted(by_arm.items())]
    failed, held = scored.tested(True), scored.tested(False)
    broken, sound = counted(failed), counted(held)
    chosen = score.name == record.selection.by
    threshold = record.selection.threshold if chosen and record.selection.difficult else None
    leads = _links(score.name, [(bins.slot(value), value) for value in (*failed, *held)])
    made = partial(_figure, bins, score_title(score.name), threshold)
    figures = []
    if len(arms) > 1:
        figures.append(made(f"All {count(len(scored.values))} examples with a value", arms))
    if any(check.tested for check in record.checks):
        tested: list[tuple[str, Tone, list[int]]] = [("with a failing pair", "bad", broken), ("without", "rest", sound)]
        figures.append(made(f"The {count(sum(broken) + sum(sound))} tested examples", tested, leads=leads))
    columns = [(label, counts) for label, _, counts in arms] + [("with a failing pair", broken)]
    rows = [
        [name, *(count(counts[i]) for _, counts in columns)]
        for i, name in enumerate(bins.names())
        if any(counts[i] for _, counts in columns)
    ]
    title = score_title(score.name)
    return Histogram(
        name=score.name,
        title=title,
        chosen=chosen,
        notes=_notes(record, score, failed, held, scored.missing, bins, threshold),
        figures=tuple(figures),
        leads={
            lead: f"{bins.names()[slot]}: {count(broken[slot])} with a failing pair" for slot, lead in leads.items()
        },
        table=Table(title="The numbers", header=[title, *(label for label, _ in columns)], rows=rows),
    )


def _figure(
    bins: Bins, score: str, threshold: float | None, title: str, series: Sequence[tuple[str, Tone, list[int]]],
    leads: Mapping[int, str] = MappingProxyType({}),
) -> Figure:  # fmt: skip
    """Stack the counts of each bin; the failing ones lead to the address that lists them."""
    return Figure(
        title=title, across=score, up="examples", stacked=True, flat=True, along=(0, len(bins)), places=bins.ticks(),
        series=[
            Series(
                name=f"{label} ({count(sum(counts))})", kind="bars", tone=tone,
                points=[(slot + 0.5, number) for slot, number in enumerate(counts)],
                labels=[f"{name}: {count(number)} {label}" for name, number in zip(bins.names(), counts, strict=True)],
                leads=[leads.get(slot, "") for slot in range(len(bins))] if leads and tone == "bad" else [],
            )
            for label, tone, counts in series
        ],
        upright=None if threshold is None else bins.place(threshold),
        upright_name="" if threshold is None else "the arm’s end",
    )  # fmt: skip


def _notes(
    record: Record,
    score: ScoreRecord,
    broken: Sequence[float],
    sound: Sequence[float],
    missing: int,
    axis: Bins,
    threshold: float | None,
) -> tuple[str, ...]:
    notes = [f"The {score.hardest} values are the difficult ones."]
    if axis.log:
        notes.append("Logarithmic scale.")
    cut = [end for end, is_cut in (("begins at the 1st", axis.below), ("ends at the 99th", axis.above)) if is_cut]
    if cut:
        notes.append(f"The axis {' and '.join(cut)} percentile; what lies further out is in the bin beside it.")
    if threshold is not None:
        notes.append(f"The difficult arm ends at {decimal(threshold)} (dashed line).")
    area = score.area
    if area is not None and area.auroc is not None and area.interval is not None:
        kind = "control" if record.selection.control else "tested"
        notes.append(
            f"How well it predicted failures: AUROC {area.auroc:.2f} [{area.interval[0]:.2f}, {area.interval[1]:.2f}], "
            f"on {count(area.examples)} {kind} examples, {count(area.failing)} of which fail (0.5 is chance)"
            + (", without the examples that the score chose itself." if threshold is not None else ".")
        )
    chosen = score.name == record.selection.by
    learned = None if record.selection.pilot is None else record.selection.pilot.scores.get(score.name)
    if learned is not None and learned.auroc is not None and learned.interval is not None:
        pilot = "pilot that chose it" if chosen else "pilot"
        notes.append(
            f"On the {pilot}: AUROC {learned.auroc:.2f} [{learned.interval[0]:.2f}, {learned.interval[1]:.2f}], "
            f"{count(learned.failing)} of {count(learned.examples)} fail; the pilot is not judged."
        )
    if broken and sound:
        notes.append(
            f"Median of the tested examples with a failing pair {decimal(statistics.median(broken))} "
            f"(n = {count(len(broken))}), of those without {decimal(statistics.median(sound))} "
            f"(n = {count(len(sound))})."
        )
    if missing:
        notes.append(f"{count(missing)} {'example has' if missing == 1 else 'examples have'} no value.")
    return tuple(notes)


def _links(name: str, placed: Sequence[tuple[int, float]]) -> dict[int, str]:
    """Make for each bin the address that lists the failures of its examples."""
    values: dict[int, list[float]] = {}
    for slot, value in placed:
        values.setdefault(slot, []).append(value)
    return {
        slot: urlencode({"x": plain(name), "y": "count", "x-range": f"{min(own)!r}..{max(own)!r}"})
        for slot, own in values.items()
    }
