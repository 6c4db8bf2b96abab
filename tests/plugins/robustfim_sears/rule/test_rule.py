from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.errors import UsageError
from robustfim_sears.rule.file import read_rules
from robustfim_sears.rule.perturbation import DEFAULT
from robustfim_sears.rule.rule import Element, Piece, Rule
from robustfim_sears.rule.tags import COARSE, FINE, kind_of

WORDS = ("film", "what", "don't", "?", ",", "2-hour", "naïve", "日本", "and/or", "i", "🙂")
TAGS = ("NOUN", "VERB", "NN", "PRP$")


def test_a_word_stands_for_itself_and_a_tag_for_any_word_that_has_it() -> None:
    found = Rule.parse("What NOUN/NN VBZ → which VBZ's")
    assert found.antecedent == (Element("what"), Element("noun", "NN"), Element(tag="VBZ"))
    assert found.consequent == (Piece("which"), Piece("'s", repeats=2))


def test_the_second_use_of_a_tag_repeats_the_second_word_that_has_it() -> None:
    found = Rule.parse("NOUN and NOUN → NOUN or NOUN")
    assert [piece.repeats for piece in found.consequent] == [0, None, 2]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("movie  ->  film", "movie → film"),
        ("What VERB→So what VERB", "what VERB → So what VERB"),
        ("WP VBZ -> WP's", "WP VBZ → WP's"),
        ("? -> ??", "? → ??"),
        ("film . → film ! !", "film . → film !!"),
        ("isn’t -> is not", "isn't → is not"),
        ("film/NOUN -> movie", "film/NOUN → movie"),
        ("X -> Y", "x → Y"),
    ],
)
def test_a_rule_has_one_written_form(written: str, text: str) -> None:
    assert Rule.parse(written).text == text
    assert Rule.parse(text).text == text


def test_the_shipped_rules_are_read_back_from_their_written_form() -> None:
    for found in read_rules(DEFAULT):
        assert Rule.parse(found.text) == found


@given(
    st.lists(st.sampled_from([*WORDS, *TAGS]), min_size=1, max_size=4),
    st.lists(st.sampled_from([*WORDS, *TAGS]), min_size=1, max_size=4),
)
def test_what_is_read_is_read_back_from_its_written_form(antecedent: list[str], consequent: list[str]) -> None:
    written = f"{' '.join(antecedent)} → {' '.join(consequent)}"
    same = antecedent == consequent
    if same or any(consequent.count(tag) > antecedent.count(tag) for tag in TAGS):
        with pytest.raises(UsageError, match=r"changes nothing|repeats"):
            Rule.parse(written)
        return
    found = Rule.parse(written)
    again = Rule.parse(found.text)
    assert again.text == found.text
    assert again.antecedent == found.antecedent


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("movie > film", "is not a rule. The form is 'antecedent → consequent'"),
        ("movie ->", "is not a rule"),
        ("-> film", "is not a rule"),
        ("", "is not a rule"),
        ("a -> b -> c", "is not a rule"),
        ("film -> Film", "changes nothing"),
        ("NOUN film → NOUN film", "changes nothing"),
        ("film/NUON -> movie", "unknown part of speech 'NUON'. Did you mean 'NOUN'"),
        ("what NUON -> which NUON", "unknown part of speech 'NUON'. Did you mean 'NOUN'"),
        ("what VERBS -> so what", "unknown part of speech 'VERBS'. Did you mean 'VERB'"),
        ("what is -> what NOUN", "the consequent repeats the tag NOUN more often than the antecedent, which has none"),
        (
            "NOUN is -> NOUN NOUN",
            "the consequent repeats the tag NOUN more often than the antecedent, which has only 1",
        ),
    ],
)
def test_what_is_no_rule_is_refused(written: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Rule.parse(written)


def test_no_tag_is_of_both_kinds() -> None:
    assert not COARSE & FINE
    assert {kind_of(tag) for tag in COARSE} == {"coarse"}
    assert {kind_of(tag) for tag in FINE} == {"fine"}
