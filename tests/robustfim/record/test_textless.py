"""Nothing that a run without texts leaves behind holds a text, and all else is as with them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from robustfim.record import Record
from robustfim.record.textless import without_texts
from robustfim.result import Run
from tests.robustfim.command_line import CommandLine

SUITE = """\
suite: quiet
model: {use: reference/fasttext}
data: {use: reviews, limit: 60}
scores: [entropy]
select: {by: entropy, difficult: 20, control: 20}
slices: {short: {words: [null, 15]}}
checks:
  typos: {perturb: {use: typos, words: 2}, limit: 0.1}
  remarks: {perturb: neutral_sentence, limit: 0.9}
reports: [html, json, junit, sarif, markdown]
"""


def hashed(text: str) -> str:
    return f"[text {hashlib.sha256(text.encode()).hexdigest()[:12]}]"


def pieces(record: Record) -> set[str]:
    """Every four words in a row of the texts, before and after the changes."""
    fields = [*(example.fields for example in record.examples), *(failure.fields for failure in record.failures)]
    words = [text.split() for field in fields for text in field.values()]
    return {" ".join(word[place : place + 4]) for word in words for place in range(len(word) - 3)}


@pytest.mark.parametrize("how", ["run", pytest.param("report", marks=pytest.mark.slow)])
def test_no_file_and_no_line_of_a_run_without_texts_holds_one(robustfim: CommandLine, how: str) -> None:
    robustfim.write("quiet.yaml", SUITE)
    shown = robustfim("run quiet.yaml")
    record = Record.load(Path("reports/quiet/results.json"))
    held = pieces(record)
    assert len(held) > 500
    assert any(each in shown.out for each in held)
    if how == "run":
        shown = robustfim("run quiet.yaml --no-texts --reports out")
        files = sorted(path for path in Path("out/quiet").iterdir())
        assert {file.suffix for file in files} == {".html", ".json", ".sqlite", ".xml", ".sarif", ".md"}
    else:
        files = [Path(f"out.{suffix}") for suffix in ("html", "json", "sqlite", "sarif")]
        targets = "--html out.html --to json=out.json --to sarif=out.sarif"
        shown = robustfim(f"report reports/quiet/results.json --no-texts {targets}")
        assert shown.code == 0, shown.err
    for text in (shown.out, shown.err, *(file.read_text("utf-8", "replace") for file in files)):
        assert not [each for each in held if each in text]
    again = Record.load(next(file for file in files if file.suffix == ".json"))
    assert [(check.id, check.failing, check.tested, check.outcome) for check in again.checks] == [
        (check.id, check.failing, check.tested, check.outcome) for check in record.checks
    ]
    assert [failure.id for failure in again.failures] == [failure.id for failure in record.failures]


def test_a_hash_stands_for_each_text_and_a_change_leads_from_one_to_the_other(robustfim: CommandLine) -> None:
    robustfim.write("quiet.yaml", SUITE)
    robustfim("run quiet.yaml")
    record = Record.load(Path("reports/quiet/results.json"))
    bare = Run(record).without_texts().record
    assert bare == without_texts(record)
    sources = {example.id: example.fields["text"] for example in record.examples}
    assert {example.id: example.fields["text"] for example in bare.examples} == {
        id: hashed(text) for id, text in sources.items()
    }
    for known, failure in zip(record.failures, bare.failures, strict=True):
        (edit,) = failure.edits
        assert (edit.before, edit.after) == (hashed(sources[known.example]), hashed(known.fields["text"]))
        assert failure.fields == {"text": edit.after}
        assert (failure.before, failure.after, failure.margin) == (known.before, known.after, known.margin)
    assert without_texts(bare).failures[0].before == bare.failures[0].before


def test_what_a_model_says_in_its_own_words_is_a_text(robustfim: CommandLine) -> None:
    robustfim.write("asked.yaml", "suite: asked\nmodel: reference/lexical-qa\ndata: {use: questions, limit: 12}\n"
                    "checks: {typos: {perturb: typos}}\n")  # fmt: skip
    robustfim("run asked.yaml")
    record = Record.load(Path("reports/asked/results.json"))
    bare = without_texts(record)
    assert {example.label for example in bare.examples} == {hashed(example.label or "") for example in record.examples}
    assert bare.failures
    for known, failure in zip(record.failures, bare.failures, strict=True):
        assert (failure.before.label, failure.after.label) == (hashed(known.before.label), hashed(known.after.label))
