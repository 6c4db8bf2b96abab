"""The order ``queries``: what words are worth, by asking the model; it needs no gradients."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from math import log

from robustfim.candidate import Candidate, Edit
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.hookspecs import hookimpl
from robustfim.prediction import Prediction
from robustfim.roles import Context
from robustfim.words import word_spans

__all__ = ["QueriesOrder", "WordWorth", "robustfim_orders"]

_TEXTS = 2000
"""Texts of the data from whose predictions words are learned, at most; a run has predicted them already."""

_LEAST = 1e-9
"""No probability counts as smaller."""

_Place = tuple[str, int, int]


class WordWorth:
    """What each word of the data says of each label, by the model's own predictions: naive Bayes, log P(w|y)/P(w|¬y).

    Args:
        texts: Texts and what the model predicts of them.
    """

    def __init__(self, texts: Iterable[tuple[Example, Prediction]]) -> None:
        self._by_label: dict[str, Counter[str]] = {}
        self._all: Counter[str] = Counter()
        self._texts: Counter[str] = Counter()
        for example, prediction in texts:
            words = _words(example.text)
            self._by_label.setdefault(prediction.label, Counter()).update(words)
            self._all.update(words)
            self._texts[prediction.label] += 1

    def of(self, text: str, label: str) -> float:
        """Say how much the words of a text speak for a label, in log-odds; 0 of words that were never seen.

        Args:
            text: One word or several.
            label: The label.
        """
        own, texts = self._by_label.get(label, Counter()), self._texts[label]
        rest = self._texts.total() - texts
        return sum(
            log((own[word] + 1) / (texts + 2)) - log((self._all[word] - own[word] + 1) / (rest + 2))
            for word in _words(text)
            if self._all[word]
        )


class QueriesOrder:
    """Candidates by what their words are worth: what goes by asking without it, what comes by the data.

    For each place the model is asked about the text without it, as in TextFooler (Jin et al. 2020): how far the
    log-odds of the label fall is what the word is worth. What the words that come are worth for the label is learned
    from the predictions of the run's own texts, which cost nothing more, as the log-odds of naive Bayes. It needs no
    gradients, so it works for every model.

    Args:
        most: The most texts that are asked about for each example, a quarter of the queries of a search at most. Where
            there are more places, those whose words are worth most by the data are asked about, and of the others that
            is taken. More than five found no more, on the shipped models; 0 asks about none.

    Raises:
        UsageError: ``most`` is below 0.
    """

    def __init__(self, most: int = 5) -> None:
        if most < 0:
            raise UsageError(f"most: {most} is below 0")
        self._most = most
        self._worth: WordWorth | None = None

    def effects(self, candidates: Sequence[Candidate], context: Context) -> list[float]:
        """Estimate how far each candidate lowers the log-odds of its source's label; 0 for a step.

        Args:
            candidates: Candidates of one or of several sources.
            context: The run, for its model and texts.
        """
        return self.within(candidates, context, self._most)[0]

    def within(
        self, candidates: Sequence[Candidate], context: Context, most: int
    ) -> tuple[list[float], dict[str, int]]:
        """Estimate the effects, and say how many texts of each source were asked about.

        Args:
            candidates: As for ``effects``.
            context: As for ``effects``.
            most: The most texts of a source that may be asked about.
        """
        worth = self._learned(context)
        sources = {each.source.id: each.source for each in candidates}
        found = context.predict(list(sources.values()))
        before = {name: each for name, each in zip(sources, found, strict=True) if each is not None}
        labels = {name: each.label for name, each in before.items()}
        places: dict[str, dict[_Place, Edit]] = {}
        for each in candidates:
            for edit in each.edits if each.source.id in labels else ():
                places.setdefault(each.source.id, {})[edit.place] = edit
        asked: list[tuple[str, _Place, Example]] = []
        for name, edits in places.items():
            ranked = sorted(edits.items(), key=lambda each: -abs(worth.of(each[1].before, labels[name])))
            for place, edit in ranked[: min(most, self._most)]:
                if edit.before.strip() and edit.before.strip() != sources[name].text.strip():
                    without = Edit(edit.field, edit.start, edit.end, edit.before, "")
                    asked.append((name, place, Candidate(sources[name], (without,)).example))
        falls: dict[tuple[str, _Place], float] = {}
        for (name, place, _), after in zip(asked, context.predict([each for *_, each in asked]), strict=True):
            if after is not None:
                label = labels[name]
                falls[name, place] = _log_odds(before[name], label) - _log_odds(after, label)

        def effect(name: str, edit: Edit) -> float:
            label, goes = labels[name], falls.get((name, edit.place))
            return (worth.of(edit.before, label) if goes is None else goes) - worth.of(edit.after, label)

        return (
            [sum(effect(each.source.id, edit) for edit in each.edits) if each.source.id in labels else 0.0
             for each in candidates],
            dict(Counter(name for name, *_ in asked)),
        )  # fmt: skip

    def _learned(self, context: Context) -> WordWorth:
        if self._worth is None:
            texts = list(islice(context.examples, _TEXTS))
            found = zip(texts, context.predict(texts), strict=True)
            self._worth = WordWorth((example, each) for example, each in found if each is not None)
        return self._worth


def _words(text: str) -> set[str]:
    return {text[start:end].lower() for start, end in word_spans(text)}


def _log_odds(prediction: Prediction, label: str) -> float:
    probability = min(1 - _LEAST, max(_LEAST, prediction.probability(label)))
    return log(probability / (1 - probability))


@hookimpl
def robustfim_orders() -> dict[str, type]:
    """Offer itself."""
    return {"queries": QueriesOrder}
