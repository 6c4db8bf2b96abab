"""Chat services: one client, one store of answers and one budget for all plugins of a suite that ask a chat model."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt, TypeAdapter

from robustfim.contract import INCIDENTAL
from robustfim.errors import ModelError, shown
from robustfim.exhibit import Section
from robustfim_blackbox.answer_path import AnswerPath
from robustfim_blackbox.chat.account import Account
from robustfim_blackbox.chat.event_stream import completion
from robustfim_blackbox.digest import digest
from robustfim_blackbox.endpoint import Endpoint, Malformed, Refused, Send
from robustfim_blackbox.secret import refuse_secrets

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = [
    "Answer",
    "Asked",
    "Chat",
    "ChatPart",
    "ChatService",
    "Services",
    "filtered",
    "refused",
]

_CHOICES, _CONTENT = AnswerPath("choices"), AnswerPath("message.content")


@dataclass(frozen=True)
class Chat:
    """A chat model that writes or judges, as described in a suite.

    Attributes:
        url: The API's address up to and including ``/v1``, or the whole address, ending in ``/chat/completions``.
        model: The model's name at the endpoint.
        prices: The price of a million tokens: {input: 0.15, output: 0.60}.
        budget: The limits: {requests: 1000, tokens: 500000, cost: 2.50}, or some of these.
        token_env: The environment variable with the token, sent as ``Authorization: Bearer …``.
        max_tokens: The largest number of tokens of an answer; null leaves it to the endpoint.
        extra: Further keys of the request; null removes a default key.
        headers: Further headers; ``{token}`` stands for the token.
        concurrency: Requests under way at once.
        retries: Further attempts after a failure that may be temporary.
        backoff: Seconds before the second attempt, doubled before each further one.
        rate: The largest number of requests in a second.
        timeout: Seconds for one attempt.
        version: Change it when the model changes behind the same name.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    url: str
    model: str
    prices: Annotated[dict[str, float] | None, INCIDENTAL] = None
    budget: Annotated[dict[str, float] | None, INCIDENTAL] = None
    token_env: Annotated[str | None, INCIDENTAL] = None
    max_tokens: int | None = 512
    extra: dict[str, Any] | None = None
    headers: dict[str, str] | None = None
    concurrency: Annotated[PositiveInt, INCIDENTAL] = 4
    retries: Annotated[NonNegativeInt, INCIDENTAL] = 3
    backoff: Annotated[NonNegativeFloat, INCIDENTAL] = 1.0
    rate: Annotated[PositiveFloat | None, INCIDENTAL] = None
    timeout: Annotated[PositiveFloat, INCIDENTAL] = 60.0
    version: str | int | float = ""


@dataclass(frozen=True)
class Asked:
    """A request to a chat model for one answer.

    Attributes:
        prompt: The user's message.
        temperature: The temperature; 0 for the likeliest answer.
        number: A number that distinguishes several answers to the same prompt.
    """

    prompt: str
    temperature: float = 0.0
    number: int = 0

    @property
    def key(self) -> str:
        """The key under which the store keeps the answer."""
        return json.dumps([[["user", self.prompt]], self.temperature, self.number])


@dataclass(frozen=True)
class Answer:
    """An answer, or the reason why there is none.

    Attributes:
        text: The answer.
        unusable: Why there is no answer: ``refused`` or ``malformed``; empty if there is an answer.
    """

    text: str = ""
    unusable: Literal["", "refused", "malformed"] = ""


class ChatService:
    """Sends requests to a chat model, and caches each answer in the run's store on arrival.

    Args:
        chat: The address, options and budget of the model.

    Attributes:
        account: The requests and expenses.
        kept: The number of answers taken from the store.
        unusable: The number of unusable answers, by reason.
        identity: The hash of everything that decides an answer.

    Raises:
        UsageError: An option has no usable value, or a secret stands in the suite.
    """

    def __init__(self, chat: Chat) -> None:
        refuse_secrets(chat.extra or {}, "key of 'extra'")
        whole = chat.url.rstrip("/").endswith("/chat/completions")
        address = chat.url if whole else f"{chat.url.rstrip('/')}/chat/completions"
        self.account = Account(chat.prices, chat.budget)
        self.endpoint = Endpoint(
            address, "POST", chat.headers or {}, chat.token_env, chat.concurrency, chat.retries, chat.backoff,
            chat.rate, chat.timeout, self.account.admit, completion,
        )  # fmt: skip
        self.chat, self.kept, self.unusable = chat, 0, Counter[str]()
        self.identity = digest(address, chat.model, chat.max_tokens, chat.extra, chat.headers, chat.version)
        self._usual = {"model": chat.model} | ({} if chat.max_tokens is None else {"max_tokens": chat.max_tokens})

    async def choices(self, send: Send, body: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Send one request to the chat model, and count the tokens that the reply reports.

        Args:
            send: The function that sends to the endpoint.
            body: The body of the request without the model's name and the suite's ``extra``.

        Returns:
            The answers, at least one.

        Raises:
            ModelError: The endpoint failed, refused, or does not follow the protocol.
            CallLimitReached: The budget is used up.
        """
        whole = {**self._usual, **body, **(self.chat.extra or {})}
        try:
            reply = await send({key: value for key, value in whole.items() if value is not None})
        except Refused as error:
            below = "" if "/v1/" in self.endpoint.url else " Most servers answer below '/v1': 'url: …/v1'."
            ways = {
                400: " The option 'extra: {KEY: VALUE}' adds a key to requests, and null takes one out.",
                404: below,
            }
            raise Refused(f"{error}{ways.get(error.status, '')}", error.status) from None
        self.account.used(reply)
        return self.endpoint.read(reply, _choices_of)

    def content(self, choice: dict[str, Any]) -> str:
        """Return the text of a chat model's answer; "" if the answer has no text.

        Raises:
            ModelError: The endpoint does not follow the protocol.
        """
        return self.endpoint.read(choice, _text_of)

    def complete(self, asked: Sequence[Asked], context: Context) -> list[Answer]:
        """Return a chat model's answers to requests, from the run's store or else from the endpoint.

        Args:
            asked: The requests. Equal requests are sent once.
            context: The run, whose store keeps the answers.

        Raises:
            ModelError: The endpoint failed too often.
            CallLimitReached: The budget is used up. Earlier answers are kept.
        """
        jobs = {each.key: partial(self._answered, each) for each in asked}
        found = self.known(f"answer {self.identity}", jobs, TypeAdapter(Answer).validate_python, context)
        return [found[each.key] for each in asked]

    def known(
        self,
        what: str,
        jobs: Mapping[str, Callable[[Send], Awaitable[Any]]],
        read: Callable[[Any], Any],
        context: Context,
    ) -> dict[str, Any]:
        """Return results from the store; run the jobs without a stored result, and store their results.

        Args:
            what: The identity of the computation: everything that affects a result except the job's key.
            jobs: The jobs, by key.
            read: A function that turns a stored value into a result, and raises ValueError for a value of another form.
                Results are stored as JSON, except None.
            context: The run, whose store keeps the results.

        Returns:
            The result of each job. A job with the result None is done again in the next run.
        """
        found: dict[str, Any] = {}
        for key, value in context.kept(what, list(jobs)).items():
            try:
                found[key] = read(value)
            except ValueError:
                continue
        self.kept += len(found)
        missing = [key for key in jobs if key not in found]
        for index, value in self.endpoint.stream([jobs[key] for key in missing]) if missing else ():
            found[missing[index]] = value
            plain = asdict(value) if isinstance(value, Answer) else value
            if plain is not None and not (isinstance(value, Answer) and value.unusable == "malformed"):
                context.keep(what, {missing[index]: plain})
        return found

    async def _answered(self, asked: Asked, send: Send) -> Answer:
        try:
            messages = [{"role": "user", "content": asked.prompt}]
            choice = (await self.choices(send, {"messages": messages, "temperature": asked.temperature}))[0]
        except Malformed:
            return Answer(unusable="malformed")
        except Refused as error:
            if not filtered(error):
                raise
            return Answer(unusable="refused")
        return Answer(unusable="refused") if refused(choice) else Answer(self.content(choice).strip())


class Services:
    """The chat services of one run. Plugins with the same ``chat`` share a service, with its answers and budget."""

    def __init__(self) -> None:
        self._made: dict[str, ChatService] = {}

    def of(self, chat: Chat) -> ChatService:
        """Return the service of a chat model.

        Raises:
            UsageError: An option has no usable value.
        """
        key = json.dumps(asdict(chat), sort_keys=True)
        if key not in self._made:
            self._made[key] = ChatService(chat)
        return self._made[key]

    def sections(self) -> list[Section]:
        """Return sections for the record with the requests of each service."""
        findings = []
        for each in self._made.values():
            account, lost = each.account, each.unusable
            if not (account.requests or each.kept):
                continue
            sentences = [account.told(), f"{each.kept:,} answers of the store", account.bound()]
            if lost:
                total = sum(lost.values())
                kinds = ", ".join(f"{number:,} {why}" for why, number in lost.items())
                sentences.append(f"{total:,} answer{'s' * (total != 1)} of no use: {kinds}")
            findings.append(f"{each.chat.model}: {'; '.join(filter(None, sentences))}.")
        title = "What writers and judges were asked"
        return [Section(name="writers", title=title, findings=findings)] if findings else []


class ChatPart:
    """Base of plugins that ask a chat model. Plugins with equal options share one service and one budget.

    Args:
        chat: The address, options and budget of the model.

    Attributes:
        chat: The address, options and budget of the model.
        version: The identity of the answers: the model's name, the version in the suite, and a hash of the question.

    Raises:
        UsageError: An option has no usable value.
    """

    who: ClassVar = "the chat model"
    """The name of the part in messages outside of a run."""

    def __init__(self, chat: Chat) -> None:
        identity = ChatService(chat).identity  # made here so that a wrong option is told where it is written
        self.chat = chat
        self.version = " ".join(filter(None, (chat.model, str(chat.version), identity[:12])))
        self._joined: tuple[ChatService, Context] | None = None

    def prepare(self, context: Context) -> None:
        """Connect to the run's chat services."""
        self._joined = context.shared(Services).of(self.chat), context

    @property
    def joined(self) -> tuple[ChatService, Context]:
        """The chat service that a run's plugins share, and the run's context.

        Raises:
            ModelError: No run is in progress, because ``prepare`` was not called.
        """
        if self._joined is None:
            raise ModelError(f"{self.who} can be asked only within a run: call 'prepare' first.")
        return self._joined


def refused(choice: Mapping[str, Any]) -> bool:
    """Return whether the model refused to answer, or a filter removed its answer."""
    message = choice.get("message")
    said = isinstance(message, dict) and bool(message.get("refusal"))
    return said or choice.get("finish_reason") == "content_filter"


def filtered(error: Refused) -> bool:
    """Return whether an endpoint refused a request because of its content."""
    return error.status == 400 and "content_filter" in str(error)


def _text_of(choice: dict[str, Any]) -> str:
    """The text of an answer, which some endpoints give in parts, without what a reasoning model thought before it."""
    found = _CONTENT.find(choice)
    if isinstance(found, list):
        found = "".join(str(part.get("text") or "") for part in found if isinstance(part, dict))
    if not isinstance(found, str | None):
        raise ModelError(f"the endpoint's 'content' is not a text: {shown(found)}.")
    return (found or "").rpartition("</think>")[2]


def _choices_of(reply: Any) -> list[dict[str, Any]]:
    choices = _CHOICES.find(reply)
    if not isinstance(choices, list) or not choices or not all(isinstance(choice, dict) for choice in choices):
        raise ModelError(f"the endpoint's 'choices' are not a list of answers: {choices!r:.80}.")
    return choices
