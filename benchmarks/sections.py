"""Sections of RESULTS.md that a command of their own measures."""

from __future__ import annotations

from pathlib import Path

__all__ = ["replace_section"]

RESULTS = Path(__file__).with_name("RESULTS.md")
"""The page."""


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
    path.write_text("\n\n".join(part.strip("\n") for part in parts if part) + "\n", encoding="utf-8")
