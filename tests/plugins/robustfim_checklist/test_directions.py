from __future__ import annotations

from typing import Any

import pytest

from robustfim.errors import DataError
from robustfim_checklist.directions import direction
from robustfim_checklist.lines import TestLine
from robustfim_checklist.naming import SENTIMENT


def line(name: str, **expect: Any) -> TestLine:
    return TestLine("tests.jsonl:2", "DIR", "Vocabulary", name, None, [["a", "b"]], expect)


@pytest.mark.parametrize(
    ("name", "label", "against"),
    [("add positive phrases", "positive", "negative"), ("Adding NEGATIVE words", "negative", "positive")],
)
def test_a_name_that_adds_a_label_tells_its_direction(name: str, label: str, against: str) -> None:
    assert direction(line(name), None, SENTIMENT) == {
        "label": label,
        "direction": "up",
        "tolerance": 0.1,
        "against": against,
    }


@pytest.mark.parametrize("name", ["intensifiers", "remove positive phrases", "add positive and negative", "add thanks"])
def test_where_nothing_tells_the_direction_there_is_none(name: str) -> None:
    assert direction(line(name), None, SENTIMENT) is None
    assert direction(line(name), {"where": {"original": "positive"}}, SENTIMENT) is None


def test_a_condition_leaves_the_direction_to_the_name() -> None:
    told = direction(line("add positive phrases"), {"where": {"original": "positive"}}, SENTIMENT)
    assert told == direction(line("add positive phrases"), None, SENTIMENT)


def test_the_suite_comes_before_the_line_and_the_line_before_the_name() -> None:
    told = line("add positive phrases", label="negative", direction="down")
    assert direction(told, {"direction": "same"}, SENTIMENT) == {"direction": "same"}
    assert direction(told, None, SENTIMENT) == {"label": "negative", "direction": "down"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lable": "positive"}, "unknown option 'lable' of the direction of 'x'. Did you mean 'label'?"),
        ({"direction": "upp"}, "unknown direction 'upp' of 'x'. Did you mean 'up'?"),
        ({"tolerance": "0.1"}, "the tolerance of 'x' must be a number"),
        ({"tolerance": 1.5}, "tolerance must lie in [0, 1), not 1.5"),
        ({"label": "a", "against": "a"}, "the label that is watched"),
    ],
)
def test_a_wrong_direction_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as raised:
        direction(line("x"), options, SENTIMENT)
    assert str(raised.value).startswith("tests.jsonl:2: ")
    assert message in str(raised.value)
