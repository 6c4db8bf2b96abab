"""The paraphraser that ships with its rewrites."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustfim.errors import UsageError
from robustfim.roles import Paraphrase
from robustfim_sears.paraphrase.phrases import Phrases
from tests.plugins.robustfim_sears.small import context


@pytest.fixture(scope="module")
def phrases() -> Phrases:
    made = Phrases()
    made.prepare(context())
    return made


def texts(found: list[Paraphrase]) -> list[str]:
    return [paraphrase.text for paraphrase in found]


def test_a_review_is_rewritten_in_many_ways(phrases: Phrases) -> None:
    (found,) = phrases.paraphrase(["This movie is really good, but it's an awful story."], seed=0)
    assert {
        "This film is really good, but it's an awful story.",
        "This movie is truly good, but it's an awful story.",
        "This movie is really good, but it's a terrible story.",
        "Honestly, this movie is really good, but it's an awful story.",
        "This movie is really good, but it's an awful story",
    } <= set(texts(found))
    assert len(found) > 20
    assert not any(" was " in paraphrase.text for paraphrase in found)


def test_a_question_is_asked_in_other_ways(phrases: Phrases) -> None:
    (found,) = phrases.paraphrase(["What is the color?"], seed=0)
    assert {"What's the color?", "So what is the color?", "What is the color??", "What is the colour?"} <= set(
        texts(found)
    )
    (found,) = phrases.paraphrase(["What color is the film?"], seed=0)
    assert "Which color is the film?" in texts(found)


def test_the_surest_come_first_and_two_changes_are_made_at_once(phrases: Phrases) -> None:
    (found,) = phrases.paraphrase(["This movie is really good."], seed=0)
    scores = [paraphrase.score for paraphrase in found]
    assert scores == sorted(scores, reverse=True)
    single = Phrases(together=1)
    single.prepare(context())
    (alone,) = single.paraphrase(["This movie is really good."], seed=0)
    assert set(texts(alone)) < set(texts(found))


def test_its_own_score_is_that_of_its_paraphrases(phrases: Phrases) -> None:
    text = "This movie is really good, but the plot isn't."
    (found,) = phrases.paraphrase([text], seed=0)
    assert phrases.score([text] * len(found), texts(found)) == [paraphrase.score for paraphrase in found]
    assert phrases.score([text], [text]) == [1.0]
    assert phrases.contract.score == "edit"
    (wrong,) = phrases.score([text], ["This movie is really bad, but the plot isn't."])
    assert wrong < phrases.contract.tau < found[0].score


def test_no_text_has_more_paraphrases_than_asked_for() -> None:
    few = Phrases(most=3)
    few.prepare(context())
    (found,) = few.paraphrase(["This movie is really good, but the plot isn't."], seed=0)
    assert len(found) == 3


def test_a_text_and_a_seed_decide_its_paraphrases_alone(phrases: Phrases) -> None:
    text, other = "This movie is really good, but the plot isn't dull.", "What is it?"
    alone, again = phrases.paraphrase([text], seed=0)[0], phrases.paraphrase([other, text, text], seed=0)
    assert again[1] == again[2] == alone
    assert set(texts(phrases.paraphrase([text], seed=1)[0])) != set(texts(alone))


def test_empty_foreign_and_strange_texts_have_few_paraphrases_or_none(phrases: Phrases) -> None:
    empty, blank, foreign, emoji = phrases.paraphrase(["", "  \n", "Un très beau récit", "🎬🎬 👍"], seed=0)
    assert empty == blank == foreign == emoji == []
    (mixed,) = phrases.paraphrase(["Une movie 🎬 très bien"], seed=0)
    assert [text.split()[1] for text in texts(mixed)] == ["film", "flick", "motion", "picture"]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from(["movie", "What", "is", "it's", "é", "🎬", "?", ".", "an", "awful", "\n", "'", "—"])
        | st.text(max_size=3),
        max_size=12,
    )
)
def test_paraphrases_differ_from_the_text_and_from_each_other(phrases: Phrases, words: list[str]) -> None:
    text = " ".join(words)
    (found,) = phrases.paraphrase([text], seed=0)
    assert text not in texts(found)
    assert len(set(texts(found))) == len(found)
    assert all(0 < paraphrase.score <= 1 for paraphrase in found)


def test_rewrites_of_ones_own_take_the_place_of_the_shipped_ones(tmp_path: Path) -> None:
    own = tmp_path / "own.tsv"
    own.write_text("movie → talkie\tany\t0.5\n", encoding="utf-8")
    made = Phrases(source=own)
    made.prepare(context())
    assert made.paraphrase(["the movie"], seed=0) == [[Paraphrase("the talkie", 0.5 * (1 - 1 / 2 / 2))]]
    assert made.resources()["paraphraser"] != Phrases().resources()["paraphraser"]


def test_texts_before_the_tagger_are_refused() -> None:
    with pytest.raises(UsageError, match="'prepare' must be called first"):
        Phrases().paraphrase(["the movie"], seed=0)


def test_with_an_encoder_the_score_is_the_similarity(encoder: Path) -> None:
    made = Phrases(encoder=encoder, device="cpu")
    made.prepare(context())
    (found,) = made.paraphrase(["the movie is good"], seed=0)
    assert made.contract.score == "similarity"
    assert made.score(["the movie is good"] * len(found), texts(found)) == [paraphrase.score for paraphrase in found]
    assert "encoder" in made.resources()["paraphraser"]
