"""A chat model that is asked for a label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isnan, nan
from typing import Any, ClassVar, Literal

from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim_blackbox.answer_path import AnswerPath
from robustfim_blackbox.digest import digest
from robustfim_blackbox.endpoint import Endpoint, Malformed, Refused, Send
from robustfim_blackbox.inputs import named_texts
from robustfim_blackbox.label_words import LabelWords
from robustfim_blackbox.secret import refuse_secrets
from robustfim_blackbox.tally import Tally
from robustfim_blackbox.template import fill, places

__all__ = ["ChatModel"]

_PROMPT = """\
Classify the text. Answer with one of these labels and nothing else: {labels}.

Text: {text}
Label:"""

_CHOICES, _CONTENT = AnswerPath("choices"), AnswerPath("message.content")


class ChatModel:
    """A chat model behind an endpoint that speaks OpenAI's chat completions, asked for a label.

    Its probabilities are those of the label words: from the log-probabilities of the first tokens where the endpoint
    gives them (one request a text), else the shares of ``votes`` sampled answers (``votes`` requests a text, or
    fewer with ``choices``). ``--max-calls`` bounds its requests, each attempt counted; the end of the terminal report
    says how many they were, the tokens, and which answers could not be used. Needs ``pip install 'robustfim[http]'``.

    Args:
        url: The API's address up to and including ``/v1``, or the whole one that ends in ``/chat/completions``.
        model: The model's name there.
        labels: The labels (a list), or the words that stand for each (a mapping: ``{positive: [positive, good]}``).
        prompt: The user's message: ``{text}`` or the names of the fields, and ``{labels}`` for the first word of each.
        system: The system's message; null for none.
        probabilities: ``logprobs``, ``votes``, or ``auto``: log-probabilities if the endpoint gives them, else votes.
        votes: Answers sampled for each text, where there are votes.
        temperature: Of the sampled answers; log-probabilities are asked for at 0.
        choices: Answers asked for in one request (``n``), for endpoints that know it: the prompt is paid once.
        top_logprobs: Alternatives asked for at each token.
        max_tokens: Tokens of an answer, at most; null leaves it to the endpoint.
        unparsed: The label that an answer without a label word counts as; by default it does not count, and a text
            with no other answers has no prediction.
        unusable: The largest share of texts that may have no usable answer, refused, without a label or malformed
            after every attempt; with more, and at least ten, the run ends.
        prices: What a million tokens cost: {input: 0.15, output: 0.60}; null where cost is not to be told.
        extra: Further keys of the request, such as ``{seed: 1}``; null takes one of the usual keys out.
        headers: Further headers; ``{token}`` stands for the token.
        token_env: The environment variable with the token, sent as ``Authorization: Bearer …`` or where ``{token}``
            stands in a header. It is in no record, no message and no fingerprint.
        concurrency: Requests under way at once.
        retries: Further attempts after a time-out, a lost connection, or HTTP 408, 425, 429, 500, 502, 503 or 504.
        backoff: Seconds before the second attempt, doubled before each further one, up to 60.
        rate: Requests a second, at most; null for no limit.
        timeout: Seconds for one attempt.
        version: Change it when the model changes behind the same name, or starts or stops giving log-probabilities.

    Raises:
        UsageError: An option has no usable value, or a secret stands in the suite.
    """

    libraries: ClassVar = {"httpx": "robustfim[http]"}

    def __init__(
        self,
        url: str,
        model: str,
        labels: list[str] | dict[str, str | list[str]],
        prompt: str = _PROMPT,
        system: str | None = None,
        probabilities: Literal["auto", "logprobs", "votes"] = "auto",
        votes: int = 10,
        temperature: float = 1.0,
        choices: int = 1,
        top_logprobs: int = 20,
        max_tokens: int | None = 16,
        unparsed: str | None = None,
        unusable: float = 0.2,
        prices: dict[str, float] | None = None,
        extra: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
        token_env: str | None = None,
        concurrency: int = 4,
        retries: int = 3,
        backoff: float = 1.0,
        rate: float | None = None,
        timeout: float = 60.0,
        version: str | int | float = "",
    ) -> None:
        if votes < 1 or choices < 1:
            raise UsageError(f"'votes' and 'choices' are at least 1, not {votes} and {choices}.")
        if not places(prompt) - {"labels"}:
            raise UsageError("'prompt' has no place for the text: '{text}', or the names of the fields.")
        refuse_secrets(extra or {}, "key of 'extra'")
        address = url if url.rstrip("/").endswith("/chat/completions") else f"{url.rstrip('/')}/chat/completions"
        self._endpoint = Endpoint(
            address, "POST", headers or {}, token_env, concurrency, retries, backoff, rate, timeout
        )  # fmt: skip
        self._words = LabelWords(labels, unparsed)
        self.tally = Tally(unusable, prices)
        self.labels = self._words.labels
        self._prompt, self._system, self._extra = prompt, system, extra or {}
        self._votes, self._temperature, self._choices = votes, temperature, choices
        self._top_logprobs, self._by = top_logprobs, probabilities
        self._usual = {"model": model} | ({} if max_tokens is None else {"max_tokens": max_tokens})
        self._only_votes = probabilities == "votes"
        self.batch_size = 1
        self.fingerprint = digest(
            *("chat", address, model, labels, prompt, system, probabilities, votes, temperature),
            *(top_logprobs, max_tokens, unparsed, extra, headers, version),
        )

    @property
    def requests(self) -> int:
        """Requests sent so far, each attempt counted."""
        return self._endpoint.sent

    def allow(self, requests: int) -> None:
        """Bound the requests that may still be sent."""
        self._endpoint.allow(requests)

    def predict(self, examples: Sequence[Example]) -> Any:
        """Ask about each example.

        Args:
            examples: The batch, ``[examples]``.

        Returns:
            Rows ``[examples, classes]``; NaN for a text to which the model gave no label.

        Raises:
            UsageError: The token's variable is not set, or the prompt names a field that the examples lack.
            ModelError: The endpoint failed too often, refused, or answered what cannot be read.
        """
        return self._endpoint.run([partial(self._ask, example) for example in examples])

    def stream(self, batches: Sequence[Sequence[Example]]) -> Iterator[tuple[int, Any]]:
        """Ask about the examples of batches, several at once.

        Args:
            batches: As the queue forms them, of one example each, ``[batches][examples]``.

        Returns:
            The index of a batch and its rows, as soon as they are there.

        Raises:
            UsageError: As ``predict``.
            ModelError: As ``predict``.
        """
        return self._endpoint.stream([partial(self._ask_all, batch) for batch in batches])

    async def _ask_all(self, examples: Sequence[Example], send: Send) -> list[list[float]]:
        return [await self._ask(example, send) for example in examples]

    async def _ask(self, example: Example, send: Send) -> list[float]:
        """Ask about one example; what cannot be used is counted, and is no prediction."""
        answers = _Answers()
        try:
            row = await self._row(example, send, answers)
        except Malformed:
            row, answers.malformed = [nan] * len(self.labels), True
        except Refused as error:
            if error.status != 400 or "content_filter" not in str(error):
                raise
            row, answers.refused = [nan] * len(self.labels), True
        self.tally.texts += 1
        if isnan(row[0]):
            if answers.malformed:
                self.tally.malformed += 1
            elif answers.refused:
                self.tally.refused += 1
            else:
                self.tally.without_label(next(filter(None, answers.said), ""))
            self.tally.require_usable()
        return row

    async def _row(self, example: Example, send: Send, answers: _Answers) -> list[float]:
        values = {**named_texts(example), "labels": ", ".join(self._words.first)}
        messages = [{"role": "user", "content": fill(self._prompt, values)}]
        if self._system is not None:
            messages.insert(0, {"role": "system", "content": fill(self._system, values)})
        if not self._only_votes and (row := await self._by_logprobs(messages, send, answers)) is not None:
            return row
        self.tally.votes = self._votes
        return await self._by_votes(messages, send, answers)

    async def _by_logprobs(self, messages: list[dict[str, Any]], send: Send, answers: _Answers) -> list[float] | None:
        """Ask once, for log-probabilities; None where the endpoint gives none and votes will do."""
        options = {"temperature": 0, "logprobs": True, "top_logprobs": self._top_logprobs}
        try:
            reply = await send(self._body(messages, options))
        except Refused as error:
            if self._by == "logprobs" or "logprobs" not in str(error):
                raise
            tokens = None
        else:
            self.tally.used(reply)
            choice = self._endpoint.read(reply, _choices_of)[0]
            tokens = (choice.get("logprobs") or {}).get("content")
            if tokens or _refused(choice):
                message = choice.get("message")
                answers.note(choice, message.get("content") if isinstance(message, dict) else "")
            if _refused(choice) and not tokens:
                return [nan] * len(self.labels)
        if tokens:
            return self._endpoint.read(tokens, self._masses)
        if self._by == "logprobs":
            raise ModelError(
                f"{self._endpoint.url} gives no log-probabilities; 'probabilities: votes' asks {self._votes} times "
                "a text instead."
            )
        self._only_votes = True
        return None

    async def _by_votes(self, messages: list[dict[str, Any]], send: Send, answers: _Answers) -> list[float]:
        while len(answers.said) < self._votes:
            number = min(self._choices, self._votes - len(answers.said))
            options = {"temperature": self._temperature} | ({"n": number} if number > 1 else {})
            reply = await send(self._body(messages, options))
            self.tally.used(reply)
            for choice in self._endpoint.read(reply, _choices_of):
                answers.note(choice, self._endpoint.read(choice, _CONTENT.find))
        return self._words.votes(answers.said[: self._votes])

    def _masses(self, tokens: Any) -> list[float]:
        try:
            return self._words.masses(tokens)
        except (KeyError, TypeError, AttributeError, OverflowError) as error:
            raise ModelError(
                f"{self._endpoint.url} gave log-probabilities of another form than OpenAI's: "
                f"{type(error).__name__}: {error}."
            ) from None

    def _body(self, messages: list[dict[str, Any]], options: dict[str, Any]) -> dict[str, Any]:
        body = {**self._usual, "messages": messages, **options, **self._extra}
        return {key: value for key, value in body.items() if value is not None}


@dataclass
class _Answers:
    """What was said of one text."""

    said: list[str] = field(default_factory=list)
    refused: bool = False
    malformed: bool = False

    def note(self, choice: dict[str, Any], content: Any) -> None:
        self.said.append(content or "")
        self.refused = self.refused or _refused(choice)


def _refused(choice: dict[str, Any]) -> bool:
    """Whether the model refused, or a filter cut its answer out."""
    message = choice.get("message")
    said = isinstance(message, dict) and bool(message.get("refusal"))
    return said or choice.get("finish_reason") == "content_filter"


def _choices_of(reply: Any) -> list[dict[str, Any]]:
    choices = _CHOICES.find(reply)
    if not isinstance(choices, list) or not choices or not all(isinstance(each, dict) for each in choices):
        raise ModelError(f"the endpoint's 'choices' are no list of answers: {choices!r:.80}.")
    return choices
