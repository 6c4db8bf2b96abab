"""Where the examples lie on a difficulty score, and which of them have a failing pair."""

from __future__ import annotations

import math
import statistics
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import urlencode

from markupsafe import Markup

from robustfim.record import Record, ScoreRecord
from robustfim_html.axis import Axis, axis_for, nice_ceiling
from robustfim_html.number import count, decimal
from robustfim_html.visible import plain

__all__ = ["Histogram", "histograms", "score_title"]

_ARMS = (
    ("difficult", "difficult", "difficult arm"),
    ("control", "control", "control arm"),
    ("all", "all", "tested"),
    (None, "rest", "not tested"),
)
_HEIGHT = 120


@dataclass(frozen=True)
class Histogram:
    """A score's figure and the numbers behind it.

    Attributes:
        name: The score's name in the suite.
        title: Its name for a reader.
        chosen: Whether it chose the difficult arm.
        notes: Sentences under the figure.
        panels: Drawings, each with its heading and legend (class, text).
        header: Columns of the table.
        rows: Its cells, one row a bin that is not empty.
    """

    name: str
    title: str
    chosen: bool
    notes: tuple[str, ...]
    panels: tuple[tuple[str, tuple[tuple[str, str], ...], Markup], ...]
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def score_title(name: str) -> str:
    """Name a score as a reader knows it."""
    return "λmax" if name == "fisher" else name


def histograms(record: Record, failing: Collection[str]) -> list[Histogram]:
    """Make a figure for every score that has numbers, the one that chose the difficult arm first.

    Args:
        record: The run.
        failing: Ids of the examples with a failing pair.
    """
    known = {score.name: score for score in record.scores}
    for example in record.examples:
        for name in example.scores:
            known.setdefault(name, ScoreRecord(name=name, hardest="highest"))
    ordered = sorted(known.values(), key=lambda score: score.name != record.selection.by)
    made = (_histogram(record, score, failing) for score in ordered)
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
    def read(cls, record: Record, name: str, failing: Collection[str]) -> _Column:
        """Read a score of all usable examples."""
        places = {arm: place for place, (arm, *_) in enumerate(_ARMS)}
        values, arms, fails = array("d"), array("b"), array("b")
        column = f"scores.{name}"
        blocks = record.table.blocks(["id", "arm", column]) if column in record.table.columns else ()
        for block in blocks:
            for example, arm, value in zip(block["id"], block["arm"], block[column], strict=True):
                if value is not None and math.isfinite(value):
                    values.append(value)
                    arms.append(places[arm])
                    fails.append(example in failing)
        return cls(values, arms, fails, len(record.table) - len(values))

    def tested(self, fails: bool) -> list[float]:
        """The values of the tested examples with or without a failing pair."""
        rows = zip(self.values, self.arms, self.failing, strict=True)
        return [value for value, arm, failing in rows if _ARMS[arm][0] is not None and failing == fails]


def _histogram(record: Record, score: ScoreRecord, failing: Collection[str]) -> Histogram | None:
    scored = _Column.read(record, score.name, failing)
    if not scored.values:
        return None
    axis = axis_for(scored.values)
    slots = len(axis.slots())

    def counted(values: Iterable[float]) -> list[int]:
        found = Counter(map(axis.slot, values))
        return [found[slot] for slot in range(slots)]

    each_arm = zip(scored.values, scored.arms, strict=True)
    found = Counter((arm, axis.slot(value)) for value, arm in each_arm)
    arms = [
        (kind, label, [found[place, slot] for slot in range(slots)]) for place, (_, kind, label) in enumerate(_ARMS)
    ]
    arms = [series for series in arms if any(series[2])]
    failed, held = scored.tested(True), scored.tested(False)
    broken, sound = counted(failed), counted(held)
    chosen = score.name == record.selection.by
    threshold = record.selection.threshold if chosen and record.selection.difficult else None
    title = score_title(score.name)

    panels = []
    if len(arms) > 1:
        legend = tuple((kind, f"{label} ({count(sum(counts))})") for kind, label, counts in arms)
        drawn = _panel(axis, [(kind, counts) for kind, _, counts in arms], f"All examples by {title}", threshold)
        panels.append((f"All {count(len(scored.values))} examples with a value", legend, drawn))
    if any(check.tested for check in record.checks):
        legend = (
            ("failing", f"with a failing pair ({count(sum(broken))})"),
            ("sound", f"without ({count(sum(sound))})"),
        )
        drawn = _panel(
            axis,
            [("failing", broken), ("sound", sound)],
            f"Tested examples by {title}",
            threshold,
            _links(score.name, [(axis.slot(value), value) for value in (*failed, *held)]),
        )
        panels.append((f"The {count(sum(broken) + sum(sound))} tested examples", legend, drawn))

    columns = [(label, counts) for _, label, counts in arms] + [("with a failing pair", broken)]
    rows = tuple(
        (name, *(count(counts[i]) for _, counts in columns))
        for i, name in enumerate(axis.names())
        if any(counts[i] for _, counts in columns)
    )
    return Histogram(
        name=score.name,
        title=title,
        chosen=chosen,
        notes=_notes(record, score, failed, held, scored.missing, axis, threshold),
        panels=tuple(panels),
        header=(title, *(label for label, _ in columns)),
        rows=rows,
    )


def _notes(
    record: Record,
    score: ScoreRecord,
    broken: Sequence[float],
    sound: Sequence[float],
    missing: int,
    axis: Axis,
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
            + (", without the hardest, which are in the other arm." if threshold is not None else ".")
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
        slot: "#" + urlencode({"x": plain(name), "y": "count", "x-range": f"{min(own)!r}..{max(own)!r}"})
        for slot, own in values.items()
    }


def _panel(
    axis: Axis,
    series: list[tuple[str, list[int]]],
    label: str,
    threshold: float | None,
    links: Mapping[int, str] = MappingProxyType({}),
) -> Markup:
    """Draw stacked bars: places in percent of the width, heights in CSS pixels, so that letters keep their size."""
    slots = axis.slots()
    tallest = max(sum(counts[i] for _, counts in series) for i in range(len(slots)))
    top, step = nice_ceiling(max(tallest, 1), 3)
    step = max(step, 1)
    parts = []
    for i in range(int(top / step + 1e-9) + 1):
        y = round(_HEIGHT * (1 - i * step / top), 1)
        parts.append(Markup('<line class="grid" x1="0" x2="100%" y1="{0}" y2="{0}"/>').format(y))
        parts.append(Markup('<text class="tick y" x="-8" y="{}">{}</text>').format(y + 4, count(round(i * step))))
    for i, ((left, right), name) in enumerate(zip(slots, axis.names(), strict=True)):
        below = 0
        for kind, counts in series:
            if not counts[i]:
                continue
            tall = _HEIGHT * counts[i] / top
            y = _HEIGHT * (1 - below / top) - tall
            below += counts[i]
            bar = Markup(
                '<rect class="{}" x="{:.2f}%" width="{:.2f}%" y="{:.1f}" height="{:.1f}"><title>{}: {}</title></rect>'
            ).format(kind, left, right - left, y, tall, name, _spoken(series, i))
            linked = i in links and kind == "failing"
            parts.append(
                Markup('<a href="{}" aria-label="{}: {}">{}</a>').format(links[i], name, _spoken(series, i), bar)
                if linked
                else bar
            )
        total = sum(counts[i] for _, counts in series)
        if total:
            parts.append(
                Markup('<text class="tick n" x="{:.2f}%" y="{:.1f}">{}</text>').format(
                    (left + right) / 2, _HEIGHT * (1 - total / top) - 3, count(total)
                )
            )
    parts.append(Markup('<line class="base" x1="0" x2="100%" y1="{0}" y2="{0}"/>').format(_HEIGHT))
    for x, text in axis.ticks():
        parts.append(
            Markup('<line class="base" x1="{0:.2f}%" x2="{0:.2f}%" y1="{1}" y2="{2}"/>').format(x, _HEIGHT, _HEIGHT + 4)
        )
        parts.append(Markup('<text class="tick x" x="{:.2f}%" y="{}">{}</text>').format(x, _HEIGHT + 18, text))
    if threshold is not None:
        parts.append(
            Markup('<line class="threshold" x1="{0:.2f}%" x2="{0:.2f}%" y1="-6" y2="{1}"/>').format(
                axis.place(threshold), _HEIGHT
            )
        )
    # What holds links is no image: a screen reader would not tell them.
    return Markup('<svg class="histogram" height="{}" role="{}" aria-label="{}">{}</svg>').format(
        _HEIGHT, "group" if links else "img", label, Markup("").join(parts)
    )


def _spoken(series: list[tuple[str, list[int]]], i: int) -> str:
    words = {"rest": "not tested", "failing": "with a failing pair", "sound": "without", "all": "tested"}
    return ", ".join(f"{count(counts[i])} {words.get(kind, kind)}" for kind, counts in series if counts[i])
