"""Exhibits: the tables and figures with the numbers of a study or of a section of a run record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["DIGEST", "Bar", "Figure", "Mark", "Passage", "Passages", "Section", "Series", "Table"]


DIGEST = "digest"
"""The name of the section that summarizes a run in sentences; a page opens with it."""


Mark = Literal["", "del", "ins", "mark"]
"""The mark of a piece of text: unchanged, deleted, inserted, or highlighted."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, ser_json_inf_nan="null", populate_by_name=True)


class Bar(_Part):
    """A rate with its confidence interval and its limit, all in [0, 1]; a missing number is None."""

    rate: float | None = None
    interval: tuple[float, float] | None = None
    limit: float | None = None


class Table(_Part):
    """A table of numbers, formatted for a reader."""

    title: str
    header: list[str]
    rows: list[list[str]]
    notes: list[str] = []
    texts: list[int] = []
    """The columns that hold sentences, from 0."""
    bars: list[Bar] = []
    """A bar for each row, beside the row's name."""
    bars_name: str = ""
    """The quantity of the bars."""


class Series(_Part):
    """The data of one colour of a figure."""

    name: str
    kind: Literal["line", "dots", "bars"]
    points: Sequence[tuple[float | None, ...]]
    """``(x, y)``; for bars, and dots with intervals, ``(x, y, low, high)``. Other points with a missing number break a
    line."""
    labels: list[str] = []
    """A label for each dot."""
    leads: list[str] = []
    """For each dot or bar, the id of the ``Passages`` to which it links."""
    counts: list[int] = []
    """For each bar, the number of examples behind it."""

    @classmethod
    def bars(
        cls, name: str, measured: Iterable[tuple[float | None, tuple[float, float] | None, int]], **more: Any
    ) -> Series:
        """Draw bars at 0, 1, 2….

        Args:
            name: The name of the series.
            measured: For each place the height of the bar, the interval of the height (None without one), and the
                number of examples; at a place with 0 examples no bar is drawn.
            **more: Further fields, such as ``leads``.
        """
        drawn = [(place, *bar) for place, bar in enumerate(measured) if bar[2]]
        points = [(float(place), height, *(interval or (None, None))) for place, height, interval, _ in drawn]
        return cls(name=name, kind="bars", points=points, counts=[number for *_, number in drawn], **more)


class Figure(_Part):
    """A two-dimensional figure."""

    title: str
    across: str
    """The quantity on the horizontal axis."""
    up: str
    """The quantity on the vertical axis."""
    series: list[Series]
    names: list[str] = []
    """The names at 0, 1, 2… of the horizontal axis, for categories."""
    places: list[tuple[float, str]] = []
    """Texts in place of the numbers of the horizontal axis."""
    level: float | None = None
    """A horizontal reference line."""
    level_name: str = ""
    upright: float | None = None
    """A vertical reference line."""
    upright_name: str = ""
    equal: bool = False
    """Whether both axes have the same scale."""
    diagonal: bool = False
    """Whether to draw the line of equal x and y."""
    shares: bool = False
    """Whether the vertical axis goes from 0 to 1, in per cent."""
    across_shares: bool = False
    """Whether the horizontal axis begins at 0, in per cent."""
    along: tuple[float, float] | None = None
    """The range that the horizontal axis must include."""
    counts: bool = False
    """Whether the horizontal axis, and with ``diagonal`` the vertical one, holds counts: its ticks are whole numbers.
    """
    notes: list[str] = []


class Passage(_Part):
    """One text with marked pieces."""

    note: str = ""
    """A remark on the text, such as the model's answer."""
    pieces: list[tuple[Mark, str]]
    """The text in order, in pieces."""


class Passages(_Part):
    """A group of related texts that a report folds under one line; points of a figure link to the group."""

    id: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    title: str
    passages: list[Passage]

    @classmethod
    def of(cls, example: str, fields: Mapping[str, str], title: str) -> Passages:
        """Build the group that shows the texts of one example; the link to it is ``x-`` and the example's id.

        Args:
            example: The example's id.
            fields: The example's texts by field name.
            title: A one-line description.
        """
        named = len(fields) > 1
        shown = [Passage(note=name if named else "", pieces=[("", text)]) for name, text in fields.items()]
        return cls(id=f"x-{example}", title=title, passages=shown)


class Section(_Part):
    """A plugin's addition to a run record: sentences, and the numbers behind them."""

    name: str
    """A short word without spaces: the anchor of the section in the HTML report."""
    title: str
    findings: list[str] = []
    """The results in sentences; the first one answers the title."""
    tables: list[Table] = []
    figures: list[Figure] = []
