"""Long texts read window by window: how they are cut, what is asked and kept, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import robustfim
from robustfim.decision import DecisionRule, EachRule
from robustfim.errors import SuiteError
from robustfim.example import Example
from robustfim.predict.decided import decided
from robustfim.predict.queue import PredictionQueue
from robustfim.predict.store import Store
from robustfim.predict.windowed import Windowed, Windows, windowed
from robustfim.window import windows
from tests.robustfim.toys import CountingModel, probabilities

RULE = DecisionRule(0.5, "negative")
LONG = "one two good three, four bad five six dull seven eight nine fine ten."


def long_films(number: int) -> list[dict[str, str]]:
    """Texts of 40 words, of which one in two speaks ill of a film far behind its beginning."""
    return [
        {"text": f"film {row} " + "word " * 30 + ("bad " if row % 2 else "good ") + "word " * 8, "label": label}
        for row, label in ((row, ("positive", "negative")[row % 2]) for row in range(number))
    ]


def literal_windows(text: str, size: int, stride: int) -> list[str]:
    """Windows of a text of words and single blanks."""
    words = text.split()
    if len(words) <= size:
        return [text]
    found, first = [], 0
    while True:
        found.append(" ".join(words[first : first + size]))
        if first + size >= len(words):
            return found
        first += stride


@pytest.mark.parametrize(("size", "stride"), [(5, 5), (5, 3), (4, 1), (14, 14), (13, 2), (1, 1)])
def test_a_text_is_cut_into_windows_that_leave_nothing_out(size: int, stride: int) -> None:
    text = " ".join(f"w{number}" for number in range(14))
    cut = Windows(size, stride, "mean").cut(Example({"text": text}))
    assert [window.text for window, _, _ in cut] == literal_windows(text, size, stride) or [
        window.text.rstrip() for window, _, _ in cut
    ] == literal_windows(text, size, stride)
    for window, field, start in cut:
        assert text[start:].startswith(window.text)
        assert field == "text"


def test_the_longest_field_is_cut_and_the_others_stay_whole() -> None:
    example = Example({"premise": LONG, "hypothesis": "It is good."}, "yes", {"id": 3})
    cut = Windows(5, 5, "mean").cut(example)
    assert len(cut) == 3
    assert {window.fields["hypothesis"] for window, _, _ in cut} == {"It is good."}
    assert "".join(window.fields["premise"] for window, _, _ in cut).replace(" ", "").replace(",", "") == LONG.replace(
        " ", ""
    ).replace(",", "")
    assert all((window.label, dict(window.meta)) == ("yes", {"id": 3}) for window, _, _ in cut)


@pytest.mark.parametrize("join", ["max", "mean"])
def test_the_answer_is_made_of_those_of_the_windows(join: Any, tmp_path: Path) -> None:
    inner = CountingModel()
    model = windowed(inner, Windows(5, 3, join), RULE)
    example = Example({"text": LONG.replace(",", "").replace(".", "")})
    rows = [probabilities(window) for window in literal_windows(example.text, 5, 3)]
    expected = max(rows, key=lambda row: row[0]) if join == "max" else np.mean(rows, axis=0).tolist()
    assert model.predict([example])[0] == pytest.approx(expected)
    queue = PredictionQueue(decided(model, RULE), Store(tmp_path / "store.sqlite"))
    short = Example({"text": "a good film"})
    found = queue.predict([example, short, example])
    assert [found[0], found[1]] == [found[2], queue.predict([short])[0]]
    assert found[0] is not None
    assert found[0].probability("negative") == pytest.approx(expected[0])
    assert queue.sent == len(rows) + 1, "each window is a text, and none is sent twice"


def test_windows_are_kept_as_texts_that_serve_any_rule_stride_and_the_model_alone(tmp_path: Path) -> None:
    store, text = Store(tmp_path / "store.sqlite"), LONG.replace(",", "").replace(".", "")
    inner = CountingModel()
    first = PredictionQueue(decided(windowed(inner, Windows(5, 3, "max"), RULE), RULE), store)
    first.predict([Example({"text": text})])
    other = PredictionQueue(windowed(inner, Windows(5, 3, "mean"), None), store)
    other.predict([Example({"text": text})])
    alone = PredictionQueue(inner, store)
    alone.predict([Example({"text": window}) for window in literal_windows(text, 5, 3)])
    assert (other.sent, alone.sent) == (0, 0)
    assert len({each.decider for each in (first, other, alone)}) == 3, "scores of each are their own"


def test_of_several_labels_the_highest_of_each_is_taken() -> None:
    rule = EachRule.of({"negative": 0.5, "positive": 0.5})
    model = windowed(CountingModel(), Windows(2, 2, "max"), rule)
    assert model.join([[0.9, 0.1], [0.2, 0.7]]) == [0.9, 0.7]
    assert windowed(CountingModel(), Windows(2, 2, "mean"), rule).join([[0.9, 0.1], [0.2, 0.7]]) == pytest.approx(
        [0.55, 0.4]
    )


class Short(CountingModel):
    """Reads four words."""

    def window(self, examples: Any) -> Any:
        return [
            None if len(each.text.split()) <= 4 else [("text", 0, len(" ".join(each.text.split()[:4])))]
            for each in examples
        ]


def test_with_windows_nothing_is_unread_unless_they_are_longer_than_the_model_reads() -> None:
    example = Example({"text": "a b c d e f g h i j k"})
    assert windows(Short(), [example]) != [None]
    assert windows(windowed(Short(), Windows(4, 2, "mean"), None), [example]) == [None]
    (told,) = windows(windowed(Short(), Windows(6, 6, "mean"), None), [example]) or [None]
    assert told is not None
    assert [example.text[start:end].strip() for _, start, end in told.parts] == ["a b c d", "g h i j"]


def test_a_run_finds_what_lies_behind_the_first_window() -> None:
    rows = long_films(40)

    def short(texts: list[str]) -> list[list[float]]:
        return [probabilities(" ".join(text.split()[:16])) for text in texts]

    how = {"size": 16, "stride": 8, "join": "max"}
    spec = {
        "use": "python",
        "call": short,
        "labels": ["negative", "positive"],
        "decide": {"label": "negative", "at": 0.6},
    }
    made = robustfim.run(
        model={**spec, "windows": how}, data=rows, checks={"right": {"perturb": "itself", "expect": "correct"}}
    )
    assert made.record.model.accuracy == 1.0
    assert made.record.model.fingerprint is not None
    assert "in windows of 16 words every 8, max of negative" in made.record.model.fingerprint


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("big", "'windows' is {size: 200"),
        ({"size": 5, "stride": 3}, "'windows' is {size: 200"),
        ({"size": 0, "stride": 3, "join": "mean"}, "'windows.size' is a number of words, at least 1, not 0"),
        ({"size": 5, "stride": 6, "join": "mean"}, "'windows.stride' 6 is larger than the size 5"),
        ({"size": 5, "stride": 5, "join": "min"}, "'windows.join' is max or mean, not 'min'"),
        ({"size": 5, "stride": 5, "join": "max"}, "the model decides for none"),
    ],
)
def test_wrong_windows_are_refused_before_the_model_is_asked(value: Any, said: str) -> None:
    with pytest.raises(SuiteError, match="windows") as refused:
        robustfim.run(
            model={"use": "reference/fasttext", "windows": value}, data="reviews", checks={"t": {"perturb": "typos"}}
        )
    assert said in str(refused.value)


def test_a_model_without_gradients_gets_none_by_windows() -> None:
    model = windowed(CountingModel(), Windows(4, 2, "mean"), None)
    assert type(model) is Windowed
    assert not hasattr(model, "embed")
