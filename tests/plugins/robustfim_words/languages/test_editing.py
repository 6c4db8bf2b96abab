"""Edits of form, numbers and sentences: near what stood there, and never another word by chance."""

from __future__ import annotations

import re
from random import Random

import pytest
from num2words import num2words

import robustfim
from robustfim.candidate import Candidate
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.form.typos import keys_beside
from robustfim_words.languages.language import known_languages, language
from robustfim_words.languages.phrases import _pairs
from robustfim_words.languages.sentences import Negation
from tests.plugins.robustfim_words.languages.spoken import SENTENCES, candidates, made
from tests.plugins.robustfim_words.samples import sentences


@pytest.mark.parametrize("code", known_languages())
def test_a_typo_is_one_slip_after_the_first_letter_and_no_frequent_word(code: str) -> None:
    kinds = set()
    for text in SENTENCES[code]:
        for candidate in candidates(made("typos", code), text):
            (edit,) = candidate.edits
            assert edit.after[0] == edit.before[0]
            assert abs(len(edit.after) - len(edit.before)) <= 1
            assert not language(code).knows(edit.after)
            kinds.add(edit.origin)
    assert kinds == {"typos: keyboard", "typos: swap", "typos: drop", "typos: double"}


@pytest.mark.parametrize(
    ("code", "key", "beside"),
    [("de", "y", "asx"), ("de", "ü", "pöä"), ("de", "z", "tughj"), ("fr", "z", "aeqs"), ("es", "ñ", "lpm")],
)
def test_the_keys_beside_a_key_are_those_of_the_languages_keyboard(code: str, key: str, beside: str) -> None:
    assert set(keys_beside(language(code).grammar.keyboard)[key]) <= set(beside)


@pytest.mark.parametrize("code", known_languages())
def test_a_key_lies_beside_those_that_lie_beside_it(code: str) -> None:
    beside = keys_beside(language(code).grammar.keyboard)
    assert all(key in beside[other] for key, others in beside.items() for other in others)


@pytest.mark.parametrize("code", known_languages())
def test_the_number_words_are_those_of_num2words(code: str) -> None:
    numbers = language(code).numbers
    assert len(numbers) > 15
    assert all(num2words(number, lang=code) == word for word, number in numbers.items())


@pytest.mark.parametrize("text", ["1984", "7/10", "3,5", "12:30", "A4", "xx Nr 5", "8 9", "-3", "(43", "xx 1 xx"])
@pytest.mark.parametrize("code", known_languages())
def test_what_is_no_count_stays(code: str, text: str) -> None:
    assert not candidates(made("numbers", code), text)


@pytest.mark.parametrize("code", known_languages())
@pytest.mark.parametrize("table", ["contractions", "abbreviations"])
def test_a_phrase_gives_way_to_its_other_side_as_a_whole_word(code: str, table: str) -> None:
    for one, other in _pairs(getattr(language(code).grammar, table)):
        made_of = {c.example.fields["text"] for c in candidates(made(table, code), f"xx {one} xx")}
        assert f"xx {other} xx" in made_of or other.endswith("'"), (one, other)
        assert not any(c.edits[0].before == one for c in candidates(made(table, code), f"xx{one}xx"))


@pytest.mark.parametrize("code", known_languages())
def test_a_sentence_that_denies_is_not_denied_again(code: str) -> None:
    changed = 0
    for text in SENTENCES[code]:
        for candidate in candidates(made("negation", code), text):
            new = candidate.example.fields["text"]
            assert not candidates(made("negation", code), new.split(". ")[0]) or ". " in new
            changed += 1
    assert changed


def denials(code: str, text: str, label: str = "") -> list[str]:
    """What a text of a label becomes where it is denied."""
    example = Example({"text": text}, label or None)
    return [Candidate(example, (edit,)).example.text for edit in made("negation", code).edits(example, Random(0))]


@pytest.mark.parametrize("code", known_languages())
def test_what_is_denied_speaks_for_the_label(code: str) -> None:
    grammar, denied = language(code).grammar, []
    for label, other, statements in (
        ("positive", "negative", grammar.positive),
        ("negative", "positive", grammar.negative),
    ):
        for text in statements:
            denied += denials(code, text, label)
            assert denials(code, text) == denials(code, text, label)
            assert not denials(code, text, other)
            assert not denials(code, text, "neutral")
            assert not denials(code, text[:-1] + "?", label)
    assert len(denied) >= 3


@pytest.mark.parametrize(
    ("code", "text", "new"),
    sentences("test_a_denial_is_grammatical_and_of_a_statement_with_a_side"),
)
def test_a_denial_is_grammatical_and_of_a_statement_with_a_side(code: str, text: str, new: list[str]) -> None:
    assert denials(code, text) == new


def test_labels_are_named_once_and_found_in_the_data() -> None:
    with pytest.raises(UsageError, match="both lists name the label 'hateful'"):
        Negation(praise=["hateful"], blame=["hateful"], language="de")
    data = [Example({"text": "Das ist gut."}, label) for label in ("hateful", "non-hateful")]
    with pytest.raises(UsageError, match=r"\(hateful, non-hateful\).*praise: \[\.\.\.\]"):
        robustfim.perturb({"use": "languages/negation", "language": "de"}, data)
    spec = {"use": "languages/negation", "language": "de", "praise": ["non-hateful"], "blame": ["hateful"]}
    assert robustfim.perturb(spec, data).texts == [[], ["Das ist nicht gut."]]


@pytest.mark.parametrize("code", known_languages())
def test_the_words_of_a_side_are_mostly_frequent_and_of_no_other(code: str) -> None:
    grammar = language(code).grammar
    praise, blame = (
        [forms for paradigm in side for forms in paradigm.inflected.values()]
        for side in (grammar.praise, grammar.blame)
    )
    assert {form for forms in praise for form in forms}.isdisjoint(form for forms in blame for form in forms)
    known = [forms for forms in praise + blame if any(map(language(code).knows, forms))]
    assert len(known) > 0.85 * len(praise + blame)
    assert min(len(praise), len(blame)) > 40


@pytest.mark.parametrize("code", known_languages())
@pytest.mark.parametrize("tone", ["neutral", "positive", "negative"])
def test_an_added_sentence_stands_behind_a_full_stop(code: str, tone: str) -> None:
    sentences = getattr(language(code).grammar, tone)
    for text in ("xx", "xx.", "xx! "):
        new = {c.example.fields["text"].rstrip() for c in candidates(made(f"{tone}_sentence", code), text)}
        assert new == {
            re.sub(r"(?<!\w)$", "", f"{text.rstrip().rstrip('.!')}{'!' if '!' in text else '.'} {s}") for s in sentences
        }


def test_umlauts_are_spelled_out_or_left_out_where_no_other_word_comes_of_it() -> None:
    new = [c.edits[0].after for c in candidates(made("accents", "de"), "Größe fröhlicher hätte")]
    assert new == ["Groesse", "froehlicher", "frohlicher", "haette"]
