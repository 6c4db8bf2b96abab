"""``make docs``: a page that differs is written anew where it differs, and ``...`` stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs import rewrite
from tests.docs import page
from tests.docs.elision import fits, renewed
from tests.docs.test_doctor import unnumbered

TABLE = """\
...
typos  PASSED  ... of 20, limit 10 %
case   FAILED  ... of 20, limit 5 %
...
2 checks in ...s
"""
SHOWN = """\
robustfim 0.1.0
typos  PASSED  1 of 20, bound 10 %  n 20
words  FAILED  3 of 20, bound 5 %   n 20
wrote a.json
checks: 2, in 0.3s
"""
LINES = st.lists(st.sampled_from(["...", "a ... b", "a", "a 1 b", "... c", "x, 12s", "x, ...s", ""]), max_size=6)


@given(LINES, LINES)
def test_a_text_written_anew_fits_and_is_written_anew_to_itself(old: list[str], new: list[str]) -> None:
    text, shown = ("".join(f"{line}\n" for line in lines) for lines in (old, new))
    shown = shown.replace("...", "7")
    made = renewed(text, shown)
    assert fits(made, shown)
    assert renewed(made, shown) == made
    assert made == text or not fits(text, shown)


def test_what_stood_for_anything_still_does_beside_a_new_column_and_another_name() -> None:
    assert renewed(TABLE, SHOWN).splitlines() == [
        "...",
        "typos  PASSED  ... of 20, bound 10 %  n 20",
        "words  FAILED  ... of 20, bound 5 %   n 20",
        "...",
        "checks: 2, in ...s",
    ]


def test_a_line_of_which_little_is_shown_changes_and_is_not_swallowed_by_its_neighbour() -> None:
    shown = "a\nwrote it\nany  PASSED  3 % [1.0, 8.5] of 100, bound 10 %  difficult 4 %  control 2 %  [ 50%]\nb\n"
    made = renewed("...\nany ... of ..., limit 10 % ...\n...\n", shown)
    assert made == "...\nany  ... of ..., bound 10 %  ...\n...\n"


def test_numbers_that_may_differ_stay_in_the_lines_that_did_not_change() -> None:
    old, new = "typos  3 of 40\ncase  1 of 40\n", "typos  4 of 41\nupper case  2 of 41\n"
    assert renewed(old, new, unnumbered) == "typos  3 of 40\nupper case  2 of 41\n"
    assert renewed(old, "typos  4 of 41\ncase  2 of 41\n", unnumbered) == old


def test_a_line_that_the_terminal_breaks_is_written_anew_on_its_line() -> None:
    old = f"...\nFAILED a.yaml::case - 44 of 61 examples {'fail ' * 12}(72.1 %); ...\n...\n"
    broken = f"case\nFAILED a.yaml::case - 45 of 62 examples\n    {'fail ' * 12}(72.6 %);\n    and\nPASSED\n    all\n"
    assert renewed(old, broken) == old.replace("44 of 61", "45 of 62").replace("72.1", "72.6")


@pytest.fixture
def twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> page.Page:
    """A page with one command in two sections."""
    monkeypatch.setattr(page, "DOCS", tmp_path)
    block = "```console\n$ robustfim list\nold\n```\n"
    (tmp_path / "a.md").write_text(f"# A\n\n## One\n\n{block}\n## Two\n\n{block}\nThe end.\n", encoding="utf-8")
    return page.Page.read("a.md")


def test_a_page_that_differs_names_the_command_that_writes_it(
    twice: page.Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REWRITE_PAGES", raising=False)
    (command,) = twice.commands("Two")
    with pytest.raises(pytest.fail.Exception, match=r"\$ robustfim list\n(.|\n)*make docs PAGE=docs/a.md"):
        command.check("new\n")
    command.check("old\n")


def test_a_command_is_written_anew_where_it_stands(twice: page.Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REWRITE_PAGES", "1")
    for title, shown in (("One", "a longer\ntext\n"), ("Two", "new\n")):
        (command,) = twice.commands(title)
        command.check(shown)
    twice.check_text("The end.", "No end.", "the last line")
    text = (page.DOCS / "a.md").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line] == [
        "# A", "## One", "```console", "$ robustfim list", "a longer", "text", "```",
        "## Two", "```console", "$ robustfim list", "new", "```", "No end.",
    ]  # fmt: skip


def test_every_page_has_its_tests_and_an_unknown_one_is_refused() -> None:
    assert rewrite.tests_of("first-steps.md") == rewrite.TESTS / "test_first_steps.py"
    assert rewrite.tests_of("api.md") == rewrite.TESTS / "test_reference.py"
    assert rewrite.tests_of("terminal.svg") == rewrite.TESTS / "test_terminal.py"
    with pytest.raises(SystemExit, match=r"no page 'gate.md': there are api.md, .*gating.md"):
        rewrite.tests_of("gate.md")
