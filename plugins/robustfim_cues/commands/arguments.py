"""Arguments that several subcommands of ``robustfim cues`` share, and a function that writes their output files."""

from __future__ import annotations

from pathlib import Path

import click

from robustfim.commands import COUNT
from robustfim.whole_file import write_whole, writing

__all__ = ["DATA", "MINIMUM", "NGRAMS", "OPTION", "SEED", "write"]

DATA = click.argument("data", metavar="DATA")
OPTION = click.option("-o", "options", multiple=True, metavar="KEY=VALUE", help="An option of the data source.")
MINIMUM = click.option("--minimum", type=COUNT, default=5, show_default=True,
                       help="Smallest number of examples to which a cue applies.")  # fmt: skip
NGRAMS = click.option("--ngrams", type=click.IntRange(1, 5), default=1, show_default=True, help="Largest n of n-grams.")
SEED = click.option("--seed", type=int, default=0, show_default=True, help="Seed of the folds.")


def write(path: Path, text: str, *, page: bool = False) -> Path:
    """Write a text file, whole or not at all.

    Args:
        path: The file.
        text: The content.
        page: Whether the file is an HTML page, which then links to the other pages in its folder.

    Returns:
        The path of the written file.

    Raises:
        UsageError: The file cannot be written.
    """
    with writing(path):
        if page:
            from robustfim_drawing import write_page

            return write_page(path, text)
        return write_whole(path, text.encode("utf-8", errors="backslashreplace"))
