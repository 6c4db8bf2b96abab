"""Perplexity: how unlikely a text is by counts of pairs of words, whatever the model under test says of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import exp, fsum, log, nan

from robustfim.contract import ScoreContract
from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.roles import Context, DataSource

__all__ = ["Pairs", "Perplexity"]

_TOKEN = re.compile(r"\w+|[^\w\s]")


class Perplexity:
    """The perplexity of the text: exp of its mean negative log-likelihood a token, ≥ 1.

    By counts of pairs of words in training texts, smoothed by Witten and Bell's method (1991); of these the text itself
    is taken away. Costs the model under test nothing. NaN of a text of fewer than two tokens. Several fields are read
    one after the other. A language model is asked by the score ``surprisal``.

    Args:
        train: The texts whose pairs are counted, by their source and options: {use: jsonl, path: train.jsonl}; null for
            the data of the run.
    """

    contract = ScoreContract(hardest="highest")

    def __init__(self, train: DataSource | None = None) -> None:
        self._source = train
        self._pairs: Pairs | None = None

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Score examples."""
        if self._pairs is None:
            pairs = Pairs(context.examples if self._source is None else self._source.load())
            if not pairs:
                raise DataError("perplexity has no training texts whose words could be counted.")
            self._pairs = pairs
        return [self._pairs.perplexity(each) for each in examples]


class Pairs:
    """Counts of words and of pairs of neighbouring words.

    P(w | v) = (c(v w) + T(v) P(w)) / (c(v) + T(v)), with T(v) the different words behind v, and
    P(w) = (c(w) + T / V) / (n + T), V being one more than the T different words (Witten and Bell 1991).

    Args:
        examples: The texts; one that stands several times counts once.
    """

    def __init__(self, examples: Iterable[Example]) -> None:
        self._texts: set[str] = set()
        self._words: Counter[str] = Counter()
        self._pairs: Counter[tuple[str, str]] = Counter()
        for each in examples:
            if each.id not in self._texts:
                self._texts.add(each.id)
                tokens = _tokens(each)
                self._words.update(tokens)
                self._pairs.update(pairwise(tokens))
        self._starts: Counter[str] = Counter()
        for (first, _), number in self._pairs.items():
            self._starts[first] += number
        self._behind = Counter(first for first, _ in self._pairs)

    def __len__(self) -> int:
        """How many different texts were counted."""
        return len(self._texts)

    def perplexity(self, example: Example) -> float:
        """Return the perplexity of a text under the counts of all others."""
        tokens = _tokens(example)
        if len(tokens) < 2:
            return nan
        own = Counter(tokens) if example.id in self._texts else Counter()
        pairs = Counter(pairwise(tokens)) if own else Counter()
        starts = Counter(first for first, _ in pairs.elements())
        gone = [pair for pair, number in pairs.items() if self._pairs[pair] == number]
        fewer = Counter(first for first, _ in gone)
        kinds = len(self._words) - sum(self._words[word] == number for word, number in own.items())
        total = self._words.total() - own.total()
        logs = []
        for first, word in pairwise(tokens):
            uniform = kinds / (kinds + 1) if kinds else 1.0
            alone = (self._words[word] - own[word] + uniform) / (total + kinds) if total + kinds else 1.0
            kept, behind = self._starts[first] - starts[first], self._behind[first] - fewer[first]
            both = self._pairs[first, word] - pairs[first, word]
            logs.append(log((both + behind * alone) / (kept + behind) if kept + behind else alone))
        return exp(min(-fsum(logs) / len(logs), 700.0))


def _tokens(example: Example) -> list[str]:
    return [each.lower() for text in example.fields.values() for each in _TOKEN.findall(text)]
