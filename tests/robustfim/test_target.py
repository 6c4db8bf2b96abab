"""The rule of what breaks: kinds of target × gold × right or wrong before × after, through the expectation."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from robustfim.builtin import Invariant
from robustfim.candidate import Candidate, Edit
from robustfim.decision import NO_LABEL, DecisionRule
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.judgement import Verdict
from robustfim.prediction import Prediction
from robustfim.spans import Span, written_spans
from robustfim.target import after_edits, at_risk

PASSED, FAILED, LEFT_OUT = Verdict.PASSED, Verdict.FAILED, Verdict.NOT_APPLICABLE
LABELS = ("negative", "positive")
EACH = DecisionRule.read({"each": {"toxic": 0.5, "insult": 0.5}})
BLOCK = DecisionRule.read({"label": "block", "at": 0.7})
WITHIN = DecisionRule.read({"within": 0.25})
ABSTAIN = DecisionRule.read({"abstain": 0.8})


def label(p: float) -> Prediction:
    return Prediction.of((1 - p, p), LABELS)


def sure(p: float) -> Prediction:
    return Prediction.of(ABSTAIN.probabilities((1 - p, p), LABELS), ABSTAIN.decisions(LABELS), ABSTAIN)


def block(p: float) -> Prediction:
    names = ("pass", "block")
    return Prediction.of(BLOCK.probabilities((1 - p, p), names), BLOCK.decisions(names), BLOCK)


def each(toxic: float, insult: float) -> Prediction:
    names = ("toxic", "insult")
    return Prediction.of(EACH.probabilities((toxic, insult), names), EACH.decisions(names), EACH)


def number(text: str) -> Prediction:
    return Prediction.of_number(text, WITHIN)  # type: ignore[arg-type]  # it is such a rule


def answer(text: str) -> Prediction:
    return Prediction.of_answers([(text, 0.9)])


def spans(*found: Span) -> Prediction:
    return answer(written_spans(found))


ANN, BOB = Span(0, 3, "person"), Span(8, 11, "person")
PEOPLE = written_spans([ANN, BOB])
RISE, FALL, KEEP = label(0.9), label(0.2), label(0.8)

TABLE: list[tuple[str, str | None, Prediction, Prediction, Verdict, Verdict]] = [
    # kind, gold, before, after, what counts broken examples says, what counts changes says
    ("label", "positive", RISE, KEEP, PASSED, PASSED),
    ("label", "positive", RISE, FALL, FAILED, FAILED),
    ("label", "negative", RISE, FALL, LEFT_OUT, FAILED),  # repaired
    ("label", "negative", RISE, KEEP, LEFT_OUT, PASSED),
    ("label", None, RISE, FALL, LEFT_OUT, FAILED),
    ("label", None, RISE, KEEP, LEFT_OUT, PASSED),
    ("abstention after", "positive", sure(0.9), sure(0.6), FAILED, FAILED),
    ("abstention before", "positive", sure(0.6), sure(0.9), LEFT_OUT, FAILED),
    ("abstention at both", "positive", sure(0.6), sure(0.7), LEFT_OUT, PASSED),
    ("missed", "block", block(0.8), block(0.6), FAILED, FAILED),
    ("missed before", "block", block(0.6), block(0.8), LEFT_OUT, FAILED),
    ("false alarm", "not block", block(0.6), block(0.8), FAILED, FAILED),
    ("false alarm before", "not block", block(0.8), block(0.6), LEFT_OUT, FAILED),
    ("each of several", "toxic", each(0.9, 0.1), each(0.9, 0.2), PASSED, PASSED),
    ("each of several", "toxic", each(0.9, 0.1), each(0.4, 0.1), FAILED, FAILED),
    ("one wrong before, the other breaks", "toxic", each(0.9, 0.9), each(0.4, 0.9), FAILED, FAILED),
    ("one wrong before is repaired", "toxic", each(0.9, 0.9), each(0.9, 0.1), PASSED, FAILED),
    ("all wrong before", "toxic", each(0.1, 0.9), each(0.9, 0.1), LEFT_OUT, FAILED),
    ("none of several", NO_LABEL, each(0.1, 0.1), each(0.1, 0.6), FAILED, FAILED),
    ("number", "4.0", number("4.1"), number("4.2"), PASSED, PASSED),
    ("number", "4.0", number("4.2"), number("4.3"), FAILED, PASSED),
    ("number", "4.0", number("4.2"), number("3.8"), PASSED, FAILED),
    ("number", "4.0", number("4.3"), number("4.0"), LEFT_OUT, FAILED),
    ("number", None, number("4.3"), number("4.0"), LEFT_OUT, FAILED),
    ("answer", "Paris", answer("paris."), answer("Rome"), FAILED, FAILED),
    ("answer", "Paris", answer("Rome"), answer("Paris"), LEFT_OUT, FAILED),
    ("answer", None, answer("Rome"), answer("Paris"), LEFT_OUT, FAILED),
    ("spans", PEOPLE, spans(ANN, BOB), spans(ANN, BOB), PASSED, PASSED),
    ("spans", PEOPLE, spans(ANN, BOB), spans(ANN), FAILED, FAILED),
    ("a span missed before", PEOPLE, spans(ANN), spans(ANN), PASSED, PASSED),
    ("a span missed before is found", PEOPLE, spans(ANN), spans(ANN, BOB), PASSED, PASSED),
    ("a span that is none is lost", PEOPLE, spans(ANN, Span(4, 7, "place")), spans(ANN), PASSED, FAILED),
    ("no span found before", PEOPLE, spans(), spans(ANN), LEFT_OUT, LEFT_OUT),
    ("no gold span", written_spans([]), spans(ANN), spans(), LEFT_OUT, FAILED),
    ("spans", None, spans(ANN), spans(), LEFT_OUT, FAILED),
]


def prepared(counts: Any = None, *, labelled: bool = True) -> Invariant:
    expectation = Invariant(counts=counts)
    context: Any = SimpleNamespace(labelled=labelled)
    expectation.prepare(context)
    return expectation


@pytest.mark.parametrize(("kind", "gold", "before", "after", "broken", "changed"), TABLE)
def test_a_candidate_breaks_a_target_that_was_right_and_changes_any(
    kind: str, gold: str | None, before: Prediction, after: Prediction, broken: Verdict, changed: Verdict
) -> None:
    candidate = Candidate(Example({"text": "Ann saw Bob."}, gold))
    judgement = prepared().judge(before, after, candidate)
    assert judgement.verdict is broken, kind
    assert judgement.margin >= 0 if judgement.failed else judgement.margin <= 0
    assert prepared().at_risk(before, candidate.source) is bool(at_risk(before, candidate.source))
    assert prepared().at_risk(before, candidate.source) is (broken is not LEFT_OUT)
    assert prepared("changes").judge(before, after, candidate).verdict is changed, kind
    assert prepared(labelled=False).judge(before, after, candidate).verdict is changed, kind


def test_outside_of_a_run_an_example_without_gold_counts_changes() -> None:
    example = Example({"text": "Ann saw Bob."})
    assert Invariant().judge(RISE, FALL, Candidate(example)).failed
    assert not Invariant().at_risk(RISE, Example(example.fields, "negative"))


def test_another_right_answer_breaks_nothing() -> None:
    both = Example({"text": "Ann saw Bob."}, "positive", accepted=("negative",))
    assert prepared().judge(RISE, FALL, Candidate(both)).verdict is PASSED


def test_a_candidate_with_a_gold_label_of_its_own_is_held_against_that() -> None:
    candidate = Candidate(Example({"text": "Ann saw Bob."}, "positive"), label="negative")
    judgement = prepared().judge(RISE, KEEP, candidate)
    assert (judgement.verdict, judgement.reason) == (FAILED, "still positive")
    assert prepared().judge(RISE, FALL, candidate).verdict is PASSED


def test_a_span_whose_words_were_replaced_leaves_the_count() -> None:
    example = Example({"text": "Ann saw Bob."}, PEOPLE)
    candidate = Candidate(example, (Edit("text", 8, 11, "Bob", "me"),))
    found = after_edits(at_risk(spans(ANN, BOB), example), spans(), candidate)
    assert (found.left, found.wrong, found.margin) == ((ANN,), (ANN,), 1.0)
    everything = Candidate(example, (Edit("text", 0, 11, "Ann saw Bob", "I saw you"),))
    assert prepared().judge(spans(ANN, BOB), spans(), everything).verdict is LEFT_OUT


def test_broken_examples_cannot_be_asked_for_without_gold_labels() -> None:
    with pytest.raises(UsageError, match="'counts: broken' needs gold labels"):
        prepared("broken", labelled=False)
    assert (prepared().counts, prepared(labelled=False).counts) == ("broken", "changes")
