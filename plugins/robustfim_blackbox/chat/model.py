"""A chat model as a classifier."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from robustfim.contract import ModelContract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.suite import Fraction
from robustfim_blackbox.chat.label_words import LabelWords
from robustfim_blackbox.chat.labeller import Labeller
from robustfim_blackbox.chat.service import Chat, ChatService
from robustfim_blackbox.chat.tally import Tally
from robustfim_blackbox.digest import digest
from robustfim_blackbox.endpoint import Send
from robustfim_blackbox.inputs import named_texts
from robustfim_blackbox.template import places

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["ChatModel"]

_PROMPT = """\
Classify the text. Answer with one of these labels and nothing else: {labels}.

Text: {text}
Label:"""


class ChatModel:
    """A chat model that is asked for a label, behind an endpoint with OpenAI's chat completions API.

    The probability of a label is the probability of its label words. If the endpoint gives log-probabilities, they are
    read from the first tokens, with one request for each text. Otherwise probabilities are fractions of ``votes``
    sampled answers, with ``votes`` requests for each text, or fewer with ``choices``. ``--max-calls`` and ``budget``
    limit the requests; each attempt counts. The terminal report ends with the number of requests, the tokens, and the
    unusable answers. Needs ``pip install 'robustfim[http]'``.

    Args:
        url: The API's address up to and including ``/v1``, or the whole address, ending in ``/chat/completions``.
        model: The model's name at the endpoint.
        labels: The labels (a list), or the words that stand for each (a mapping: ``{positive: [positive, good]}``).
        prompt: The user's message: ``{text}`` or the names of the fields, and ``{labels}`` for the first word of each
            label.
        system: The system's message; null for none.
        probabilities: ``logprobs``, ``votes``, or ``auto``: log-probabilities if the endpoint gives them, else votes.
        votes: Answers sampled for each text, if votes are used.
        temperature: The temperature of sampled answers. Log-probabilities are requested at temperature 0.
        choices: Answers requested at once (``n``), if the endpoint supports it; the prompt is then paid once.
        top_logprobs: The number of alternatives requested at each token.
        max_tokens: The largest number of tokens of an answer; null leaves it to the endpoint.
        unparsed: The label for answers without a label word. By default such answers are ignored, and a text without
            other answers has no prediction.
        unusable: The largest fraction of texts without a usable answer (refused, without a label, or malformed after
            every attempt). The run ends if more texts, and at least ten, have no usable answer.
        prices: The price of a million tokens: {input: 0.15, output: 0.60}; null to report no cost.
        budget: The limits: {requests: 1000, tokens: 500000, cost: 2.50}, or some of these. The run stops when the
            budget is used up; run it again with a larger budget to continue.
        extra: Further keys of the request, such as ``{seed: 1}``; null removes a default key.
        headers: Further headers; ``{token}`` stands for the token.
        token_env: The environment variable with the token, sent as ``Authorization: Bearer …`` or where ``{token}``
            stands in a header. The token never appears in records, messages or fingerprints.
        concurrency: Requests under way at once.
        retries: Further attempts after a time-out, a lost connection, or HTTP 408, 425, 429, 500, 502, 503 or 504.
        backoff: Seconds before the second attempt, doubled before each further one, up to 60.
        rate: The largest number of requests in a second; null for no limit.
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
        votes: PositiveInt = 10,
        temperature: float = 1.0,
        choices: PositiveInt = 1,
        top_logprobs: int = 20,
        max_tokens: int | None = 16,
        unparsed: str | None = None,
        unusable: Fraction = 0.2,
        prices: dict[str, float] | None = None,
        budget: dict[str, float] | None = None,
        extra: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
        token_env: str | None = None,
        concurrency: PositiveInt = 4,
        retries: NonNegativeInt = 3,
        backoff: NonNegativeFloat = 1.0,
        rate: PositiveFloat | None = None,
        timeout: PositiveFloat = 60.0,
        version: str | int | float = "",
    ) -> None:
        if not places(prompt) - {"labels"}:
            raise UsageError(
                "'prompt' has no place for the text: write '{text}' or '{FIELD}', the name of a field, into the prompt."
            )
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

    def prepare(self, context: Context) -> None:
        """Take from the run the limit on calls, and the store that keeps the sampled answers of unfinished texts.

        The record of the run lists the requests, the tokens and the unusable answers.
        """
        self._context = context
        if context.max_calls is not None:
            self._service.account.allow(context.max_calls)
        context.shared(lambda: self.tally)

    def predict(self, examples: Sequence[Example]) -> Any:
        """Ask the chat model for the label of each example.

        Returns:
            Probabilities ``[examples, classes]``; NaN for a text without a label.
        """
        answered = dict(self.stream([[example] for example in examples]))
        return [answered[index][0] for index in range(len(examples))]

    def stream(self, batches: Sequence[Sequence[Example]]) -> Iterator[tuple[int, Any]]:
        """Ask for the labels of the examples of several batches concurrently."""
        texts = [named_texts(example) for batch in batches for example in batch]
        known = self._context and self._labeller.resuming(self._context, self.fingerprint, texts)
        with known or nullcontext():
            yield from self._service.endpoint.stream([partial(self._ask, batch) for batch in batches])

    async def _ask(self, examples: Sequence[Example], send: Send) -> list[list[float]]:
        return [await self._labeller.ask(named_texts(example), send) for example in examples]
