"""``python -m docs.rewrite [PAGE …]``, or ``make docs``: writes in the pages what their commands show today.

The tests of the pages run, and where they would say that a page differs they write it anew: console blocks, tables and
pictures. Without a page, all pages. ``...`` in a block goes on standing for anything.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from docs.reference import PAGES

__all__ = ["main", "tests_of"]

ROOT = Path(__file__).parents[1]
TESTS = Path("tests") / "docs"


def main(pages: list[str]) -> int:
    """Rewrite pages.

    Args:
        pages: Their paths; none for all.

    Returns:
        0, or 1 where a test fails for another reason than a page that differs.
    """
    before = _texts()
    tests = sorted({str(tests_of(Path(page).name)) for page in pages}) or [str(TESTS)]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "2" if len(tests) > 1 or not pages else "0",
        "-m",
        "",
        *tests,
    ]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "REWRITE_PAGES": "1"}, check=False)
    for path, text in _texts().items():
        if text != before.get(path):
            print(f"wrote {path.relative_to(ROOT)}")
    return int(done.returncode != 0)


def tests_of(page: str) -> Path:
    """The tests of a page.

    Args:
        page: The name of its file.

    Returns:
        Their path, from the root.

    Raises:
        SystemExit: No page has the name.
    """
    path = TESTS / f"test_{'reference' if page in PAGES else Path(page).stem.replace('-', '_')}.py"
    if not (ROOT / path).exists():
        known = sorted(each.name for each in (ROOT / "docs").glob("*.md"))
        sys.exit(f"no page {page!r}: there are {', '.join(known)} and terminal.svg")
    return path


def _texts() -> dict[Path, str]:
    paths = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "pictures").glob("*.svg")]
    return {path: path.read_text(encoding="utf-8") for path in sorted(paths)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
