"""Typos, punctuation and case: changes of form."""

from __future__ import annotations

from collections import Counter

import pytest

from robustfim.api import perturb
from robustfim.errors import UsageError
from robustfim_words.form.kinds import Case
from robustfim_words.form.punctuation import Punctuation
from robustfim_words.form.typos import NEIGHBOURS, Typos
from tests.plugins.robustfim_words.samples import SENTENCES, edits, texts


def test_the_keys_beside_a_key_are_its_neighbours() -> None:
    assert {key: set(NEIGHBOURS[key]) for key in "agp"} == {"a": set("qwsz"), "g": set("tyfhvb"), "p": set("ol")}
    assert all(key in NEIGHBOURS[other] for key, others in NEIGHBOURS.items() for other in others)


@pytest.mark.parametrize("seed", range(20))
def test_each_slip_is_one_slip_behind_the_first_letter(seed: int) -> None:
    slips = {edit.origin: edit.after for edit in edits(Typos(), "Brilliant", seed)}
    assert set(slips) == {"typos: keyboard", "typos: swap", "typos: drop", "typos: double"}
    assert all(slip[0] == "B" and slip != "Brilliant" for slip in slips.values())
    hit = [i for i in range(9) if slips["typos: keyboard"][i] != "Brilliant"[i]]
    assert len(hit) == 1
    assert slips["typos: keyboard"][hit[0]] in NEIGHBOURS["Brilliant"[hit[0]]]
    assert sorted(slips["typos: swap"]) == sorted("Brilliant")
    assert len(slips["typos: drop"]) == 8
    assert len(slips["typos: double"]) == 10


def test_short_words_numbers_and_compounds_are_left() -> None:
    assert edits(Typos(), "an old 1234 don't well-made B2B4") == []


def test_case_is_kept_in_a_slip() -> None:
    for seed in range(20):
        assert all(edit.after.isupper() for edit in edits(Typos(first_letter=True), "BRILLIANT", seed))
        assert all(edit.after[1:].islower() for edit in edits(Typos(first_letter=True), "Brilliant", seed))


def test_the_first_letter_may_be_released_and_kinds_chosen() -> None:
    found = {edit.after for seed in range(40) for edit in edits(Typos(kinds=["drop"], first_letter=True), "film", seed)}
    assert found == {"ilm", "flm", "fim", "fil"}


def test_defective_options_of_typos_are_refused() -> None:
    with pytest.raises(UsageError, match=r"kinds: unknown 'keybord'. Did you mean 'keyboard'"):
        Typos(kinds=["keybord"])
    with pytest.raises(UsageError, match="the list is empty"):
        Typos(kinds=[])


def test_a_misspelled_kind_is_refused() -> None:
    with pytest.raises(UsageError, match=r"Did you mean 'lower'"):
        Case(kinds=["lowr"])
    with pytest.raises(UsageError, match=r"Did you mean 'commas'"):
        Punctuation(kinds=["comma"])


def test_a_slip_beside_the_blank_moves_one_letter_over_it_and_has_to_be_named() -> None:
    found = {edit.after for seed in range(20) for edit in edits(Typos(kinds=["space"]), "the Power of, 3 I", seed)}
    assert found == {"theP ower", "th ePower", "Powero f", "Powe rof"}
    assert "typos: space" not in {edit.origin for edit in edits(Typos(), "the Power of")}
    assert not list(edits(Typos(kinds=["space"]), "Power, of  it"))


def test_a_rate_for_each_character_takes_the_place_of_words() -> None:
    text = "Several brilliant actors carry another otherwise forgettable picture."
    (made,) = perturb({"use": "typos", "per_character": 0.06}, [text]).candidates
    assert {len(candidate.edits) for candidate in made} == {round(0.06 * len(text))} == {4}
    with pytest.raises(UsageError, match="'words' and 'per_character' both say how much changes"):
        perturb({"use": "typos", "per_character": 0.06, "words": 2}, [text])


def test_no_kind_that_has_to_be_named_is_among_those_of_a_plain_punctuation() -> None:
    assert "U.S. troops all left." in texts(Punctuation(), "U.S. troops, all left.")
    assert "US troops all left" not in texts(Punctuation(), "U.S. troops, all left.")


def test_a_text_gets_one_of_the_changes_of_its_last_mark_and_each_in_its_turn() -> None:
    ends = [{text[11:] for text in texts(Punctuation(), "We left it, so.", seed)} for seed in range(30)]
    assert {len(found - {"so."}) for found in ends} == {1}
    assert set().union(*ends) == {" so", " so!", " so...", "so."}


@pytest.mark.parametrize("name", ["punctuation", "word_breaks"])
def test_no_edit_dominates_a_perturbation_of_form(name: str) -> None:
    candidates = [
        candidate for pool in perturb(name, list(SENTENCES) * 3, candidates=8).candidates for candidate in pool
    ]
    made = Counter(
        tuple((edit.before.lower(), edit.after.lower()) for edit in candidate.edits) for candidate in candidates
    )
    assert max(made.values()) <= 0.2 * len(candidates)
