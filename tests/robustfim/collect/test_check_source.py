from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.outcome import Outcome
from robustfim.statistics import wilson
from tests.robustfim.command_line import CommandLine, refused

PLUGIN = '''
"""A source of checks that can be asked to misbehave."""

from robustfim import Candidate, DataError, Example, hookimpl
from robustfim.builtin.expectations import Equals, Invariant
from robustfim.roles import SourcedCheck

WORDS = ["great", "good", "fine", "dull"]


class Brought:
    """Words, alone and renamed.

    Args:
        mistake: What it does wrong.
    """

    skipped = {"nonsense": 2}

    def __init__(self, mistake: str = ""):
        self.mistake = mistake

    def checks(self):
        if self.mistake == "raises":
            raise LookupError("the shelf is empty")
        if self.mistake == "refuses":
            raise DataError("words.txt:3: no word.")
        examples = [Example({"text": f"a {word} film"}, "positive") for word in WORDS]
        alone = SourcedCheck(
            "alone", [[Candidate(each)] for each in examples], Equals("positive"),
            {"use": "equals", "label": "positive"}, tests_unchanged=True, limit=0.5, marks=["short"],
            capability="Vocabulary", type="MFT",
        )
        cases = [
            [Candidate.replacing(each, {"text": each.text.replace("film", other)}) for other in ("movie", "bad film")]
            for each in examples
        ]
        swapped = SourcedCheck(
            "swapped", cases[:2] + cases[2:] + cases[:1], Invariant(counts="changes"), {"use": "invariant"}, limit=0.1
        )
        if self.mistake == "no check":
            return [alone, "swapped"]
        if self.mistake == "name":
            return [SourcedCheck("two words", cases, Invariant(), {"use": "invariant"})]
        if self.mistake == "twice":
            return [alone, alone]
        if self.mistake == "texts":
            return [SourcedCheck("texts", [["a text"]], Invariant(), {"use": "invariant"})]
        if self.mistake == "long":
            long = Example({"text": "x" * 50_001}, "positive")
            return [SourcedCheck("long", [[Candidate(long)]], Invariant(), {"use": "invariant"})]
        if self.mistake == "endless":
            return iter(lambda: alone, None)
        if self.mistake == "limit":
            return [SourcedCheck("limit", cases, Invariant(), {"use": "invariant"}, limit=2)]
        if self.mistake == "unchanged":
            return [SourcedCheck("same", [[Candidate(each)] for each in examples], Invariant(), {"use": "invariant"})]
        if self.mistake == "nothing":
            return [SourcedCheck("empty", [], Invariant(), {"use": "invariant"})]
        return [alone, swapped]

    def prepare(self, context):
        if self.mistake == "labels":
            raise DataError(f"no label 'good' among {', '.join(context.model.labels)}.")
        if self.mistake == "unprepared":
            raise KeyError("good")


class Mute:
    """A source without checks."""


@hookimpl
def robustfim_offers():
    return {"checks": {"brought": Brought, "mute": Mute}}
'''


def suite(robustfim: CommandLine, checks: str = "{use: brought}", rest: str = "") -> str:
    robustfim.write("brought.py", PLUGIN)
    text = f"suite: other\nplugins: [toy.py, brought.py]\nmodel: wordsum\nchecks: {checks}\n{rest}\n"
    return robustfim.write("other.yaml", text).name


def test_a_source_brings_checks_with_their_own_examples(robustfim: CommandLine) -> None:
    shown = robustfim(f"run {suite(robustfim)} --no-store -v")
    record = robustfim.record("other")
    alone, swapped = record.checks
    assert [check.id for check in record.checks] == ["other.yaml::alone", "other.yaml::swapped"]
    assert (alone.tested, alone.failing) == (4, 1)  # "a dull film" is negative
    assert alone.perturbation == {"use": "brought", "candidates": 1}
    assert alone.expectation == {"use": "equals", "label": "positive"}
    assert (alone.limit, alone.marks, alone.capability, alone.type) == (0.5, ["short"], "Vocabulary", "MFT")
    assert alone.interval == wilson(1, 4)
    # "bad" takes 1.5 away: great stays positive (2 − 1.5), good, fine do not; dull was negative before.
    assert (swapped.tested, swapped.failing) == (4, 2)
    assert (swapped.candidates.proposed, swapped.candidates.tested, swapped.candidates.duplicate) == (10, 8, 2)
    assert {example.arm for example in record.examples} == {"all"}
    assert record.model.accuracy.rate is None
    assert (record.data.use, record.data.examples, record.data.labelled) == ("brought", 4, 0)
    assert record.data.skipped == {"nonsense": 2}
    assert "model: wordsum; checks: brought\n" in shown.out
    assert "collected 2 checks with 4 examples of their own (left out: 2 nonsense)\n" in shown.out
    assert "a dull film\n    robustfim run other.yaml::alone --example " in shown.out


@pytest.mark.parametrize("of", ["file", "population"])
def test_the_examples_of_a_source_are_a_file_of_their_own_beside_data(robustfim: CommandLine, of: str) -> None:
    robustfim.write("rows.csv", "text,label\n" + "".join(f"a good film {row},positive\n" for row in range(60)))
    rest = f"of: {of}\none_label: true\ndata: {{use: csv, path: rows.csv}}"
    shown = robustfim(f"run {suite(robustfim, rest=rest)} --no-store")
    outcomes = [check.outcome for check in robustfim.record("other").checks]
    assert outcomes == ([Outcome.PASSED, Outcome.FAILED] if of == "file" else [Outcome.INCONCLUSIVE] * 2)
    # Four examples of a file, all tested, are known exactly; of a population they prove nothing.
    assert ("even 0 of 4 failing" in shown.out) is (of == "population")


def test_a_failure_of_a_sourced_check_is_reproduced_by_its_command(robustfim: CommandLine) -> None:
    name = suite(robustfim)
    robustfim(f"run {name} --no-store")
    failure = robustfim.record("other").failures[0]
    again = robustfim(f"{failure.reproduce.removeprefix('robustfim ')} --no-store")
    assert again.code == 1
    assert "collected 1 check with 4 examples of their own" in again.out
    assert "a dull film" in again.out
    refused(robustfim(f"run {name} --example 999999"), "no example has an id that begins so")


def test_sourced_checks_are_chosen_by_name_and_mark(robustfim: CommandLine) -> None:
    name = suite(robustfim)
    assert robustfim(f"run {name} --co").out == "other.yaml::alone\nother.yaml::swapped\n\n2 checks collected\n"
    shown = robustfim(f"run {name} -m short --no-store").out
    assert "collected 1 check with 4 examples of their own / 1 deselected" in shown
    refused(robustfim(f"run {name}::alon"), "has no check 'alon'. Did you mean 'alone'?")
    assert "alone" in robustfim(f"list {name}").out


def test_with_data_the_accuracy_is_that_of_the_data_alone(robustfim: CommandLine) -> None:
    robustfim(f"run {suite(robustfim, rest='data: films')} --no-store")
    record = robustfim.record("other")
    assert (record.data.examples, record.data.labelled) == (8, 8)
    assert record.model.accuracy.rate == 1.0
    assert len(record.examples) == 11  # "a great film" is in both
    assert [check.tested for check in record.checks] == [4, 4]


def test_slices_are_of_the_data_or_without_any_of_the_checks_own_examples(robustfim: CommandLine) -> None:
    slices = "slices: {films: {contains: film}}"
    robustfim(f"run {suite(robustfim, rest=slices)} --no-store")
    (films,) = robustfim.record("other").slices
    assert (films.examples, films.failures.tested, films.failures.count) == (4, 4, 3)
    robustfim(f"run {suite(robustfim, rest=f'data: films{chr(10)}{slices}')} --no-store")
    (films,) = robustfim.record("other").slices
    assert films.examples == 4  # of the eight reviews
    assert (films.failures.tested, films.failures.count) == (1, 0)  # "a great film" alone is a check's own, too


def test_a_limit_of_a_slice_holds_for_sourced_checks_whose_examples_it_holds(robustfim: CommandLine) -> None:
    for word, where in (("plot", [""]), ("film", ["", "slice own"])):
        rest = f"data: films\nslices: {{own: {{contains: {word}, limit: 0.99}}}}"
        robustfim(f"run {suite(robustfim, rest=rest)} --no-store")
        assert [[claim.where for claim in check.claims] for check in robustfim.record("other").checks] == [where] * 2


def test_a_budget_holds_for_sourced_checks(robustfim: CommandLine) -> None:
    robustfim(f"run {suite(robustfim, rest='budget: 2')} --no-store")
    assert [check.tested for check in robustfim.record("other").checks] == [2, 2]


def test_examples_without_finite_numbers_are_left_out_and_counted(robustfim: CommandLine) -> None:
    name = suite(robustfim)
    assert robustfim(f"run {name} --no-store --model nan_on=great").code == 6
    record = robustfim.record("other")
    assert record.data.skipped["the model gave no finite numbers"] == 1
    assert [check.tested for check in record.checks] == [3, 3]


@pytest.mark.parametrize(
    ("mistake", "code", "message"),
    [
        ("refuses", 4, "other.yaml:4: words.txt:3: no word."),
        ("labels", 4, "no label 'good' among negative, positive."),
        ("raises", 1, "plugin 'brought', source of checks 'brought' (Brought) raised LookupError: the shelf is empty"),
        ("no check", 1, "plugin 'brought': checks must give SourcedChecks, not 'swapped'."),
        ("name", 1, "the check 'two words' cannot be used: 'two words' cannot name a check"),
        ("twice", 1, "plugin 'brought': two checks are named 'alone'."),
        ("texts", 1, "a case must hold Candidates, not 'a text'"),
        ("limit", 1, "the check 'limit' cannot be used: "),
        (
            "long",
            1,
            "a text has 50,001 characters, and the suite's key 'longest' allows 50,000; write 'longest: 50001'",
        ),
        ("endless", 1, "plugin 'brought': 'checks' gives more than 100,000 checks"),
    ],
)
def test_a_source_that_misbehaves_is_named(robustfim: CommandLine, mistake: str, code: int, message: str) -> None:
    name = suite(robustfim, f"{{use: brought, mistake: {mistake}}}")
    refused(robustfim(f"run {name} --no-store"), message.removeprefix("other.yaml:4: "), code=code)


def test_a_source_that_raises_when_it_is_prepared_makes_its_checks_errors(robustfim: CommandLine) -> None:
    assert robustfim(f"run {suite(robustfim, '{use: brought, mistake: unprepared}')} --no-store").code == 1
    assert robustfim.outcomes("other") == {"alone": "error", "swapped": "error"}
    assert "source of checks 'brought' (Brought) raised KeyError: 'good'" in robustfim.record("other").message


@pytest.mark.parametrize("mistake", ["unchanged", "nothing"])
def test_a_sourced_check_that_tests_nothing_is_an_error(robustfim: CommandLine, mistake: str) -> None:
    name = suite(robustfim, f"{{use: brought, mistake: {mistake}}}", rest="data: films")
    assert robustfim(f"run {name} --no-store").code == 1
    (check,) = robustfim.record("other").checks
    assert check.outcome.value == "error"
    assert check.message.startswith("tested nothing: ")


@pytest.mark.parametrize(
    ("checks", "rest", "message"),
    [
        ("{use: bought}", "", "other.yaml:4: unknown source of checks 'bought'. Did you mean 'brought'?"),
        ("{use: brought, mistakes: x}", "", "other.yaml:4: unknown option 'mistakes'. Did you mean 'mistake'?"),
        ("{use: mute}", "", "Mute is no source of checks: it has no method 'checks'"),
        ("{use: brought}", "scores: [long]", "other.yaml:5: 'scores' needs 'data'"),
        ("{use: brought}", "select: {control: 2}", "other.yaml:5: 'select' needs 'data'"),
        ("{use: brought}", "source: brought", "other.yaml:5: unknown key 'source'."),
        ("{}", "data: films", "other.yaml:4: checks is empty: nothing would be tested."),
        ("{rename: {perturb: rename}}", "", "the key 'data' is missing."),
    ],
)
def test_a_suite_that_does_not_fit_its_source_is_refused(
    robustfim: CommandLine, checks: str, rest: str, message: str
) -> None:
    refused(robustfim(f"run {suite(robustfim, checks, rest)}"), message)


def test_the_schema_knows_the_sources(robustfim: CommandLine, tmp_path: Path) -> None:
    import json

    suite(robustfim)
    schema = json.loads(robustfim("-p toy.py -p brought.py schema").out)
    assert "checks" in schema["required"]
    assert "checks of a source" not in schema["properties"]
    brought = [each for each in schema["properties"]["checks"]["anyOf"] if "mistake" in each.get("properties", {})]
    assert brought[0]["properties"]["use"] == {"const": "brought"}
