from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.builtin.expectations import Changes, Correct, Directional, Equals, Invariant
from robustfim.candidate import Candidate
from robustfim.decision import WithinRule
from robustfim.example import Example
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


def test_invariant_fails_on_a_changed_label_whose_own_probability_stayed() -> None:
    before, after = of(0.4, 0.3, 0.3), of(0.4, 0.5, 0.1)
    assert Invariant().judge(before, after, candidate()).failed
    assert not Invariant(0.01).judge(before, after, candidate()).failed


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


@pytest.mark.parametrize(
    ("gold", "watched"),
    [("negative", "negative"), (None, "positive"), ("unknown", "positive"), ("positive", "positive")],
)
def test_directional_watches_the_gold_label_where_the_model_knows_it(gold: str | None, watched: str) -> None:
    judgement = Directional(direction="down", watch="gold").judge(SURE, FLIPPED, candidate(gold))
    assert judgement.reason is not None
    assert judgement.reason.startswith(f"P({watched})")
    assert judgement.failed is (watched == "negative")


@pytest.mark.parametrize("tolerance", [-0.1, 1.0, float("nan")])
def test_a_tolerance_that_is_no_difference_of_probabilities_is_refused(tolerance: float) -> None:
    with pytest.raises(ValueError, match="tolerance must lie in"):
        Directional(tolerance=tolerance)


def test_a_model_of_one_label_has_no_runner_up() -> None:
    only = Prediction.of([1.0], ("spam",))
    assert Invariant().judge(only, only, candidate()).margin == -1.0


@pytest.mark.parametrize(("before", "after", "failed"), [(0.2, 0.25, False), (0.2, 0.35, True), (0.35, 0.2, True)])
def test_same_allows_a_move_neither_way(before: float, after: float, failed: bool) -> None:
    judgement = Directional("positive", "same", 0.1).judge(
        of(0.1, 0.9 - before, before), of(0.1, 0.9 - after, after), candidate()
    )
    assert judgement.failed is failed
    assert judgement.margin == pytest.approx(abs(after - before) - 0.1)


@pytest.mark.parametrize(
    ("direction", "by", "verdict"),
    [
        ("down", 0.29, Verdict.PASSED), ("down", 0.31, Verdict.FAILED), ("up", 0.05, Verdict.FAILED),
        ("down", 0.71, Verdict.NOT_APPLICABLE), ("up", 0.31, Verdict.NOT_APPLICABLE),
    ],
)  # fmt: skip
def test_directional_asks_for_a_move_where_it_says_by_how_much(direction: str, by: float, verdict: Verdict) -> None:
    """P(positive) falls from 0.70 to 0.40; from there it can fall by 0.70 and rise by 0.30."""
    judgement = Directional(direction=direction, by=by).judge(SURE, UNSURE, candidate())  # type: ignore[arg-type]  # one of two
    assert judgement.verdict is verdict
    if verdict is not Verdict.NOT_APPLICABLE:
        assert judgement.margin == pytest.approx(by - (0.3 if direction == "down" else -0.3))


def test_a_model_that_does_not_move_fails_a_move_that_is_asked_for_and_passes_what_must_not_rise() -> None:
    assert Directional(direction="down", by=0.02).judge(SURE, SURE, candidate()).failed
    assert not Directional(direction="down").judge(SURE, SURE, candidate()).failed


@pytest.mark.parametrize(("direction", "by"), [("same", 0.1), ("up", 0.0), ("down", -0.1), ("up", float("nan"))])
def test_a_move_that_cannot_be_asked_for_is_refused(direction: str, by: float) -> None:
    with pytest.raises(ValueError, match="'by' must be positive"):
        Directional(direction=direction, by=by)  # type: ignore[arg-type]  # as above


@given(rows, rows, st.sampled_from([0.0, 0.05, 0.1, 0.3]), st.sampled_from(["up", "down"]))
def test_directional_is_checklists_monotonic(
    before: list[float], after: list[float], tolerance: float, direction: str
) -> None:
    """``Expect.monotonic`` of CheckList, written out: None where the test cannot fail."""
    old, new = before[2], after[2]
    if direction == "up":
        passed = None if old <= tolerance else new - old + tolerance >= 0
    else:
        passed = None if old >= 1 - tolerance else new - old - tolerance <= 0
    expectation = Directional("positive", direction, tolerance)  # type: ignore[arg-type]  # one of the two
    wrong = (old - new if direction == "up" else new - old) - tolerance
    if abs(wrong) > 1e-9 and abs((old if direction == "up" else 1 - old) - tolerance) > 1e-9:
        verdict = {None: Verdict.NOT_APPLICABLE, True: Verdict.PASSED, False: Verdict.FAILED}[passed]
        assert expectation.judge(of(*before), of(*after), candidate()).verdict is verdict


@given(rows, rows)
def test_directional_against_a_label_is_checklists_positive_change(before: list[float], after: list[float]) -> None:
    """``positive_change`` of its sentiment notebook: what negative lost and positive gained, together."""
    change = before[0] - after[0] + after[2] - before[2]
    judgement = Directional("positive", "up", 0.1, against="negative").judge(of(*before), of(*after), candidate())
    assert judgement.margin == pytest.approx(-change - 0.1)
    if abs(change + 0.1) > 1e-9:
        assert judgement.failed is (change + 0.1 < 0)


def test_a_label_cannot_be_watched_against_itself() -> None:
    with pytest.raises(ValueError, match="'against' names 'positive', the label that is watched"):
        Directional("positive", against="positive")


@pytest.mark.parametrize(("tolerance", "failed"), [(0.0, True), (0.3, True), (0.4, False)])
def test_invariant_with_a_tolerance_lets_a_small_loss_pass(tolerance: float, failed: bool) -> None:
    """CheckList's ``Expect.inv(tolerance)``: the old label fell from 0.70 to 0.30, which is 0.40."""
    before, after = of(0.25, 0.0625, 0.6875), of(0.625, 0.0625, 0.3125)
    assert Invariant(tolerance).judge(before, after, candidate()).failed is failed


def test_equals_takes_several_labels_of_which_one_is_enough() -> None:
    expectation = Equals(["neutral", "negative"])
    assert expectation.judge(SURE, FLIPPED, candidate("positive")).verdict is Verdict.PASSED
    failed = expectation.judge(FLIPPED, SURE, candidate())
    assert failed.reason == "positive, not neutral or negative"
    assert failed.margin == pytest.approx(0.5)


def test_equals_refuses_an_empty_list_of_labels() -> None:
    with pytest.raises(ValueError, match="'label' is empty"):
        Equals([])


def test_correct_wants_the_gold_label() -> None:
    assert Correct().judge(SURE, SURE, candidate("positive")).verdict is Verdict.PASSED
    assert Correct().judge(SURE, SURE, candidate("negative")).failed
    assert Correct().judge(SURE, SURE, candidate()).verdict is Verdict.NOT_APPLICABLE


# ---- answers in the model's own words ------------------------------------------------------------------


def answered(*pairs: tuple[str, float]) -> Prediction:
    return Prediction.of_answers(pairs)


TOWER = answered(("The Tower", 0.6), ("a hill", 0.3))


def question(*gold: str, own: str | None = None) -> Candidate:
    return Candidate(Example({"question": "What?"}, gold[0] if gold else None, accepted=gold[1:]), label=own)


def test_invariant_takes_answers_of_one_normal_form_for_the_same() -> None:
    assert Invariant().judge(TOWER, answered(("tower.", 0.2)), question()).verdict is Verdict.PASSED
    judgement = Invariant().judge(TOWER, answered(("A hill!", 0.5), ("the tower", 0.3)), question())
    assert judgement.failed
    assert judgement.reason == "The Tower -> A hill!"
    assert judgement.margin == pytest.approx(0.2)


def test_invariant_fails_by_all_of_its_probability_where_the_old_answer_is_not_among_the_likeliest() -> None:
    assert Invariant().judge(TOWER, answered(("a lake", 0.4)), question()).margin == pytest.approx(0.4)


def test_changes_and_directional_read_answers_by_their_normal_form() -> None:
    assert Changes().judge(TOWER, answered(("tower", 0.9)), question()).reason == "still tower"
    assert Changes(to="Hill").judge(TOWER, answered(("a hill", 0.9)), question()).verdict is Verdict.PASSED
    assert Changes(to="the hill").judge(TOWER, answered(("lake", 0.9)), question()).reason == "lake, not the hill"
    assert Changes(to="Tower").judge(TOWER, TOWER, question()).verdict is Verdict.NOT_APPLICABLE
    assert Directional(label="TOWER").judge(TOWER, answered(("the tower", 0.1)), question()).failed


@pytest.mark.parametrize("expectation", [Equals(), Correct(), Equals("a lake"), Equals(["TOWER", "a lake"])])
def test_any_accepted_answer_is_the_gold_one(expectation: Equals) -> None:
    gold = question("the tower", "a lake")
    assert expectation.judge(TOWER, answered(("Lake", 0.5)), gold).verdict is Verdict.PASSED
    assert expectation.judge(TOWER, answered(("sea", 0.5)), gold).failed


def test_what_the_perturbation_knows_stands_above_all_accepted_answers() -> None:
    judgement = Equals().judge(TOWER, TOWER, question("the tower", "it", own="a lake"))
    assert judgement.reason == "The Tower, not a lake"


# ---- numbers ------------------------------------------------------------------------------------------


def number(value: float) -> Prediction:
    return Prediction.of_number(f"{value:.6g}", WithinRule.of(0.5))


DIRECTIONS: tuple[Literal["up", "down", "same"], ...] = ("up", "down", "same")
numbers = st.integers(-20, 20).map(lambda tenths: tenths / 10)


@given(numbers, numbers)
def test_of_numbers_invariant_fails_beyond_the_tolerance_and_directional_beyond_it_the_wrong_way(
    first: float, second: float
) -> None:
    before, after = number(first), number(second)
    tenths = round(10 * (second - first))
    judgement = Invariant().judge(before, after, candidate())
    assert judgement.failed is (abs(tenths) > 5)
    assert (judgement.margin > 1e-9) is judgement.failed
    assert Changes().judge(before, after, candidate()).failed is not judgement.failed
    moved = {
        direction: Directional(direction=direction).judge(before, after, candidate()).failed for direction in DIRECTIONS
    }
    assert moved == {"up": -tenths > 5, "down": tenths > 5, "same": abs(tenths) > 5}
    assert Correct().judge(before, after, candidate(f"{first}")).failed is judgement.failed


def test_of_numbers_no_label_is_watched_and_what_is_said_are_the_numbers() -> None:
    with pytest.raises(ValueError, match="no probability of a label to watch"):
        Directional(label="good").judge(number(1), number(2), candidate())
    assert Directional().judge(number(3), number(1.25), candidate()).reason == "fell from 3 to 1.25"
    falls = Directional(direction="down", by=1.5)
    assert [falls.judge(number(3), number(after), candidate()).failed for after in (1.25, 1.75)] == [False, True]
    assert Invariant().judge(number(3), number(1.25), candidate()).reason == "3 -> 1.25"
