"""The suites and commands of docs/natural.md, run as printed."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from robustfim.plugin.sources import PluginOptions, load_plugins
from tests.docs.page import Page
from tests.plugins.robustfim_judges.test_learn import SUITE, answered
from tests.robustfim.command_line import CommandLine

PAGE = Page.read("natural.md")


def test_the_page_shows_what_its_commands_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    PAGE.write_files()
    PAGE.check("Cards", capsys)


@pytest.mark.slow
def test_what_the_page_learns_from_answers_is_learnt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "answers", raising=False)
    answered(CommandLine(tmp_path, capsys))
    title = "A judge of each text"
    (checks,) = re.findall(r"^```yaml\n(checks:\n.*?)^```", PAGE.sections[title], re.S | re.M)
    Path("read.yaml").write_text(f"{SUITE.partition('checks:')[0]}{checks}", encoding="utf-8")
    PAGE.check(title, capsys)


def test_the_constraints_that_the_page_names_give_numbers() -> None:
    offered = load_plugins(PluginOptions()).offers("constraints")
    named = ("perplexity", "acceptable", "chat_judge", "similarity", "equivalent", "reads_well")
    assert all(hasattr(offered[name].cls, "numbers") for name in named)
