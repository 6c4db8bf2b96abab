"""Slips and changes of form: misreadings, look-alikes, blanks, accents, hyphens, lengthened and doubled words."""

from __future__ import annotations

import unicodedata

from robustfim_words.form.article_errors import Articles
from robustfim_words.form.slips import INVISIBLE, MISREAD, TWINS, Homoglyphs, Invisible, Ocr
from robustfim_words.form.word_breaks import WordBreaks
from robustfim_words.form.words import Elongations, RepeatedWords
from robustfim_words.swaps.synonyms import NearSynonyms, RandomWords
from robustfim_words.swaps.word_swaps import substitutes
from robustfim_words.text import inflection
from robustfim_words.text.lexicon import LEXICONS, read_table
from tests.plugins.robustfim_words.samples import edits, texts


def test_a_misreading_replaces_letters_by_one_of_their_look_alikes() -> None:
    for edit in [edit for seed in range(20) for edit in edits(Ocr(), "Modern burning films", seed)]:
        old, new = edit.origin.removeprefix("ocr: ").split(" → ")
        assert new in MISREAD[old]
        assert edit.after in {
            edit.before[:place] + new + edit.before[place + len(old) :]
            for place in range(len(edit.before))
            if edit.before.startswith(old, place)
        }
        assert not inflection.is_word(edit.after)


def test_a_twin_is_a_letter_of_another_script_in_the_same_case() -> None:
    for letter, twin in TWINS.items():
        assert unicodedata.name(twin).startswith(("CYRILLIC", "GREEK"))
        assert letter.isupper() == twin.isupper()
    for edit in edits(Homoglyphs(), "Brilliant"):
        (place,) = [i for i, letter in enumerate(edit.after) if letter != edit.before[i]]
        assert TWINS[edit.before[place]] == edit.after[place]


def test_an_invisible_character_stands_inside_a_word() -> None:
    for edit in edits(Invisible(), "Brilliant"):
        kind = edit.origin.removeprefix("invisible: ")
        assert unicodedata.category(INVISIBLE[kind]) == "Cf"
        assert edit.after.replace(INVISIBLE[kind], "") == "Brilliant"
        assert edit.after[0] == "B"
        assert edit.after[-1] == "t"


def test_a_word_is_split_or_joined_into_what_is_no_word() -> None:
    for seed in range(20):
        (edit,) = edits(WordBreaks(kinds=["split"]), "brilliant", seed)
        assert edit.after.replace(" ", "") == "brilliant"
        assert min(map(len, edit.after.split())) >= 2
    assert texts(WordBreaks(kinds=["join"]), "in to it. It ends") == ["in toit. It ends", "in to it. Itends"]


def test_articles_are_dropped_or_wrong_but_not_of_quantities() -> None:
    assert texts(Articles(kinds=["drop", "wrong"]), "An old man saw a film.") == [
        "Old man saw a film.",
        "A old man saw a film.",
        "An old man saw film.",
    ]
    assert texts(Articles(), "A few films. A lot. The Queen, vitamin A here.") == []
    assert texts(Articles(), "Sold to b a k e r s.") == []


def test_articles_are_put_in_and_exchanged() -> None:
    assert texts(Articles(kinds=["insert"]), "He wrote a book about dragons.") == ["He wrote a book about the dragons."]
    assert texts(Articles(kinds=["insert"]), "He saw the dragons in Paris.") == []
    assert texts(Articles(kinds=["exchange"]), "An old man saw the film, the dragons and the film's end.") == [
        "The old man saw the film, the dragons and the film's end.",
        "An old man saw a film, the dragons and the film's end.",
    ]
    assert texts(Articles(kinds=["exchange"]), "It was a certain feat.") == ["It was the certain feat."]


def test_a_vowel_is_held_in_words_of_degree() -> None:
    for edit in edits(Elongations(), "It is so boring, a Korean film."):
        assert edit.before in ("so", "boring")
        assert len(edit.before) + 2 <= len(edit.after) <= len(edit.before) + 4


def test_a_small_word_is_typed_twice() -> None:
    assert texts(RepeatedWords(), "The end of IT") == ["The the end of IT", "The end of of IT", "The end of IT IT"]
    assert texts(RepeatedWords(), "Films never had nothing") == ["Films never had had nothing"]


def test_a_near_synonym_is_no_synonym_and_no_opposite() -> None:
    near = substitutes(LEXICONS / "near_synonyms.tsv")
    listed = read_table(LEXICONS / "near_synonyms.tsv", ("lemma", "part of speech", "substitutes"))
    assert len(near) == len(listed)
    for word, pos, cell in listed:
        assert near[word, pos] == tuple(cell.split(", "))
        assert {word, *substitutes().get((word, pos), ())}.isdisjoint(near[word, pos])
    assert texts(NearSynonyms(pos=["adverb"]), "It really works.") == ["It genuinely works."]


def test_random_words_have_the_form_of_the_word() -> None:
    found = [edit for edit in edits(RandomWords(pos=["noun"], alternatives=20), "Two films.") if edit.before == "films"]
    assert len(found) > 10
    assert all(inflection.lemma(edit.after, "NNS") is not None for edit in found)


def test_only_words_that_people_hold_are_held_and_none_of_news() -> None:
    assert texts(Elongations(), "The plan was similar and despicable.") == []
    assert any(text.startswith("The plan was gooo") for text in texts(Elongations(), "The plan was good."))
    report = "Shares of the good airline fell 4 percent in Tokyo on Monday, its chief executive told Reuters."
    assert texts(Elongations(), report) == []
