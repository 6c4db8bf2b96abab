"""docs/pages.md: it shows each kind of page that is tested, and no picture lies about that no page shows."""

from __future__ import annotations

import re

from tests.docs.page import DOCS
from tests.test_pages import COMMANDS

TEXT = (DOCS / "pages.md").read_text(encoding="utf-8")
PICTURES = DOCS / "pictures"


def test_every_kind_of_page_is_shown() -> None:
    assert sorted(re.findall(r"\(pictures/page-([\w-]+)\.png\)", TEXT)) == sorted(COMMANDS)


def test_every_picture_is_shown_by_a_page_and_all_are_small() -> None:
    pages = [*DOCS.glob("*.md"), DOCS.parent / "README.md"]
    shown = {name for page in pages for name in re.findall(r"pictures/([\w.-]+)", page.read_text(encoding="utf-8"))}
    held = {path.name: path.stat().st_size for path in PICTURES.iterdir()}
    assert set(held) <= shown
    assert all(name in held for name in shown if name.endswith(".png"))
    assert sum(held.values()) < 2_000_000
