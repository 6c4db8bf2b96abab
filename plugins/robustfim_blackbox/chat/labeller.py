"""Requests to a chat model for a label, and the conversion of its answers to probabilities."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from math import isnan, nan
from typing import TYPE_CHECKING, Any, Literal

from pydantic import TypeAdapter, ValidationError

from robustfim.errors import ModelError
from robustfim_blackbox.chat.label_words import LabelWords
from robustfim_blackbox.chat.service import ChatService, filtered, refused
from robustfim_blackbox.chat.tally import Tally
from robustfim_blackbox.endpoint import Malformed, Refused, Send
from robustfim_blackbox.template import fill

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Answers", "Labeller"]


class Labeller:
    """Asks a chat model for the label of a text, by log-probabilities or by the votes of several answers.

    Args:
        service: The chat service.
        words: The words that stand for each label.
        prompt: The user's message, with places for the texts and ``{labels}``.
        system: The system's message; None for none.
        by: ``logprobs``, ``votes``, or ``auto``: log-probabilities if the endpoint gives them, else votes.
        votes: The number of answers sampled for each text, if votes are used.
        temperature: The temperature of sampled answers.
        choices: The number of answers requested at once.
        top_logprobs: The number of alternatives requested at each token.
        tally: The counter of texts and unusable answers.
    """

    def __init__(
        self,
        service: ChatService,
        words: LabelWords,
        prompt: str,
        tally: Tally,
        *,
        system: str | None = None,
        by: Literal["auto", "logprobs", "votes"] = "auto",
        votes: int = 10,
        temperature: float = 1.0,
        choices: int = 1,
        top_logprobs: int = 20,
    ) -> None:
        self._service, self._words, self._tally = service, words, tally
        self._prompt, self._system = prompt, system
        self._by, self._votes, self._temperature = by, votes, temperature
        self._choices, self._top_logprobs = choices, top_logprobs
        self._only_votes = by == "votes"
        self._begun: dict[str, Answers] = {}

    async def ask(self, values: Mapping[str, str], send: Send) -> list[float]:
        """Ask a chat model for the label of one text. An unusable answer is counted and gives no prediction.

        Returns:
            Probabilities ``[classes]``; NaN if there is no usable answer.

        Raises:
            ModelError: The endpoint failed too often or does not follow the protocol, or too many texts have no usable
                answer.
            CallLimitReached: The budget is used up.
        """
        answers = Answers()
        row, why = [nan] * len(self._words.labels), ""
        try:
            row = await self.probabilities(values, send, answers)
        except Malformed:
            why = "malformed"
        except Refused as error:
            if not filtered(error):
                raise
            why = "refused"
        self._tally.texts += 1
        if isnan(row[0]):
            why = why or ("refused" if answers.refused else "without a label")
            self._tally.lost[why] += 1
            if why == "without a label":
                self._tally.quote(next(filter(None, answers.said), ""))
            self._tally.require_usable()
        return row

    async def probabilities(self, values: Mapping[str, str], send: Send, answers: Answers | None = None) -> list[float]:
        """Ask a chat model for the label of one text, without counting unusable answers.

        Returns:
            Probabilities ``[classes]``; NaN if no answer has a label.

        Raises:
            Malformed: An answer stayed malformed after every attempt.
            ModelError: The endpoint refused, failed too often, or does not follow the protocol.
            CallLimitReached: The budget is used up.
        """
        answers = answers or Answers()
        messages = self._messages(values)
        if not self._only_votes and (row := await self._by_logprobs(messages, send, answers)) is not None:
            return row
        self._tally.votes, self._tally.wished = self._votes, self._by == "votes"
        return await self._by_votes(messages, send, answers)

    @contextmanager
    def resuming(self, context: Context, what: str, texts: Iterable[Mapping[str, str]]) -> Iterator[None]:
        """Continue with the sampled answers (votes) of an earlier run, and store those of unfinished texts.

        Args:
            context: The run, whose store keeps the votes.
            what: The identity of the question: everything that decides an answer except the texts.
            texts: The values of the prompt's places, for each text.
        """
        if self._by == "logprobs":
            yield
            return
        what, keys = f"votes of {what}", [_key(self._messages(values)) for values in texts]
        known = {key: _read(kept) for key, kept in context.kept(what, keys).items()}
        self._begun = {key: answers for key, answers in known.items() if answers.said}
        ended = dict.fromkeys(self._begun, Answers())
        try:
            yield
        finally:
            context.keep(what, {key: asdict(answers) for key, answers in (ended | self._begun).items()})
            self._begun = {}

    def _messages(self, values: Mapping[str, str]) -> list[dict[str, Any]]:
        values = {**values, "labels": ", ".join(self._words.first)}
        messages = [{"role": "user", "content": fill(self._prompt, values)}]
        if self._system is not None:
            messages.insert(0, {"role": "system", "content": fill(self._system, values)})
        return messages

    async def _by_logprobs(self, messages: list[dict[str, Any]], send: Send, answers: Answers) -> list[float] | None:
        """Ask once, for log-probabilities; None where the endpoint gives none and votes will do."""
        options = {"temperature": 0, "logprobs": True, "top_logprobs": self._top_logprobs}
        try:
            choice = (await self._service.choices(send, {"messages": messages, **options}))[0]
        except Refused as error:
            if self._by == "logprobs" or "logprobs" not in str(error):
                raise
            tokens = None
        else:
            tokens = (choice.get("logprobs") or {}).get("content")
            message = choice.get("message")
            content = message.get("content") if isinstance(message, dict) else ""
            if isinstance(content, str) and "</think>" in content:
                tokens = None  # they are of its thoughts
            elif tokens or refused(choice):
                answers.note(choice, self._service.content(choice) if isinstance(content, list) else content)
            if refused(choice) and not tokens:
                return [nan] * len(self._words.labels)
        if tokens:
            return self._service.endpoint.read(tokens, self._masses)
        if self._by == "logprobs":
            raise ModelError(
                f"{self._service.endpoint.url} gives no log-probabilities. Write 'probabilities: votes' to ask "
                f"{self._votes} times for each text instead."
            )
        self._only_votes = True
        return None

    async def _by_votes(self, messages: list[dict[str, Any]], send: Send, answers: Answers) -> list[float]:
        key = _key(messages)
        if (begun := self._begun.get(key)) is not None:
            answers.said, answers.refused = begun.said[: self._votes], begun.refused
        self._begun[key] = answers
        while len(answers.said) < self._votes:
            number = min(self._choices, self._votes - len(answers.said))
            options = {"temperature": self._temperature} | ({"n": number} if number > 1 else {})
            for choice in await self._service.choices(send, {"messages": messages, **options}):
                answers.note(choice, self._service.content(choice))
        del self._begun[key]
        return self._words.votes(answers.said[: self._votes])

    def _masses(self, tokens: Any) -> list[float]:
        try:
            return self._words.masses(tokens)
        except (KeyError, TypeError, AttributeError, OverflowError) as error:
            raise ModelError(
                f"{self._service.endpoint.url} gave log-probabilities of another form than OpenAI's: "
                f"{type(error).__name__}: {error}."
            ) from None


@dataclass
class Answers:
    """A chat model's answers to one text.

    Attributes:
        said: The texts of the answers.
        refused: Whether the model or a filter refused an answer.
    """

    said: list[str] = field(default_factory=list)
    refused: bool = False

    def note(self, choice: dict[str, Any], content: Any) -> None:
        """Add an answer, with its text."""
        self.said.append(content or "")
        self.refused = self.refused or refused(choice)


def _key(messages: list[dict[str, Any]]) -> str:
    """What stands for a request of votes in the store."""
    return json.dumps(messages)


_STORED = TypeAdapter(Answers)


def _read(kept: Any) -> Answers:
    """Read answers from a store; values of another form count as no answers."""
    try:
        return _STORED.validate_python(kept)
    except ValidationError:
        return Answers()
