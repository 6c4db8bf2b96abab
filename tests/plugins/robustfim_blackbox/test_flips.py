"""The flip rate, against a slow literal count."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import pytest

from robustfim import Example
from robustfim_blackbox.flips import Flips, dropped
from tests.robustfim.toys import Bench, CountingModel, example, probabilities


def texts(source: str, queries: int) -> list[str]:
    return [each.text for each in dropped(example(source), queries)]


def test_a_short_text_loses_each_word_once() -> None:
    assert texts("a good film", 20) == ["good film", "a film", "a good"]


def test_a_long_text_loses_each_run_of_words_once() -> None:
    words = [f"w{number}" for number in range(7)]
    left = texts(" ".join(words), 3)
    assert left == ["w2 w3 w4 w5 w6", "w0 w1 w4 w5 w6", "w0 w1 w2 w3"]
    assert len(texts(" ".join(words * 50), 20)) == 20


def test_no_field_is_emptied() -> None:
    assert texts("good", 20) == []
    assert texts("", 20) == []
    pair = Example({"premise": "a good film", "hypothesis": "fine"})
    left = [dict(each.fields) for each in dropped(pair, 20)]
    assert left == [
        {"premise": "good film", "hypothesis": "fine"},
        {"premise": "a film", "hypothesis": "fine"},
        {"premise": "a good", "hypothesis": "fine"},
    ]


def test_the_label_and_the_rest_of_the_row_are_kept() -> None:
    (edited, _) = dropped(Example({"text": "a b"}, "positive", {"row": 3}), 20)
    assert (edited.label, dict(edited.meta)) == ("positive", {"row": 3})


REVIEWS = ["a good film", "good but bad and dull", "bad bad bad", "fine fine dull dull bad good", "dull good"]


def literal(text: str) -> float:
    """The share of words without which the label is another."""
    words = text.split()
    before = probabilities(text)
    label = before.index(max(before))
    after = [probabilities(" ".join(words[:at] + words[at + 1 :])) for at in range(len(words))]
    hard = [row.index(max(row)) != label for row in after]
    return sum(hard) / len(hard)


def test_the_score_is_the_share_of_words_whose_loss_flips_the_label() -> None:
    bench = Bench([example(text) for text in REVIEWS])
    hard = [literal(text) for text in REVIEWS]
    assert Flips().score(bench.examples, bench.context) == pytest.approx(hard)
    assert len(set(hard)) > 2, "the reviews must differ, or nothing is compared"


def test_it_costs_no_more_than_it_says() -> None:
    model = CountingModel()
    bench = Bench([example(f"{text} {number}") for number, text in enumerate(REVIEWS)], model=model)
    Flips(queries=3).score(bench.examples, bench.context)
    assert bench.queue.sent <= len(REVIEWS) * (1 + 3)
    sent = bench.queue.sent
    Flips(queries=3).score(bench.examples, bench.context)
    assert bench.queue.sent == sent, "answers are kept"


def test_a_text_of_one_word_has_no_flip_rate() -> None:
    bench = Bench([example("good"), example("good bad")])
    scores = Flips().score(bench.examples, bench.context)
    assert isnan(scores[0])
    assert scores[1] == 0.5


class Silent(CountingModel):
    """Gives no numbers for a text that begins with "a"."""

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        return [[float("nan")] * 2 if each.text.startswith("a") else probabilities(each.text) for each in examples]


def test_texts_without_an_answer_do_not_count() -> None:
    bench = Bench([example("a good film"), example("bad a good good")], model=Silent())
    scores = Flips().score(bench.examples, bench.context)
    assert isnan(scores[0])
    assert scores[1] == pytest.approx(literal_of_silent())


def literal_of_silent() -> float:
    label = max(range(2), key=probabilities("bad a good good").__getitem__)
    kept = ["bad good good", "bad a good", "bad a good"]
    return sum(max(range(2), key=probabilities(text).__getitem__) != label for text in kept) / len(kept)
