"""The table of what refusals cost, and the switch that turns one off."""

from __future__ import annotations

import importlib

import pytest

from benchmarks.guards import GUARDS, STRUCTURAL, Pair, dropped, off, pays, read_pairs, section
from robustfim_words.text import ratings


def test_a_refusal_pays_from_two_unsound_pairs_for_each_sound_one_on() -> None:
    assert pays(0, 1)
    assert pays(8, 17)
    assert not pays(8, 15)
    assert not pays(0, 0)


def test_each_refusal_that_stayed_was_read_and_pays_or_is_structural() -> None:
    pairs = read_pairs()
    assert {pair.natural for pair in pairs} <= {0, 1, 2}
    for name in GUARDS:
        its = [pair for pair in pairs if pair.guard == name]
        sound = sum(pair.sound for pair in its)
        assert its
        assert name in STRUCTURAL or pays(sound, len(its) - sound)


@pytest.mark.parametrize("name", GUARDS)
def test_each_refusal_is_where_the_table_says(name: str) -> None:
    place, _, attribute = GUARDS[name].place.partition(":")
    holder = importlib.import_module(f"robustfim_words.{place}")
    before = getattr(holder, attribute)
    with off(GUARDS[name]):
        assert getattr(holder, attribute) is not before


def test_the_section_counts_sound_and_unsound_pairs_of_each_refusal() -> None:
    pairs = [Pair("a list", "people", "0", "1", True, natural) for natural in (0, 0, 1)]
    lines = section([*pairs, Pair("a frame", "nouns", "0", "2", False, 2)]).splitlines()
    assert "| a list | `people` | 3 | 1 | 0 | 2 | 67% [21%, 94%] | stays |" in lines
    assert "| a frame | `nouns` | 1 | 0 | 1 | 0 | 100% [21%, 100%] | stays |" in lines


def test_a_refusal_is_off_inside_alone_wherever_it_was_imported_to() -> None:
    numbers = vars(importlib.import_module("robustfim_words.things.numbers"))
    before = numbers["in_rating"]
    (pair,) = dropped(GUARDS["ratings"], {"film": ["I give it 8 out of 10."]})
    assert pair.result != pair.source
    with off(GUARDS["ratings"]):
        assert numbers["in_rating"] is ratings.in_rating is not before
    assert numbers["in_rating"] is ratings.in_rating is before
