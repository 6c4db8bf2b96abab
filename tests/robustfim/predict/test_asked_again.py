"""Whether stored answers are still the model's."""

from __future__ import annotations

from random import Random

import pytest

from robustfim.predict.asked_again import AskedAgain, have_changed
from robustfim.record import AskedAgainRecord


def alike(one: list[float], other: list[float]) -> bool:
    """Whether two rows have the same likeliest label."""
    return one.index(max(one)) == other.index(max(other))


def test_the_sentence_says_what_twenty_can_see() -> None:
    said = AskedAgainRecord(stored=1240, asked=20, seed=1).sentence
    assert said == (
        "20 of 1,240 stored answers asked again, all alike; so many see a change of 15 % with 96 %, of 5 % with 64 %, "
        "of 2 % with 33 %"
    )


@pytest.mark.parametrize(("share", "chance"), [(0.15, 0.961), (0.05, 0.642), (0.02, 0.332)])
def test_a_share_of_changed_answers_is_seen_as_often_as_the_sentence_says(share: float, chance: float) -> None:
    """200 runs, of which half the sample is drawn first and half at the end."""
    rows = {f"{number}".encode(): [0.9, 0.1] for number in range(1000)}
    changed = set(list(rows)[: round(1000 * share)])
    now = {key: [0.1, 0.9] if key in changed else row for key, row in rows.items()}
    seen = 0
    for _ in range(200):
        again = AskedAgain()
        first = again.first(rows)
        again.hold(dict.fromkeys(first), rows, lambda items: {key: now[key] for key in items}, alike)
        again.note(((key, None) for key in rows), rows)
        again.hold(again.rest.items, rows, lambda items: {key: now[key] for key in items}, alike)
        assert again.asked == 20
        seen += again.changed
    assert seen / 200 == pytest.approx(chance, abs=4 * (chance * (1 - chance) / 200) ** 0.5 + 0.005)


def test_noise_is_seldom_taken_for_a_change_and_a_change_behind_it_is_seen() -> None:
    """A wrong alarm costs an answer each, so the sign test's 5 % are held to within its steps."""
    random = Random(0)

    def noisy(centre: float) -> list[float]:
        chance = min(1.0, max(0.0, random.gauss(centre, 0.05)))
        return [1 - chance, chance]

    alarms = sum(have_changed([(noisy(0.8), noisy(0.8), noisy(0.8)) for _ in range(20)]) for _ in range(1000))
    assert alarms / 1000 < 0.05 + 3 * 0.007
    assert all(have_changed([(noisy(0.8), noisy(0.4), noisy(0.4)) for _ in range(20)]) for _ in range(50))


def test_one_difference_that_stays_is_a_change_and_one_that_does_not_is_none() -> None:
    assert have_changed([([1.0, 0.0], [0.0, 1.0], [0.0, 1.0])])
    assert not have_changed([([1.0, 0.0], [0.0, 1.0], [1.0, 0.0])])
    assert not have_changed([])
    assert have_changed([([("a", 0.9)], [("b", 0.9)], [("b", 0.9)])])
    assert have_changed([(None, [0.5, 0.5], [0.5, 0.5])])


@pytest.mark.parametrize("repeat", [False, True])
def test_one_other_decision_puts_answers_aside_unless_the_model_is_known_to_be_noisy(repeat: bool) -> None:
    """A third answer as the stored one proves no change to the sign test."""
    rows = {b"%d" % number: [0.9, 0.1] for number in range(20)}
    answers = iter([{**rows, b"3": [0.2, 0.8]}, dict(rows)])
    again = AskedAgain(noisy=repeat)
    again.hold(dict.fromkeys(rows), rows, lambda items: next(answers), alike)
    assert (again.differing, again.flipped, again.changed) == (1, 1, not repeat)


def test_a_score_that_moves_within_its_decision_puts_nothing_aside() -> None:
    rows = {b"%d" % number: [0.9, 0.1] for number in range(20)}
    answers = iter([{**rows, b"3": [0.8, 0.2]}, dict(rows)])
    again = AskedAgain()
    again.hold(dict.fromkeys(rows), rows, lambda items: next(answers), alike)
    assert (again.differing, again.changed) == (1, False)
    answers = iter([{**rows, b"3": [0.8, 0.2]}, dict(rows)])
    again.hold(
        dict.fromkeys(rows), rows, lambda items: next(answers), lambda one, other: (one[0] > 0.85) == (other[0] > 0.85)
    )
    assert again.changed
