"""What words are worth for a label: by a model's predictions of the data, and by what it says of perturbed texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import log, sqrt

from robustfim.candidate import Edit
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.words import word_spans

__all__ = ["WordWorth", "log_odds"]

_LEAST = 1e-9
"""No probability counts as smaller."""

_DOUBT = 1.0
"""The variance of a word's worth, in squared log-odds, as long as no text told of it."""

_NOISE = 0.5
"""The variance of what one edit does beside its words' worth: a text is no sum of its words."""

_Key = tuple[str, str]


def log_odds(prediction: Prediction, label: str) -> float:
    """Give the log-odds of a label; none is infinite."""
    probability = min(1 - _LEAST, max(_LEAST, prediction.tilt(label)))
    return log(probability / (1 - probability))


class WordWorth:
    """What each word says of each label, in the model's log-odds: an expectation, and how sure it is.

    It begins with naive Bayes over the model's own predictions of the data, log P(w|y)/P(w|¬y), on the scale of the
    model's log-odds. Every text that the model is asked about then tells of the words that came and went: a Kalman
    filter with a variance for each word alone, the linear bandit's estimate (Li et al. 2010) without covariances. Words
    that the data have not are told apart by the origin of their edit, as the kinds of a typo.
    """

    def __init__(self, texts: Iterable[tuple[Example, Prediction]]) -> None:
        self._by_label: dict[str, Counter[str]] = {}
        self._all: Counter[str] = Counter()
        self._texts: Counter[str] = Counter()
        self._pair: tuple[str, ...] = ()
        self._told: dict[_Key, tuple[float, float]] = {}
        known = list(texts)
        for example, prediction in known:
            words = _words(example.text)
            self._by_label.setdefault(prediction.label, Counter()).update(words)
            self._all.update(words)
            self._texts[prediction.label] += 1
            self._pair = prediction.labels if prediction.answer is None and len(prediction.labels) == 2 else ()
        self._scale = 1.0
        self._scale = _slope(
            (self.bayes(example.text, prediction.label), log_odds(prediction, prediction.label))
            for example, prediction in known
        )

    def bayes(self, text: str, label: str) -> float:
        """Say how much the words of a text speak for a label by naive Bayes; 0 of words that the data have not."""
        return sum(self._bayes(word, label) for word in sorted(_words(text)))

    def of(self, text: str, label: str, origin: str = "") -> float:
        """Say how much the words of a text speak for a label, in the model's log-odds.

        Args:
            text: One word or several.
            label: The label.
            origin: Where they come from, if an edit puts them in; words that the data have not are known by it.
        """
        return sum(self._mean(key) * sign for key, sign in self._keys(text, label, origin))

    def doubt(self, text: str, label: str) -> float:
        """Say how far off what is known of the least known word of a text may be: a standard deviation."""
        return sqrt(max((self._variance(key) for key, _ in self._keys(text, label)), default=_DOUBT))

    @property
    def unknown(self) -> float:
        """The doubt about a word of which no text told."""
        return sqrt(_DOUBT)

    def learn(self, edits: Sequence[Edit], label: str, fall: float) -> None:
        """Take in what the model says of a text."""
        moved: Counter[_Key] = Counter()
        for edit in edits:
            for key, sign in self._keys(edit.before, label):
                moved[key] += sign
            for key, sign in self._keys(edit.after, label, edit.origin):
                moved[key] -= sign
        weights = {key: number for key, number in moved.items() if number}
        missed = fall - sum(number * self._mean(key) for key, number in weights.items())
        spread = _NOISE * len(edits) + sum(number**2 * self._variance(key) for key, number in weights.items())
        for key, number in weights.items():
            shift, variance = self._told.get(key, (0.0, _DOUBT))
            gain = variance * number / spread
            self._told[key] = shift + gain * missed, variance * (1 - gain * number)

    def _mean(self, key: _Key) -> float:
        return self._scale * self._bayes(key[1], key[0]) + self._told.get(key, (0.0, 0.0))[0]

    def _variance(self, key: _Key) -> float:
        return self._told.get(key, (0.0, _DOUBT))[1]

    def _bayes(self, word: str, label: str) -> float:
        if not self._all[word]:
            return 0.0
        own, texts = self._by_label.get(label, Counter()), self._texts[label]
        rest = self._texts.total() - texts
        return log((own[word] + 1) / (texts + 2)) - log((self._all[word] - own[word] + 1) / (rest + 2))

    def _keys(self, text: str, label: str, origin: str = "") -> Iterator[tuple[_Key, int]]:
        """Under which words what is known is kept; of two labels, what speaks for one speaks against the other."""
        direction, sign = (self._pair[0], 1 if label == self._pair[0] else -1) if self._pair else (label, 1)
        words = sorted(_words(text))
        if origin and not all(self._all[word] for word in words):
            words = [f"({origin})"]
        for word in words:
            yield (direction, word), sign


def _slope(pairs: Iterable[tuple[float, float]]) -> float:
    """The least-squares slope through 0; 1 where there is none."""
    over = under = 0.0
    for x, y in pairs:
        over, under = over + x * y, under + x * x
    return over / under if over > 0 else 1.0


def _words(text: str) -> set[str]:
    return {text[start:end].lower() for start, end in word_spans(text)}
