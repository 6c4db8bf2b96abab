"""The files in ``benchmarks/results``: one for each experiment, and an index of them."""

from __future__ import annotations

import argparse
import datetime
import hashlib
import re
import string
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

__all__ = [
    "INDEX", "data_folder", "listed", "measured", "result_file", "seal", "table", "verdict", "write_index",
    "write_results",
]  # fmt: skip

Result = TypeVar("Result")

INDEX = Path(__file__).with_name("results") / "README.md"
"""The index, in the folder of the results."""


def data_folder(about: str | None) -> Path:
    """Read ``--data`` from the command line, the folder of the data sets' folders.

    Args:
        about: What the command does, for ``--help``.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="holds the data sets' folders")
    found: Path = parser.parse_args().data
    return found


@cache
def _written() -> str:
    """Say which day it is, and at which commit the checkout stands."""
    commit = ["git", "rev-parse", "--short=8", "HEAD"]
    found = subprocess.run(commit, cwd=INDEX.parents[1], capture_output=True, text=True, check=True)
    return f"{datetime.datetime.now(datetime.UTC).date()} at {found.stdout.strip()}"


def seal(body: str) -> str:
    """Return a hash of the text of a result, which shows whether the text was changed by hand.

    Args:
        body: The text below the line with the date.

    Returns:
        The first eight hexadecimal digits of the text's SHA-256.
    """
    return hashlib.sha256(body.strip().encode()).hexdigest()[:8]


def result_file(title: str, index: Path = INDEX) -> Path:
    """Return the path of the file with the results of an experiment.

    Args:
        title: The experiment's title. The file's name consists of its letters and digits, with *lambda max* for λmax.
        index: The path of the index in the same folder.
    """
    plain = re.sub(r"[^a-z0-9]+", "-", title.lower().replace("λmax", "lambda max")).strip("-")
    return index.with_name(f"{plain}.md")


def write_results(text: str, index: Path = INDEX) -> None:
    """Write one file for each section of a text, then the index. An existing file with the same title is replaced.

    Below its title, each file has the day, the commit and a seal (hash) of its text.

    Args:
        text: One or more sections. Each begins with its title as ``## Title``.
        index: The path of the index in the same folder.
    """
    for section in f"\n{text}".split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        stamp = f"*Written {_written()}, sealed {seal(body)}.*"
        result_file(title, index).write_text(f"# {title}\n\n{stamp}\n\n{body.strip()}\n", encoding="utf-8")
    write_index(index)


def write_index(index: Path = INDEX, head: str | None = None) -> None:
    """Write the index of a folder, which lists its files by title.

    Args:
        index: The path of the index.
        head: The new text above the list; None keeps the text.
    """
    above = index.read_text(encoding="utf-8").partition("\n## ")[0] if head is None else head
    rows = []
    for path in sorted(index.parent.glob("*.md")):
        if path != index:
            title, stamp = path.read_text(encoding="utf-8").split("\n\n", 2)[:2]
            rows.append([f"[{title.removeprefix('# ')}]({path.name})", *stamp.split(",")[0].split()[1::2]])
    listed = table(["experiment", "written", "commit"], rows)
    index.write_text(f"{above.strip()}\n\n## Experiments\n\n{listed}\n", encoding="utf-8")


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table in Markdown.

    Args:
        head: The titles of the columns.
        rows: The cells of each row, as :func:`listed` writes them.
    """
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(_CELLS.format_field(cell, '') for cell in cells)} |" for cells in lines)


def listed(head: str, row: str, items: Iterable[object]) -> str:
    """Write a table in Markdown with a row for each item.

    Args:
        head: The titles of the columns, with `` | `` between them.
        row: The cells, with `` | `` between them. ``{rate:.1f%}`` is the item's attribute ``rate`` in percent.
        items: The items. In a cell True is ``met``, False is ``missed``, and None and NaN are a dash.
    """
    return table(head.split(" | "), ((_CELLS.format(row, item),) for item in items))


class _Cells(string.Formatter):
    """Formats the attributes of an object."""

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        return getattr(args[0], str(key))

    def format_field(self, value: Any, form: str) -> str:
        if value is None or value != value:  # NaN
            return "–"
        if isinstance(value, bool):
            return verdict(value)
        return f"{100 * value:{form[:-1]}} %" if form.endswith("%") else format(value, form)


_CELLS = _Cells()


def measured(found: Iterable[Result | tuple[str, str]]) -> tuple[list[Result], list[str]]:
    """Separate results from what was not measured.

    Args:
        found: Results; in the place of a result that is missing, its name and the reason.

    Returns:
        The results, and a line of a list in Markdown for each missing one.
    """
    results = list[Result]()
    missing = list[str]()
    for each in found:
        if isinstance(each, tuple):
            missing.append(f"- {each[0]}: not measured: {each[1]}")
        else:
            results.append(each)
    return results, missing


def verdict(met: bool) -> str:
    """Return the word for an aim in a table: ``met`` or ``missed``."""
    return "met" if met else "missed"
