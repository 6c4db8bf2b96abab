"""The filter of rules: a rule is kept if the changed texts nearly always have the same meaning."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from robustfim.roles import Paraphraser
from robustfim.seeds import random_for
from robustfim_sears.mining.seas import scores

__all__ = ["SAMPLE", "Equivalence", "Share"]

SAMPLE = 100
"""The most applications of a rule that are scored: a paraphraser may be a large model."""

_FIRST = 10

Pair = tuple[str, str]
"""A text and what a rule made of it."""


class Share(NamedTuple):
    """How many texts changed by a rule keep their meaning, of those that a paraphraser scored.

    Attributes:
        equivalent: Changed texts whose score S is at least the threshold τ.
        scored: All scored changed texts.
    """

    equivalent: int
    scored: int


class Equivalence:
    """Estimates how often a rule r keeps the meaning, E[SemEq(x, r(x))], by a paraphraser's score S.

    SemEq is 1 if S(x, r(x)) ≥ τ, else 0. The expectation is over the texts x that the rule changes; at most 100 of them
    are drawn at random. Scores of pairs are cached.
    """

    def __init__(self, paraphraser: Paraphraser, tau: float, seed: int) -> None:
        self._paraphraser, self._tau, self._seed = paraphraser, tau, seed
        self._known: dict[Pair, float] = {}

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """Return the scores of pairs; each distinct pair is scored once."""
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        found = scores(self._paraphraser, [old for old, _ in fresh], [new for _, new in fresh])
        self._known.update(zip(fresh, found, strict=True))
        return [self._known[pair] for pair in pairs]

    def shares(self, rules: Sequence[tuple[str, Sequence[Pair]]], delta: float) -> list[Share | None]:
        """Filter rules: keep those that preserve the meaning in a fraction of at least 1 − δ of their changes.

        Ten changed texts of each rule are scored first. The remaining texts are scored only for rules that can still
        reach 1 − δ, which does not change the result.

        Returns:
            For each kept rule the counts of scored texts; None for a rejected rule.
        """
        drawn = [self._draw(name, pairs) for name, pairs in rules]
        # 10 of 100 may fail at δ = 0.1, whose product 100 · 0.1 is not exactly 10.
        allowed = [math.floor(delta * len(pairs) + 1e-9) for pairs in drawn]
        self.score([pair for pairs in drawn for pair in pairs[:_FIRST]])
        hopeful = [each for each, pairs in enumerate(drawn) if self._failures(pairs[:_FIRST]) <= allowed[each]]
        self.score([pair for each in hopeful for pair in drawn[each]])
        fractions: list[Share | None] = [None] * len(rules)
        for each in hopeful:
            failures = self._failures(drawn[each])
            if failures <= allowed[each]:
                fractions[each] = Share(len(drawn[each]) - failures, len(drawn[each]))
        return fractions

    def _draw(self, name: str, pairs: Sequence[Pair]) -> Sequence[Pair]:
        return random_for(self._seed, "equivalence", name).sample(pairs, min(SAMPLE, len(pairs)))

    def _failures(self, pairs: Sequence[Pair]) -> int:
        return sum(self._known[pair] < self._tau for pair in pairs)
