from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim.record.review import ReviewAnswer, ReviewFile, pair_hash


def test_a_file_that_is_not_there_has_no_answer() -> None:
    assert ReviewFile.load(Path("nowhere.json")).answers == []


def test_a_file_read_back_is_the_one_that_was_written_and_the_last_answer_counts(tmp_path: Path) -> None:
    answers = [
        ReviewAnswer(pair="a", answer="valid", when="2024-01-01T00:00:00+00:00", who="Zoë"),
        ReviewAnswer(pair="a", answer="unsure", when="2024-01-02T00:00:00+00:00"),
    ]
    ReviewFile(answers=answers).save(tmp_path / "reviews" / "toy.json")
    read = ReviewFile.load(tmp_path / "reviews" / "toy.json")
    assert read.answers == answers
    assert read.by_pair == {"a": "unsure"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[]", "is not a review file"),
        ('{"schema": 1}', "has no 'robustfim_review' number"),
        ('{"robustfim_review": 99}', "upgrade it"),
        ('{"robustfim_review": 1, "answers": [{"pair": "a", "answer": "good", "when": ""}]}', "answers.0.answer"),
    ],
)
def test_another_file_is_refused_with_a_reason(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "review.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=told):
        ReviewFile.load(path)


def test_a_pair_is_known_by_both_of_its_texts_and_their_fields() -> None:
    hashes = {
        pair_hash({"a": "x"}, {"a": "y"}), pair_hash({"a": "y"}, {"a": "x"}), pair_hash({"b": "x"}, {"b": "y"}),
        pair_hash({"a": "x"}, {"a": "z"}),
    }  # fmt: skip
    assert len(hashes) == 4
    one = pair_hash({"a": "x", "b": "1"}, {"a": "y", "b": "1"})
    assert one == pair_hash({"b": "1", "a": "x"}, {"b": "1", "a": "y"})
