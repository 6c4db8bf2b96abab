"""A section of RESULTS.md is put where it was, or at the end, and nothing else is touched."""

from __future__ import annotations

import datetime
import importlib.util
import re
import subprocess
from pathlib import Path

import pytest

from benchmarks.sections import RESULTS, replace_section, seal

OLD = "*Written 2026-01-02 at 0123abcd, sealed 89abcdef.*"
PAGE = f"# Results\n\nWords.\n\n## First\n\n{OLD}\n\nOne.\n\n## Second\n\n{OLD}\n\nTwo.\n"


def now(body: str) -> str:
    """What stands under the title of a section that is written today."""
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=RESULTS.parent, capture_output=True, text=True, check=True
    )
    return f"*Written {datetime.datetime.now(datetime.UTC).date()} at {commit.stdout[:8]}, sealed {seal(body)}.*"


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("## First\n\nNew.\n", PAGE.replace(f"{OLD}\n\nOne.", "NOW\n\nNew.")),
        ("## Second\n\nNew.\n\n", PAGE.replace(f"{OLD}\n\nTwo.", "NOW\n\nNew.")),
        ("## Third\n\nNew.", f"{PAGE}\n## Third\n\nNOW\n\nNew.\n"),
    ],
)
@pytest.mark.skipif(not (RESULTS.parents[1] / ".git").exists(), reason="the commit is git's to tell")
def test_a_section_takes_the_place_of_its_own_or_stands_at_the_end_with_the_day_and_the_commit(
    section: str, expected: str, tmp_path: Path
) -> None:
    path = tmp_path / "page.md"
    path.write_text(PAGE, "utf-8")
    replace_section(section, path)
    assert path.read_text("utf-8") == expected.replace("NOW", now("New."))


def test_each_section_of_the_page_is_put_back_as_it_is(tmp_path: Path) -> None:
    page = RESULTS.read_text("utf-8")
    path = tmp_path / "page.md"
    path.write_text(page, "utf-8")
    sections = page.split("\n## ")[1:]
    assert len(sections) > 20
    for section in sections:
        replace_section(f"## {section}", path)
    assert path.read_text("utf-8") == page


def sections() -> dict[str, str]:
    """The sections of the page by their titles."""
    found = (each.partition("\n\n") for each in RESULTS.read_text("utf-8").split("\n## ")[1:])
    return {title: rest for title, _, rest in found}


def test_each_section_of_the_page_names_its_day_its_commit_and_the_command_that_writes_it() -> None:
    for title, text in sections().items():
        found = re.match(
            r"\*Written (\d{4}-\d\d-\d\d) at [0-9a-f]{8}, .*\n\n.{0,700}?`(python -m benchmarks\b.*?)`", text, re.S
        )
        assert found is not None, title
        assert datetime.date.fromisoformat(found[1]) <= datetime.datetime.now(datetime.UTC).date(), title
        module = found[2].split()[2]
        assert importlib.util.find_spec(module) is not None, f"{title}: {module} is no more"


def test_no_section_of_the_page_was_changed_by_hand() -> None:
    for title, text in sections().items():
        stamp, _, body = text.partition("\n\n")
        assert stamp.endswith(f", sealed {seal(body)}.*"), f"{title}: write it by the command that it names"


def test_a_seal_is_of_every_character_but_the_blanks_around() -> None:
    assert seal("\n1 of 2\n") == seal("1 of 2") != seal("1 of 3")
