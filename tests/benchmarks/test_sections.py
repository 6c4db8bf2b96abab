"""A result is one file with its day, commit, command and seal, and the index lists all of them."""

from __future__ import annotations

import datetime
import importlib.util
import re
import subprocess
from pathlib import Path

import pytest

from benchmarks.sections import INDEX, result_file, seal, write_index, write_results

OLD = "*Written 2026-01-02 at 0123abcd, sealed 89abcdef.*"
FILES = sorted(path for path in INDEX.parent.glob("*.md") if path != INDEX)


def now(body: str) -> str:
    """The line below the title of a result that is written today."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=INDEX.parent, capture_output=True, text=True, check=True)
    return f"*Written {datetime.datetime.now(datetime.UTC).date()} at {commit.stdout[:8]}, sealed {seal(body)}.*"


@pytest.mark.skipif(not (INDEX.parents[2] / ".git").exists(), reason="only git knows the commit")
def test_a_result_replaces_the_file_of_its_title_and_no_other(tmp_path: Path) -> None:
    index = tmp_path / "README.md"
    index.write_text("# Results\n\nWords.\n", "utf-8")
    for name in ("first", "second"):
        (tmp_path / f"{name}.md").write_text(f"# {name.title()}\n\n{OLD}\n\nOld.\n", "utf-8")
    write_results("## First\n\nNew.\n\n### Part\n\nMore.\n\n## λmax, many\n\nOne.\n", index)
    body = "New.\n\n### Part\n\nMore."
    assert (tmp_path / "first.md").read_text("utf-8") == f"# First\n\n{now(body)}\n\n{body}\n"
    assert (tmp_path / "second.md").read_text("utf-8") == f"# Second\n\n{OLD}\n\nOld.\n"
    assert (tmp_path / "lambda-max-many.md").read_text("utf-8") == f"# λmax, many\n\n{now('One.')}\n\nOne.\n"
    day, _, commit = now("")[len("*Written ") :].split(",")[0].split()
    assert index.read_text("utf-8") == (
        "# Results\n\nWords.\n\n## Experiments\n\n| experiment | written | commit |\n| --- | --- | --- |\n"
        f"| [First](first.md) | {day} | {commit} |\n"
        f"| [λmax, many](lambda-max-many.md) | {day} | {commit} |\n"
        "| [Second](second.md) | 2026-01-02 | 0123abcd |\n"
    )


def test_the_index_lists_every_result(tmp_path: Path) -> None:
    for path in [INDEX, *FILES]:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    write_index(tmp_path / INDEX.name)
    assert (tmp_path / INDEX.name).read_text("utf-8") == INDEX.read_text("utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_result_names_its_day_its_commit_and_the_command_that_writes_it(path: Path) -> None:
    text = path.read_text("utf-8")
    found = re.match(
        r"# (.+)\n\n\*Written (\d{4}-\d\d-\d\d) at [0-9a-f]{8}, .*\n\n.{0,700}?`(python -m benchmarks\b.*?)`",
        text,
        re.S,
    )
    assert found is not None
    assert result_file(found[1].partition("\n")[0]) == path
    assert datetime.date.fromisoformat(found[2]) <= datetime.datetime.now(datetime.UTC).date()
    module = found[3].split()[2]
    assert importlib.util.find_spec(module) is not None, f"{module} is no more"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_result_was_changed_by_hand(path: Path) -> None:
    _, stamp, body = path.read_text("utf-8").split("\n\n", 2)
    assert stamp.endswith(f", sealed {seal(body)}.*"), "write it by the command that it names"


def test_a_seal_is_of_every_character_but_the_blanks_around() -> None:
    assert seal("\n1 of 2\n") == seal("1 of 2") != seal("1 of 3")
