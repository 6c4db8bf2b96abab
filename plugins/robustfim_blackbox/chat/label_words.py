"""Label words, by which a chat model's answers are read as labels."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import exp, nan
from typing import Any

from robustfim.errors import UsageError

__all__ = ["LabelWords"]

_WRAPPING = " \t\r\n\"'`*_([{“”‘’«:"
"""Characters that may stand before the word: blanks, quotes, Markdown."""

_LEAST = 0.01
"""The smallest total probability of all label words. Below it, the answer has no label."""


class LabelWords:
    """The words by which each label is recognised in a chat model's answer.

    Args:
        words: The words of each label. In a list, each label is its own word.
        unparsed: The label of an answer without a label word; None for no prediction.

    Attributes:
        labels: The labels, ``[classes]``.
        first: The first word of each label, for the prompt.

    Raises:
        UsageError: A word is blank or belongs to two labels, a label has no word, or ``unparsed`` is not a label.
    """

    def __init__(self, words: Sequence[str] | Mapping[str, str | Sequence[str]], unparsed: str | None = None) -> None:
        table = words if isinstance(words, Mapping) else {label: label for label in words}
        listed = {label: [each] if isinstance(each, str) else list(each) for label, each in table.items()}
        self.labels = tuple(table) if isinstance(words, Mapping) else tuple(words)
        self._labels: dict[str, str] = {}
        for label, each in listed.items():
            if not each or not all(word.strip() for word in each):
                raise UsageError(f"the label {label!r} needs a word that stands for it, not {each!r}.")
            for word in each:
                if self._labels.setdefault(word.strip().casefold(), label) != label:
                    raise UsageError(
                        f"the word {word!r} stands for two labels, {self._labels[word.strip().casefold()]!r} and "
                        f"{label!r}."
                    )
        if unparsed is not None and unparsed not in self.labels:
            raise UsageError(f"{unparsed=} is none of the labels: {', '.join(self.labels)}.")
        self.first, self._unparsed = tuple(each[0] for each in listed.values()), unparsed

    def read(self, answer: str) -> str | None:
        """Read the label from an answer.

        Returns:
            The label whose word begins the answer, else the only label with a word in the answer; None if no label or
            several labels occur.
        """
        begun = self._begun(answer.strip() + "\n")
        whole = [label for label in begun if begun[label]]
        if len(whole) == 1:
            return whole[0]
        text = answer.casefold()
        found = {
            label
            for word, label in self._labels.items()
            if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None
        }
        return found.pop() if len(found) == 1 else None

    def votes(self, answers: Sequence[str]) -> list[float]:
        """Return how often each label occurs in several answers to one text.

        Returns:
            The fraction of each label among the answers with a label, ``[classes]``; NaN if no answer has a label.
        """
        read = [self.read(answer) or self._unparsed for answer in answers]
        counts = {label: float(read.count(label)) for label in self.labels}
        return self._shares(counts, counts, len([label for label in read if label is not None]))

    def masses(self, tokens: Sequence[Mapping[str, Any]]) -> list[float]:
        """Return the probabilities of the labels, from the log-probabilities of an answer's tokens.

        The probability of a label is the sum over the tokens that can begin a word of this label only. The chosen token
        may begin words of several labels (a blank, a quote, the "ne" of negative and neutral). Then the next token is
        read too, by the chain rule. Ambiguous tokens that were not chosen are ignored.

        Args:
            tokens: ``logprobs.content`` of a chat completion: each token with its ``logprob`` and ``top_logprobs``.

        Returns:
            Probabilities ``[classes]``, divided by their sum. If the sum is below 1, the ``unparsed`` label gets the
            rest. Without an ``unparsed`` label, the row is NaN if the sum is below 0.01.
        """
        masses, before, path = dict.fromkeys(self.labels, 0.0), "", 1.0
        for token in tokens:
            chosen = str(token["token"])
            for other in token.get("top_logprobs") or ():
                begun = list(self._begun(before + str(other["token"])))
                if other["token"] != chosen and len(begun) == 1:
                    masses[begun[0]] += path * exp(other["logprob"])
            path *= exp(token["logprob"])
            before += chosen
            if len(self._begun(before)) < 2:
                break
        if (label := self._last(before)) is not None:
            masses[label] += path
        sure = dict(masses)
        total = sum(masses.values())
        if self._unparsed is not None:
            masses[self._unparsed] += max(0.0, 1 - total)
        return self._shares(sure, masses, total)

    def _last(self, answer: str) -> str | None:
        """The only label that an answer begins; where it begins several (1 and 10), the one it names."""
        begun = list(self._begun(answer))
        return begun[0] if len(begun) == 1 else self.read(answer) if begun else None

    def _shares(self, sure: Mapping[str, float], masses: Mapping[str, float], total: float) -> list[float]:
        if self._unparsed is None and total < _LEAST:
            return [nan] * len(self.labels)
        whole = sum(masses.values())
        return [masses[label] / whole for label in self.labels]

    def _begun(self, answer: str) -> dict[str, bool]:
        """The labels of the words that an answer begins or begins with; True where the word is whole."""
        start = answer.lstrip(_WRAPPING).casefold()
        found: dict[str, bool] = {}
        for word, label in self._labels.items():
            if start.startswith(word) and not start[len(word) : len(word) + 1].isalnum():
                found[label] = found.get(label, False) or len(start) > len(word)
            elif word.startswith(start):
                found.setdefault(label, False)
        return found
