from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.expectations import Changes, Directional, Equals, Invariant, robustfim_expectations
from robustfim.judgement import Verdict
from robustfim.prediction import Prediction

LABELS = ("negative", "neutral", "positive")

rows = st.lists(st.integers(1, 100), min_size=3, max_size=3).map(lambda parts: [part / sum(parts) for part in parts])


def of(*row: float) -> Prediction:
    return Prediction.of(row, LABELS)


def candidate(gold: str | None = None, *, own: str | None = None) -> Candidate:
    return Candidate(Example({"text": "a good film"}, gold), label=own)


SURE = of(0.1, 0.2, 0.7)
UNSURE = of(0.3, 0.3, 0.4)
FLIPPED = of(0.6, 0.1, 0.3)


@given(rows, rows)
def test_invariant_fails_exactly_on_another_label(before: list[float], after: list[float]) -> None:
    first, second = of(*before), of(*after)
    judgement = Invariant().judge(first, second, candidate())
    assert judgement.failed is (first.label != second.label)
    others = [p for label, p in zip(LABELS, after, strict=True) if label != second.label]
    expected = second.confidence - second.probability(first.label) if judgement.failed else max(others) - max(after)
    assert judgement.margin == pytest.approx(expected)
    assert judgement.margin >= 0 if judgement.failed else judgement.margin <= 0


def test_invariant_passes_however_far_the_probabilities_move() -> None:
    assert Invariant().judge(SURE, UNSURE, candidate()).verdict is Verdict.PASSED


def test_invariant_says_which_label_became_which() -> None:
    judgement = Invariant().judge(SURE, FLIPPED, candidate())
    assert judgement.reason == "positive -> negative"
    assert judgement.margin == pytest.approx(0.3)


def test_changes_fails_on_the_same_label_by_its_lead() -> None:
    judgement = Changes().judge(SURE, UNSURE, candidate())
    assert judgement.failed
    assert judgement.reason == "still positive"
    assert judgement.margin == pytest.approx(0.1)


def test_changes_passes_on_any_other_label() -> None:
    judgement = Changes().judge(SURE, FLIPPED, candidate())
    assert judgement.verdict is Verdict.PASSED
    assert judgement.margin == pytest.approx(-0.3)


def test_changes_to_a_label_fails_on_a_third_one_by_how_far_the_wanted_falls_behind() -> None:
    judgement = Changes(to="neutral").judge(SURE, FLIPPED, candidate())
    assert judgement.failed
    assert judgement.reason == "negative, not neutral"
    assert judgement.margin == pytest.approx(0.5)


def test_changes_to_a_label_passes_on_that_label() -> None:
    assert Changes(to="negative").judge(SURE, FLIPPED, candidate()).verdict is Verdict.PASSED


def test_changes_does_not_apply_where_the_label_is_there_already() -> None:
    judgement = Changes(to="positive").judge(SURE, FLIPPED, candidate())
    assert judgement.verdict is Verdict.NOT_APPLICABLE
    assert judgement.reason == "already positive"


@pytest.mark.parametrize(
    ("expectation", "example", "failed"),
    [
        (Equals(), candidate("positive"), True),
        (Equals(), candidate("negative"), False),
        (Equals(), candidate("positive", own="negative"), False),
        (Equals("positive"), candidate("negative"), True),
        (Equals("negative"), candidate(None), False),
    ],
)
def test_equals_wants_the_named_label_then_the_candidates_then_the_gold_one(
    expectation: Equals, example: Candidate, failed: bool
) -> None:
    assert expectation.judge(SURE, FLIPPED, example).failed is failed


def test_equals_tells_by_how_much_and_what_was_wanted() -> None:
    judgement = Equals().judge(SURE, FLIPPED, candidate("neutral"))
    assert judgement.reason == "negative, not neutral"
    assert judgement.margin == pytest.approx(0.5)


def test_equals_does_not_apply_without_a_gold_label() -> None:
    assert Equals().judge(SURE, FLIPPED, candidate()).verdict is Verdict.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("direction", "tolerance", "failed"),
    [("up", 0.1, True), ("up", 0.29, True), ("up", 0.31, False), ("down", 0.0, False)],
)
def test_directional_fails_on_a_fall_beyond_the_tolerance(direction: str, tolerance: float, failed: bool) -> None:
    expectation = Directional(direction=direction, tolerance=tolerance)  # type: ignore[arg-type]  # "up" or "down"
    judgement = expectation.judge(SURE, UNSURE, candidate())
    assert judgement.failed is failed
    wrong = 0.3 if direction == "up" else -0.3
    assert judgement.margin == pytest.approx(wrong - tolerance)
    assert judgement.reason == "P(positive) fell from 0.70 to 0.40"


def test_directional_watches_the_label_it_is_given() -> None:
    judgement = Directional("negative", "down", 0.1).judge(SURE, FLIPPED, candidate())
    assert judgement.failed
    assert judgement.reason == "P(negative) rose from 0.10 to 0.60"


@pytest.mark.parametrize("tolerance", [-0.1, 1.0, float("nan")])
def test_a_tolerance_that_is_no_difference_of_probabilities_is_refused(tolerance: float) -> None:
    with pytest.raises(ValueError, match="tolerance must lie in"):
        Directional(tolerance=tolerance)


@pytest.mark.parametrize("expectation", [Changes(to="good"), Equals("good"), Directional("good")])
def test_a_label_that_the_model_does_not_have_is_refused_with_those_it_has(
    expectation: Changes | Equals | Directional,
) -> None:
    with pytest.raises(ValueError, match="the model has no label 'good'; it has negative, neutral, positive"):
        expectation.judge(SURE, FLIPPED, candidate())


def test_a_model_of_one_label_has_no_runner_up() -> None:
    only = Prediction.of([1.0], ("spam",))
    assert Invariant().judge(only, only, candidate()).margin == -1.0


def test_the_plugin_offers_every_expectation() -> None:
    assert robustfim_expectations() == {
        "changes": Changes,
        "directional": Directional,
        "equals": Equals,
        "invariant": Invariant,
    }
