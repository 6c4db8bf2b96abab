"""A real HTTP server on this machine, whose answers are a function of the test."""

from __future__ import annotations

import json
import math
import re
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WORTH = {"great": 2.0, "good": 1.0, "fine": 0.5, "dull": -0.5, "bad": -1.5, "awful": -3.0}
"""What each word adds to the logit of ``positive``."""


def positive(text: str) -> float:
    """P(positive): the logistic function of the sum of the words' worth."""
    return 1 / (1 + math.exp(-sum(WORTH.get(word, 0.0) for word in re.findall(r"\w+", text))))


@dataclass
class Reply:
    """What the server sends back."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    """How long it waits first; a closing server waits no longer."""
    drip: float = 0.0
    """How long it waits before each byte of the body."""


@dataclass
class Request:
    """What the server was sent."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


class _Patient(ThreadingHTTPServer):
    """Says nothing of a client that went away, such as a run that was killed."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class LocalServer:
    """Serves ``answer(request)`` until it is closed, and keeps the requests.

    Attributes:
        requests: Every request, in the order of arrival.
        most_at_once: The largest number of requests that were under way together.
    """

    def __init__(self, answer: Callable[[Request], Reply]) -> None:
        self.answer, self.requests, self.most_at_once = answer, list[Request](), 0
        self._open, self._lock, self._closing = 0, threading.Lock(), threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def _serve(self) -> None:
                with suppress(BrokenPipeError, ConnectionResetError):  # the client gave up, as some tests want it to
                    outer._serve(self)

            do_GET = do_POST = do_PUT = do_PATCH = _serve

            def log_message(self, format: str, *args: Any) -> None:
                """Stay quiet."""

        self._server = _Patient(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("Content-Length") or 0)
        content = handler.rfile.read(length)
        if len(content) < length:
            raise ConnectionResetError("the client went away within its request")
        body = json.loads(content) if content else None
        request = Request(handler.command, handler.path, dict(handler.headers), body)
        with self._lock:
            self.requests.append(request)
            self._open += 1
            self.most_at_once = max(self.most_at_once, self._open)
        try:
            reply = self.answer(request)
            self._closing.wait(reply.seconds)
        finally:  # before the reply: whoever has it may send the next request at once
            with self._lock:
                self._open -= 1
        text = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        handler.send_response(reply.status)
        for name, value in {"Content-Type": "application/json", **reply.headers}.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(text)))
        handler.end_headers()
        if not reply.drip:
            handler.wfile.write(text)
            return
        for byte in text:
            if self._closing.wait(reply.drip):
                return
            handler.wfile.write(bytes([byte]))
            handler.wfile.flush()

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def completion(*contents: str, tokens: Any = None) -> dict[str, Any]:
    """A chat completion in OpenAI's format, with log-probabilities or without."""
    logprobs = None if tokens is None else {"content": tokens}
    return {
        "object": "chat.completion",
        "choices": [
            {"index": index, "message": {"role": "assistant", "content": content}, "logprobs": logprobs}
            for index, content in enumerate(contents)
        ],
    }


def token(chosen: str, **probabilities: float) -> dict[str, Any]:
    """One token of ``logprobs.content``; the chosen one is among the probabilities, ``_`` stands for a blank."""
    listed = {name.replace("_", " "): math.log(p) for name, p in probabilities.items()}
    return {
        "token": chosen,
        "logprob": listed[chosen],
        "top_logprobs": [{"token": name, "logprob": logprob} for name, logprob in listed.items()],
    }
