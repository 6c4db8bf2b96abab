"""A model behind an HTTP endpoint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import isfinite
from typing import Any, ClassVar, Literal

from pydantic import NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from robustfim.contract import ModelContract
from robustfim.errors import ModelError, UsageError, shown
from robustfim.example import Example
from robustfim.labels import class_names
from robustfim.spans import span_parts
from robustfim_blackbox.answer_path import AnswerPath, paths
from robustfim_blackbox.answers import read_answers
from robustfim_blackbox.digest import digest
from robustfim_blackbox.endpoint import Endpoint, Send
from robustfim_blackbox.inputs import inputs, named_texts
from robustfim_blackbox.secret import refuse_secrets
from robustfim_blackbox.task import Task, require_labels
from robustfim_blackbox.template import fill, fill_address, places

__all__ = ["HttpModel"]


class HttpModel:
    """A classifier or a tagger behind an HTTP endpoint that speaks JSON.

    The body is a template. ``"{texts}"`` as a whole value becomes the list of the texts of a request, or of ``{field:
    text}`` if the examples have several fields. ``{text}``, or the name of a field, becomes one text, and a request
    then has one example. The path ``answer`` leads to the answers, which have the forms of ``python``: a row of
    numbers, ``{label: number}``, a list of ``{label, score}``, or a label. A tagger answers with a list of spans, such
    as ``{start, end, entity_type, score}``. Needs ``pip install 'robustfim[http]'``.

    Args:
        url: The address, which may contain ``{text}`` or the name of a field.
        labels: The labels, in the order of the rows.
        body: The JSON to send, with places; null to send none.
        answer: The path to the answers in the returned JSON: keys and positions with dots, ``*`` for every item of a
            list. With ``{texts}`` the path must lead to a list with one answer for each text, else to one answer.
        method: The HTTP method.
        headers: Further headers; ``{token}`` stands for the token.
        token_env: The environment variable with the token: it is sent as ``Authorization: Bearer …``, or where
            ``{token}`` stands in a header. The token never appears in records, messages or fingerprints.
        logits: Whether the numbers are logits, to which a softmax is applied.
        batch: The largest number of texts in a request, if the body has ``{texts}``.
        concurrency: Requests under way at once.
        retries: Further attempts after a time-out, a lost connection, or HTTP 408, 425, 429, 500, 502, 503 or 504.
        backoff: Seconds before the second attempt, doubled before each further one, up to 60.
        rate: The largest number of requests in a second; null for no limit.
        timeout: Seconds for one attempt.
        version: Change it when the endpoint's model changes behind the same address.
        task: The kind of answer: one of the ``labels``, ``spans``, or a ``number``.

    Raises:
        UsageError: An option has no usable value, or a secret stands in the suite.
    """

    libraries: ClassVar = {"httpx": "robustfim[http]"}

    def __init__(
        self,
        url: str,
        labels: list[str] | None = None,
        body: dict[str, Any] | list[Any] | str | None = None,
        answer: str = "",
        method: Literal["POST", "PUT", "PATCH", "GET"] = "POST",
        headers: dict[str, str] | None = None,
        token_env: str | None = None,
        logits: bool = False,
        batch: PositiveInt = 16,
        concurrency: PositiveInt = 4,
        retries: NonNegativeInt = 3,
        backoff: NonNegativeFloat = 1.0,
        rate: PositiveFloat | None = None,
        timeout: PositiveFloat = 30.0,
        version: str | int | float = "",
        task: Task = "labels",
    ) -> None:
        require_labels(task, labels, logits=logits)
        named = places(body) | places(url)
        if not named:
            raise UsageError(
                "neither 'body' nor 'url' has a place for the text. Write one, for example body: {inputs: '{texts}'}."
            )
        if "texts" in named and (named != {"texts"} or "texts" in places(url)):
            raise UsageError(
                "'{texts}' is the list of all texts of a request: write it in 'body', as a value of its own. For one "
                "text a request write '{text}'."
            )
        if isinstance(body, dict):
            refuse_secrets(body, "key of 'body'")
        self._endpoint = Endpoint(url, method, headers or {}, token_env, concurrency, retries, backoff, rate, timeout)
        self.labels, self._url, self._body, self._logits = class_names(labels or ()), url, body, logits
        self._answer = AnswerPath(answer)
        self._batch = batch if "texts" in named else None
        self._batch_size = self._batch or 1
        self.contract = ModelContract(batch_size=self._batch_size, may_change=True)
        self._task = task
        tasks = [] if task == "labels" else [task]
        self.fingerprint = digest("http", url, method, body, headers, answer, labels, logits, version, *tasks)
        if task == "spans":
            self.tag = self.predict
        elif task == "number":
            self.rate = self.predict

    def predict(self, examples: Sequence[Example]) -> Any:
        """Send the requests for a batch, and return the answers."""
        size = self._batch_size
        groups = [examples[start : start + size] for start in range(0, len(examples), size)]
        answered = dict(self.stream(groups))
        return [row for index in range(len(groups)) for row in answered[index]]

    def stream(self, batches: Sequence[Sequence[Example]]) -> Iterator[tuple[int, Any]]:
        """Send requests for several batches concurrently."""
        return self._endpoint.stream([partial(self._ask, batch) for batch in batches])

    async def _ask(self, examples: Sequence[Example], send: Send) -> list[list[Any]]:
        """Send one request and read its answers."""
        if self._batch is not None:
            reply = await send(fill(self._body, {"texts": inputs(examples)}))
        else:
            values = named_texts(examples[0])
            reply = await send(fill(self._body, values), url=fill_address(self._url, values))
        return self._endpoint.read(reply, lambda document: self._rows(document, len(examples)))

    def _rows(self, document: Any, expected: int) -> list[list[Any]]:
        try:
            return self._read(self._answer, document, expected)
        except ModelError as error:
            raise ModelError(f"{error}{self._other_path(document, expected)}") from error.__cause__

    def _read(self, path: AnswerPath, document: Any, expected: int) -> list[list[Any]]:
        found = path.find(document)
        answers = found if self._batch is not None else [found]
        if self._task == "number":
            return _numbers(answers, expected, self._endpoint.url)
        if self._task == "spans":
            return _spans(answers, expected, self._endpoint.url)
        return read_answers(answers, self.labels, expected=expected, source=self._endpoint.url, logits=self._logits)

    def _other_path(self, document: Any, expected: int) -> str:
        """Say which other path leads to answers in a document; ``""`` where none does."""
        for path in paths(document):
            try:
                rows = self._read(AnswerPath(path), document, expected)
            except ModelError:
                continue
            if self._task == "labels":
                usable = all(_is_row(row, len(self.labels), self._logits) for row in rows)
            else:
                usable = any(row not in (None, []) for row in rows)
            if usable:
                return f" With {f'answer: {path!r}' if path else 'no answer'} it would be read: {shown(rows[0], 80)}."
        return ""


def _numbers(answers: Any, expected: int, source: str) -> list[Any]:
    """Read the number of each text; None where there is none to be had."""
    if not isinstance(answers, list) or len(answers) != expected:
        raise ModelError(f"{source} gave {shown(answers, 80)}, which is not a list of {expected} numbers.")
    if strange := [
        answer for answer in answers if isinstance(answer, bool) or not isinstance(answer, int | float | None)
    ]:
        raise ModelError(f"{source} gave {shown(strange[0], 80)}, which is not a number.")
    return answers


def _spans(answers: Any, expected: int, source: str) -> list[Any]:
    """Read the spans of each text; None where there are none to be had."""
    if not isinstance(answers, list) or not all(isinstance(answer, list | None) for answer in answers):
        raise ModelError(f"{source} gave {shown(answers, 80)}, which is not a list of spans for each text.")
    if len(answers) != expected:
        raise ModelError(
            f"{source} gave the spans of {len(answers)} texts for {expected}; it must give one list for each."
        )
    try:
        return [None if answer is None else [span_parts(span) for span in answer] for answer in answers]
    except ValueError as error:
        raise ModelError(f"{source} gave no spans: {error}.") from error


def _is_row(row: Sequence[Any], labels: int, logits: bool) -> bool:
    if len(row) != labels or not all(isinstance(each, int | float) and isfinite(each) for each in row):
        return False
    return logits or (min(row) >= 0 and abs(sum(row) - 1) < _ROUNDED)


_ROUNDED = 1e-3
