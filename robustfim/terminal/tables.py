"""Tables that fit the width of the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from robustfim.printable import printable
from robustfim.terminal.console import print_line

__all__ = ["print_table"]

_BETWEEN, _MARGIN = "  ", "    "


def print_table(console: Console, heads: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: bool = True) -> None:
    """Print a table; if it is wider than the terminal, each row becomes a paragraph.

    Args:
        console: The console.
        heads: The heads of the columns; the first column names the row.
        rows: The cells of each row, which may have lines; control characters are escaped.
        numbers: Whether all columns except the first are aligned to the right, below a line under the heads.
    """
    cells = [[[*map(printable, cell.splitlines())] or [""] for cell in row] for row in (heads, *rows)]
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
    names, *lists = [[" / ".join(lines) for lines in row] for row in cells]
    for first, *others in lists:
        print_line(console, first or "–", style="bold")
        details = Text(" · ").join(
            Text(f"{name} ", style="dim").append(cell, style="none")
            for name, cell in zip(names[1:], others, strict=True)
            if cell
        )
        for line in details.wrap(console, max(20, console.width - len(_MARGIN))):
            line.rstrip()
            console.print(Text(_MARGIN).append_text(line), soft_wrap=True)
