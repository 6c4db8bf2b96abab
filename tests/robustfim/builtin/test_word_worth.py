"""What words are worth: naive Bayes on the model's scale, and a Kalman filter over what was asked."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest

from robustfim.builtin.word_worth import WordWorth, log_odds
from robustfim.candidate import Edit
from tests.robustfim.toys import example, prediction

DATA = [example(text) for text in ("good film", "fine film", "good day", "bad film", "dull film", "bad day", "film")]


def worth() -> WordWorth:
    return WordWorth((each, prediction(each.text)) for each in DATA)


def swap(before: str, after: str, origin: str = "test") -> Edit:
    return Edit("text", 0, len(before), before, after, origin)


def test_the_worth_of_a_word_begins_with_its_log_odds_by_naive_bayes() -> None:
    found = worth()
    # Positive are four of the seven texts, "film" alone among them; "good" is in two of them and in no other.
    assert found.bayes("good", "positive") == pytest.approx(log(3 / 6) - log(1 / 5))
    assert found.bayes("Bad day", "positive") == pytest.approx(log(1 / 6) - log(3 / 5) + log(2 / 6) - log(2 / 5))
    assert found.bayes("good", "negative") == pytest.approx(-found.bayes("good", "positive"))
    assert found.of("unseen", "positive") == found.bayes("unseen", "positive") == 0.0


def test_its_scale_is_that_of_the_models_log_odds() -> None:
    found = worth()
    x = np.array([found.bayes(each.text, prediction(each.text).label) for each in DATA])
    y = np.array([log_odds(prediction(each.text), prediction(each.text).label) for each in DATA])
    scale = np.linalg.lstsq(x[:, None], y, rcond=None)[0][0]
    assert found.of("good", "positive") == pytest.approx(scale * found.bayes("good", "positive"))


def test_what_was_asked_moves_the_words_that_came_and_went_as_a_kalman_filter_does() -> None:
    found = worth()
    before, after = found.of("good", "positive"), found.of("bad", "positive")
    found.learn([swap("good", "bad")], "positive", 5.0)
    # Two words of variance 1, seen through a noise of variance 1/2: each takes 1 / (1 + 1 + 1/2) of what was missed.
    missed = 5.0 - (before - after)
    assert found.of("good", "positive") == pytest.approx(before + 0.4 * missed)
    assert found.of("bad", "positive") == pytest.approx(after - 0.4 * missed)
    assert found.of("bad", "negative") == pytest.approx(-found.of("bad", "positive"))
    assert found.doubt("good", "positive") == pytest.approx(sqrt(0.6))
    assert found.doubt("good fine", "positive") == found.unknown == 1.0
    assert found.doubt("?", "positive") == found.unknown


def test_words_that_the_data_have_not_are_known_by_the_kind_of_their_edit() -> None:
    found = worth()
    for _ in range(50):
        found.learn([swap("film", "flim", "typos: swap")], "positive", 2.0)
    assert found.of("film", "positive") - found.of("dya", "positive", "typos: swap") == pytest.approx(2.0, abs=0.05)
    assert found.of("dya", "positive", "typos: drop") == 0.0
