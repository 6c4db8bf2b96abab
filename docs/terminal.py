"""``python -m docs.terminal``: docs/pictures/terminal.svg, how a run of suites/sentiment.yaml begins on a terminal.

The command runs in a folder of its own, in which nothing is kept from an earlier run, and its colours become a picture:
up to the end of the first check's failures.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

__all__ = ["COMMAND", "TARGET", "main", "picture", "taken"]

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "pictures" / "terminal.svg"
COMMAND = ("run", "suites/sentiment.yaml", "--color", "yes")
WIDTH = 110


def picture(printed: str, title: str) -> str:
    """Draw what a command printed.

    Args:
        printed: Its output, with the escape sequences of colours.
        title: What stands above it.

    Returns:
        An SVG, in which every letter of the output is text, and which names no font of another host.
    """
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, highlight=False)
    for line in map(Text.from_ansi, printed.splitlines()):
        console.print(line)
        if line.plain.startswith("… and "):
            break
    drawn = console.export_svg(title=title, unique_id="robustfim")
    begin, end = drawn.index("@font-face"), drawn.index(".robustfim-matrix")  # fonts that would be fetched
    return f"{drawn[:begin]}{drawn[end:]}".replace("Fira Code, monospace", "ui-monospace, Menlo, Consolas, monospace")


def taken() -> str:
    """Run the command and draw it.

    Returns:
        The picture as it is today.

    Raises:
        RuntimeError: The command did not run to its end.
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "suites").symlink_to(ROOT / "suites")
        done = subprocess.run(
            [sys.executable, "-m", "robustfim", *COMMAND],
            cwd=folder,
            env={**os.environ, "COLUMNS": str(WIDTH), "TERM": "xterm-256color"},
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stdout + done.stderr)
    return picture(done.stdout, f"robustfim {' '.join(COMMAND[:2])}") + "\n"


def main() -> None:
    """Write the picture."""
    TARGET.write_text(taken(), encoding="utf-8")
    print(f"wrote {TARGET.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
