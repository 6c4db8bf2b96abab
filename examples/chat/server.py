"""A tiny server of OpenAI's chat completions, in place of llama.cpp, Ollama or vLLM: python examples/chat/server.py.

It answers a prompt that ends with "Text: …" and "Label:" by the small classifier that ships with robustfim.
"""

from __future__ import annotations

import json
import math
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any

import robustfim

PORT = 8423
_MODEL = robustfim.context("reference/fasttext", ["a film"])
_LOCK = Lock()


def complete(request: dict[str, Any]) -> dict[str, Any]:
    """Answer one request.

    Args:
        request: As OpenAI's API has it: ``messages``, and ``logprobs`` where they are wanted.

    Returns:
        The completion: the likelier label, and the log-probabilities of both.
    """
    prompt = str(request["messages"][-1]["content"])
    text = prompt.rpartition("Text:")[2].rpartition("Label:")[0].strip()
    with _LOCK:  # the context keeps what it was asked, and is no place for two threads at once
        (answer,) = _MODEL.predict([robustfim.Example({"text": text})])
    if answer is None:
        raise ValueError("the model has no answer")
    ranked = sorted(zip(answer.probabilities, answer.labels, strict=True), reverse=True)
    tokens = [{"token": label, "logprob": math.log(max(fraction, 1e-12))} for fraction, label in ranked]
    choice: dict[str, Any] = {
        "index": 0,
        "message": {"role": "assistant", "content": ranked[0][1]},
        "finish_reason": "stop",
    }
    if request.get("logprobs"):
        choice["logprobs"] = {"content": [{**tokens[0], "top_logprobs": tokens}]}
    return {"object": "chat.completion", "model": request.get("model"), "choices": [choice]}


class Handler(BaseHTTPRequestHandler):
    """Answers ``POST /v1/chat/completions``."""

    def do_POST(self) -> None:
        """Answer."""
        try:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, answer = 200, complete(body)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            status, answer = 400, {"error": {"message": str(error)}}
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def serve(port: int = PORT) -> ThreadingHTTPServer:
    """Make the server, on this machine only.

    Args:
        port: The port; 0 for a free one.
    """
    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


if __name__ == "__main__":
    with serve(int(sys.argv[1]) if sys.argv[1:] else PORT) as server:
        print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
        server.serve_forever()
