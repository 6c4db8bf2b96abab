"""The tally: what was asked of a chat model, what it cost, and which answers could not be used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from robustfim.errors import ModelError, UsageError
from robustfim.exhibit import Section, Table

__all__ = ["Tally"]

_QUOTED = 5
"""Answers that are quoted."""

_LEAST = 10
"""Texts without a usable answer that are borne whatever their share."""


class Tally:
    """Counts what is asked of a chat model, and bounds the answers that cannot be used.

    Args:
        most_unusable: The largest share of texts without a usable answer, in [0, 1].
        prices: What a million tokens cost, by ``input`` and ``output``; None where it is not known.

    Attributes:
        texts: Texts asked about.
        votes: Answers asked for each text because the endpoint gives no log-probabilities; 0 where it does.
        tokens: Tokens read and written, as the endpoint tells them, by ``input`` and ``output``.
        refused: Texts whose answer the model or its filter refused.
        malformed: Texts whose answer stayed malformed after every attempt.
        unlabelled: Texts in none of whose answers a label was found.
        quoted: The beginnings of some answers without a label.

    Raises:
        UsageError: An option has no usable value.
    """

    def __init__(self, most_unusable: float, prices: Mapping[str, float] | None) -> None:
        if not 0 <= most_unusable <= 1:
            raise UsageError(f"'unusable' is a share between 0 and 1, not {most_unusable}.")
        if prices is not None and (set(prices) != {"input", "output"} or min(prices.values()) < 0):
            raise UsageError(f"'prices' says what a million tokens cost: {{input: 0.15, output: 0.60}}, not {prices}.")
        self._most, self._prices = most_unusable, prices
        self.texts = self.votes = self.refused = self.malformed = self.unlabelled = 0
        self.tokens = {"input": 0, "output": 0}
        self.quoted: list[str] = []

    @property
    def unusable(self) -> int:
        """Texts without a usable answer."""
        return self.refused + self.malformed + self.unlabelled

    @property
    def cost(self) -> float | None:
        """What the tokens cost; None without prices."""
        if self._prices is None:
            return None
        return sum(self.tokens[each] * price for each, price in self._prices.items()) / 1e6

    def used(self, reply: Any) -> None:
        """Add the tokens that a reply says it took; one that says nothing of them adds none.

        Args:
            reply: The parsed answer of the endpoint.
        """
        usage = reply.get("usage") if isinstance(reply, dict) else None
        if isinstance(usage, dict):
            for mine, theirs in (("input", "prompt_tokens"), ("output", "completion_tokens")):
                number = usage.get(theirs)
                if isinstance(number, int) and not isinstance(number, bool):
                    self.tokens[mine] += number

    def without_label(self, said: str) -> None:
        """Count a text without a label, and keep the beginning of what was said."""
        self.unlabelled += 1
        text = " ".join(said.split())
        if text and len(self.quoted) < _QUOTED:
            self.quoted.append(text if len(text) <= 60 else f"{text[:59]}…")

    def require_usable(self) -> None:
        """Stop where too many texts have no usable answer.

        Raises:
            ModelError: More than the bound, and more than a few.
        """
        if self.unusable >= _LEAST and self.unusable > self._most * self.texts:
            raise ModelError(
                f"{self.unusable} of {self.texts} texts have no usable answer, more than 'unusable: {self._most:g}' "
                f"allows: {self._kinds()}.{self._remedy()}"
            )

    def section(self, requests: int) -> Section:
        """Tell what was asked, as a part of the record.

        Args:
            requests: Requests sent, with those that were tried again.
        """
        spent = f"{requests:,} requests for {self.texts:,} texts"
        if self.votes:
            spent += f": the endpoint gives no log-probabilities, so each text was asked {self.votes} times"
        if any(self.tokens.values()):
            spent += f"; {self.tokens['input']:,} tokens read, {self.tokens['output']:,} written"
        if self.cost is not None:
            spent += f", {self.cost:,.4f} at the prices of the suite"
        findings = [f"{spent}."]
        if self.unusable:
            findings.append(
                f"{self.unusable} of {self.texts:,} texts have no usable answer: {self._kinds()}.{self._remedy()}"
            )
        rows = [
            ["texts", f"{self.texts:,}"],
            ["requests", f"{requests:,}"],
            ["tokens read", f"{self.tokens['input']:,}"],
            ["tokens written", f"{self.tokens['output']:,}"],
            *([["cost", f"{self.cost:,.4f}"]] if self.cost is not None else []),
            ["refused", f"{self.refused:,}"],
            ["without a label", f"{self.unlabelled:,}"],
            ["malformed", f"{self.malformed:,}"],
        ]
        notes = ["Of this run; what the store answered was not asked."]
        table = Table(title="Asked and answered", header=["", "number"], rows=rows, notes=notes)
        return Section(name="chat", title="What was asked of the chat model", findings=findings, tables=[table])

    def _kinds(self) -> str:
        kinds = (("refused", self.refused), ("without a label", self.unlabelled), ("malformed", self.malformed))
        return ", ".join(f"{number:,} {what}" for what, number in kinds if number)

    def _remedy(self) -> str:
        if not self.quoted:
            return ""
        said = ", ".join(f"'{each}'" for each in self.quoted)
        return (
            f" Some answers without a label: {said}. 'labels: {{LABEL: [word, word]}}' takes further words of a label, "
            "'prompt' asks otherwise, 'max_tokens' lets an answer be longer, 'unparsed' counts them as a label."
        )
