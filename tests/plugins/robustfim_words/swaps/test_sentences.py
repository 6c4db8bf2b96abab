"""Sentences that are added or dropped."""

from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim_words.swaps.drop_sentence import DropSentence
from robustfim_words.swaps.sentences import Links, NegativeSentence, NeutralSentence, PositiveSentence
from robustfim_words.swaps.turning import RAISES
from robustfim_words.text.lexicon import LEXICONS, read_table
from tests.plugins.robustfim_words.samples import candidates, texts
from tests.plugins.robustfim_words.swaps.labelled import prepared_on_labels, proposed


def test_many_sentences_of_praise_and_of_blame_ship() -> None:
    tones = [tone for _, tone, _, _ in read_table(LEXICONS / "opinions.tsv", ("sentence", "tone", "of", "who"))]
    assert min(tones.count("positive"), tones.count("negative")) >= 25
    assert tones.count("neutral") >= 10


def test_praise_stands_behind_a_label_of_praise_alone_which_must_not_lose_by_it() -> None:
    made = prepared_on_labels(PositiveSentence())
    assert "It ends. I loved every minute." not in proposed(made, "It ends.", "positive")  # of what is watched
    assert "It ends. It was excellent." in proposed(made, "It ends.", "positive")
    assert proposed(made, "It ends.", "negative") == proposed(made, "It ends.", "other") == []
    assert made.contract.expects == RAISES
    assert "It ends. It was awful." in proposed(prepared_on_labels(NegativeSentence()), "It ends.", "negative")


def test_with_a_label_every_text_gets_a_sentence_and_the_other_side_somebody_else_s() -> None:
    made = prepared_on_labels(PositiveSentence(label="positive"))
    assert made.contract.expects == {"use": "directional", "direction": "up", "label": "positive"}
    assert "A movie. It was great." in proposed(made, "A movie.", "positive")
    others = proposed(made, "A movie.", "negative")
    assert "A movie. My sister loved it." in others
    assert not any("I loved" in text for text in others)


def test_only_a_text_in_which_its_writer_stands_gets_a_sentence_of_a_message() -> None:
    noise = "My neighbours make too much noise."
    assert f"{noise} Just saying." in texts(NeutralSentence(), noise)
    others = texts(NeutralSentence(), "The neighbours make too much noise.")
    assert "The neighbours make too much noise. More on this later." in others
    assert not any("Just saying" in text for text in others)


def test_a_sentence_may_come_first_and_is_never_said_twice() -> None:
    first = NegativeSentence(at="start", label="negative")
    assert "My sister hated it. The film ends." in texts(first, "The film ends.")
    assert not any(text.startswith("I hated it. I") for text in texts(first, "I hated it."))
    assert len(texts(NeutralSentence(), "The film ends.")) >= 4


@pytest.mark.parametrize(
    ("text", "said", "watched"),
    [
        ("I liked this film.", "I could watch it again and again.", True),
        ("I liked this book; no film is as wonderful as it.", "I could watch it again and again.", False),
        ("This film is a wonder.", "It never gets old.", True),
        ("This film is a wonder.", "I loved it.", False),
    ],
)
def test_what_is_watched_is_said_of_a_show_and_what_one_felt_where_the_writer_stands(
    text: str, said: str, watched: bool
) -> None:
    assert (f"{text} {said}" in proposed(prepared_on_labels(PositiveSentence()), text, "positive")) is watched


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


def test_the_only_sentence_that_carries_the_verdict_is_not_dropped() -> None:
    plot = "A man walks to the sea in winter. He meets a woman there and goes home."
    verdict = "The acting was poor and the jokes were not funny at all."
    found = texts(DropSentence(), f"{plot} {verdict}")
    assert found
    assert all(verdict in text for text in found)
    twice = texts(DropSentence(), f"{plot} {verdict} It was awful and boring from the start.")
    assert any(verdict not in text for text in twice), "another sentence says the same"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("We met the chef. He was kind. These cakes are his work.", "He was kind."),
        ("It rained on the coast. Is the beach empty? We will see.", "Is the beach empty?"),
        ("The bay is small. It has a boat for guests. But we cannot book it.", "It has a boat for guests."),
        ("The end. Oh. " + "The very long tale went on and on, " * 3 + "as tales do.", "as tales do."),
    ],
)
def test_no_sentence_is_dropped_that_others_lean_on_or_that_is_most_of_the_text(text: str, kept: str) -> None:
    found = texts(DropSentence(), text)
    assert all(kept in each for each in found)
