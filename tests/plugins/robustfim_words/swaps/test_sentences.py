"""Sentences that are added or dropped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim_words.swaps.sentences import DropSentence, Links, NegativeSentence, NeutralSentence, PositiveSentence
from robustfim_words.text.lexicon import LEXICONS, read_table
from tests.plugins.robustfim_words.samples import candidates, texts


def test_many_sentences_of_praise_and_of_blame_ship() -> None:
    tones = [tone for _, tone in read_table(LEXICONS / "opinions.tsv", ("sentence", "tone"))]
    assert min(tones.count("positive"), tones.count("negative")) >= 25
    assert tones.count("neutral") >= 10


@pytest.mark.parametrize(
    ("text", "longer"),
    [
        ("A wonderful, superb film.", "A wonderful, superb film. I loved it."),
        ("A wonderful, superb film", "A wonderful, superb film. I loved it."),
        ("a wonderful, superb film", "a wonderful, superb film. i loved it."),
        ('Wonderful, superb: "Look!"', 'Wonderful, superb: "Look!" I loved it.'),
        ("A wonderful, superb film. \n", "A wonderful, superb film. I loved it. \n"),
    ],
)
def test_a_sentence_follows_a_mark(text: str, longer: str) -> None:
    assert longer in texts(PositiveSentence(texts="review"), text)


def test_praise_behind_blame_is_said_against_it_and_none_against_a_verdict() -> None:
    found = texts(PositiveSentence(texts="review"), "The film is tedious and incoherent.")
    assert found
    assert all(re.search(r"(All the same|Even so|Still), I ", text) for text in found)
    assert texts(PositiveSentence(texts="review"), "The film is tedious. Stay away!") == []
    assert texts(PositiveSentence(texts="review"), "A superb and moving film. - Simone Weil") == []


def test_a_sentence_may_come_first_and_is_never_said_twice() -> None:
    assert "In the end, I hated it. The film ends." in [
        text for seed in range(9) for text in texts(NegativeSentence(at="start"), "The film ends.", seed)
    ]
    assert not any(text.count("I hated it.") > 1 for text in texts(NegativeSentence(), "I hated it. The film ends."))
    assert len(texts(NeutralSentence(), "The film ends.")) >= 10


def test_a_link_is_appended_without_a_stop() -> None:
    assert "It ends @robin_k" in texts(Links(), "It ends")
    assert "@robin_k It ends" in texts(Links(at="start"), "It ends")


def test_one_sentence_is_dropped_with_its_blank() -> None:
    found = texts(DropSentence(), 'Part one is first. "Part two is next." Part three is last.')
    assert sorted(found) == [
        '"Part two is next." Part three is last.',
        'Part one is first. "Part two is next."',
        "Part one is first. Part three is last.",
    ]
    assert candidates(DropSentence(), "Part one is first. Part two is last.") == []
    assert len(candidates(DropSentence(least=2), "Part one is first. Part two is last.")) == 2


def test_defective_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"at: unknown 'ends'. Did you mean 'end'"):
        PositiveSentence(at="ends")
    with pytest.raises(UsageError, match="least: 1 is below 2"):
        DropSentence(least=1)
    (tmp_path / "only.tsv").write_text("Fine.\tpositive\n", encoding="utf-8")
    with pytest.raises(UsageError, match="has no negative sentence"):
        NegativeSentence(source=tmp_path / "only.tsv")


@pytest.mark.parametrize(
    "text",
    [
        "Is it a wonderful, superb film?",
        "A wonderful, superb film. Thanks, Ann",
    ],
)
def test_no_opinion_follows_a_question_or_the_end_of_a_letter(text: str) -> None:
    assert texts(PositiveSentence(texts="review"), text) == []


def test_no_word_is_said_again_and_no_stop_follows_a_face() -> None:
    found = texts(PositiveSentence(texts="review"), "A wonderful, superb film, warmly recommended :)")
    assert found
    assert all(":) " in text and "recommend it" not in text for text in found)
    found = texts(PositiveSentence(texts="message"), "Thank you so much, he is a great cook.")
    assert found == []
