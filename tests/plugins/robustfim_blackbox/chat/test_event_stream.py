"""Answers that come as server-sent events, from a real server on this machine and against the standard's examples."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import isnan
from typing import Any

import pytest

from robustfim import Example, ModelError
from robustfim_blackbox.chat.event_stream import completion, events
from robustfim_blackbox.chat.model import ChatModel
from tests.plugins.robustfim_blackbox.serving import LocalServer, Reply, Request, positive, token

Serve = Callable[[Callable[[Request], Reply]], LocalServer]
FILMS = [Example({"text": text}) for text in ("a good film", "an awful film")]
DONE = b"data: [DONE]\n\n"
STREAM = {"Content-Type": "text/event-stream; charset=utf-8"}


def chunk(text: str | None = None, *, reason: str | None = None, index: int = 0, **others: Any) -> bytes:
    """An event as ``transformers serve`` sends it: what is empty is left out."""
    delta = {"role": "assistant"} if text is None else {"content": text}
    choice = {"index": index, "delta": delta, **others} | ({"finish_reason": reason} if reason else {})
    return f"data: {json.dumps({'object': 'chat.completion.chunk', 'choices': [choice]})}\n\n".encode()


def said(content: bytes) -> list[str]:
    return [choice["message"]["content"] for choice in completion(content)["choices"]]


def label(request: Request) -> str:
    return "positive" if positive(request.body["messages"][-1]["content"].partition("Text: ")[2]) > 0.5 else "negative"


def model(server: LocalServer, **options: Any) -> ChatModel:
    labels = ["negative", "positive"]
    return ChatModel(**{"url": f"{server.url}/v1", "model": "tiny", "labels": labels, "backoff": 0, **options})


def test_the_examples_of_the_standard_are_read_as_it_says() -> None:
    told = "data: This is the first message.\n\ndata: This is the second message, it\ndata: has two lines.\n\n"
    lines = "This is the second message, it\nhas two lines."
    assert list(events(told)) == [("message", "This is the first message."), ("message", lines)]
    assert list(events("event: add\ndata: 7\n\nevent: remove\ndata: 2\n\n")) == [("add", "7"), ("remove", "2")]
    stream = ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"
    assert [data for _, data in events(stream)] == ["first event", "second event", " third event"]
    assert [data for _, data in events("data\n\ndata\ndata\n\nid: 3\n\n")] == ["", "\n"]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_end_as_the_standard_allows(ending: str) -> None:
    stream = "\ufeff: beat\n\nevent: message\ndata: a\ndata: b\u2028\n\n\ndata: c\n\n".replace("\n", ending)
    assert list(events(stream.removeprefix("\ufeff"))) == [("message", "a\nb\u2028"), ("message", "c")]
    whole = (chunk("a") + DONE).decode().replace("\n", ending)
    assert said(f"\ufeff{whole}".encode()) == ["a"]


@pytest.mark.parametrize("end", [chunk(reason="stop"), DONE, chunk(reason="stop") + DONE, b"data: [DONE]"])
def test_a_stream_ends_by_its_mark_or_by_the_reason_of_every_answer(end: bytes) -> None:
    assert said(chunk() + chunk("pos") + b": ping\n\n" + chunk("itive") + end) == ["positive"]


@pytest.mark.parametrize(
    "cut",
    [b"", chunk(), chunk("positive"), chunk("positive") + chunk(reason="stop")[:-20], chunk("positive") + b"data: [DO",
     DONE, chunk("a", index=1) + chunk(reason="stop")],
)  # fmt: skip
def test_a_stream_that_is_cut_off_is_no_answer(cut: bytes) -> None:
    with pytest.raises(ValueError, match=r"ends before its answer does|Unterminated string|Expecting"):
        completion(cut)


@pytest.mark.parametrize(
    "strange",
    [b"7", b'"a"', b'{"choices": 3}', b'{"choices": [3]}', b'{"choices": [{"delta": []}]}',
     b'{"choices": [{"index": [], "delta": {}}]}'],
)  # fmt: skip
def test_events_of_another_form_are_told(strange: bytes) -> None:
    with pytest.raises(ValueError, match=r"not a chunk of a chat completion|ends before its answer does"):
        completion(b"data: " + strange + b"\n\n")


def test_several_answers_log_probabilities_and_usage_are_put_together() -> None:
    one, two = {"content": [token("ne", ne=0.7, po=0.3)]}, {"content": [token("gative", gative=1.0)]}
    usage = b'data: {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}\n\n'
    stream = chunk("po", index=1) + chunk("ne", logprobs=one) + chunk("gative", logprobs=two) + usage + DONE
    whole = completion(stream)
    assert whole["choices"][0]["logprobs"]["content"] == one["content"] + two["content"]
    assert [choice["message"]["content"] for choice in whole["choices"]] == ["negative", "po"]
    assert whole["usage"] == {"prompt_tokens": 7, "completion_tokens": 2}


def test_a_server_that_only_streams_is_asked_for_votes(serve: Serve) -> None:
    def answer(request: Request) -> Reply:
        word = label(request)
        return Reply(chunk() + chunk(word[:3]) + chunk(word[3:]) + chunk(reason="stop"), headers=STREAM)

    rows = model(serve(answer), votes=2).predict(FILMS)
    assert rows == [[0.0, 1.0], [1.0, 0.0]]


def test_a_server_that_only_streams_may_give_log_probabilities(serve: Serve) -> None:
    tokens = {"content": [token("positive", positive=0.75, negative=0.25)]}
    server = serve(lambda request: Reply(chunk("positive", logprobs=tokens) + DONE, headers=STREAM))
    assert model(server).predict(FILMS[:1])[0] == pytest.approx([0.25, 0.75])


def test_a_stream_that_is_cut_off_leaves_its_text_without_a_prediction(serve: Serve) -> None:
    def answer(request: Request) -> Reply:
        whole = chunk("positive") + chunk(reason="stop")
        return Reply(whole if label(request) == "positive" else chunk("positive"), headers=STREAM)

    server = serve(answer)
    asked = model(server, votes=1, retries=2, unusable=0.5)
    rows = asked.predict(FILMS)
    assert rows[0] == [0.0, 1.0]
    assert all(map(isnan, rows[1]))
    assert asked.tally.lost == {"malformed": 1}
    assert sum(label(request) == "negative" for request in server.requests) == 3


@pytest.mark.parametrize("error", [b'data: {"error": "out of memory"}', b"event: error\ndata: out of memory\n\n"])
def test_an_error_within_a_stream_is_asked_again_and_told(serve: Serve, error: bytes) -> None:
    turn = iter([chunk("pos") + error])
    server = serve(lambda _: Reply(next(turn, chunk("positive") + DONE), headers=STREAM))
    assert model(server, votes=1).predict(FILMS[:1]) == [[0.0, 1.0]]
    broken = serve(lambda _: Reply(chunk("positive") + error, headers=STREAM))
    with pytest.raises(ModelError, match=r"2 attempts, the last with: an error in its stream: .*out of memory"):
        model(broken, retries=1).predict(FILMS[:1])


def test_a_message_about_a_stream_does_not_repeat_the_token(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBUSTFIM_TEST_TOKEN", "hush-hush")
    server = serve(lambda _: Reply(b'data: {"error": "no hush-hush here"}\n\n', headers=STREAM))
    with pytest.raises(ModelError, match=r"no \[token\] here") as caught:
        model(server, retries=0, token_env="ROBUSTFIM_TEST_TOKEN").predict(FILMS[:1])  # noqa: S106  # its name
    assert "hush-hush" not in str(caught.value)
