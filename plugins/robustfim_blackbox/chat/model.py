"""A chat model that is asked for a label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from robustfim.contract import ModelContract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_blackbox.chat.label_words import LabelWords
from robustfim_blackbox.chat.labeller import Labeller
from robustfim_blackbox.chat.service import Chat, ChatService
from robustfim_blackbox.chat.tally import Tally
from robustfim_blackbox.digest import digest
from robustfim_blackbox.endpoint import Send
from robustfim_blackbox.inputs import named_texts
from robustfim_blackbox.template import places

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from robustfim.roles import Context

__all__ = ["ChatModel"]

_PROMPT = """\
Classify the text. Answer with one of these labels and nothing else: {labels}.

Text: {text}
Label:"""


class ChatModel:
    """A chat model behind an endpoint that speaks OpenAI's chat completions, asked for a label.

    Its probabilities are those of the label words: from the log-probabilities of the first tokens where the endpoint
    gives them (one request a text), else the shares of ``votes`` sampled answers (``votes`` requests a text, or
    fewer with ``choices``). ``--max-calls`` and ``budget`` bound its requests, each attempt counted; the end of the
    terminal report says how many they were, the tokens, and which answers could not be used. Needs
    ``pip install 'robustfim[http]'``.

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
        budget: The most that may be spent: {requests: 1000, tokens: 500000, cost: 2.50}, or some of these; the run
            ends there, and goes on from there with a larger one.
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
        budget: dict[str, float] | None = None,
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
        if not places(prompt) - {"labels"}:
            raise UsageError("'prompt' has no place for the text: '{text}', or the names of the fields.")
        chat = Chat(
            url, model, prices, budget, token_env, max_tokens, extra, headers, concurrency, retries, backoff, rate,
            timeout, version,
        )  # fmt: skip
        self._service = ChatService(chat)
        words = LabelWords(labels, unparsed)
        self.labels = words.labels
        self.tally = Tally(unusable, self._service.account)
        self._labeller = Labeller(
            self._service, words, prompt, self.tally, system=system, by=probabilities, votes=votes,
            temperature=temperature, choices=choices, top_logprobs=top_logprobs,
        )  # fmt: skip
        self.contract = ModelContract(batch_size=1, may_change=True, unusable=unusable)
        self._context: Context | None = None
        self.fingerprint = digest(
            *("chat", self._service.identity, labels, prompt, system, probabilities, votes, temperature),
            *(top_logprobs, unparsed),
        )

    @property
    def requests(self) -> int:
        """Requests sent so far, each attempt counted."""
        return self._service.account.requests

    def prepare(self, context: Context) -> None:
        """Learn how much may be asked, and of the store that keeps the votes of a text where that ends midway.

        The record of the run has what was asked, in requests and tokens, and which answers could not be used.
        """
        self._context = context
        if context.max_calls is not None:
            self._service.account.allow(context.max_calls)
        context.shared(lambda: self.tally)

    def predict(self, examples: Sequence[Example]) -> Any:
        """Ask about each example.

        Returns:
            Rows ``[examples, classes]``; NaN for a text to which the model gave no label.
        """
        with self._resuming(examples):
            return self._service.endpoint.run([partial(self._ask, example) for example in examples])

    def stream(self, batches: Sequence[Sequence[Example]]) -> Iterator[tuple[int, Any]]:
        """Ask about the examples of batches, several at once."""
        with self._resuming([each for batch in batches for each in batch]):
            yield from self._service.endpoint.stream([partial(self._ask_all, batch) for batch in batches])

    def _resuming(self, examples: Sequence[Example]) -> AbstractContextManager[None]:
        if self._context is None:
            return nullcontext()
        return self._labeller.resuming(self._context, self.fingerprint, map(named_texts, examples))

    async def _ask_all(self, examples: Sequence[Example], send: Send) -> list[list[float]]:
        return [await self._ask(example, send) for example in examples]

    async def _ask(self, example: Example, send: Send) -> list[float]:
        return await self._labeller.ask(named_texts(example), send)
