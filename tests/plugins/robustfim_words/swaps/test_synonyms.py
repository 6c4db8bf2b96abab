from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim_words.swaps.synonyms import RandomWords, Synonyms
from robustfim_words.things.nouns import Nouns
from tests.plugins.robustfim_words.samples import edits, perturbation, sentences, texts


@pytest.fixture
def synonyms(tmp_path: Path) -> Synonyms:
    made: Synonyms = perturbation("synonyms", tmp_path)
    return made


@pytest.mark.parametrize(
    "text",
    [
        "We saw Great Expectations.",
        'They showed "Great Walk" there.',
        "Big Ben is old.",
        "This is the dullest film of all.",  # "uninteresting" has no superlative, and "boring" neither
    ],
)
def test_names_titles_particles_and_missing_forms_are_left(synonyms: Synonyms, text: str) -> None:
    touched = {edit.before.lower() for edit in edits(synonyms, text)}
    assert not touched & {"great", "big", "walk", "walked", "dullest", "the dullest"}


def test_an_origin_names_the_entry(synonyms: Synonyms) -> None:
    assert [edit.origin for edit in edits(synonyms, "Two films.")] == [
        "synonyms: film → movie",
        "synonyms: film → picture",
    ]


def test_parts_of_speech_can_be_chosen(tmp_path: Path) -> None:
    made = perturbation("synonyms", tmp_path, pos=["adverb"])
    assert {edit.before for edit in edits(made, "The great film really began quickly.")} == {"really", "quickly"}


def test_a_misspelled_part_of_speech_is_refused() -> None:
    with pytest.raises(UsageError, match=r"unknown 'adverbs'. Did you mean 'adverb'"):
        Synonyms(pos=["adverbs"])


def test_known_antonyms_are_no_synonyms(tmp_path: Path) -> None:
    table = tmp_path / "wrong.tsv"
    table.write_text("good\tadjective\tbad, fine\n", encoding="utf-8")
    assert texts(Synonyms(source=table), "It is a good film.") == ["It is a fine film."]


@pytest.mark.parametrize(
    ("line", "message"),
    sentences("test_a_malformed_line_is_named_with_its_form"),
)
def test_a_malformed_line_is_named_with_its_form(tmp_path: Path, line: str, message: str) -> None:
    table = tmp_path / "wrong.tsv"
    table.write_text(f"# comment\n{line}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        Synonyms(source=table)


def test_a_lexicon_that_is_no_text_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "latin.tsv").write_bytes(b"film\tnoun\tmovie\ncaf\xe9\tnoun\tbar\n")
    with pytest.raises(UsageError, match=r"latin\.tsv:2: not UTF-8"):
        Synonyms(source=tmp_path / "latin.tsv")


def test_an_empty_lexicon_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.tsv").write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(UsageError, match="has no entry"):
        Synonyms(source=tmp_path / "empty.tsv")


def test_the_number_of_alternatives_is_bounded(tmp_path: Path) -> None:
    assert len(edits(perturbation("nouns", tmp_path, alternatives=1), "An uncle and a dog.")) == 2
    with pytest.raises(UsageError, match="alternatives: 0 is below 1"):
        Nouns(alternatives=0)
    with pytest.raises(UsageError, match="alternatives: 0 is below 1"):
        RandomWords(alternatives=0)


def test_all_mentions_of_a_noun_change_together_in_their_own_number(tmp_path: Path) -> None:
    nouns = perturbation("nouns", tmp_path)
    assert set(texts(nouns, "An uncle is here. My uncle's car and two uncles are not.")) == {
        "An aunt is here. My aunt's car and two aunts are not.",
        "A cousin is here. My cousin's car and two cousins are not.",
    }


def test_a_noun_never_becomes_one_that_is_there() -> None:
    assert not any("by Friday" in text for text in texts(Nouns(), "On Friday he came, and by Monday he left."))


def test_a_day_of_work_becomes_another_and_a_day_of_rest_the_other() -> None:
    assert texts(Nouns(), "Shares fell on Saturday.") == ["Shares fell on Sunday."]
    assert not any("Sunday" in text for text in texts(Nouns(), "Shares fell on Friday."))


@pytest.mark.parametrize("text", sentences("test_a_word_with_another_main_sense_takes_no_place"))
def test_a_word_with_another_main_sense_takes_no_place(text: str) -> None:
    assert {edit.after for edit in edits(Synonyms(), text)}.isdisjoint(
        ("authorities", "customer", "A singeing", "holdup", "A compulsory")
    )


def test_no_short_adjective_stands_behind_more() -> None:
    assert not any("more smart" in other for other in texts(Synonyms(), "She is more intelligent than her brother."))
    assert any("smart" in other for other in texts(Synonyms(), "She is intelligent."))


def test_a_verb_like_a_month_and_a_word_before_a_capital_are_no_nouns_of_a_group() -> None:
    assert not any("Julies" in text for text in texts(Nouns(), "But time marches on."))
    assert not any("jeep" in text for text in texts(Nouns(), "The murder of Theo van Gogh shook us."))
