"""Expectations of spans, held against the sets that they speak of."""

from __future__ import annotations

import pytest

from robustfim.builtin.expectations import Changes, Correct, Directional, Invariant
from robustfim.builtin.spans import Found, Spurious
from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.judgement import Verdict
from robustfim.prediction import Prediction
from robustfim.spans import Span, written_spans

TEXT = "Ann Lee flew to Paris with Bob."
ANN, PARIS, BOB = Span(0, 7, "person"), Span(16, 21, "place"), Span(27, 30, "person")
KIM = Edit("text", 0, 7, "Ann Lee", "Kim")
"""After it Paris is at 12:17, and Bob at 23:26."""


def found(*spans: Span) -> Prediction:
    sure = min((1.0 if span.probability is None else span.probability for span in spans), default=1.0)
    return Prediction.of_answers([(written_spans(spans), sure)])


def candidate(*edits: Edit, gold: tuple[Span, ...] | None = (ANN, PARIS), carries: bool = True) -> Candidate:
    label = None if gold is None else written_spans(gold)
    return Candidate(Example({"text": TEXT}, label), edits, carries=carries)


NEW_ANN, NEW_PARIS, NEW_BOB = Span(0, 3, "person"), Span(12, 17, "place"), Span(23, 26, "person")


def test_what_was_found_must_be_found_where_it_is_now() -> None:
    judge = Invariant().judge
    assert judge(found(ANN, PARIS), found(NEW_ANN, NEW_PARIS, NEW_BOB), candidate(KIM)).verdict is Verdict.PASSED
    lost = judge(found(ANN, PARIS), found(NEW_ANN, Span(12, 17, "person")), candidate(KIM))
    assert (lost.failed, lost.margin, lost.reason) == (True, 0.5, "'Paris' is no longer found as place")
    assert judge(found(ANN), found(Span(0, 2, "person")), candidate(KIM)).failed  # another end
    assert judge(found(), found(NEW_BOB), candidate(KIM)).verdict is Verdict.NOT_APPLICABLE


def test_a_span_that_left_the_count_is_neither_lost_nor_wrong() -> None:
    replaced = candidate(KIM, carries=False)
    assert Invariant().judge(found(ANN), found(), replaced).verdict is Verdict.NOT_APPLICABLE
    assert Correct().judge(found(), found(NEW_ANN, NEW_PARIS), replaced).verdict is Verdict.PASSED
    assert Correct().judge(found(), found(NEW_PARIS), replaced).verdict is Verdict.PASSED
    assert Correct().judge(found(), found(NEW_ANN, NEW_PARIS), candidate(KIM)).verdict is Verdict.PASSED
    assert Correct().judge(found(), found(NEW_PARIS), candidate(KIM)).reason == "'Kim' is not found as person"
    assert Correct().judge(found(), found(NEW_PARIS, NEW_BOB), replaced).reason == "'Bob' is wrongly found as person"


def test_a_text_without_gold_spans_is_correct_where_nothing_is_found() -> None:
    empty = candidate(KIM, gold=())
    assert Correct().judge(found(), found(), empty).verdict is Verdict.PASSED
    assert Correct().judge(found(), found(NEW_BOB), empty).failed
    assert Correct().judge(found(), found(), candidate(KIM, gold=None)).verdict is Verdict.NOT_APPLICABLE


def test_a_gold_span_that_was_found_must_still_be_found() -> None:
    judge = Found().judge
    assert judge(found(ANN, BOB), found(NEW_ANN), candidate(KIM)).verdict is Verdict.PASSED  # Bob is no gold span
    assert judge(found(ANN, PARIS), found(NEW_ANN), candidate(KIM)).reason == "'Paris' is no longer found as place"
    assert judge(found(BOB), found(), candidate(KIM)).verdict is Verdict.NOT_APPLICABLE
    without = judge(found(ANN), found(), candidate(KIM, gold=None))
    assert without.verdict is Verdict.NOT_APPLICABLE
    assert without.reason.startswith("no gold spans: 'label' of the data names their column")
    only = Found(labels=["person"]).judge(found(ANN, PARIS), found(NEW_ANN), candidate(KIM))
    assert only.verdict is Verdict.PASSED


def test_a_span_that_appears_is_spurious_where_nothing_was_or_is_right() -> None:
    judge = Spurious().judge
    sure = Span(23, 26, "person", 0.75)
    new = judge(found(ANN), found(NEW_ANN, sure), candidate(KIM))
    assert (new.failed, new.margin, new.reason) == (True, 0.75, "'Bob' appears as person")
    assert not judge(found(ANN), found(NEW_ANN, NEW_PARIS), candidate(KIM)).failed  # a gold one
    assert not judge(found(BOB), found(Span(22, 26, "person")), candidate(KIM)).failed  # another end of an old one
    assert not Spurious(labels=["place"]).judge(found(ANN), found(NEW_ANN, sure), candidate(KIM)).failed


def test_what_appears_on_changed_words_counts_where_labels_are_carried_to_them() -> None:
    flew = Edit("text", 8, 12, "flew", "Kim")
    on_it = found(Span(8, 11, "person"))
    assert Spurious().judge(found(), on_it, candidate(flew)).failed
    assert not Spurious().judge(found(), on_it, candidate(flew, carries=False)).failed


@pytest.mark.parametrize("expectation", [Changes(), Directional()])
def test_expectations_of_labels_refuse_spans_by_name(expectation: Changes | Directional) -> None:
    with pytest.raises(ValueError, match=f"'{type(expectation).__name__.lower()}' is an expectation about labels"):
        expectation.judge(found(ANN), found(), candidate(KIM))


@pytest.mark.parametrize("expectation", [Found(), Spurious()])
def test_expectations_of_spans_refuse_other_models(expectation: Found | Spurious) -> None:
    other = Prediction.of((0.4, 0.6), ("a", "b"))
    with pytest.raises(ValueError, match="the model finds no spans"):
        expectation.judge(other, other, candidate(KIM))
