"""A client for JSON over HTTP, with concurrent requests, retries, a rate limit and a time limit."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar
from urllib.parse import parse_qsl, urlsplit

from robustfim.errors import ModelError, UsageError
from robustfim.predict import CallLimitReached
from robustfim.reading import read_json
from robustfim_blackbox.secret import Token, refuse_secrets
from robustfim_blackbox.template import fill

if TYPE_CHECKING:
    import httpx

__all__ = ["Endpoint", "Malformed", "Refused", "Send"]

_AGAIN = {408, 425, 429, 500, 502, 503, 504}
"""HTTP statuses after which a request is tried again."""

_LONGEST_WAIT = 60.0
"""The largest number of seconds between two attempts."""

_LARGEST = 64 * 2**20
"""The largest number of bytes of an answer."""

T = TypeVar("T")

Send: TypeAlias = Callable[..., Awaitable[Any]]
"""A function: ``await send(body, url=…)`` returns the parsed JSON of one request."""


class Refused(ModelError):
    """Raised if an HTTP endpoint refuses a request and another attempt would not help.

    Args:
        message: The text of the refusal.
        status: The HTTP status.
    """

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class Malformed(ModelError):
    """No attempt of a request returned JSON."""


class _Again(Exception):
    """An attempt failed in a way that may pass."""

    def __init__(self, reason: str, wait: float = 0.0, *, malformed: bool = False) -> None:
        super().__init__(reason)
        self.wait, self.malformed = wait, malformed


@dataclass
class Endpoint:
    """The address of an endpoint, and the options of requests.

    Attributes:
        url: The address, with optional places that each request fills.
        method: The HTTP method.
        headers: Further headers; ``{token}`` stands for the token.
        token_env: The environment variable with the token, which replaces ``{token}`` in a header. Without ``{token}``
            it is sent as ``Authorization: Bearer …``.
        concurrency: Requests under way at once, at least 1.
        retries: Further attempts after a time-out, a lost connection, or a status that may be temporary.
        backoff: Seconds before the second attempt, doubled before each further one, at most 60; a longer
            ``Retry-After`` of the endpoint is respected, up to this limit.
        rate: The largest number of requests in a second; None for no limit.
        timeout: Seconds for one attempt, from the connection to the last byte.
        admit: Called before each attempt. An exception ends all jobs.
        event_stream: A function that turns an answer of the type ``text/event-stream`` into one document, and raises
            ModelError for an error in it; None if only JSON is accepted.

    Raises:
        UsageError: The address is malformed, or an option that the record repeats has a
            secret.
    """

    url: str
    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=dict)
    token_env: str | None = None
    concurrency: int = 4
    retries: int = 3
    backoff: float = 1.0
    rate: float | None = None
    timeout: float = 30.0
    admit: Callable[[], None] = lambda: None
    event_stream: Callable[[bytearray], Any] | None = None

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            right = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            right = False
        if not right:
            raise UsageError("'url' is not an address that begins with http:// or https:// and a host.")
        if "@" in parts.netloc:
            raise UsageError("'url' holds a user or password; put the token into a variable, named with 'token_env'.")
        refuse_secrets(dict(parse_qsl(parts.query)), "parameter of 'url'")
        refuse_secrets(self.headers, "header")
        for name, value in self.headers.items():
            if not re.fullmatch(r"[\w!#$%&'*+.^`|~-]+", name, re.ASCII) or not re.fullmatch(r"[ -~\t]*", value):
                raise UsageError(f"the header {name!r} cannot be sent: names and values are plain ASCII on one line.")
            if "{token}" in value and self.token_env is None:
                raise UsageError(
                    f"the header {name!r} has '{{token}}', but 'token_env' is missing. Set 'token_env' to the name of "
                    "the environment variable that holds the token."
                )
        self._token, self._next = Token(self.token_env), 0.0

    def stream(self, jobs: Sequence[Callable[[Send], Awaitable[T]]]) -> Iterator[tuple[int, T]]:
        """Run asynchronous jobs that send requests, and yield each result on completion. A failure stops all jobs.

        Yields:
            The index of a job and its result, in the order of completion.

        Raises:
            UsageError: The token's variable is not set.
            ModelError: httpx is missing, or the endpoint refused or failed too often.
        """
        headers = self._headers()
        told: SimpleQueue[tuple[int, T] | BaseException | None] = SimpleQueue()
        loop = asyncio.new_event_loop()
        task = loop.create_task(self._work(jobs, headers, told.put))

        def work() -> None:
            try:
                loop.run_until_complete(task)
                told.put(None)
            except BaseException as error:  # it is raised where the answers are read
                told.put(error)
            finally:
                loop.close()

        # A thread of its own: the caller reads answers while others are under way, in a notebook's loop as well.
        thread = Thread(target=work, daemon=True)
        thread.start()
        try:
            while (each := told.get()) is not None:
                if isinstance(each, BaseException):
                    raise each
                yield each
        finally:
            if thread.is_alive() and not loop.is_closed():
                with suppress(RuntimeError):  # it may end just now
                    loop.call_soon_threadsafe(task.cancel)
            thread.join()

    def _headers(self) -> dict[str, str]:
        """What every request has, with the token in its place."""
        try:
            import httpx  # noqa: F401  # asked for here, where its absence can be told
        except ModuleNotFoundError as error:
            raise ModelError(f"the library {error.name!r} is missing: pip install 'robustfim[http]'.") from None
        token = self._token.read()
        headers = {name: str(fill(value, {"token": token})) for name, value in self.headers.items()}
        if token and not any("{token}" in value for value in self.headers.values()):
            headers["Authorization"] = f"Bearer {token}"
        return headers

    async def _work(
        self,
        jobs: Sequence[Callable[[Send], Awaitable[T]]],
        headers: Mapping[str, str],
        tell: Callable[[tuple[int, T]], None],
    ) -> None:
        """Do the jobs, each by the first connection that is free."""
        import httpx

        limits = httpx.Limits(max_connections=self.concurrency)
        waiting = iter(enumerate(jobs))
        # Redirects are not followed: a header with a token would go wherever they lead.
        async with httpx.AsyncClient(headers=headers, timeout=None, limits=limits) as client:  # noqa: S113  # _attempt limits it

            async def send(body: Any, url: str | None = None) -> Any:
                return await self._persist(client, body, url or self.url)

            ended: list[CallLimitReached] = []

            async def connection() -> None:
                for index, job in waiting:
                    try:
                        tell((index, await job(send)))
                    except CallLimitReached as error:  # what is under way is paid, and comes to its end
                        ended.append(error)
                        return

            connections = [asyncio.ensure_future(connection()) for _ in range(min(self.concurrency, len(jobs)))]
            try:
                await asyncio.gather(*connections)
            finally:
                for task in connections:
                    task.cancel()
                await asyncio.gather(*connections, return_exceptions=True)
            if ended:
                raise ended[0]

    def read(self, document: Any, reader: Callable[[Any], T]) -> T:
        """Apply a reader function to an endpoint's answer, and hide the secret token in error messages.

        Raises:
            ModelError: The reader raised this error. The message ends with the beginning of the document, with
                ``[token]`` in place of the token.
        """
        try:
            return reader(document)
        except ModelError:
            hidden = self._token.hide_in(document)
        try:
            return reader(hidden)
        except ModelError as error:
            said = self._excerpt(json.dumps(hidden, ensure_ascii=False).encode("utf-8", "replace"))
            raise ModelError(f"{error} It answered{said}.") from error.__cause__

    async def _persist(self, client: httpx.AsyncClient, body: Any, url: str) -> Any:
        """Try until there is an answer or no attempt is left."""
        attempt = 0
        while True:
            attempt += 1
            await self._pace()
            try:
                return await self._attempt(client, body, url)
            except _Again as failure:
                if attempt > self.retries:
                    times = f"{attempt} attempts" if attempt > 1 else "1 attempt"
                    raise (Malformed if failure.malformed else ModelError)(
                        f"{self.url} failed in {times}, the last with: {failure}. The store keeps the answers so "
                        "far. Run the same command again to continue."
                    ) from None
                wait = max(self.backoff * 2 ** (attempt - 1), failure.wait)
            await asyncio.sleep(min(wait, _LONGEST_WAIT))

    async def _pace(self) -> None:
        """Wait for this request's turn under the rate limit."""
        if self.rate is not None:
            now = time.monotonic()
            turn = max(now, self._next)
            self._next = turn + 1 / self.rate
            await asyncio.sleep(turn - now)

    async def _attempt(self, client: httpx.AsyncClient, body: Any, url: str) -> Any:
        import httpx

        self.admit()
        content = bytearray()
        try:
            # The time limit is on the whole attempt: a server that sends a byte now and then never ends a read.
            async with (
                asyncio.timeout(self.timeout),
                client.stream(
                    self.method, url, content=_encoded(body), headers=_KIND if body is not None else {}
                ) as reply,
            ):
                async for part in reply.aiter_bytes():
                    content += part
                    if len(content) > _LARGEST:
                        raise ModelError(f"{self.url} answered with more than {_LARGEST >> 20} MB.")
        except TimeoutError:
            raise _Again(f"no answer within {self.timeout:g} s") from None
        except httpx.HTTPError as error:
            raise _Again(self._token.hide(f"{type(error).__name__}: {error}".rstrip(": "))) from None
        said = self._excerpt(content)
        if reply.status_code in _AGAIN:
            raise _Again(f"HTTP {reply.status_code}{said}", _seconds(reply.headers.get("Retry-After", "")))
        if not reply.is_success:
            where = self._token.hide(f" to {reply.headers['Location']}") if "Location" in reply.headers else ""
            raise Refused(f"{self.url} refused a request: HTTP {reply.status_code}{where}{said}.", reply.status_code)
        kind = reply.headers.get("Content-Type", "something").partition(";")[0].strip().lower()
        if kind == "text/event-stream" and self.event_stream is not None:
            return self._streamed(self.event_stream, content)
        try:
            return read_json(content)
        except (ValueError, RecursionError):
            if "json" in kind and content:
                raise _Again(f"malformed JSON{said}", malformed=True) from None
            raise ModelError(f"{self.url} answered {self._token.hide(kind)}, not JSON{said}.") from None

    def _streamed(self, read: Callable[[bytearray], Any], content: bytearray) -> Any:
        """Read what came as server-sent events."""
        try:
            return read(content)
        except ModelError as error:
            raise _Again(f"an error in its stream{self._excerpt(str(error).encode())}") from None
        except (ValueError, RecursionError) as error:
            why = self._token.hide(str(error))
            raise _Again(f"a malformed stream of events ({why}){self._excerpt(content)}", malformed=True) from None

    def _excerpt(self, content: bytes | bytearray) -> str:
        """The beginning of an answer, for a message; the token is taken out before the text is cut."""
        text = self._token.hide(" ".join(content[:10_000].decode("utf-8", "replace").split()))
        return f": {text if len(text) <= 160 else f'{text[:157]}…'}" if text else ""


_KIND = {"Content-Type": "application/json"}


def _encoded(body: Any) -> bytes | None:
    # Half a surrogate pair, which JSON can smuggle into a text, is not UTF-8.
    return None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


def _seconds(text: str) -> float:
    """Read how long to wait, which a server tells in seconds or by the time at which it may be asked again."""
    if re.fullmatch(r"\d{1,6}(\.\d+)?", text):
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):  # no date, or one without a zone
        return 0.0
