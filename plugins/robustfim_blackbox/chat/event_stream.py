"""Reassembly of a chat completion that arrives in chunks, as server-sent events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from robustfim.errors import ModelError
from robustfim.reading import read_json

__all__ = ["completion", "events"]

_END = "[DONE]"
"""The data of the last event of a stream in the protocol. Some servers leave this event out."""


def events(text: str) -> Iterator[tuple[str, str]]:
    """Read server-sent events (HTML Standard, 9.2.6).

    Unlike in the standard, the last event counts even without a blank line after it, because some servers send an error
    and then close the connection. The JSON shows whether the event is complete.

    Yields:
        The type of each event (``message`` by default) and its data.
    """
    for block in re.sub(r"\r\n?", "\n", text).split("\n\n"):
        fields = [line.partition(":") for line in block.split("\n")]  # a comment has no name
        data = [value.removeprefix(" ") for name, _, value in fields if name == "data"]
        kinds = [value.removeprefix(" ") for name, _, value in fields if name == "event"]
        if data:
            yield (kinds or [""])[-1] or "message", "\n".join(data)


def completion(content: bytes | bytearray) -> dict[str, Any]:
    """Join the chunks of a streamed chat completion.

    Args:
        content: The whole answer, ``text/event-stream``.

    Returns:
        The answer in the form without streaming: ``choices``, each with ``message``, ``logprobs`` and
        ``finish_reason``, and ``usage``.

    Raises:
        ModelError: An event is an error. The message is all of its data.
        ValueError: The stream ends before its answers are complete, or has another form.
    """
    try:
        return _joined(events(content.decode("utf-8-sig", "replace")))
    except (TypeError, AttributeError) as error:
        raise ValueError("an event is not a chunk of a chat completion") from error


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
