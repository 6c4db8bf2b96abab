"""Files for a paper: tables as CSV and LaTeX, figures as CSV."""

from __future__ import annotations

import csv
import importlib.util
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from robustfim.errors import UsageError
from robustfim.whole_file import write_whole

if TYPE_CHECKING:
    from robustfim.exhibit import Figure, Table
    from robustfim.record import Study

__all__ = ["require_pandas", "write_files"]


def require_pandas(context: click.Context, parameter: click.Parameter, chosen: bool) -> bool:
    """Refuse ``--latex`` before anything is asked, if pandas is missing."""
    if chosen and importlib.util.find_spec("pandas") is None:
        raise UsageError("--latex needs pandas: pip install 'robustfim[data]'.")
    return chosen


def write_files(study: Study, folder: Path, *, as_csv: bool, latex: bool) -> Iterator[Path]:
    """Write the tables and figures of a study, each to a separate file.

    Args:
        study: The study. Its texts are escaped, so that no text is a formula to a spreadsheet or a command to LaTeX.
        folder: Where to write ``study-NAME-table-1.csv``, ``study-NAME-figure-1.csv`` and so on.
        as_csv: Whether to write each table, and the points of each figure, as CSV.
        latex: Whether to write each table as LaTeX (booktabs).

    Yields:
        The paths of the files. The same study always gives the same bytes.
    """
    for number, table in enumerate(study.tables, 1):
        path = folder / f"study-{study.study}-table-{number}"
        if as_csv:
            yield write_whole(path.with_suffix(".csv"), _written([table.header, *table.rows]))
        if latex:
            yield write_whole(path.with_suffix(".tex"), _table_latex(table, study))
    for number, figure in enumerate(study.figures, 1):
        if as_csv:
            yield write_whole(folder / f"study-{study.study}-figure-{number}.csv", _figure_csv(figure))


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
