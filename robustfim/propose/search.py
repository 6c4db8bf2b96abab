"""Searches run round by round: each asks about some texts, and continues with the answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import atanh

from robustfim.candidate import Candidate
from robustfim.judgement import Judgement
from robustfim.roles import Answer, Searching

__all__ = ["in_step", "nearness"]

_SURE = 1 - 1e-12
"""The largest margin; with a larger one, the nearness would not be finite."""


def nearness(judgement: Judgement) -> float:
    """Return how close a perturbed text is to failing its check, on an unbounded scale.

    Returns:
        artanh of the margin in probability by which the text failed; larger is closer to failing. For two classes this
        is half the log-odds of the other label. On this scale, the effects of several edits roughly add up.
    """
    return atanh(max(-_SURE, min(_SURE, judgement.margin)))


def in_step(
    searches: Sequence[Searching], ask: Callable[[list[tuple[int, Candidate]]], Sequence[Answer | None]]
) -> None:
    """Run several searches in parallel, so that the model gets the texts of all searches in one batch.

    Args:
        searches: The searches.
        ask: A function that tests perturbed texts, given as pairs (index of the search, text), and returns the results
            in the same order.
    """
    waiting = {index: batch for index, search in enumerate(searches) if (batch := next(search, None))}
    while waiting:
        answers = iter(ask([(index, candidate) for index, batch in waiting.items() for candidate in batch]))
        following = {}
        for index, batch in waiting.items():
            with suppress(StopIteration):
                following[index] = searches[index].send([next(answers) for _ in batch])
        waiting = following
