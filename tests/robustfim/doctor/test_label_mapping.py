from __future__ import annotations

import itertools
from random import Random

import pytest
from scipy.stats import binomtest

from robustfim.doctor.label_mapping import best_assignment, compare_labels
from robustfim.predict.labels import match_name


def agreeing(gold: list[str], predicted: list[str], mapping: dict[str, str]) -> int:
    return sum(mapping.get(label) == answer for label, answer in zip(gold, predicted, strict=True))


@pytest.mark.parametrize("seed", range(20))
def test_the_best_assignment_agrees_as_often_as_the_best_of_all_permutations(seed: int) -> None:
    random = Random(seed)
    labels, own = ["a", "b", "c", "d"], ["1", "2", "3", "4"][: random.randint(2, 4)]
    gold, predicted = random.choices(own, k=40), random.choices(labels, k=40)
    own = sorted(set(gold))
    everything = [dict(zip(own, each, strict=True)) for each in itertools.permutations(labels, len(own))]
    best = best_assignment(gold, predicted, labels)
    assert len(set(best.values())) == len(best) == len(own)
    assert agreeing(gold, predicted, best) == max(agreeing(gold, predicted, each) for each in everything)


def test_of_equally_good_assignments_the_one_that_keeps_names_is_chosen() -> None:
    assert best_assignment(["Yes", "no"], ["other", "other"], ["other", "no", "yes"])["no"] != "yes"
    assert best_assignment(["yes", "no"] * 2, ["yes", "yes", "no", "no"], ["no", "yes"]) == {"no": "no", "yes": "yes"}


def test_of_more_labels_than_the_model_has_those_that_agree_least_are_left_out() -> None:
    gold = ["n"] * 8 + ["p"] * 8 + ["?"] * 3
    predicted = ["neg"] * 8 + ["pos"] * 8 + ["neg", "pos", "pos"]
    assert best_assignment(gold, predicted, ["neg", "pos"]) == {"n": "neg", "p": "pos"}
    assert not compare_labels(gold, predicted, ["neg", "pos"]).believable


def test_names_match_without_regard_to_case_where_that_is_unambiguous() -> None:
    found = [match_name(each, ["Good", "BAD"]) for each in ("good", "BAD", "bAd", "goods")]
    assert found == ["Good", "BAD", "BAD", None]
    assert [match_name(each, ["up", "Up"]) for each in ("up", "Up", "UP")] == ["up", "Up", None]


def sample(right: int, wrong: int, swapped: bool = False) -> tuple[list[str], list[str]]:
    """Two labels, predicted right and wrong so many times; ``swapped`` exchanges the data's names."""
    gold = ["no", "yes"] * ((right + wrong) // 2)
    Random(2).shuffle(gold)
    other = {"no": "yes", "yes": "no"}
    mistaken = set(Random(1).sample(range(len(gold)), wrong))
    predicted = [other[label] if index in mistaken else label for index, label in enumerate(gold)]
    return ([other[label] for label in gold] if swapped else gold), predicted


def test_labels_that_fit_need_nothing() -> None:
    mapping = compare_labels(*sample(84, 16), ["no", "yes"])
    assert (mapping.right, mapping.best_right, mapping.majority[1]) == (84, 84, 50)
    assert not mapping.wrong
    assert not mapping.weak


def test_swapped_labels_are_found_with_mcnemars_exact_p_value() -> None:
    mapping = compare_labels(*sample(84, 16, swapped=True), ["no", "yes"])
    assert mapping.wrong
    assert mapping.believable
    assert dict(mapping.best) == {"no": "yes", "yes": "no"}
    assert (mapping.right, mapping.best_right) == (16, 84)
    assert mapping.p_better == pytest.approx(binomtest(84, 100, alternative="greater").pvalue)


def test_each_half_is_judged_by_the_assignment_of_the_other() -> None:
    # At even places 'x' is always 'a', at odd places always 'b': no assignment holds for both halves.
    gold = ["x", "x", "y", "y"] * 10
    predicted = ["a", "b", "b", "a"] * 10
    mapping = compare_labels(gold, predicted, ["a", "b"])
    assert mapping.best_right == 0
    assert not mapping.settled
    assert not mapping.believable


def test_a_chance_improvement_is_no_reason_to_swap() -> None:
    mapping = compare_labels(*sample(52, 48, swapped=True), ["no", "yes"])
    assert (mapping.right, mapping.total) == (48, 100)
    assert not mapping.wrong
    assert mapping.weak


def test_a_constant_model_is_weak_and_no_assignment_of_its_unknown_labels_is_believable() -> None:
    gold = ["0"] * 40 + ["1"] * 60
    Random(0).shuffle(gold)
    unknown = compare_labels(gold, ["yes"] * 100, ["no", "yes"])
    assert dict(unknown.unknown) == {"0": 40, "1": 60}
    assert unknown.wrong
    assert not unknown.believable
    known = compare_labels(["no" if label == "0" else "yes" for label in gold], ["yes"] * 100, ["no", "yes"])
    assert known.weak
    assert (known.p_above, known.p_below) == (1.0, 1.0)


def test_one_label_alone_shows_nothing() -> None:
    mapping = compare_labels(["yes"] * 30, ["no"] * 10 + ["yes"] * 20, ["no", "yes"])
    assert mapping.one_label
    assert not mapping.weak


def test_a_single_example_can_be_compared() -> None:
    mapping = compare_labels(["yes"], ["yes"], ["no", "yes"])
    assert (mapping.total, mapping.right) == (1, 1)
    assert not mapping.wrong
