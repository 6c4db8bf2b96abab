"""Exhibits: the tables and figures in which a study, or a part of a run record, shows its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["DIGEST", "Bar", "Figure", "Mark", "Passage", "Passages", "Section", "Series", "Table", "Tone"]


DIGEST = "digest"
"""The name of the section that says what a run found in sentences; a page opens on it."""


Mark = Literal["", "del", "ins", "mark"]
"""How a piece of a text is shown: as it is, taken out, put in, or pointed at."""


Tone = Literal["", "bad", "control", "rest"]
"""A colour that says something: what fails, what is compared with, what is neither."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, ser_json_inf_nan="null", populate_by_name=True)


class Bar(_Part):
    """A rate, its interval and its limit, each in [0, 1], or None where there is none."""

    rate: float | None = None
    interval: tuple[float, float] | None = None
    limit: float | None = None


class Table(_Part):
    """Numbers as a reader sees them."""

    title: str
    header: list[str]
    rows: list[list[str]]
    notes: list[str] = []
    texts: list[int] = []
    """The columns of sentences, from 0; the others hold numbers, but for the first, which names its row."""
    bars: list[Bar] = []
    """A bar for each row on one scale, which a page draws beside the row's name; empty for none."""
    bars_name: str = ""
    """What the bars are."""


class Series(_Part):
    """What one colour of a figure stands for."""

    name: str
    kind: Literal["line", "dots", "bars"]
    points: Sequence[tuple[float | None, ...]]
    """``(x, y)``; for bars, and dots that have one, ``(x, y, low, high)``, the interval's ends, None where there is
    none. Other points with a number missing are not drawn, and break a line."""
    labels: list[str] = []
    """What each dot is, shown when it is pointed at; beside it, too, while there is room. Empty for none."""
    leads: list[str] = []
    """The id of the :class:`Passages` that each dot or bar leads to, on a page that has them."""
    counts: list[int] = []
    """Of how many examples each bar is, written above it; empty where a bar is a count itself."""
    tone: Tone = ""
    """Its colour, where that says something; empty for the next one."""


class Figure(_Part):
    """A drawing in two dimensions."""

    title: str
    across: str
    """What the horizontal axis measures."""
    up: str
    """What the vertical axis measures."""
    series: list[Series]
    names: list[str] = []
    """What stands at 0, 1, 2… of the horizontal axis, where it counts nothing; empty for numbers."""
    places: list[tuple[float, str]] = []
    """What stands at some places of the horizontal axis in place of its numbers, as where it is of bins."""
    stacked: bool = False
    """Whether bars stand on one another, without a gap to the next, each column with its sum: a histogram."""
    level: float | None = None
    """A horizontal line to compare with."""
    level_name: str = ""
    upright: float | None = None
    """A vertical line to compare with."""
    upright_name: str = ""
    equal: bool = False
    """One unit is as long across as it is up, so that angles are drawn as they are."""
    diagonal: bool = False
    """A line on which both numbers are equal."""
    shares: bool = False
    """Whether the vertical axis is of shares: it goes from 0 to 1, and is written in per cent."""
    across_shares: bool = False
    """Whether the horizontal axis is of shares: it begins at 0, and is written in per cent."""
    along: tuple[float, float] | None = None
    """What the horizontal axis holds at least, so that figures side by side have the same one."""
    counts: bool = False
    """Whether the horizontal axis counts something, and with ``diagonal`` the vertical one, too: then it has no tick
    between whole numbers, and none below the least."""
    flat: bool = False
    """Whether it is drawn less high, as one of several that say one thing."""
    notes: list[str] = []


class Passage(_Part):
    """One text, with what matters in it marked."""

    note: str = ""
    """What is said of it, such as what the model answers."""
    pieces: list[tuple[Mark, str]]
    """The text in order, in pieces."""


class Passages(_Part):
    """Texts that belong together, folded under one line, to which the points of a figure lead."""

    id: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    title: str
    passages: list[Passage]

    @classmethod
    def of(cls, example: str, fields: Mapping[str, str], title: str) -> Passages:
        """Show an example, to which ``x-`` and its id leads.

        Args:
            example: Its id.
            fields: Its fields.
            title: What is said of it in one line.
        """
        named = len(fields) > 1
        shown = [Passage(note=name if named else "", pieces=[("", text)]) for name, text in fields.items()]
        return cls(id=f"x-{example}", title=title, passages=shown)


class Section(_Part):
    """What a plugin adds to a run record: sentences, and the numbers behind them."""

    name: str
    """A short word without spaces: the anchor of the section in the HTML report."""
    title: str
    findings: list[str] = []
    """What the numbers say, in sentences; the first one answers the title."""
    tables: list[Table] = []
    figures: list[Figure] = []
