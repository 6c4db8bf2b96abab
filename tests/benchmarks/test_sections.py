"""A section of RESULTS.md is put where it was, or at the end, and nothing else is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.sections import RESULTS, replace_section

PAGE = "# Results\n\nWords.\n\n## First\n\nOne.\n\n## Second\n\nTwo.\n"


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("## First\n\nNew.\n", PAGE.replace("One.", "New.")),
        ("## Second\n\nNew.\n\n", PAGE.replace("Two.", "New.")),
        ("## Third\n\nNew.", f"{PAGE}\n## Third\n\nNew.\n"),
    ],
)
def test_a_section_takes_the_place_of_its_own_or_stands_at_the_end(section: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(PAGE, "utf-8")
    replace_section(section, path)
    assert path.read_text("utf-8") == expected


def test_each_section_of_the_page_is_put_back_as_it_is(tmp_path: Path) -> None:
    page = RESULTS.read_text("utf-8")
    path = tmp_path / "page.md"
    path.write_text(page, "utf-8")
    sections = page.split("\n## ")[1:]
    assert len(sections) > 20
    for section in sections:
        replace_section(f"## {section}", path)
    assert path.read_text("utf-8") == page
