"""Nouns: which give way, and which take a place."""

from __future__ import annotations

from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.things.nouns import Nouns
from tests.plugins.robustfim_words.samples import texts


def test_a_noun_marked_in_the_table_gives_way_and_takes_no_place() -> None:
    assert "Many citizens left." in texts(Nouns(), "Many people left.")
    assert "Here is a person." in texts(Nouns(), "Here is a citizen.")
    assert "Here is a people." not in texts(Nouns(), "Here is a citizen.")
    assert "The talks failed Monday." in texts(Nouns(), "The talks failed yesterday.")
    assert not any("yesterday" in text for text in texts(Nouns(), "The talks failed on Monday."))


def test_a_noun_that_describes_the_next_stays() -> None:
    assert texts(Nouns(), "Mind the price tag.") == []
    assert texts(Nouns(), "Mind the price.") == ["Mind the cost."]


def test_no_noun_of_the_shipped_table_stands_in_two_groups_and_every_group_has_two_members() -> None:
    rows = list(read_table(LEXICONS / "nouns.tsv", ("noun", "group")))
    nouns, groups = [noun for noun, _ in rows], [group for _, group in rows]
    assert len(set(nouns)) == len(nouns)
    assert all(groups.count(group.removeprefix(">")) > 1 for group in groups)
