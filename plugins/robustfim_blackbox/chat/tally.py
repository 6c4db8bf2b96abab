"""Counts of the texts that a chat model was asked about, and of its unusable answers."""

from __future__ import annotations

from collections import Counter

from robustfim.errors import ModelError
from robustfim.exhibit import Section
from robustfim_blackbox.chat.account import Account

__all__ = ["Tally"]

_QUOTED = 5
"""The number of answers that are quoted."""

_LEAST = 10
"""The number of texts without a usable answer that is always tolerated."""


class Tally:
    """Counts the texts sent to a chat model, and limits the fraction of unusable answers.

    Args:
        most_unusable: The largest fraction of texts without a usable answer, in [0, 1].
        account: The counter of requests, tokens and cost.

    Attributes:
        texts: The number of texts asked about.
        votes: The number of answers sampled for each text; 0 if log-probabilities are used.
        wished: Whether the suite asks for votes instead of log-probabilities.
        lost: The number of texts without a usable answer, by reason: ``refused`` by the model or its filter, ``without
            a label`` in any answer, or ``malformed`` after every attempt.
        quoted: The beginnings of some answers without a label.
    """

    def __init__(self, most_unusable: float, account: Account) -> None:
        self._most, self._account = most_unusable, account
        self.texts = self.votes = 0
        self.lost = Counter[str]()
        self.wished = False
        self.quoted: list[str] = []

    @property
    def unusable(self) -> int:
        """The number of texts without a usable answer."""
        return self.lost.total()

    def quote(self, said: str) -> None:
        """Keep the beginning of an answer without a label."""
        text = " ".join(said.split())
        text = text if len(text) <= 60 else f"{text[:59]}…"
        if text not in self.quoted and len(self.quoted) < _QUOTED:
            self.quoted.append(text)

    def require_usable(self) -> None:
        """Raise an error if too many texts have no usable answer.

        Raises:
            ModelError: The fraction is above ``most_unusable``, and at least ten texts have no usable answer.
        """
        if self.unusable >= _LEAST and self.unusable > self._most * self.texts:
            raise ModelError(
                f"{self.unusable} of {self.texts} texts have no usable answer, more than 'unusable: {self._most:g}' "
                f"allows: {self._kinds()}.{self._remedy()}"
            )

    def sections(self) -> list[Section]:
        """Return the counts of texts and unusable answers as a section of the record; empty if no text was sent."""
        account = self._account
        if not account.requests:
            return []
        asked, _, tokens = account.told().partition("; ")
        spent = f"{asked} for {self.texts:,} texts"
        if self.votes > 1:
            why = "" if self.wished else "the endpoint gives no log-probabilities, so "
            spent += f": {why}each text was asked {self.votes} times"
        spent = "; ".join(filter(None, (spent, tokens, account.bound())))
        findings = [f"{spent}."]
        if self.unusable:
            findings.append(
                f"{self.unusable} of {self.texts:,} texts have no usable answer: {self._kinds()}.{self._remedy()}"
            )
        return [Section(name="chat", title="What was asked of the chat model", findings=findings)]

    def _kinds(self) -> str:
        kinds = ("refused", "without a label", "malformed")
        return ", ".join(f"{self.lost[kind]:,} {kind}" for kind in kinds if self.lost[kind])

    def _remedy(self) -> str:
        if not self.quoted:
            return ""
        said = ", ".join(f"'{each}'" for each in self.quoted)
        return (
            f" Some answers without a label: {said}. 'labels: {{LABEL: [word, word]}}' takes further words of a label, "
            "'prompt' asks otherwise, 'max_tokens' lets an answer be longer, 'unparsed' counts them as a label."
        )
