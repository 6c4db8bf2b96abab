"""The likeliest answers are those of a slow loop over all windows and spans."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustfim.prediction import normal_form
from robustfim_huggingface.answering.spans import Window, best_answers

CONTEXT = "The old town. An old Tower, the town"
WORDS = [(0, 3), (4, 7), (8, 12), (12, 13), (14, 16), (17, 20), (21, 26), (26, 27), (28, 31), (32, 36)]


@st.composite
def windows(draw: st.DrawFn) -> list[Window]:
    """Windows of the words that overlap, each behind three tokens that are none of the context's."""
    size, step = draw(st.sampled_from([(4, 2), (6, 5), (10, 10)]))
    logits = st.integers(-30, 30).map(lambda number: number / 10)
    made = []
    for start in range(0, len(WORDS), step):
        part = WORDS[start : start + size]
        offsets = np.array([(0, 0)] * 3 + part, dtype=np.int64)
        values = draw(st.lists(logits, min_size=2 * len(offsets), max_size=2 * len(offsets)))
        starts, ends = np.array(values, dtype=np.float64).reshape(2, -1)
        made.append(Window(starts, ends, offsets, float(starts[0] + ends[0])))
    return made


def literal(made: list[Window], most_tokens: int, unanswerable: bool) -> list[tuple[str, float]]:
    scores: dict[tuple[int, int], float] = {}
    for window in made:
        for first in range(3, len(window.offsets)):
            for last in range(first, min(first + most_tokens, len(window.offsets))):
                span = (int(window.offsets[first][0]), int(window.offsets[last][1]))
                score = float(window.starts[first] + window.ends[last])
                scores[span] = max(score, scores.get(span, -math.inf))
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    pairs = [(CONTEXT[start:end], score) for (start, end), score in ranked]
    if unanswerable:
        pairs = sorted([("", min(window.none for window in made)), *pairs], key=lambda item: -item[1])
    total = sum(math.exp(score) for _, score in pairs)
    answers: dict[str, tuple[str, float]] = {}
    for text, score in pairs:
        answers.setdefault(normal_form(text), (text, math.exp(score) / total))
    return list(answers.values())


@given(windows(), st.integers(1, 5), st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_answers_are_those_of_the_slow_loop(made: list[Window], most_tokens: int, unanswerable: bool) -> None:
    found = best_answers(CONTEXT, made, most_tokens=most_tokens, unanswerable=unanswerable, count=100)
    expected = literal(made, most_tokens, unanswerable)
    assert [text for text, _ in found] == [text for text, _ in expected]
    np.testing.assert_allclose([p for _, p in found], [p for _, p in expected], rtol=1e-9)
    few = best_answers(CONTEXT, made, most_tokens=most_tokens, unanswerable=unanswerable, count=3)
    assert few == found[:3]


def window(*starts: float, none: float = 0.0) -> Window:
    offsets = np.array(WORDS[: len(starts)], dtype=np.int64).reshape(-1, 2)
    return Window(np.array(starts), np.zeros(len(starts)), offsets, none)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_logits_that_are_not_finite_give_no_answer(bad: float) -> None:
    assert best_answers(CONTEXT, [window(0.0, bad)], most_tokens=1, unanswerable=False, count=3) == []
    assert best_answers(CONTEXT, [window(0.0, none=bad)], most_tokens=1, unanswerable=True, count=3) == []


def test_a_context_without_a_token_has_no_answer_to_give() -> None:
    assert best_answers("", [window()], most_tokens=1, unanswerable=False, count=3) == [("", 1.0)]
