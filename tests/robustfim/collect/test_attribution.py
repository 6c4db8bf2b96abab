"""A suite gets the attribution that it asks for, and whoever cannot have it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.robustfim.command_line import CommandLine, refused

PLUGIN = """\
from robustfim import hookimpl
from robustfim.importance import Importance, gather_words


class Weights:
    '''Films matter; other words do by half a logit.'''

    def __init__(self, scale: float = 1.0):
        self.scale, self.calls = scale, 0

    def explain(self, examples, model):
        self.calls += len(examples)
        return [self.importance(each) for each in examples]

    def importance(self, example):
        spans, values, start = [], [], 0
        for word in example.text.split(" "):
            spans.append(("text", start, start + len(word)))
            values.append(self.scale * (len(word) if word == "film" else 0.5))
            start += len(word) + 1
        return Importance(gather_words(example, spans, values), sum(values) - 0.25, 0.25)


@hookimpl(tryfirst=True)
def robustfim_offers():
    return {"services": {"attribution": Weights}}
"""


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    line = CommandLine(tmp_path, capsys)
    line.write("weights.py", PLUGIN)
    return line


CHECK = "{a: {perturb: {use: rename, words: WORDS, table: {film: movie, a: the}}, limit: 0}}"


def test_only_important_words_change_and_the_others_are_counted(line: CommandLine) -> None:
    suite = line.suite(CHECK.replace("WORDS", "{important: 0.01}"))
    line(f"run {suite} -p weights")
    record = line.record("other")
    (check,) = record.checks
    assert check.candidates.tested
    assert check.candidates.edits_rejected.keys() == {"words: not important"}
    assert sum(check.candidates.edits_rejected.values()) + check.candidates.proposed == check.candidates.edits
    assert {edit.before for failure in record.failures for edit in failure.edits} <= {"film"}
    assert check.perturbation["words"] == {"important": 0.01}
    shown = [example for example in record.examples if example.importance]
    assert record.attribution is not None
    assert record.attribution.calls == len(shown) >= check.tested


def test_a_suite_may_ask_for_the_importance_in_the_reports_alone(line: CommandLine) -> None:
    suite = line.suite("{a: {perturb: {use: rename, table: {great: dull}}, limit: 0}}", rest="attribution: {scale: 2}")
    shown = line(f"run {suite} -p weights")
    record = line.record("other")
    assert record.failures
    assert {example.id for example in record.examples if example.importance} == {
        failure.example for failure in record.failures
    }
    assert record.attribution is not None
    assert (record.attribution.options, record.attribution.message) == ({"scale": 2}, "")
    assert "importance for positive: film +8" in shown.out
    assert "delta +0.25)" in shown.out
    again = line(f"run {suite} -p weights")
    assert "0 points differentiated, convergence delta at most 0.25" in again.unbroken


def test_one_failure_alone_shows_its_importance(line: CommandLine) -> None:
    suite = line.suite("{a: {perturb: {use: rename, table: {great: dull}}, limit: 0}}", rest="attribution: true")
    line(f"run {suite} -p weights")
    reproduce = line.record("other").failures[0].reproduce.removeprefix("robustfim ")
    assert "importance for positive: " in line(reproduce).out


def test_a_check_of_important_words_is_refused_for_a_model_without_gradients_when_the_suite_is_read(
    line: CommandLine,
) -> None:
    refused(
        line(f"run {line.suite(CHECK.replace('WORDS', 'important'))}"),
        "other.yaml:", "WordSum has no gradients", "Let any word change instead: 'words: 0.1'.",
    )  # fmt: skip
    suite = line.suite("{b: {perturb: {use: rename, table: {great: dull}}, limit: 0}}", rest="attribution: true")
    shown = line(f"run {suite}")
    assert line.outcomes("other") == {"b": "failed"}
    assert "no importance of words: WordSum has no gradients" in shown.out
    assert all(example.importance is None for example in line.record("other").examples)


@pytest.mark.parametrize(
    ("checks", "rest", "options", "said"),
    [
        (CHECK.replace("WORDS", "importnt"), "", "", "'importnt' is neither a count of words"),
        (CHECK.replace("WORDS", "{importnt: 0.3}"), "", "", "{'importnt': 0.3} is neither a count of words"),
        (CHECK.replace("WORDS", "1"), "attribution: {step: 3}", "", "unknown option 'step'. Did you mean 'steps'?"),
        (CHECK.replace("WORDS", "1"), "attribution: {steps: 0}", "", "greater than or equal to 1"),
        (
            CHECK.replace("WORDS", "important"),
            "",
            "-p no:attribution",
            "no loaded plugin measures how much each word",
        ),
        (
            CHECK.replace("WORDS", "1"),
            "attribution: true",
            "-p no:attribution",
            "other.yaml:6: no loaded plugin measures",
        ),
    ],
)
def test_a_mistake_is_told_with_its_line(line: CommandLine, checks: str, rest: str, options: str, said: str) -> None:
    refused(line(f"run {line.suite(checks, rest=rest)} {options}"), "other.yaml:", said)


def test_a_class_that_cannot_explain_is_refused(line: CommandLine) -> None:
    line.write("empty.py", PLUGIN.replace('"attribution": Weights', '"attribution": dict'))
    refused(line(f"run {line.suite(CHECK.replace('WORDS', 'important'))} -p empty"), "dict", "explain")
