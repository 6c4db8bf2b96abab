"""``robustfim review`` as a person types it, one key a pair."""

from __future__ import annotations

import io
import json

import pytest

from robustfim.record import Record
from tests.robustfim.command_line import CommandLine

RECORD = "reports/toy/results.json"


@pytest.fixture
def ran(robustfim: CommandLine) -> CommandLine:
    assert robustfim("run toy.yaml").code == 1
    return robustfim


def typed(monkeypatch: pytest.MonkeyPatch, keys: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(keys))


def test_answers_are_written_one_by_one_and_a_review_goes_on_where_it_stopped(
    ran: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, "vq")
    shown = ran(f"review {RECORD} --who Ada")
    assert shown.code == 0
    assert "{+" in shown.out
    assert "1 answers, 1 of them new" in shown.out
    (first,) = answers(ran)
    assert (first["answer"], first["who"]) == ("valid", "Ada")
    typed(monkeypatch, "n")
    ran(f"review {RECORD}")
    assert [answer["answer"] for answer in answers(ran)] == ["valid", "invalid"]
    assert len({answer["pair"] for answer in answers(ran)}) == 2


def answers(ran: CommandLine) -> list[dict[str, str]]:
    data = json.loads((ran.folder / "reviews" / "toy.json").read_text(encoding="utf-8"))
    found: list[dict[str, str]] = data["answers"]
    return found


def test_an_answer_can_be_taken_back_and_another_key_is_explained(
    ran: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, "xbvbuq")
    shown = ran(f"review {RECORD}")
    assert shown.out.count("v valid · n not valid") == 2
    assert "no answer of today to take back" in shown.out
    assert [answer["answer"] for answer in answers(ran)] == ["unsure"]


def test_the_rate_of_valid_failures_stands_beside_the_raw_one(
    ran: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, "v" * 200)
    shown = ran(f"review {RECORD} --check both")
    assert "no pair is left to look at." in shown.out
    assert "both: " in ran(f"review {RECORD} --status").out
    assert " validly: " in shown.out


def test_the_file_holds_no_text(ran: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "vnu")
    ran(f"review {RECORD} --file committed.json")
    text = (ran.folder / "committed.json").read_text(encoding="utf-8")
    record = Record.load(ran.folder / RECORD)
    assert not any(value in text for example in record.examples for value in example.fields.values())


def test_a_check_that_the_run_has_not_is_told(ran: CommandLine) -> None:
    shown = ran(f"review {RECORD} --check bith")
    assert shown.code == 4
    assert "Did you mean 'both'?" in shown.err


@pytest.mark.parametrize(
    ("keys", "limit", "outcome", "message"),
    [
        ("", 0.4, "inconclusive", "nobody has looked at a failure: 'robustfim review' asks which are valid"),
        ("", 0.9, "passed", "within the limit of 90 % of valid failures"),
        ("nn", 0.6, "passed", "2 of 5 examples fail (40 %), 0 % [0.0, 58.4] validly as 2 of them"),
        ("vv", 0.02, "failed", "as 2 of them looked at tell: above the limit of 2 % of valid failures"),
        ("n", 0.3, "inconclusive", "too near the limit of 30 % of valid failures to tell; look at more failures"),
    ],
)
def test_a_limit_can_be_for_valid_failures(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch, keys: str, limit: float, outcome: str, message: str
) -> None:
    checks = f"{{both: {{perturb: {{use: rename, words: 2}}, limit: {{valid: {limit}}}}}}}"
    suite = robustfim.suite(checks, rest="review: reviews/other.json")
    robustfim(f"run {suite}")
    typed(monkeypatch, keys)
    robustfim("review reports/other/results.json")
    shown = robustfim(f"run {suite}")
    (check,) = robustfim.record("other").checks
    assert (check.outcome.value, check.limit, check.limit_of_valid) == (outcome, limit, True)
    assert message in check.message
    assert check.needed is check.needed_rows is None
    assert shown.code == {"passed": 0, "failed": 1, "inconclusive": 6}[outcome]
    assert f"limit {100 * limit:g} % of valid failures" in shown.out
    assert message in shown.unbroken
    assert robustfim(f"run {suite} --strict").code == (outcome != "passed")


def test_a_limit_for_valid_failures_takes_no_budget(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{both: {perturb: rename, limit: {valid: 0.1}, budget: 5}}")
    shown = robustfim(f"run {suite}")
    assert shown.code == 4
    assert "people look at them after the run" in shown.err
