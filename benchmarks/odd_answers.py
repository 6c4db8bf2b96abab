"""A local server whose answers are often wrong or broken, for ``benchmarks.faults``."""

# ruff: noqa: E501  # tables of odd things, as wide as they are

from __future__ import annotations

import gzip
import json
import random
import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

__all__ = ["OddEndpoint"]

_BODIES: dict[str, Callable[[Any], bytes]] = {
    "cut": lambda rows: _dump(rows)[:-3], "empty": lambda _: b"", "a page": lambda _: b"<html>busy</html>", "null": lambda _: b"null",
    "one fewer": lambda rows: _dump(rows[:-1]), "one more": lambda rows: _dump([*rows, [0.5, 0.5]]), "a number": lambda _: b"5",
    "a huge number": lambda rows: _dump([[10**400, 0]] * len(rows)), "NaN": lambda rows: b"[" + b",".join([b"[NaN,1]"] * len(rows)) + b"]",
    "infinity": lambda rows: _dump([[float("inf"), 0]] * len(rows)), "1e999": lambda rows: b"[" + b",".join([b"[1e999,0]"] * len(rows)) + b"]",
    "a key twice": lambda rows: b"[" + b",".join([b'{"negative":0.1,"positive":0.9,"negative":0.9}'] * len(rows)) + b"]",
    "an unknown label": lambda rows: _dump(["neutral"] * len(rows)), "a missing label": lambda rows: _dump([{"negative": 1.0}] * len(rows)),
    "three classes": lambda rows: _dump([[0.2, 0.3, 0.5]] * len(rows)), "beyond one": lambda rows: _dump([[2.0, -1.0]] * len(rows)),
    "no sum": lambda rows: _dump([[0.9, 0.9]] * len(rows)), "texts": lambda rows: _dump([["0.1", "0.9"]] * len(rows)),
    "truths": lambda rows: _dump([[True, False]] * len(rows)), "nested": lambda rows: _dump([rows]), "a mapping": lambda rows: _dump({"rows": rows}),
    "deep": lambda _: b"[" * 100_000, "not UTF-8": lambda _: b'["\xff\xfe"]', "a surrogate": lambda _: b'["\\ud800"]', "zeros": lambda _: b"\x00" * 50,
    "mapping of nothing": lambda rows: _dump([{}] * len(rows)), "empty rows": lambda rows: _dump([[]] * len(rows)),
    "pairs without score": lambda rows: _dump([[{"label": "negative"}]] * len(rows)), "odd label": lambda rows: _dump([[{"label": [], "score": 1}]] * len(rows)),
    "an error": lambda _: b'{"error": "overloaded"}', "5,000 digits": lambda rows: b"[" + b",".join([b"[" + b"9" * 5000 + b",0]"] * len(rows)) + b"]",
    "two labels of one name": lambda rows: _dump([[{"label": "negative", "score": 0.5}, {"label": "negative", "score": 0.5}]] * len(rows)),
}  # fmt: skip
"""Answers that none of the texts may be judged by."""

_HEADERS = [
    "Content-Type: text/html", "Content-Type: application/json; charset=utf-16", "Content-Type: image/png", "X: \xff",
    "Content-Encoding: br", "Set-Cookie: a=b", "Content-Type:", "Location: /elsewhere", "X: " + "y" * 20_000,
]  # fmt: skip
_WAITS = [
    "0",
    "-5",
    "nonsense",
    "nan",
    "inf",
    "1e999",
    "9" * 400,
    "Wed, 21 Oct 2015 07:28:00 GMT",
    "Fri, 99 Foo 2999",
    "",
    "0.5.5",
]


def _dump(value: Any) -> bytes:
    return json.dumps(value).encode()


class OddEndpoint:
    """A server whose answers follow a random script; close the server when the case is over.

    Args:
        rng: The random source.

    Attributes:
        url: The server's address.
        script: The kinds of answers, which the server gives in turn: "right", or the name of a wrong body, status or
            behaviour of the connection.
        unanswered: The bodies of requests whose last answer was not a valid answer.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        ways = [
            *_BODIES,
            "status",
            "wait",
            "header",
            "closed",
            "reset",
            "no length",
            "chunks",
            "broken chunks",
            "gzip",
            "slow",
            "no HTTP",
        ]
        self.script = [
            rng.choice(ways) if rng.random() < rng.choice([0.2, 1]) else "right"
            for _ in range(rng.choice([1, 1, 3, 8]))
        ]
        self.unanswered: set[bytes] = set()
        self._turn, self._lock = 0, threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}/"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        """Stop the server."""
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with suppress(OSError, ValueError), connection:
            connection.settimeout(5)
            raw = b""
            while b"\r\n\r\n" not in raw:
                raw += (more := connection.recv(65536))
                if not more:
                    return
            head, _, body = raw.partition(b"\r\n\r\n")
            length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            while len(body) < length:
                body += connection.recv(65536)
            with self._lock:
                way = self.script[self._turn % len(self.script)]
                self._turn += 1
                self._send(connection, way, body)

    def _send(self, connection: socket.socket, way: str, body: bytes) -> None:
        texts = json.loads(body)["inputs"]
        rows = [[0.1, 0.9] if "good" in text or "great" in text else [0.9, 0.1] for text in texts]
        right, status, headers = _dump(rows), "200 OK", [f"X-Case: {way}".encode("ascii", "replace").decode()]
        self.unanswered.add(body)
        if way in _BODIES:
            content = _BODIES[way](rows)
            # A row without a prediction, as docs/models.md says; and numbers, though written as texts or truths.
            if way in ("NaN", "infinity", "1e999", "texts", "truths"):
                self.unanswered.discard(body)
        else:
            content = right
            if way in ("right", "header", "no length", "chunks", "gzip"):
                self.unanswered.discard(body)
        if way == "status":
            status = self._rng.choice(
                [
                    "201 Made",
                    "204 None",
                    "301 Moved",
                    "400 No",
                    "401 No",
                    "404 No",
                    "413 Long",
                    "429 Wait",
                    "500 Oh",
                    "503 Oh",
                    "599 Oh",
                ]
            )
            content = self._rng.choice([b"", b"<html>", b'{"error": {"message": "no"}}', b"\xff" * 9, b"x" * 100_000])
        elif way == "wait":
            status, content = self._rng.choice(["429 Wait", "503 Wait"]), b"later"
            headers.append(f"Retry-After: {self._rng.choice(_WAITS)}")
        elif way == "header":
            headers.append(self._rng.choice(_HEADERS))
        elif way == "gzip":
            content = gzip.compress(content)
            headers.append("Content-Encoding: gzip")
        elif way == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return
        elif way == "closed":
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + content)
            return
        elif way == "no HTTP":
            connection.sendall(b"\x16\x03\x01 hello\r\n\r\n")
            return
        elif way == "slow":
            time.sleep(0.6)
        if way in ("chunks", "broken chunks"):
            headers.append("Transfer-Encoding: chunked")
            size = b"%x" % len(content) if way == "chunks" else b"zz"
            content = size + b"\r\n" + content + b"\r\n0\r\n\r\n"
        elif way != "no length":
            headers.append(f"Content-Length: {len(content)}")
        lines = [f"HTTP/1.1 {status}", *headers, "Connection: close", "", ""]
        connection.sendall("\r\n".join(lines).encode("latin-1") + content)
