"""Sentences that are added or dropped."""

from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim_words.swaps.drop_sentence import DropSentence
from robustfim_words.swaps.sentences import Links, NegativeSentence, NeutralSentence, PositiveSentence
from robustfim_words.text.lexicon import LEXICONS, read_table
from tests.plugins.robustfim_words.samples import candidates, texts


def test_many_sentences_of_praise_and_of_blame_ship() -> None:
    tones = [tone for _, tone in read_table(LEXICONS / "opinions.tsv", ("sentence", "tone"))]
    assert min(tones.count("positive"), tones.count("negative")) >= 25
    assert tones.count("neutral") >= 10


@pytest.mark.parametrize(
    ("text", "longer"),
    [
        ("A wonderful, superb film.", "A wonderful, superb film. I loved the film."),
        ("A wonderful, superb film", "A wonderful, superb film. I loved the film."),
        ("a wonderful, superb film", "a wonderful, superb film. i loved the film."),
        ('Wonderful, superb: "Look!"', 'Wonderful, superb: "Look!" I loved it.'),
        ("A wonderful, superb film. \n", "A wonderful, superb film. I loved the film. \n"),
    ],
)
def test_a_sentence_follows_a_mark(text: str, longer: str) -> None:
    assert longer in texts(PositiveSentence(texts="review"), text)


def test_the_writer_says_on_the_side_of_the_text_what_was_thought_and_others_on_the_other() -> None:
    dull = "This movie is dreadful and awful, tedious and incoherent."
    praised = texts(PositiveSentence(texts="review"), dull)
    assert "I couldn't" not in " ".join(praised)
    assert f"{dull} My sister loved the movie." in praised
    assert f"{dull} The movie was bad." in texts(NegativeSentence(texts="review"), dull)
    assert texts(PositiveSentence(texts="review"), f"Nobody could like it. {dull}") == []
    assert f"My brother saw it. {dull} My sister loved the movie." in texts(
        PositiveSentence(texts="review"), f"My brother saw it. {dull}"
    )
    assert "My brother really" not in " ".join(texts(PositiveSentence(texts="review"), f"My brother saw it. {dull}"))


@pytest.mark.parametrize(
    ("text", "longer"),
    [
        ("the pace is uneven .", "the pace is uneven . my sister loved it ."),
        ("This restaurant opens late.", "This restaurant opens late. My sister loved the restaurant."),
        (
            "The book of the year became this movie of ours.",
            "The book of the year became this movie of ours. My sister loved the movie.",
        ),
        ("The rising place of this film.", "The rising place of this film. My sister loved the film."),
    ],
)
def test_others_say_what_they_loved(text: str, longer: str) -> None:
    found = texts(PositiveSentence(texts="review"), text)
    assert longer.removesuffix(" .") in {each.removesuffix(".") for each in found} | set(found)
    assert all("minute" not in each for each in texts(PositiveSentence(texts="review"), "This restaurant opens late."))


@pytest.mark.parametrize(
    "text",
    [
        "She plays the piano well, and I like her.",
        "A film of the old school (tel. 555 0139)",
        "A wonderful, superb film. Sunday, May 5, 1996",
        "A superb and moving film. - Simone Weil",
        "A superb and moving film./",
    ],
)
def test_no_opinion_follows_a_person_a_date_a_number_or_a_signature(text: str) -> None:
    assert texts(PositiveSentence(texts="review"), text) == []


def test_a_mood_needs_words_that_fit_it() -> None:
    assert "I love my new bike! I feel great today." in texts(PositiveSentence(texts="message"), "I love my new bike!")
    assert texts(PositiveSentence(texts="message"), "They never called me back.") == []
    assert texts(NegativeSentence(texts="message"), "I love my new bike!") == []


@pytest.mark.parametrize(
    ("text", "behind"),
    [
        ("See you on Friday. Regards, Ann", {"Sent from my phone."}),
        ("My neighbours make too much noise.", {"Sent from my phone.", "I am writing this from home."}),
        ('The mayor said: "We are ready."', set()),
    ],
)
def test_a_post_gets_a_remark_and_a_signature_only_the_phone_s(text: str, behind: set[str]) -> None:
    found = {each.removeprefix(f"{text.rstrip('.')}. ") for each in texts(NeutralSentence(), text)}
    assert behind <= found
    assert behind == found or len(found) > len(behind) > 1


def test_a_sentence_may_come_first_and_is_never_said_twice() -> None:
    assert "My sister hated the film. The film ends." in texts(
        NegativeSentence(at="start", texts="review"), "The film ends."
    )
    assert not any(text.count("hated the film.") > 1 for text in texts(NegativeSentence(), "I hated the film."))
    assert len(texts(NeutralSentence(), "The film ends.")) >= 4


def test_it_is_not_said_behind_another_work_nor_more_behind_more() -> None:
    praise = PositiveSentence(texts="review")
    found = texts(praise, "A wonderful, superb film. We liked Heat.")
    assert found
    assert not any("the film" in text or "loved it" in text for text in found)
    assert not any(
        "for more" in text for text in texts(praise, "A wonderful, superb film that leaves us wanting more.")
    )


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
    assert all(":) " in text and "recommend the" not in text for text in found)
    found = texts(PositiveSentence(texts="message"), "Thank you so much, he is a great cook.")
    assert found == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("We met the chef. He was kind. These cakes are his work.", "He was kind."),
        ("The hall is cold here. At least it is near. The door was open.", "The hall is cold here."),
        ("We drove all day. The inn was full. You looked well though.", "The inn was full."),
        ("Our guide was called Marlon Reed. The views were grand. We would hire him again.", "Marlon Reed."),
        ("We read of Meg. The tale says Meg has curls. In town she has none.", "The tale says"),
        ("The roof leaks. Well, it didn't in May. The roof is perfect now.", "Well, it didn't in May."),
        ("We slept late. Two loud boys ran past the tents. Nobody could stop the boys.", "Two loud boys"),
        ("We saw the lake. A nurse sat on a bench. Of course we asked whether she swims.", "A nurse sat"),
        ("We saw the lake. Two swans slept on ice. I only wonder how that is done.", "Two swans slept"),
        ("We like the inn. It has a boat for guests. How can we book it?", "It has a boat for guests."),
        ("It rained on the coast. For us it was fine. The beach was empty.", "It rained on the coast."),
        ("The bay is small. Three clubs rent boats there. One of them is cheap.", "Three clubs rent boats there."),
        (
            "The bay is small. The water is always blue. I wonder who painted this odd blue.",
            "The water is always blue.",
        ),
        ("We slept. My cat ran up a tall tree. Why, how can I get it down now that it sits there?", "My cat ran"),
        ("The end. Oh. " + "The very long tale went on and on, " * 3 + "as tales do.", "as tales do."),
    ],
)
def test_no_sentence_is_dropped_that_others_lean_on_or_that_is_most_of_the_text(text: str, kept: str) -> None:
    found = texts(DropSentence(), text)
    assert all(kept in each for each in found)
