"""Tables that fit the width of the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from robustfim.terminal.console import print_line

__all__ = ["print_table"]

_BETWEEN, _MARGIN = "  ", "    "


def print_table(console: Console, heads: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: bool = True) -> None:
    """Print a table without cutting words; see :func:`robustfim.commands.print_table`. Cells may have lines."""
    cells = [[cell.splitlines() or [""] for cell in row] for row in (heads, *rows)]
    widths = [max(cell_len(line) for row in cells for line in row[place]) for place in range(len(heads))]
    whole = sum(widths) + len(_BETWEEN) * (len(widths) - 1)
    if whole <= console.width:
        for number, lines in enumerate(cells):
            for part in zip_longest(*lines, fillvalue=""):
                padded = [
                    " " * (width - cell_len(cell)) + cell if numbers and place else set_cell_size(cell, width)
                    for place, (cell, width) in enumerate(zip(part, widths, strict=True))
                ]
                print_line(console, _BETWEEN.join(padded).rstrip(), style="none" if number or numbers else "dim")
            if numbers and number == 0:
                print_line(console, "─" * whole, style="dim")
        return
    for row in rows:
        print_line(console, row[0] or "–", style="bold")
        details = Text(" · ").join(
            Text(f"{head} ", style="dim").append(" / ".join(cell.splitlines()), style="none")
            for head, cell in zip(heads[1:], row[1:], strict=True)
            if cell
        )
        for line in details.wrap(console, max(20, console.width - len(_MARGIN))):
            line.rstrip()
            console.print(Text(_MARGIN).append_text(line), soft_wrap=True)
