from __future__ import annotations

import itertools
from random import Random

import pytest
from scipy.stats import hypergeom

from robustfim.labels import match_name
from robustfim_doctor.label_mapping import best_assignment, compare_labels


def beyond_chance(gold: list[str], predicted: list[str], mapping: dict[str, str]) -> int:
    """Answers that agree, times their number, less what the two sides' shares make agree."""
    agree = sum(mapping.get(label) == answer for label, answer in zip(gold, predicted, strict=True))
    return agree * len(gold) - sum(gold.count(label) * predicted.count(answer) for label, answer in mapping.items())


@pytest.mark.parametrize("seed", range(20))
def test_the_best_assignment_agrees_beyond_chance_as_often_as_the_best_of_all_permutations(seed: int) -> None:
    random = Random(seed)
    labels, own = ["a", "b", "c", "d"], ["1", "2", "3", "4"][: random.randint(2, 4)]
    gold, predicted = random.choices(own, k=40), random.choices(labels, k=40)
    own = sorted(set(gold))
    everything = [dict(zip(own, permutation, strict=True)) for permutation in itertools.permutations(labels, len(own))]
    best = best_assignment(gold, predicted, labels)
    assert len(set(best.values())) == len(best) == len(own)
    assert beyond_chance(gold, predicted, best) == max(beyond_chance(gold, predicted, each) for each in everything)


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
    assert (mapping.right, mapping.best_right) == (84, 84)
    assert mapping.fits is not None
    assert mapping.fits.coefficient == pytest.approx(0.68, abs=0.02)
    assert mapping.sure
    assert not mapping.wrong
    assert not mapping.weak


def test_swapped_labels_are_found() -> None:
    mapping = compare_labels(*sample(84, 16, swapped=True), ["no", "yes"])
    assert mapping.wrong
    assert mapping.believable
    assert dict(mapping.best) == {"no": "yes", "yes": "no"}
    assert (mapping.right, mapping.best_right) == (16, 84)
    assert mapping.fits is not None
    assert mapping.best_fits is not None
    assert mapping.best_fits.coefficient == pytest.approx(-mapping.fits.coefficient)


def test_how_often_chance_makes_a_swap_so_much_better_is_what_the_tables_of_both_halves_give() -> None:
    gold, predicted = sample(14, 26)
    mapping = compare_labels(gold, predicted, ["no", "yes"])
    assert mapping.settled, "both halves swap"
    assert dict(mapping.best) == {"no": "yes", "yes": "no"}
    # Of a table of two labels one cell tells all: how many of the 'no' are answered 'no'.
    both = [1.0]
    for k in (0, 1):
        labels, answers = gold[k::2], predicted[k::2]
        here = hypergeom(len(labels), labels.count("no"), answers.count("no")).pmf(range(len(labels) + 1))
        both = [sum(both[i] * here[n - i] for i in range(len(both)) if 0 <= n - i < len(here)) for n in range(41)]
    found = sum((label, answer) == ("no", "no") for label, answer in zip(gold, predicted, strict=True))
    assert mapping.p_better == pytest.approx(sum(both[: found + 1]), abs=0.006)


def few_found_all_rightly(swapped: bool = False) -> tuple[list[str], list[str]]:
    """Seven of ten texts are hateful; the model finds 20 of 210, and is right in all that it calls so."""
    pairs = [("hateful", "hateful")] * 20 + [("hateful", "not")] * 190 + [("not", "not")] * 90
    Random(3).shuffle(pairs)
    gold, predicted = (list(side) for side in zip(*pairs, strict=True))
    other = {"hateful": "not", "not": "hateful"}
    return gold, [other[answer] for answer in predicted] if swapped else predicted


def test_a_model_that_finds_few_of_a_common_label_all_rightly_has_its_names_in_order() -> None:
    mapping = compare_labels(*few_found_all_rightly(), ["hateful", "not"])
    assert mapping.right / mapping.total == pytest.approx(0.367, abs=0.001), "turned round it would agree with 63 %"
    assert dict(mapping.best) == dict(mapping.named)
    assert mapping.sure
    assert not mapping.wrong
    assert not mapping.weak


def test_the_same_model_with_swapped_names_is_found_though_it_agrees_more_often() -> None:
    mapping = compare_labels(*few_found_all_rightly(swapped=True), ["hateful", "not"])
    assert mapping.right > mapping.best_right
    assert mapping.wrong
    assert mapping.believable


def of_four(seed: int, told_apart: float) -> tuple[list[str], list[str]]:
    """Four labels of which a model finds two in nine of ten texts, and tells the others apart in a share of theirs."""
    random = Random(seed)
    gold, other = random.choices("abcd", k=200), {"c": "d", "d": "c"}
    predicted = [
        (label if random.random() < told_apart else other[label])
        if label in other
        else (label if random.random() < 0.9 else random.choice("abcd"))
        for label in gold
    ]
    return gold, predicted


def test_two_of_four_names_in_the_wrong_order_are_found_in_a_model_that_is_right_in_most() -> None:
    mapping = compare_labels(*of_four(0, told_apart=0.2), list("abcd"))
    assert mapping.sure, "the other two make up for them"
    assert mapping.wrong
    assert mapping.believable
    assert dict(mapping.best) == {"a": "a", "b": "b", "c": "d", "d": "c"}


@pytest.mark.slow  # a simulation
def test_labels_that_a_model_cannot_tell_apart_are_rarely_called_swapped() -> None:
    wrong = sum(compare_labels(*of_four(seed, told_apart=0.5), list("abcd")).wrong for seed in range(100))
    assert wrong <= 10, "5 % are allowed, and 11 of 100 come with a chance of 1 % then"


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
    assert known.fits is None


def test_one_label_alone_shows_nothing() -> None:
    mapping = compare_labels(["yes"] * 30, ["no"] * 10 + ["yes"] * 20, ["no", "yes"])
    assert mapping.only == "yes"
    assert not mapping.weak


def test_a_single_example_can_be_compared() -> None:
    mapping = compare_labels(["yes"], ["yes"], ["no", "yes"])
    assert (mapping.total, mapping.right) == (1, 1)
    assert not mapping.wrong
