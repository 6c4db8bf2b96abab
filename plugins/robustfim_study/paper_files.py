"""Files for a paper: tables as CSV and LaTeX, figures as CSV."""

from __future__ import annotations

import csv
import importlib.util
import io
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from robustfim.errors import UsageError
from robustfim.whole_file import write_whole

if TYPE_CHECKING:
    from robustfim.exhibit import Figure, Table
    from robustfim.record import Study

__all__ = ["FORMATS", "file_options", "write_files"]

FORMATS = {
    "csv": "Write each table, and the points of each figure, as CSV, too.",
    "latex": "Write each table as LaTeX (booktabs), too.",
}
"""Format to what its option says."""

_Writers = dict[str, Callable[[Any, "Study"], bytes]]
_Function = TypeVar("_Function", bound=Callable[..., Any])


def file_options(function: _Function) -> _Function:
    """Add to a command an option for each file format; the function gets the chosen ones as ``formats``."""

    def asked(context: click.Context, parameter: click.Parameter, chosen: bool) -> None:
        formats = context.params.setdefault("formats", ())
        if chosen and parameter.name == "latex" and importlib.util.find_spec("pandas") is None:
            raise UsageError("--latex needs pandas: pip install 'robustfim[data]'.")
        context.params["formats"] = (*formats, parameter.name) if chosen else formats

    for name, said in reversed(FORMATS.items()):
        function = click.option(f"--{name}", is_flag=True, expose_value=False, callback=asked, help=said)(function)
    return function


def write_files(study: Study, folder: Path, formats: Sequence[str]) -> Iterator[Path]:
    """Write the tables and figures of a study, each to a separate file.

    Args:
        study: The study. Its texts are escaped, so that no text is a formula to a spreadsheet or a command to LaTeX.
        folder: Where to write ``study-NAME-table-1.csv``, ``study-NAME-figure-1.csv`` and so on.
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


_TABLES: _Writers = {"csv": lambda table, _: _written([table.header, *table.rows]), "latex": _table_latex}
_FIGURES: _Writers = {"csv": lambda figure, _: _figure_csv(figure)}
