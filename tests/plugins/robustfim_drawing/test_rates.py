"""The sentence about what fails in a run, in the words of the checks' expectations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import pytest

import robustfim
from robustfim import Edit, Example
from robustfim_drawing import reach_lines


class Swap:
    """Puts ``beta`` in the place of ``alpha``."""

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the one edit."""
        yield Edit("text", 0, 5, "alpha", "beta", origin="beta")


def answers(texts: Sequence[str]) -> list[list[float]]:
    """Probabilities of a and b: b where a weak text has ``beta``, and where a text is wrong."""
    bad = [0.9 if "wrong" in text or ("beta" in text and "weak" in text) else 0.1 for text in texts]
    return [[1 - each, each] for each in bad]


TEXTS = ["alpha weak"] * 3 + ["alpha wrong"] * 2 + ["alpha"] * 5
"""Of ten texts with the label a, three change, and two are wrong before and after."""


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ("invariant", "3 of 8 tested examples broken by a changed text: 37.5 %"),
        ("correct", "3 of 10 tested examples broken by a changed text: 30 %"),
        ("changes", "7 of 10 tested examples failing 'changes': 70 %"),
        ({"use": "equals", "label": ["b"]}, "5 of 10 tested examples failing 'equals': 50 %"),
    ],
)
def test_what_fails_is_said_in_the_word_of_its_expectation(expect: str | Mapping[str, Any], said: str) -> None:
    data = [{"text": f"{text} {n}", "label": "a"} for n, text in enumerate(TEXTS)]
    check = {"perturb": {"use": Swap()}, "expect": expect}
    suite = {"suite": "s", "one_label": True, "allow_weak": True}
    record = robustfim.run(suite, model=answers, labels=["a", "b"], data=data, checks={"swap": check}).record
    (line,) = reach_lines(record)
    assert line.startswith(said)
