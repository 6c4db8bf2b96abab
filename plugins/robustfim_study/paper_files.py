"""Files for a paper: tables as CSV and LaTeX, figures as CSV, SVG and PDF."""

from __future__ import annotations

import csv
import importlib.util
import io
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from robustfim.errors import UsageError
from robustfim.whole_file import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from robustfim.exhibit import Figure, Series, Table
    from robustfim.record import Study

__all__ = ["FORMATS", "file_options", "write_files"]

FORMATS = {
    "csv": "Write each table, and the points of each figure, as CSV, too.",
    "latex": "Write each table as LaTeX (booktabs), too.",
    "svg": "Write each figure as SVG, too.",
    "pdf": "Write each figure as PDF, too.",
}
"""Format to what its option says."""

_NEEDS = {"latex": "pandas", "svg": "matplotlib", "pdf": "matplotlib"}
_Writers = dict[str, Callable[[Any, "Study"], bytes]]
_Function = TypeVar("_Function", bound=Callable[..., Any])


def file_options(function: _Function) -> _Function:
    """Add to a command an option for each file format; the function gets the chosen ones as ``formats``."""

    def asked(context: click.Context, parameter: click.Parameter, chosen: bool) -> None:
        formats = context.params.setdefault("formats", ())
        library = _NEEDS.get(str(parameter.name))
        if chosen and library is not None and importlib.util.find_spec(library) is None:
            raise UsageError(f"--{parameter.name} needs {library}: pip install 'robustfim[figures]'.")
        context.params["formats"] = (*formats, parameter.name) if chosen else formats

    for name, said in reversed(FORMATS.items()):
        function = click.option(f"--{name}", is_flag=True, expose_value=False, callback=asked, help=said)(function)
    return function


def write_files(study: Study, folder: Path, formats: Sequence[str]) -> Iterator[Path]:
    """Write the tables and figures of a study, each to a separate file.

    Args:
        study: The study. Its texts are escaped, so that no text is a formula to a spreadsheet or a command to LaTeX.
        folder: Where to write ``study-NAME-table-1.csv``, ``study-NAME-figure-1.pdf`` and so on.
        formats: Some of :data:`FORMATS`.

    Yields:
        The paths of the files. The same study always gives the same bytes.
    """
    kinds: tuple[tuple[str, Sequence[Table | Figure], _Writers], ...] = (
        ("table", study.tables, _TABLES),
        ("figure", study.figures, _FIGURES),
    )
    for kind, shown, writers in kinds:
        for number, exhibit in enumerate(shown, 1):
            for name in [each for each in formats if each in writers]:
                path = folder / f"study-{study.study}-{kind}-{number}.{'tex' if name == 'latex' else name}"
                yield write_whole(path, writers[name](exhibit, study))


def _written(rows: Sequence[Sequence[object]]) -> bytes:
    """Write rows as CSV in which no cell is a formula: a number may have its sign."""
    file = io.StringIO()
    for row in rows:
        cells = ["" if cell is None else str(cell) for cell in row]
        safe = [f"'{cell}" if re.match(r"[=@\t\r]|[+-](?![\d.])", cell) else cell for cell in cells]
        csv.writer(file, lineterminator="\n").writerow(safe)
    return file.getvalue().encode("utf-8")


def _table_latex(table: Table, study: Study) -> bytes:
    """Write a table with a caption that stands alone: its title, the model, the data, and the notes."""
    import pandas as pd

    where = [each.use for each in (study.model, study.data) if each is not None]
    title = f"{table.title}: {' on '.join(where)}" if where else table.title
    caption = " ".join(f"{title}. {' '.join(table.notes)}".split())
    numbers = [place not in table.texts and place > 0 for place in range(len(table.header))]
    frame = pd.DataFrame(table.rows, columns=[*map(_tex, table.header)]).map(_tex)
    text = frame.to_latex(
        index=False, escape=False, column_format="".join("lr"[number] for number in numbers), caption=_tex(caption)
    )
    return text.encode("utf-8")


def _tex(text: str) -> str:
    """Escape what LaTeX would read as more than itself."""
    words = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "−": "$-$"}
    return re.sub(r"[\\~^−&%$#_{}]", lambda found: words.get(found[0], f"\\{found[0]}"), text)


def _figure_csv(figure: Figure) -> bytes:
    rows: list[Sequence[object]] = [["series", "x", "y", "low", "high", "name"]]
    for series in figure.series:
        for place, point in enumerate(series.points):
            across = point[0]
            name = series.labels[place] if series.labels else ""
            if figure.names and across is not None and 0 <= round(across) < len(figure.names):
                name = name or figure.names[round(across)]
            rows.append([series.name, *point, *[None] * (4 - len(point)), name])
    return _written(rows)


def _drawn(figure: Figure, kind: str) -> bytes:
    """Draw with matplotlib, without a date and without reading any text as mathematics."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    with mpl.rc_context({"svg.hashsalt": "robustfim", "pdf.fonttype": 42, "text.parse_math": False, "font.size": 9}):
        canvas = Canvas(figsize=(5.0, 3.4), layout="constrained")
        FigureCanvasAgg(canvas)
        axes = canvas.add_subplot()
        bars = sum(series.kind == "bars" for series in figure.series)
        place = 0
        for number, series in enumerate(figure.series):
            _draw_series(axes, series, f"C{number}", place, bars)
            place += series.kind == "bars"
        if figure.level is not None:
            axes.axhline(figure.level, color="0.4", linestyle="--", linewidth=0.8, label=figure.level_name or None)
        if figure.diagonal:
            axes.axline((0, 0), slope=1, color="0.4", linestyle="--", linewidth=0.8)
        if figure.equal:
            axes.set_aspect("equal", adjustable="datalim")
        if figure.along:
            axes.update_datalim([(end, axes.dataLim.y0) for end in figure.along])
            axes.autoscale_view()
        if figure.names:
            axes.set_xticks(range(len(figure.names)), figure.names, rotation=30, ha="right")
        elif figure.counts:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        if figure.shares:
            axes.set_ylim(0, 1)
            axes.yaxis.set_major_formatter(PercentFormatter(1))
        if figure.across_shares:
            axes.set_xlim(left=0)
            axes.xaxis.set_major_formatter(PercentFormatter(1))
        axes.set(xlabel=figure.across, ylabel=figure.up, title=textwrap.fill(figure.title, 60))
        axes.spines[["top", "right"]].set_visible(False)
        if len(figure.series) > 1 or figure.level_name:
            canvas.legend(frameon=False, fontsize=8, loc="outside lower center", ncols=2)
        file = io.BytesIO()
        metadata: dict[str, Any] = {"Date": None} if kind == "svg" else {"CreationDate": None}
        canvas.savefig(file, format=kind, metadata=metadata)
    return file.getvalue()


def _draw_series(axes: Axes, series: Series, colour: str, place: int, bars: int) -> None:
    """Draw one series; points with a number missing are left out and break a line, as on the page."""
    import numpy as np

    points = [point for point in series.points if series.kind == "line" or None not in point[:2]]
    if not points:
        return
    x, y = np.array([point[:2] for point in points], dtype=np.float64).T
    match series.kind:
        case "line":
            axes.plot(x, y, color=colour, label=series.name, clip_on=False)
        case _:
            if series.kind == "bars":
                width = 0.7 / bars
                x = x + width * (place - (bars - 1) / 2)
                axes.bar(x, y, width, color=colour, label=series.name)
            else:
                axes.scatter(x, y, s=9, color=colour, label=series.name, clip_on=False)
            ends = [(row, point[2:4]) for row, point in enumerate(points) if len(point) > 3 and None not in point]
            if ends:
                rows = [row for row, _ in ends]
                low, high = np.array([pair for _, pair in ends], dtype=np.float64).T
                off = np.clip([y[rows] - low, high - y[rows]], 0, None)
                axes.errorbar(x[rows], y[rows], off, fmt="none", ecolor="0.2", elinewidth=0.8, capsize=2, clip_on=False)


_TABLES: _Writers = {"csv": lambda table, _: _written([table.header, *table.rows]), "latex": _table_latex}
_FIGURES: _Writers = {
    "csv": lambda figure, _: _figure_csv(figure),
    "svg": lambda figure, _: _drawn(figure, "svg"),
    "pdf": lambda figure, _: _drawn(figure, "pdf"),
}
