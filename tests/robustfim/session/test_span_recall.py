"""Recall of spans, counted by hand, and what a tagger misses of each label: held to limits and compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from scipy.stats import binomtest

import robustfim
from robustfim import SuiteError
from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.outcome import Outcome
from robustfim.prediction import Prediction
from robustfim.session.span_recall import SpanRecall
from robustfim.spans import Span, written_spans
from robustfim.statistics import wilson
from tests.present import present

TEXT = "Ann flew to Paris."


def found(label: str) -> Prediction:
    return Prediction.of_answers([(label, 1.0)])


def test_spans_are_counted_before_and_after_by_label() -> None:
    recall = SpanRecall({})
    for number in range(4):
        source = Example({"text": TEXT + str(number)}, "⟦0:3 person⟧ ⟦12:17 place⟧")
        for carries in (True, False):
            swap = Candidate(source, (Edit("text", 0, 3, "Ann", "Robert"),), carries=carries)
            recall.count(found("⟦0:3 person⟧"), found("⟦15:20 place⟧ ⟦0:6 person⟧" if number else "⟦⟧"), swap)
    person, place = recall.records()
    assert (person.label, person.before.count, person.after.count, person.after.tested) == ("person", 4, 3, 4)
    assert (person.left, place.left) == (4, 0)
    assert (place.before.count, place.after.count, place.after.tested) == (0, 0, 8), "repaired spans were missed"
    assert "person found 100 % before, 75 %" in person.told
    assert person.told.endswith("of 4 after (4 replaced, not counted)")
    # Eight spans of four examples, two of each alike, are worth four at most.
    four = present(wilson(0, 4))
    assert place.after.interval is not None
    assert place.after.interval[0] <= four[0]
    assert place.after.interval[1] >= four[1]


def test_spans_of_one_cluster_are_worth_one_example() -> None:
    sources = [Example({"text": TEXT + str(number)}, "⟦0:3 person⟧") for number in range(5)]
    recall = SpanRecall({source.id: "template" for source in sources})
    for source in sources:
        recall.count(found("⟦0:3 person⟧"), found("⟦0:3 person⟧"), Candidate(source))
    (person,) = recall.records()
    assert person.after.interval == pytest.approx((0.025, 1)), "Clopper and Pearson's of 1 of 1"


def test_spans_of_a_cluster_may_all_be_missed_together() -> None:
    sources = [Example({"text": TEXT + str(number)}, "⟦0:3 person⟧") for number in range(40)]
    recall = SpanRecall({source.id: str(place // 4) for place, source in enumerate(sources)})
    for place, source in enumerate(sources):
        recall.count(found("⟦0:3 person⟧"), found("⟦⟧" if place < 8 else "⟦0:3 person⟧"), Candidate(source))
    (person,) = recall.records()
    assert (person.after.count, person.after.tested) == (32, 40)
    exact = binomtest(8, 10).proportion_ci(method="exact")
    assert person.after.interval == pytest.approx((exact.low, exact.high))


def test_other_models_and_examples_without_gold_spans_say_nothing() -> None:
    recall = SpanRecall({})
    label = Prediction.of((0.4, 0.6), ("a", "b"))
    recall.count(label, label, Candidate(Example({"text": TEXT}, "a")))
    recall.count(found("⟦⟧"), found("⟦⟧"), Candidate(Example({"text": TEXT})))
    assert recall.records() == []


# ---- limits for what is missed --------------------------------------------------------------------------


NAMES = ("Ana", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
TOWNS = ("Oslo", "Riga", "Bonn", "Lyon")


def rows(count: int = 200) -> list[Example]:
    """Every text has a person, every second a place behind it."""
    found = []
    for number in range(count):
        name, town = NAMES[number % 8], TOWNS[number % 4]
        text = f"{name} has letter {number}" + f" from {town}" * (number % 2)
        spans = [Span(0, len(name), "person")]
        spans += [Span(len(text) - len(town), len(text), "place")] * (number % 2)
        found.append(Example({"text": text}, written_spans(spans)))
    return found


def tagger(people: str, places: str) -> Callable[[Sequence[str]], list[Any]]:
    """A tagger that finds what two patterns find."""

    def find(texts: Sequence[str]) -> list[Any]:
        rules = {"person": people, "place": places}
        return [
            [(*m.span(), label) for label, rule in rules.items() for m in re.finditer(rule, text)] for text in texts
        ]

    return find


ANY = "|".join(NAMES)
GOOD = tagger(f"(?i:{ANY})", "|".join(TOWNS))
"""Finds people in any case, and places in theirs."""
BAD = tagger(f"{ANY}|ana|bo|cy|di", "|".join(TOWNS))
"""Finds half of the people alone in lower case."""


def run(find: Callable[..., Any], limit: Any = None, labels: list[str] | None = None, **given: Any) -> Any:
    check: dict[str, Any] = {
        "perturb": {"use": "case", "kinds": ["lower"]},
        "expect": {"use": "found", **({"labels": labels} if labels else {})},
    }
    check |= {} if limit is None else {"limit": limit}
    suite = {"suite": "s", "model": {"use": "python", "call": find, "task": "spans"}, "checks": {"case": check}}
    return robustfim.run(suite | given.pop("more", {}), data=rows(), **given)


def test_a_text_is_missed_where_any_gold_span_of_the_label_is() -> None:
    (check,) = run(BAD).record.checks
    told = {name: (error.failing, error.tested, error.before, error.limit) for name, error in check.errors.items()}
    assert told == {"missed person": (100, 200, 0, None), "missed place": (100, 100, 0, None)}
    assert "missed" not in check.message, "what has no limit is told by the recall"


def test_a_limit_holds_of_every_label_that_counts() -> None:
    (both,) = run(GOOD, {"missed": 0.1}).record.checks
    assert both.outcome is Outcome.FAILED
    assert "missed 100 of 100 with place, 100 %" in both.message
    (people,) = run(GOOD, {"missed": 0.1}, ["person"]).record.checks
    assert people.outcome is Outcome.PASSED
    assert {name: error.limit for name, error in people.errors.items()} == {"missed person": 0.1}


def test_what_was_missed_before_any_change_counts_as_missed() -> None:
    (check,) = run(tagger("Ana", "Oslo"), {"missed": 0.5}, ["person"]).record.checks
    error = check.errors["missed person"]
    assert (error.before, error.failing, error.tested) == (175, 200, 200)
    assert check.tested == 25, "texts in which something was found"


def test_a_comparison_says_of_each_label_whether_more_is_missed() -> None:
    more = {"baseline": {"margin": 0.05}}
    before = run(GOOD, {"missed": 0.1}, ["person"], more=more)
    after = run(BAD, {"missed": 0.1}, ["person"], more=more, baseline=before)
    (check,) = after.record.comparisons[0].checks
    assert {name: error.verdict for name, error in check.errors.items()} == {"missed person": "worse"}


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        (
            {"missed": 0.1, "false_alarm": 0.1},
            "a tagger does not support a limit for 'false_alarm'",
        ),
    ],
)
def test_a_tagger_has_no_limit_for_false_alarms(limit: Any, message: str) -> None:
    with pytest.raises(SuiteError, match=message):
        run(GOOD, limit)
