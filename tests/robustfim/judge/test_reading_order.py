"""The failures to read first."""

from __future__ import annotations

import pytest

from robustfim.judge import first_failures
from robustfim.judge.reading_order import change_size
from robustfim.outcome import Outcome
from robustfim.record import CheckComparison, Comparison, EditRecord, Failure, PredictionRecord, Record
from tests.plugins.robustfim_html.synthetic import build


@pytest.fixture(scope="module")
def record() -> Record:
    return build(examples=150, difficult=30, control=30)


def test_they_are_texts_of_different_checks_and_examples(record: Record) -> None:
    first = first_failures(record)
    assert len({failure.check for failure in first}) == len(first) == 3
    assert len({failure.example for failure in first}) == 3
    assert all(failure.step is None for failure in first)


def test_what_was_right_before_comes_before_what_was_wrong(record: Record) -> None:
    examples = {example.id: example for example in record.examples}
    for failure in first_failures(record):
        own = [each for each in record.failures if each.check == failure.check and each.step is None]
        if any(examples[each.example].label == each.before.label != each.after.label for each in own):
            assert examples[failure.example].label == failure.before.label != failure.after.label


def _edited(failure: Failure, text: str, before: str, after: str) -> Failure:
    start = text.index(before)
    edit = EditRecord(field="text", start=start, end=start + len(before), before=before, after=after)
    return failure.model_copy(update={"edits": [edit], "fields": {"text": text.replace(before, after, 1)}})


def test_an_added_remark_comes_before_a_word_that_nobody_writes(record: Record) -> None:
    typo, remark = record.checks[0], record.checks[1]
    example = next(each for each in record.examples if each.label == each.prediction == "negative")
    text = "It was boring. I watched it at home."
    example = example.model_copy(update={"fields": {"text": text}})
    turned = Failure(
        id="a", check=typo.id, example=example.id, fields={"text": text}, margin=0.1,
        before=PredictionRecord(label="negative", probabilities=[0.6, 0.4]),
        after=PredictionRecord(label="positive", probabilities=[0.4, 0.6]),
    )  # fmt: skip
    broken = _edited(turned, text, "boring", "boting").model_copy(update={"margin": 0.4})
    end = len(text)
    added = EditRecord(field="text", start=end, end=end, before="", after=" I watched it at home.")
    said = turned.model_copy(
        update={"id": "b", "check": remark.id, "edits": [added], "fields": {"text": f"{text} I watched it at home."}}
    )
    checks = [each.model_copy(update={"outcome": Outcome.FAILED}) for each in (typo, remark)]
    both = record.model_copy(update={"checks": checks, "examples": [example], "failures": [broken, said]})
    assert [failure.id for failure in first_failures(both)] == ["b", "a"]


def test_the_size_of_a_change_is_the_share_of_words_that_are_gone() -> None:
    text = "one two three four five six seven eight nine ten"
    swap = EditRecord(field="text", start=4, end=7, before="two", after="2")
    added = EditRecord(field="text", start=len(text), end=len(text), before="", after=" and more and more")
    assert change_size([added], {"text": text}) == 0
    assert change_size([swap], {"text": text}) == 1
    assert change_size([EditRecord(field="text", start=0, end=len(text), before=text, after="x")], {"text": text}) == 10


def test_beside_a_baseline_what_is_newly_broken_comes_first(record: Record) -> None:
    texts = [each for each in record.failures if each.step is None]
    last = max(texts, key=lambda each: (each.margin < 0.05, -each.margin))
    check = CheckComparison(id=last.check, before=Outcome.PASSED, after=Outcome.FAILED, newly_broken=[last.example])
    compared = record.model_copy(update={"comparisons": [Comparison(checks=[check])]})
    assert first_failures(compared)[0].example == last.example
    assert first_failures(record)[0].example != last.example
