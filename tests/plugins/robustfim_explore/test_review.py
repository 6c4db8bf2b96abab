"""What is reviewed on the page is, byte for byte, what is reviewed on the terminal."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest
from rich.console import Console

from robustfim.errors import UsageError
from robustfim.judge.validity import next_pair, validity
from robustfim.record import Record
from robustfim.record.review import ReviewFile
from robustfim_explore.answers import Answers
from robustfim_explore.reviewer import Reviewer


class Frozen(datetime.datetime):
    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Frozen:
        return cls(2027, 1, 31, 12, 0, 0, tzinfo=tz)


@pytest.fixture
def at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("robustfim.record.review.datetime.datetime", Frozen)


@pytest.fixture
def record(ran: Path) -> Record:
    return Record.load(ran / "reports" / "toy" / "results.json")


def test_the_page_and_the_terminal_write_the_same_bytes(record: Record, tmp_path: Path, at_noon: None) -> None:
    keys = iter("vnub" + "v" + "q")
    terminal = tmp_path / "terminal.json"
    seconds = iter([0, 1.5, 10, 12, 20, 23.04, 30, 35, 40, 44, 50, 51])  # shown and answered, in turn
    reviewer = Reviewer(
        Console(quiet=True), lambda: next(keys), ReviewFile.load(terminal), terminal, "Ada", lambda: next(seconds)
    )
    reviewer.run(lambda answers: next_pair(record, answers, (), 30))
    page = Answers(record, tmp_path / "page.json", "Ada")
    for answer, took in (("valid", 1.5), ("invalid", 2), ("unsure", 3.04)):
        last = page.told()["next"]
        page.answer(last, answer, took)
    page.answer(last, None)
    page.answer(page.told()["next"], "valid", 4.0)
    assert terminal.read_bytes() == (tmp_path / "page.json").read_bytes()
    assert [answer.seconds for answer in ReviewFile.load(terminal).answers] == [1.5, 2.0, 4.0]


def test_the_rate_is_corrected_as_the_terminal_does(record: Record, tmp_path: Path) -> None:
    page = Answers(record, tmp_path / "page.json")
    for answer in ("valid", "invalid", "valid"):
        told = page.answer(page.told()["next"], answer)
    found = validity(record, ReviewFile.load(tmp_path / "page.json").by_pair)
    assert [(each["valid"], each["interval"]) for each in told["validity"]] == [
        (own.rate, own.interval) for own in found.values()
    ]
    assert len(told["answers"]) >= 3
    assert {failure.review for failure in page.reviewed().failures} >= {"valid", "invalid", None}


def test_two_pages_on_one_record_keep_one_another_s_answers(record: Record, tmp_path: Path) -> None:
    first, second = (Answers(record, tmp_path / "both.json", who) for who in ("Ada", "Bob"))
    first.answer(first.told()["next"], "valid")
    second.answer(second.told()["next"], "invalid")
    first.answer(first.told()["next"], "unsure")
    assert [answer.who for answer in ReviewFile.load(tmp_path / "both.json").answers] == ["Ada", "Bob", "Ada"]


def test_what_cannot_be_reviewed_is_refused(record: Record, tmp_path: Path) -> None:
    page = Answers(record, tmp_path / "page.json")
    step = next(failure for failure in record.failures if failure.step is not None)
    pair = next(failure for failure in record.failures if failure.step is None)
    for failure, answer in (
        (step.id, "valid"),
        ("nothing", "valid"),
        (pair.id, "perhaps"),
        (None, "valid"),
        (pair.id, 1),
    ):
        with pytest.raises(UsageError):
            page.answer(failure, answer)
    assert not (tmp_path / "page.json").exists()


def test_a_review_file_that_is_no_review_file_is_left_alone(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "page.json"
    path.write_text("{}", encoding="utf-8")
    page = Answers(record, path)
    with pytest.raises(UsageError, match="is not a review file"):
        page.answer(next(failure.id for failure in record.failures if failure.step is None), "valid")
    assert path.read_text(encoding="utf-8") == "{}"


def test_wrong_gold_labels_are_marked_and_exported(record: Record, tmp_path: Path) -> None:
    page = Answers(record, tmp_path / "page.json", "Ada")
    first, second = record.examples[0], record.examples[1]
    page.mark(first.id, True)
    page.mark(second.id, True)
    assert page.mark(first.id, True)["wrong"] == [second.id, first.id]
    assert page.mark(second.id, False)["wrong"] == [first.id]
    kept = json.loads((tmp_path / "page.labels.json").read_text(encoding="utf-8"))
    assert (kept["wrong"][0]["example"], kept["wrong"][0]["label"], kept["wrong"][0]["who"]) == (
        first.id,
        first.label,
        "Ada",
    )
    assert first.fields["text"] not in (tmp_path / "page.labels.json").read_text(encoding="utf-8")
    assert page.export() == [{"id": first.id, **first.fields, "label": first.label, "prediction": first.prediction}]
    with pytest.raises(UsageError, match="no example"):
        page.mark("nothing", True)
