"""Sections of RESULTS.md that a command of their own measures."""

from __future__ import annotations

import argparse
import datetime
import hashlib
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

__all__ = ["data_folder", "dated", "replace_section", "seal", "table"]

RESULTS = Path(__file__).with_name("RESULTS.md")
"""The page."""


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
    found = subprocess.run(commit, cwd=RESULTS.parent, capture_output=True, text=True, check=True)
    return f"{datetime.datetime.now(datetime.UTC).date()} at {found.stdout.strip()}"


def seal(body: str) -> str:
    """Name the text of a section, so that a change by hand shows.

    Args:
        body: What stands below the line that says when it was written.

    Returns:
        The first eight digits of its SHA-256.
    """
    return hashlib.sha256(body.strip().encode()).hexdigest()[:8]


def dated(page: str) -> str:
    """Put the day, the commit and the seal under the title of each section without, as the one that was measured now.

    Args:
        page: The page.
    """
    head, *sections = page.split("\n## ")
    for place, section in enumerate(sections):
        title, _, body = section.partition("\n\n")
        if not body.startswith("*Written "):
            sections[place] = f"{title}\n\n*Written {_written()}, sealed {seal(body)}.*\n\n{body}"
    return "\n## ".join([head, *sections])


def replace_section(text: str, path: Path = RESULTS) -> None:
    """Put a section in the place of the one with its title; at the end of the page where there is none.

    Args:
        text: The section, its title the first line.
        path: The page.
    """
    page = path.read_text(encoding="utf-8")
    before, found, rest = page.partition(text[: text.index("\n") + 1])
    _, above, behind = rest.partition("\n## ")
    parts = [before if found else page, text, above + behind]
    whole = "\n\n".join(part.strip("\n") for part in parts if part) + "\n"
    path.write_text(dated(whole), encoding="utf-8")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table in Markdown.

    Args:
        head: The titles of the columns.
        rows: The cells of each row.
    """
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
