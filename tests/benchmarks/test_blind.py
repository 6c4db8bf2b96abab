"""What readers answer who know of no pair what made it, and how far they agree."""

from __future__ import annotations

import math

import pytest

import robustfim_words
from benchmarks.blind import CARDS, Blind, alpha, blind, cards, section
from benchmarks.reach import Reached, effective_number, reached
from benchmarks.readings import written
from benchmarks.sections import result_file
from robustfim.candidate import Candidate, Edit
from robustfim.example import Example


def test_agreement_is_that_of_a_published_example() -> None:
    # Krippendorff, Computing Krippendorff's alpha-reliability (2011), A: two observers, ten units, binary data.
    one, other = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert alpha(list(zip(one, other, strict=True))) == pytest.approx(0.095, abs=5e-4)


def test_agreement_is_whole_where_all_agree_and_nothing_where_all_answers_are_one() -> None:
    assert alpha([(0, 0), (2, 2), (1, 1)], ordered=True) == 1
    assert math.isnan(alpha([(1, 1), (1, 1)]))


def test_a_grade_further_off_disagrees_more() -> None:
    near, far = [(0, 1), (2, 2), (1, 1), (0, 0)], [(0, 2), (2, 2), (1, 1), (0, 0)]
    assert alpha(near, ordered=True) > alpha(far, ordered=True)
    assert alpha([(0, 1), (2, 2)]) == alpha([(0, 2), (1, 1)])


def test_a_row_holds_the_mean_of_the_readers() -> None:
    pairs = [Blind("numbers", (True, True), (2, 2)), Blind("numbers", (True, False), (1, 0))]
    assert pairs[1].sound == (True, False)
    lines = section(pairs, {"numbers": Reached(50, 100, 9.0)}).splitlines()
    assert any(line.startswith("| `numbers` | 2 | 75% [") and line.endswith("| 50% | 38% |") for line in lines)


def test_in_the_mean_each_perturbation_counts_alike() -> None:
    pairs = [Blind("numbers", (True, True), (2, 2))] * 3 + [Blind("nouns", (False, False), (2, 2))]
    lines = section(pairs, {"numbers": Reached(50, 100, 9.0), "nouns": Reached(50, 100, 9.0)}).splitlines()
    assert any(line.startswith("| **all** | 4 | 50% [") for line in lines)


def test_the_cards_of_the_plugin_are_what_was_read_blind_and_reached() -> None:
    dealt = cards(blind(), reached())
    assert CARDS.read_text(encoding="utf-8") == written(dealt)
    assert robustfim_words.robustfim_cards().items() >= dealt.items()


def test_a_card_counts_of_two_answers_the_less_kind() -> None:
    pairs = [Blind("typos", (True, True), (2, 1)), Blind("typos", (True, False), (2, 2))]
    pairs += [Blind("typos", (True, True), (2, 2)), Blind("typos", (True, True), (0, 1))]
    (card,) = cards(pairs, {"typos": Reached(50, 100, 9.0)}).values()
    assert (card.natural, card.holds, card.sound, card.changed, card.tried, card.edits) == (
        (1, 1, 2),
        3,
        2,
        50,
        100,
        9.0,
    )


def test_the_section_of_reach_and_the_cards_have_one_source() -> None:
    told = result_file("Reach of perturbations").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in told.splitlines() if line.startswith("| `")]
    shares = {row[0].strip("`"): row[-3].rpartition("→ ")[2] for row in rows}
    assert shares == {name: f"{changed / tried:.0%}" for name, (changed, tried, _) in reached().items()}


def test_four_candidates_of_two_edits_have_two_in_effect() -> None:
    made = [
        Candidate(example, (Edit("text", 0, 1, "A", after, ""),))
        for example in (Example({"text": "A b"}), Example({"text": "A c"}))
        for after in ("B", "C")
    ]
    assert effective_number(made) == 2
    assert effective_number(made[:1]) == 1


def test_no_perturbation_that_reaches_a_fifth_of_the_texts_has_fewer_than_twelve_edits_in_effect() -> None:
    widely = {name: each.edits for name, each in reached().items() if each.changed > 0.2 * each.tried}
    assert len(widely) > 20
    assert {name for name, edits in widely.items() if edits < 12} == set()
