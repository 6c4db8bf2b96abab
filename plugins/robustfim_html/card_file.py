"""The report ``card``: a run to pass on, as SVG, PNG or Markdown."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.errors import UsageError
from robustfim.whole_file import write_whole

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

    from robustfim.record import Failure, Record

__all__ = ["CardReport"]


class CardReport:
    """Writes a run as a card of 1200 × 630, to pass on: the verdict, what it stands on, one failing text.

    Args:
        path: The file to write, by its ending ``.svg``, ``.png`` (which needs matplotlib, and draws the scripts that
            its font DejaVu Sans has) or ``.md``, a block for a chat or a pull request; ``card.svg`` in the suite's
            report folder when None.

    Raises:
        UsageError: The path ends in something else.
    """

    def __init__(self, path: Path | None = None) -> None:
        if path is not None and path.suffix not in (".svg", ".png", ".md"):
            raise UsageError(f"a picture of a run is written to a .svg, .png or .md file, not to {str(path)!r}.")
        self.path = path

    def write(self, record: Record, folder: Path) -> Path:
        """Write the card, whole or not at all."""
        from robustfim.judge import first_failures
        from robustfim_html.card import markdown, svg

        path = self.path or folder / "card.svg"
        first = first_failures(record)
        if path.suffix == ".png":
            return write_whole(path, _png(record, first))
        text = markdown(record, first) if path.suffix == ".md" else f"{svg(record, first)}\n"
        return write_whole(path, text.encode("utf-8"))


def _png(record: Record, first: Sequence[Failure]) -> bytes:
    """Draw the card with matplotlib, stretch after stretch: each begins where the one before it ends."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError("a picture as PNG needs matplotlib: pip install 'robustfim[figures]'") from None
    from robustfim_html.card import COLOURS, HEIGHT, MARGIN, WIDTH, lines

    figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100, facecolor="white")
    canvas = FigureCanvasAgg(figure)
    renderer = canvas.get_renderer()  # type: ignore[no-untyped-call]  # the library is not typed here
    for line in lines(record, first):
        x = float(MARGIN)
        for run in line.runs:
            # A dollar would begin a formula.
            text = figure.text(
                x / WIDTH, 1 - line.y / HEIGHT, run.text.replace("$", r"\$"), va="baseline", color=COLOURS[run.kind],
                fontsize=0.72 * line.size, fontfamily="DejaVu Sans", fontweight="bold" if line.bold else "normal",
            )  # fmt: skip
            width = text.get_window_extent(renderer).width
            if run.kind in ("removed", "inserted"):
                y = 1 - (line.y + (4 if run.kind == "inserted" else -0.3 * line.size)) / HEIGHT
                figure.add_artist(_rule(x / WIDTH, (x + width) / WIDTH, y, COLOURS[run.kind]))
            x += width
    kept = io.BytesIO()
    canvas.print_png(kept, metadata={"Software": "robustfim"})  # type: ignore[no-untyped-call]  # nor here
    return kept.getvalue()


def _rule(x: float, to_x: float, y: float, colour: str) -> Line2D:
    from matplotlib.lines import Line2D

    return Line2D([x, to_x], [y, y], color=colour, linewidth=1.5)
