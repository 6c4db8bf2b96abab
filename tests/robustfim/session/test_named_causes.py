"""A run names the defect of its model, counts each edit, and leads to the texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from robustfim.judge import cause_texts
from robustfim.record import Record
from robustfim.record.textless import without_texts
from tests.robustfim.command_line import CommandLine

MODEL = """\
def judge(texts):
    return [[1.0, 0.0] if "’t" in each or " not " in each else [0.0, 1.0] for each in texts]
"""
EXPECT = {"use": "invariant", "counts": "changes"}
SUITE: dict[str, Any] = {
    "suite": "curly", "model": {"use": "python", "call": "model:judge", "labels": ["negative", "positive"]},
    "data": {"use": "reviews"}, "allow_weak": True,
    "checks": {
        name: {"perturb": {"use": name, "candidates": 4}, "expect": EXPECT, "limit": 0.01}
        for name in ("punctuation", "typos")
    },
}  # fmt: skip


def run(robustfim: CommandLine, suite: object = SUITE) -> tuple[Record, str]:
    robustfim.write("model.py", MODEL)
    robustfim.write("curly.yaml", yaml.safe_dump(suite))
    shown = robustfim("run curly.yaml --no-store")
    assert shown.code in (0, 1, 6), (shown.err, shown.out)
    return Record.load(Path("reports/curly")), shown.out


def test_a_run_of_a_model_that_misreads_curly_apostrophes_says_so_first(robustfim: CommandLine) -> None:
    record, shown = run(robustfim)
    cause = record.causes[0]
    assert cause.check == "curly.yaml::punctuation"
    assert "’" in cause.edit
    assert cause.elsewhere.count == 1  # "(not" becomes "- not"
    assert cause.sentence.partition(":")[0] in shown
    texts, command = cause_texts(record, cause)
    assert len({text.example for text in texts}) == 2
    assert command in shown
    assert robustfim(command.removeprefix("robustfim ") + " --no-store").code == 1
    assert all("’t" in text.fields["text"] for text in texts)
    for edit in record.edits:
        assert 0 < edit.broken <= edit.tried
    curly = [edit for edit in record.edits if (edit.before, edit.after) == ("'", "’")]
    assert [edit.check for edit in curly] == ["curly.yaml::punctuation"]
    hidden = without_texts(record)
    assert (hidden.causes, hidden.edits) == ([], [])


def test_a_search_which_asks_by_the_answers_is_in_no_cause(robustfim: CommandLine) -> None:
    searched = {"perturb": {"use": "typos", "words": 2, "search": "greedy"}, "expect": EXPECT, "limit": 0.5}
    record, _ = run(
        robustfim,
        {
            **SUITE,
            "model": "reference/fasttext",
            "data": {"use": "reviews", "limit": 40},
            "checks": {"searched": searched},
        },
    )
    assert record.failures
    assert (record.causes, record.edits) == ([], [])
