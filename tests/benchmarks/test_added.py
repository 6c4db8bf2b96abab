"""Added sentences: what each changes in the answers of models, and when one is read again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.added import Added, Moved, added, grouped, moved, section


def _model(texts: Sequence[str]) -> list[float]:
    return [0.2 if "bored" in text or "bad" in text else 0.8 for text in texts]


def test_what_a_sentence_changes_is_counted_over_models_with_its_way() -> None:
    sentences = [Added("I am bored.", "message"), Added("I am here.", "message")]
    known = {"message": ["good one", "bad one", "fine"]}
    assert moved(sentences, known, [_model, _model]) == [Moved(4, 0, 6), Moved(0, 0, 6)]


def test_texts_are_told_apart_by_the_kind_of_sentence_that_they_get() -> None:
    review, other = "I loved this movie, the acting in the film is superb.", "Hm."
    known = grouped({"a": [review, other], "b": [review]})
    assert known == {"review": [review, review], "message": [other]}


def test_a_sentence_that_changes_twice_as_much_as_the_others_one_way_is_suspect() -> None:
    before = {Added(f"Old {number}.", "message"): Moved(10, 5, 100) for number in range(3)}
    now = {**dict(list(before.items())[1:]), Added("Dull.", "message"): Moved(30, 1, 100)}
    told = section(before, now)
    assert "| Dull. | message | new | 30.0% | 3% | suspect |" in told
    assert "| Old 0. | message | left out | 10.0% | 50% |  |" in told
    assert "| message | 3 → 3 | 10.0% → 10.0% | 10.0% → 30.0% | 0 → 1 |" in told


def test_the_sentences_of_a_checkout_are_the_neutral_ones_of_its_tables() -> None:
    sentences = added(Path(__file__).parents[2])
    assert {each.kind for each in sentences} == {"review", "news", "question", "message"}
    assert Added("I saw it on a Tuesday.", "review") in sentences
    assert "I loved it." not in {each.sentence for each in sentences}
