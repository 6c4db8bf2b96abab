"""The requests to a chat model, with their cost and budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from robustfim.errors import ModelError, UsageError
from robustfim.predict import CallLimitReached

__all__ = ["Account", "named_chats"]

_KEPT = "the store keeps the answers so far. Raise the budget and run the same command again to continue."


class Account:
    """Counts the requests, tokens and cost of a chat model, and stops before a budget is exceeded.

    The number of tokens of a request is known only after its answer. The requests under way, at most ``concurrency`` of
    them, may therefore exceed a budget of tokens or money.

    Args:
        prices: The price of a million tokens, by ``input`` and ``output``; None if unknown.
        budget: The limits, by ``requests`` (each attempt counts), ``tokens`` (read and written together) and ``cost``;
            None for no limit.

    Attributes:
        requests: Requests sent, each attempt counted.
        tokens: Tokens read and written, as reported by the endpoint, by ``input`` and ``output``.

    Raises:
        UsageError: An option has no usable value.
    """

    def __init__(self, prices: Mapping[str, float] | None = None, budget: Mapping[str, float] | None = None) -> None:
        if prices is not None and (set(prices) != {"input", "output"} or not min(prices.values()) >= 0):
            raise UsageError(
                f"'prices' must give the price of a million tokens: {{input: 0.15, output: 0.60}}, not {prices}."
            )
        known = {"requests", "tokens", "cost"}
        if budget is not None and (not budget or set(budget) - known or not min(budget.values()) > 0):
            raise UsageError(
                "'budget' must give the most that you want to spend: "
                f"{{requests: 1000, tokens: 500000, cost: 2.50}}, or some of "
                f"these, above 0; not {dict(budget)}."
            )
        if budget is not None and "cost" in budget and prices is None:
            raise UsageError("a budget of 'cost' needs the price of a million tokens: 'prices: {input: …, output: …}'.")
        self._prices, self.budget = prices, dict(budget or {})
        self._most: int | None = None
        self.requests = 0
        self.tokens = {"input": 0, "output": 0}

    def allow(self, requests: int) -> None:
        """Limit the number of further requests, for ``--max-calls``."""
        self._most = self.requests + requests

    def admit(self) -> None:
        """Count a request that is about to be sent.

        Raises:
            CallLimitReached: The budget is used up.
        """
        if self._most is not None and self.requests >= self._most:
            raise CallLimitReached(
                f"--max-calls {self._most} is used up: robustfim sent this many requests. The store keeps the answers; "
                "raise --max-calls to continue."
            )
        spent = {"requests": self.requests, "tokens": sum(self.tokens.values()), "cost": self.cost or 0.0}
        for what, most in self.budget.items():
            if spent[what] >= most:
                raise CallLimitReached(f"the budget {{{what}: {most:g}}} is used up, {self.told()}: {_KEPT}")
        self.requests += 1

    def used(self, reply: Any) -> None:
        """Add the tokens reported in an endpoint's reply. A reply that reports no tokens adds nothing.

        Raises:
            ModelError: The reply does not report its tokens, and the budget limits them.
        """
        usage = reply.get("usage") if isinstance(reply, dict) else None
        found = 0
        for mine, theirs in (("input", "prompt_tokens"), ("output", "completion_tokens")):
            number = usage.get(theirs) if isinstance(usage, dict) else None
            if isinstance(number, int) and not isinstance(number, bool):
                self.tokens[mine] += number
                found += 1
        if not found and self.budget.keys() & {"tokens", "cost"}:
            raise ModelError(
                "the endpoint does not report how many tokens a request took, so robustfim cannot keep a budget of "
                "tokens or cost. Limit requests instead: 'budget: {requests: …}'."
            )

    @property
    def cost(self) -> float | None:
        """The cost of the tokens; None without prices."""
        if self._prices is None:
            return None
        return sum(self.tokens[each] * price for each, price in self._prices.items()) / 1e6

    def told(self) -> str:
        """The expenses as text: ``6 requests; 240 tokens read, 12 written, 0.0001 at the prices of the suite``."""
        sentence = f"{self.requests:,} request{'s' * (self.requests != 1)}"
        if any(self.tokens.values()):
            sentence += f"; {self.tokens['input']:,} tokens read, {self.tokens['output']:,} written"
        return sentence if self.cost is None else f"{sentence}, {self.cost:,.4f} at the prices of the suite"

    def bound(self) -> str:
        """The budget as text: ``at most 1,000 requests, 2.5 in money``; empty without a budget."""
        words = {"requests": "{:,g} requests", "tokens": "{:,g} tokens", "cost": "a cost of {:,g}"}
        listed = [words[what].format(most) for what, most in self.budget.items()]
        return f"at most {', '.join(listed)}" if listed else ""


def named_chats(written: Any) -> Iterator[str]:
    """Describe the chat models that write or judge texts for a suite's checks, with their budgets.

    Yields:
        A line for each mapping of the key ``chat``: ``chat: tiny at http://…/v1, at most 50 requests``.
    """
    if isinstance(written, Mapping):
        chat = written.get("chat")
        if isinstance(chat, Mapping) and {"url", "model"} <= chat.keys():
            bound = Account(chat.get("prices"), chat.get("budget")).bound() or "without a budget"
            yield f"chat: {chat['model']} at {chat['url']}, {bound}"
    for each in written.values() if isinstance(written, Mapping) else written if isinstance(written, list) else ():
        yield from named_chats(each)
