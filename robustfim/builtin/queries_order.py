"""The order ``queries``: what words are worth, by asking the model; it needs no gradients."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice

from robustfim.builtin.word_worth import WordWorth, log_odds
from robustfim.candidate import Candidate, Edit
from robustfim.contract import OrderContract
from robustfim.errors import UsageError
from robustfim.prediction import Prediction
from robustfim.roles import Context

__all__ = ["QueriesOrder"]

_TEXTS = 2000
"""Texts of the data from whose predictions words are learned, at most; a run has predicted them already."""

_EVERY = 8
"""Examples of a check after each of which an order that learns takes in what a search asked about them."""

_UNSURE = 0.5
"""A word is asked about as long as the doubt about it is above this part of the doubt about an unknown one."""

_Place = tuple[str, int, int]


class QueriesOrder:
    """Candidates by what their words are worth: what goes by asking without it, what comes by the data.

    For each place the model is asked about the text without it, as in TextFooler (Jin et al. 2020): how far the
    log-odds of the label fall is what the word is worth. What the words that come are worth for the label is learned
    from the predictions of the run's own texts, which cost nothing more, as the log-odds of naive Bayes. It needs no
    gradients, so it works for every model.

    Args:
        most: The most texts that are asked about for each example, a quarter of the queries of a search at most. Where
            there are more places, those whose words may be worth most are asked about, and of the others what is
            known is taken. More than five found no more, on the shipped models; 0 asks about none.
        learn: Whether what a search asked about tells of the words of the examples after it: what an edit should add is
            then known from other texts, and only words that are still in doubt are asked about. What is found of an
            example then depends on those before it in its check: alone (``--example``) it is searched anew.

    Raises:
        UsageError: ``most`` is below 0.
    """

    def __init__(self, most: int = 5, learn: bool = False) -> None:
        if most < 0:
            raise UsageError(f"most: {most} is below 0")
        self._most = most
        self.contract = OrderContract(learns_every=_EVERY if learn else None)
        self._asked: list[tuple[Candidate, Prediction, Prediction]] = []
        self._worth: WordWorth | None = None

    def effects(self, candidates: Sequence[Candidate], context: Context) -> list[float]:
        """Estimate how far each candidate lowers the log-odds of its source's label; 0 for a step."""
        return self.within(candidates, context, self._most)[0]

    def within(
        self, candidates: Sequence[Candidate], context: Context, most: int
    ) -> tuple[list[float], dict[str, int]]:
        """Estimate the effects, and say how many texts of each source were asked about."""
        worth = self._learned(context)
        sources = {each.source.id: each.source for each in candidates}
        found = context.predict(list(sources.values()))
        before = {name: each for name, each in zip(sources, found, strict=True) if each is not None}
        labels = {name: each.label for name, each in before.items()}
        places: dict[str, dict[_Place, Edit]] = {}
        for each in candidates:
            for edit in each.edits if each.source.id in labels else ():
                places.setdefault(each.source.id, {})[edit.place] = edit
        asked: list[tuple[str, _Place, Candidate]] = []
        for name, edits in places.items():
            for place, edit in self._worth_asking(worth, edits, labels[name])[: min(most, self._most)]:
                if edit.before.strip() and edit.before.strip() != sources[name].text.strip():
                    without = Edit(edit.field, edit.start, edit.end, edit.before, "")
                    asked.append((name, place, Candidate(sources[name], (without,))))
        falls: dict[tuple[str, _Place], float] = {}
        answers = context.predict([each.example for *_, each in asked])
        for (name, place, shorter), after in zip(asked, answers, strict=True):
            if after is not None:
                label = labels[name]
                falls[name, place] = log_odds(before[name], label) - log_odds(after, label)
                if self.contract.learns_every:
                    self._asked.append((shorter, before[name], after))

        def effect(name: str, edit: Edit) -> float:
            label, goes = labels[name], falls.get((name, edit.place))
            return (worth.of(edit.before, label) if goes is None else goes) - worth.of(edit.after, label, edit.origin)

        return (
            [sum(effect(each.source.id, edit) for edit in each.edits) if each.source.id in labels else 0.0
             for each in candidates],
            dict(Counter(name for name, *_ in asked)),
        )  # fmt: skip

    def learn(self, asked: Sequence[tuple[Candidate, Prediction, Prediction]]) -> None:
        """Take in what the model said of the texts of a search."""
        if self._worth is not None:
            for candidate, before, after in [*self._asked, *asked]:
                fall = log_odds(before, before.label) - log_odds(after, before.label)
                self._worth.learn(candidate.edits, before.label, fall)
        self._asked = []

    def _worth_asking(self, worth: WordWorth, edits: Mapping[_Place, Edit], label: str) -> list[tuple[_Place, Edit]]:
        """The places whose words may be worth most, by the upper end of what is known; those in doubt alone."""
        doubts = {place: worth.doubt(edit.before, label) for place, edit in edits.items()}
        ranked = sorted(edits.items(), key=lambda each: (-worth.of(each[1].before, label) - doubts[each[0]], each[0]))
        return [each for each in ranked if doubts[each[0]] > _UNSURE * worth.unknown]

    def _learned(self, context: Context) -> WordWorth:
        if self._worth is None:
            texts = list(islice(context.examples, _TEXTS))
            found = zip(texts, context.predict(texts), strict=True)
            self._worth = WordWorth((example, each) for example, each in found if each is not None)
        return self._worth
