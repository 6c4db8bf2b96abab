"""A chat completion that comes in pieces, as server-sent events, put together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from robustfim.errors import ModelError
from robustfim.reading import read_json

__all__ = ["completion", "events"]

_END = "[DONE]"
"""The data of the event with which the protocol ends a stream. Some servers leave it out."""


def events(text: str) -> Iterator[tuple[str, str]]:
    """Read server-sent events (HTML Standard, 9.2.6).

    The last event needs no blank line behind it, with which the standard would have it dropped: some servers send an
    error and go away, and JSON tells by itself whether it is whole.

    Yields:
        The type of each, ``message`` where none is named, and its data.
    """
    for block in re.sub(r"\r\n?", "\n", text).split("\n\n"):
        fields = [line.partition(":") for line in block.split("\n")]  # a comment has no name
        data = [value.removeprefix(" ") for name, _, value in fields if name == "data"]
        kinds = [value.removeprefix(" ") for name, _, value in fields if name == "event"]
        if data:
            yield (kinds or [""])[-1] or "message", "\n".join(data)


def completion(content: bytes | bytearray) -> dict[str, Any]:
    """Put the chunks of a chat completion together.

    Args:
        content: The whole answer, ``text/event-stream``.

    Returns:
        What the endpoint would have answered at once: ``choices``, each with ``message``, ``logprobs`` and
        ``finish_reason``, and ``usage``.

    Raises:
        ModelError: An event is an error; the message is its data, whole.
        ValueError: It ends before its answers do, or holds something else.
    """
    try:
        return _joined(events(content.decode("utf-8-sig", "replace")))
    except (TypeError, AttributeError) as error:
        raise ValueError("an event is no chunk of a chat completion") from error


def _joined(stream: Iterable[tuple[str, str]]) -> dict[str, Any]:
    choices: dict[int, dict[str, Any]] = {}
    usage, ended = None, False
    for kind, data in stream:
        if ended := data == _END:
            break
        if kind == "error" or (chunk := read_json(data)).get("error"):
            raise ModelError(data)
        usage = chunk.get("usage") or usage
        for piece in chunk.get("choices") or ():
            _add(piece, choices.setdefault(piece.get("index", 0), {"message": {"content": ""}, "finish_reason": None}))
    if not choices or not (ended or all(choice["finish_reason"] for choice in choices.values())):
        raise ValueError("it ends before its answer does")
    return {"choices": [choices[index] for index in sorted(choices)], "usage": usage}


def _add(piece: dict[str, Any], choice: dict[str, Any]) -> None:
    """Add a chunk's piece of a choice to what came before it."""
    said, message = piece.get("delta") or {}, choice["message"]
    for key in ("content", "refusal"):
        if said.get(key):
            message[key] = message.get(key, "") + said[key]
    if tokens := (piece.get("logprobs") or {}).get("content"):
        choice.setdefault("logprobs", {"content": []})["content"] += tokens
    choice["finish_reason"] = piece.get("finish_reason") or choice["finish_reason"]
