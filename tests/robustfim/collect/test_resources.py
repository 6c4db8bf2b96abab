"""What a check's texts depend on, in the record, the lock file and the header of a run."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import pytest

from tests.robustfim.command_line import CommandLine, refused

PLUGIN = '''
"""A perturbation with a table that may be missing."""

import os
from pathlib import Path

from robustfim import hookimpl
from robustfim.candidate import Edit


class Louder:
    """Makes a word louder.

    Args:
        lexicon: A file.
    """

    def __init__(self, *, lexicon: Path | None = None):
        self._lexicon = lexicon

    @property
    def fallback(self):
        return "" if os.environ.get("TABLE") else "shouts by rule, since there is no table"

    def resources(self):
        return {"table": os.environ.get("TABLE") or "none"}

    def edits(self, example, random):
        text = example.fields["text"]
        yield Edit("text", 0, len(text), text, text.upper(), "louder")


@hookimpl
def robustfim_offers():
    return {"perturbations": {"louder": Louder}}
'''


@pytest.fixture
def robustfim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    line = CommandLine(tmp_path, capsys)
    line.write("louder.py", PLUGIN)
    line.write("words.txt", "louder\n")
    return line


def suite(robustfim: CommandLine, rest: str = "") -> str:
    text = "suite: other\nplugins: [toy.py, louder.py]\nmodel: wordsum\ndata: films\n"
    text += f"checks: {{x: {{perturb: {{use: louder, lexicon: words.txt}}, limit: 0.9}}}}\n{rest}"
    return robustfim.write("other.yaml", text).name


def test_what_a_check_works_with_stands_in_the_record_and_the_files_of_its_options_with_their_hash(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLE", "shouts 1.0")
    shown = robustfim(f"run {suite(robustfim)}")
    assert "fallback" not in shown.out, shown
    assert shown.code == 0, shown
    digest = hashlib.sha256(b"louder\n").hexdigest()[:12]
    (check,) = robustfim.record("other").checks
    code = hashlib.sha256(PLUGIN.encode()).hexdigest()[:8]
    assert check.resources == {"louder.py": code, "table": "shouts 1.0", "lexicon": f"words.txt {digest}"}


def test_a_plugin_file_that_changed_tests_otherwise_than_in_the_baseline(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLE", "shouts 1.0")
    name = suite(robustfim, "baseline: {margin: 0.99}")
    assert robustfim(f"run {name}").code == 0
    assert robustfim("accept reports/other/results.json").code == 0
    robustfim.write("louder.py", PLUGIN.replace("text.upper()", "text.title()"))
    robustfim(f"run {name} --baseline baselines")
    (comparison,) = robustfim.record("other").comparisons
    assert not comparison.proven
    assert [check.other_tests for check in comparison.checks] == [True]
    assert any(note.startswith("other tests in x: louder.py ") for note in comparison.notes)


def test_a_fallback_is_announced_once_at_the_end_and_can_be_forbidden(robustfim: CommandLine) -> None:
    shown = robustfim(f"run {suite(robustfim)}")
    announced = shown.out.index("fallback: x: shouts by rule, since there is no table")
    assert announced > shown.out.index("sent to the model"), "it stands at the end"
    assert shown.out.count("shouts by rule") == 1
    assert "warning: x: shouts by rule" in robustfim(f"run {suite(robustfim)} -q").out
    assert robustfim.record("other").warnings == ["x: shouts by rule, since there is no table"]
    refused(robustfim(f"run {suite(robustfim, 'fallbacks: false')}"), "x: shouts by rule", "'fallbacks: false'")


def test_texts_that_a_perturbation_left_alone_are_told_with_the_reason(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLE", "shouts 1.0")
    robustfim.write(
        "louder.py", PLUGIN.replace("    def resources", "    skipped = {'too loud': 1234}\n\n    def resources")
    )
    robustfim(f"run {suite(robustfim)}")
    assert "x: too loud: 1,234 texts were left alone." in robustfim.record("other").warnings


def test_locked_texts_are_tested_as_they_are_and_what_is_other_here_is_told(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLE", "shouts 1.0")
    name = suite(robustfim, "fallbacks: false")
    assert robustfim(f"lock {name}").code == 0
    locked = json.loads(robustfim.read("other.lock.json"))
    assert locked["checks"]["x"]["resources"]["table"] == "shouts 1.0"
    monkeypatch.delenv("TABLE")
    shown = robustfim(f"run {name} --lock other.lock.json")
    assert "x: its locked texts were made with table shouts 1.0; here it is none." in shown.out
    assert robustfim.record("other").checks[0].resources["table"] == "shouts 1.0"
