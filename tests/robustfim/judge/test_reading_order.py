"""The failures to read first."""

from __future__ import annotations

import pytest

from robustfim.judge import failures_by_check, first_failures, ordered_failures
from robustfim.judge.reading_order import change_size
from robustfim.outcome import Outcome
from robustfim.record import (
    CheckComparison,
    Comparison,
    EditRecord,
    Failure,
    PredictionRecord,
    Record,
    StepRecord,
)
from tests.plugins.robustfim_html.synthetic import build


@pytest.fixture(scope="module")
def record() -> Record:
    return build(examples=150, difficult=30, control=30)


def test_they_are_texts_of_different_examples_and_of_checks_that_failed(record: Record) -> None:
    first, texts = first_failures(record, 3), {failure.check for failure in record.failures if failure.step is None}
    failed = {check.id for check in record.checks if check.outcome is Outcome.FAILED and check.id in texts}
    assert {failure.check for failure in first} == failed
    assert len({failure.check for failure in first[: len(failed)]}) == len(failed), "they take turns"
    assert len({failure.example for failure in first}) == 3
    assert all(failure.step is None for failure in first)


def test_what_was_right_before_comes_before_what_was_wrong(record: Record) -> None:
    examples = {example.id: example for example in record.examples}
    for failure in first_failures(record):
        own = [
            record_failure
            for record_failure in record.failures
            if record_failure.check == failure.check and record_failure.step is None
        ]
        if any(examples[each.example].label == each.before.label != each.after.label for each in own):
            assert examples[failure.example].label == failure.before.label != failure.after.label


def _edited(failure: Failure, text: str, before: str, after: str) -> Failure:
    start = text.index(before)
    edit = EditRecord(field="text", start=start, end=start + len(before), before=before, after=after)
    return failure.model_copy(update={"edits": [edit], "fields": {"text": text.replace(before, after, 1)}})


def test_an_added_remark_comes_before_a_word_that_nobody_writes(record: Record) -> None:
    typo, remark = record.checks[0], record.checks[1]
    example = next(
        record_example
        for record_example in record.examples
        if record_example.label == record_example.prediction == "negative"
    )
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
    checks = [check.model_copy(update={"outcome": Outcome.FAILED}) for check in (typo, remark)]
    both = record.model_copy(update={"checks": checks, "examples": [example], "failures": [broken, said]})
    assert [failure.id for failure in ordered_failures(both)] == ["b", "a"]


def test_the_size_of_a_change_is_the_share_of_words_that_are_gone() -> None:
    text = "one two three four five six seven eight nine ten"
    swap = EditRecord(field="text", start=4, end=7, before="two", after="2")
    added = EditRecord(field="text", start=len(text), end=len(text), before="", after=" and more and more")
    assert change_size([added], {"text": text}) == 0
    assert change_size([swap], {"text": text}) == 1
    assert change_size([EditRecord(field="text", start=0, end=len(text), before=text, after="x")], {"text": text}) == 10


def test_beside_a_baseline_what_is_newly_broken_comes_first(record: Record) -> None:
    texts = [failure for failure in record.failures if failure.step is None]
    last = max(texts, key=lambda text: (text.margin < 0.05, -text.margin))
    check = CheckComparison(id=last.check, before=Outcome.PASSED, after=Outcome.FAILED, newly_broken=[last.example])
    compared = record.model_copy(update={"comparisons": [Comparison(checks=[check])]})
    assert first_failures(compared)[0].example == last.example
    assert first_failures(record)[0].example != last.example


@pytest.mark.parametrize(
    ("places", "size"),
    [([(3, 4)], 0), ([(3, 5)], 1), ([(6, 7)], 1), ([(7, 8)], 0), ([(0, 3)], 1), ([(2, 3), (8, 9)], 2), ([(4, 11)], 2)],
)
def test_a_word_is_gone_where_an_edit_takes_any_of_it_and_tenths_are_counted_from_the_first(
    places: list[tuple[int, int]], size: int
) -> None:
    text = "one two three four five six seven eight nine ten"
    edits = [EditRecord(field="text", start=start, end=end, before=text[start:end], after="") for start, end in places]
    assert change_size(edits, {"text": text}) == size
    assert change_size(edits, {"text": text, "title": "eleven"}) == size, "less than a tenth more is a tenth begun"
    assert change_size(edits, {"title": text}) == 0
    assert change_size(edits, {"text": "!"}) == 0


TEXT = "one two three four five six seven eight nine ten"
CRITERIA = [
    "newly broken",
    "keeps the meaning",
    "right before",
    "proved",
    "known words",
    "tried",
    "small",
    "by much",
    "id",
]


def failing(record: Record, *sides: set[str]) -> Record:
    """A failure of each of some checks that is as bad as it is said to be, by the criteria in their order."""
    checks, examples, failures, fresh = [], [], [], []
    for side, bad in enumerate(sides):
        outcome = Outcome.INCONCLUSIVE if "proved" in bad else Outcome.FAILED
        checks.append(
            record.checks[0].model_copy(
                update={"id": f"c{side}", "outcome": outcome, "yardstick": "keeps the meaning" in bad}
            )
        )
        label = "positive" if "right before" in bad else "negative"
        examples.append(
            record.examples[0].model_copy(update={"id": f"e{side}", "fields": {"text": TEXT}, "label": label})
        )
        gone, put = ("one two three" if "small" in bad else "one"), "blorp" if "known words" in bad else "Ten"
        if "newly broken" not in bad:
            fresh.append(f"e{side}")
        failures.append(
            Failure(
                id="z" if "id" in bad else "y", check=f"c{side}", example=f"e{side}",
                fields={"text": TEXT.replace(gone, put)}, margin=0.1 if "by much" in bad else 0.4,
                edits=[EditRecord(field="text", start=0, end=len(gone), before=gone, after=put)],
                before=PredictionRecord(label="negative", probabilities=[0.6, 0.4]),
                after=PredictionRecord(label="positive", probabilities=[0.4, 0.6]),
            ).model_copy(update={"tried": [] if "tried" in bad else ["another text"]})
        )  # fmt: skip
    compared = [
        CheckComparison(id=check.id, before=Outcome.PASSED, after=Outcome.FAILED, newly_broken=fresh)
        for check in checks
    ]
    found = {"checks": checks, "examples": examples, "failures": failures, "comparisons": [Comparison(checks=compared)]}
    return record.model_copy(update=found)


@pytest.mark.parametrize("place", range(len(CRITERIA)))
def test_each_criterion_comes_before_all_that_follow_it(record: Record, place: int) -> None:
    better, worse = {*CRITERIA[place + 1 :]}, {CRITERIA[place]}
    for sides in ((better, worse), (worse, better)):
        first, second = ordered_failures(failing(record, *sides))
        assert (first.check, second.check) == (("c0", "c1") if sides[0] is better else ("c1", "c0"))


def test_each_source_text_comes_once_before_any_comes_again(record: Record) -> None:
    found = failing(record, set(), {"by much"}, {"right before"})
    first, second, third = found.failures
    # The second check's best is of the example that the first shows already.
    same = second.model_copy(update={"example": first.example, "margin": 0.4, "id": "yy"})
    both = found.model_copy(update={"failures": [first, second, same]})
    assert [failure.example for failure in first_failures(both)] == ["e0", "e1"]
    assert [(failure.check, failure.example) for failure in ordered_failures(both)] == [
        ("c0", "e0"),
        ("c1", "e1"),
        ("c1", "e0"),
    ]
    alone = found.model_copy(update={"failures": [first, same]})
    assert [(failure.check, failure.example) for failure in first_failures(alone)] == [("c0", "e0")]
    assert [failure.check for failure in ordered_failures(found)] == ["c0", "c1", "c2"]
    assert first_failures(found, 1) == first_failures(found)[:1]
    gone = found.model_copy(update={"examples": found.examples[1:], "checks": found.checks[:2]})
    assert first_failures(gone) == [second], "what the record does not hold is not shown"
    step = third.model_copy(update={"step": StepRecord(direction="eigenvector", norm=0.5)})
    assert first_failures(found.model_copy(update={"failures": [step]})) == []


def test_a_text_that_was_wrong_before_is_shown_only_where_nothing_else_fails(record: Record) -> None:
    found = failing(record, set(), {"right before"})
    assert [failure.check for failure in first_failures(found)] == ["c0"]
    wrong = found.model_copy(update={"failures": found.failures[1:]})
    assert [failure.check for failure in first_failures(wrong)] == ["c1"]
    unchanged = found.failures[1].model_copy(update={"edits": []})
    written = found.model_copy(update={"failures": [found.failures[0], unchanged]})
    assert [failure.check for failure in first_failures(written)] == ["c0", "c1"], "a text that fails as it was written"


def test_checks_take_turns_and_so_do_the_edits_of_one_check(record: Record) -> None:
    found = failing(record, set(), set(), set(), set(), {"by much"})
    last = found.failures[4]
    ten = last.edits[0].model_copy(update={"after": "six"})
    failures = [
        *(
            failure.model_copy(update={"check": "c0", "id": f"id{place}"})
            for place, failure in enumerate(found.failures[:3])
        ),
        found.failures[3],
        last.model_copy(update={"check": "c0", "edits": [ten], "id": "other"}),
    ]
    ordered = ordered_failures(found.model_copy(update={"failures": failures}))
    assert [failure.id for failure in ordered] == ["id0", "y", "other", "id1", "id2"]


def test_the_failures_of_a_check_stand_in_the_same_order(record: Record) -> None:
    ordered, by_check = ordered_failures(record), failures_by_check(record)
    assert set(by_check) == {check.id for check in record.checks}
    for check, failures in by_check.items():
        assert failures == [failure for failure in ordered if failure.check == check]
        assert {failure.example for failure in failures} == {
            failure.example for failure in record.failures if failure.check == check
        }
    first = first_failures(record)
    right = {example.id for example in record.examples if example.label == example.prediction}
    texts = {failure.example for failure in record.failures if failure.step is None}
    assert len({failure.example for failure in first}) == len(first) == min(20, len(texts & right))
    assert [failure for failure in ordered if failure in first] == first
