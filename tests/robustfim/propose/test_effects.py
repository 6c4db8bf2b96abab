"""An order is asked about each candidate once, for ever; one that orders nothing is its plugin's error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from robustfim.candidate import Candidate
from robustfim.errors import PluginError
from robustfim.propose.proposal import Proposer
from tests.robustfim.toys import Bench, Rewrite, Swap, check, example, texts

TABLE = {"good": ["fine", "great", "solid"], "film": ["movie"]}


class Longest:
    """Longer replacements first."""

    def __init__(self) -> None:
        self.asked = 0

    def effects(self, candidates: Sequence[Candidate], context: object) -> list[float]:
        self.asked += len(candidates)
        return [float(sum(len(edit.after) for edit in candidate.edits)) for candidate in candidates]


def ranked(bench: Bench, perturbation: Any, order: Any) -> list[Candidate]:
    made = check(perturbation, order=order, perturb={"order": "named"})
    (candidates,) = Proposer(made, bench.context).candidates(bench.examples)
    return candidates


def test_a_guided_order_tries_the_largest_effect_first_and_ranks_once_for_ever() -> None:
    bench, order = Bench([example("a good film")]), Longest()
    for _ in range(2):
        assert [len(candidate.edits[0].after) for candidate in ranked(bench, Swap(TABLE), order)] == [5, 5, 5, 4]
    assert order.asked == 4


def test_a_guided_order_ranks_whole_candidates_stably() -> None:
    rewrite = Rewrite(lambda text: "b", lambda text: "long text", lambda text: "c")
    assert texts(ranked(Bench([example("a")]), rewrite, Longest())) == ["long text", "b", "c"]


@pytest.mark.parametrize(
    ("answer", "message"), [([1.0], "effects gave 1 numbers for 4"), ([math.nan] * 4, "effects gave NaN")]
)
def test_an_order_that_cannot_be_followed_is_its_plugins_error(answer: list[float], message: str) -> None:
    class Wrong:
        def effects(self, candidates: Sequence[Candidate], context: object) -> list[float]:
            return answer

    with pytest.raises(PluginError, match=rf"^order 'named' \(Wrong\): {message}"):
        ranked(Bench([example("a good film")]), Swap(TABLE), Wrong())
