"""The suites of docs/labels.md run as they are printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import robustfim
from robustfim.record import Record
from tests.docs.page import Page, perform

PAGE = Page.read("labels.md")
FLAGS = """\
from math import exp


def judge(texts):
    rude = [text.lower().count("awful") for text in texts]
    personal = [text.lower().count("idiot") for text in texts]
    return [[1 / (1 + exp(1.5 - 2 * r)), 1 / (1 + exp(2 - 3 * p))] for r, p in zip(rude, personal)]
"""
COMMENTS = """\
text,toxic,insult
The awful idiot wrote this again and again.,1,1
An awful ending to a long and tired story.,1,0
Only an idiot would sit through all of it.,0,1
A quiet and patient film about a long winter.,0,0
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the page's suite, with a model and data that it may have, into an empty current folder."""
    monkeypatch.chdir(tmp_path)
    PAGE.write_files()
    Path("flags.py").write_text(FLAGS, encoding="utf-8")
    Path("comments.csv").write_text(COMMENTS, encoding="utf-8")


@pytest.mark.usefixtures("files")
def test_several_labels_at_once_are_judged_as_a_set_and_other_thresholds_send_no_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    perform("robustfim run several.yaml", capsys)
    text = Path("several.yaml").read_text(encoding="utf-8")
    section = PAGE.sections["Several labels at once"]
    (typos, *_) = Record.load(Path("reports/several/results.json")).checks
    quoted = re.findall(r'"(toxic: .*?)"', " ".join(section.split()))[0]
    assert f"; {quoted}; insult: " in typos.message
    limits = section.rpartition("```yaml\n")[2].partition("```")[0]
    held = yaml.safe_load(text) | {"suite": "held"} | yaml.safe_load(limits)
    (check,) = robustfim.run(held).record.checks
    assert {name: error.limit for name, error in check.errors.items() if error.limit} == {
        f"{kind} {label}": 0.9 for kind in ("missed", "false_alarm") for label in ("toxic", "insult")
    }  # fmt: skip
    one = text.replace("{each: {toxic: 0.5, insult: 0.3}}", "{label: toxic, at: 0.4}").replace("several", "one")
    Path("one.yaml").write_text(one.replace("limit: 0.1", "limit: {missed: 0.5, false_alarm: 0.5}"), encoding="utf-8")
    perform("robustfim run one.yaml", capsys)
    toxic = Record.load(Path("reports/one/results.json"))
    again = toxic.model.asked_again
    assert again is not None
    assert toxic.model_calls == again.asked > 0, "no text but the sample of stored answers"
    assert {name: error.tested for name, error in toxic.checks[0].errors.items()} == {
        "missed": 2, "false_alarm": 2,
    }  # fmt: skip
