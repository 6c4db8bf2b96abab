"""Requests against a real server on this machine: retries, limits, time-outs, refusals."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import Any

import pytest

from robustfim import ModelError, UsageError
from robustfim_blackbox.endpoint import Endpoint, Refused, Send
from tests.plugins.robustfim_blackbox.serving import LocalServer, Reply, Request
from tests.waiting import until

pytest.importorskip("httpx")

Serve = Callable[[Callable[[Request], Reply]], LocalServer]
VARIABLE = "ROBUSTFIM_TEST_TOKEN"


async def job(body: Any, send: Send) -> Any:
    return await send(body)


def ask(endpoint: Endpoint, *bodies: Any) -> list[Any]:
    return [answer for _, answer in sorted(endpoint.stream([partial(job, body) for body in bodies]))]


def echo(request: Request) -> Reply:
    return Reply({"got": request.body})


def test_answers_come_in_the_order_of_the_jobs(serve: Serve) -> None:
    server = serve(lambda request: Reply(request.body, seconds=0.05 if request.body == 0 else 0))
    assert ask(Endpoint(server.url, concurrency=3), *range(9)) == list(range(9))


def test_no_more_requests_are_under_way_than_allowed(serve: Serve) -> None:
    server = serve(lambda request: Reply(1, seconds=0.03))
    ask(Endpoint(server.url, concurrency=3), *range(12))
    assert server.most_at_once == 3


def test_a_request_is_json_and_what_comes_back_too(serve: Serve) -> None:
    server = serve(echo)
    assert ask(Endpoint(server.url, method="PUT"), {"text": "é\ud83d"}) == [{"got": {"text": "é?"}}]
    assert server.requests[0].method == "PUT"
    assert server.requests[0].headers["Content-Type"] == "application/json"


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_a_failure_that_may_pass_is_tried_again(serve: Serve, status: int) -> None:
    calls = count()
    server = serve(lambda request: Reply("down", status) if next(calls) < 2 else echo(request))
    assert ask(Endpoint(server.url, retries=2, backoff=0), "a") == [{"got": "a"}]
    assert len(server.requests) == 3


def test_a_failure_that_stays_is_an_error_after_the_last_attempt(serve: Serve) -> None:
    server = serve(lambda request: Reply({"error": "out of order"}, 500))
    with pytest.raises(
        ModelError, match=r"failed in 3 attempts, the last with: HTTP 500: .*out of order.*The store keeps"
    ):
        ask(Endpoint(server.url, retries=2, backoff=0), "a")
    assert len(server.requests) == 3


def test_the_wait_doubles_and_heeds_the_endpoint(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    calls = count()
    headers = [{}, {}, {"Retry-After": "17"}, {"Retry-After": "3600"}, {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}]
    headers.append({"Retry-After": "Wed, 21 Oct 2990 07:28:00 GMT"})
    server = serve(lambda request: Reply("busy", 429, headers[next(calls)]) if len(waits) < 6 else echo(request))
    monkeypatch.setattr("robustfim_blackbox.endpoint.asyncio.sleep", sleep)
    ask(Endpoint(server.url, retries=6, backoff=2), "a")
    assert waits == [2, 4, 17, 60, 32, 60]


@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_a_refusal_is_not_tried_again(serve: Serve, status: int) -> None:
    server = serve(lambda request: Reply({"detail": "no such model"}, status))
    with pytest.raises(Refused, match=f"refused a request: HTTP {status}: .*no such model") as caught:
        ask(Endpoint(server.url, backoff=0), "a")
    assert caught.value.status == status
    assert len(server.requests) == 1


def test_a_redirect_is_not_followed(serve: Serve) -> None:
    other = serve(echo)
    server = serve(lambda request: Reply("", 307, {"Location": other.url}))
    with pytest.raises(Refused, match=f"HTTP 307 to {other.url}"):
        ask(Endpoint(server.url), "a")
    assert other.requests == []


def test_an_endpoint_that_hangs_is_given_up(serve: Serve) -> None:
    server = serve(lambda request: Reply("late", seconds=300))
    started = time.monotonic()
    with pytest.raises(ModelError, match=r"failed in 2 attempts, the last with: no answer within 0.2 s"):
        ask(Endpoint(server.url, timeout=0.2, retries=1, backoff=0), "a")
    assert time.monotonic() - started < 120


def test_an_endpoint_that_drips_is_given_up(serve: Serve) -> None:
    server = serve(lambda request: Reply("x" * 4000, drip=0.05))
    started = time.monotonic()
    with pytest.raises(ModelError, match=r"no answer within 0\.3 s"):
        ask(Endpoint(server.url, timeout=0.3, retries=0), "a")
    assert time.monotonic() - started < 100


def test_an_endpoint_that_is_not_there_is_told() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ModelError, match=r"failed in 1 attempt, the last with: ConnectError"):
        ask(Endpoint(f"http://127.0.0.1:{port}", retries=0), "a")


def test_html_is_told_with_its_beginning(serve: Serve) -> None:
    page = b"<html><body>Please sign in</body></html>"
    server = serve(lambda request: Reply(page, headers={"Content-Type": "text/html; charset=utf-8"}))
    with pytest.raises(ModelError, match=r"answered text/html, not JSON: <html><body>Please sign in"):
        ask(Endpoint(server.url), "a")
    assert len(server.requests) == 1


def test_an_endless_answer_is_cut_off(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("robustfim_blackbox.endpoint._LARGEST", 2**20)
    server = serve(lambda request: Reply(b" " * 2**22))
    with pytest.raises(ModelError, match="answered with more than 1 MB"):
        ask(Endpoint(server.url), "a")


def test_the_rate_holds_over_several_runs(serve: Serve) -> None:
    server = serve(echo)
    endpoint = Endpoint(server.url, rate=20, concurrency=8)
    started = time.monotonic()
    ask(endpoint, *range(4))
    ask(endpoint, *range(4))
    assert time.monotonic() - started >= 7 / 20
    assert len(server.requests) == 8


def test_one_failure_stops_the_other_jobs(serve: Serve) -> None:
    server = serve(lambda request: Reply("no", 400) if request.body == 0 else Reply(1, seconds=300))
    started = time.monotonic()
    with pytest.raises(Refused):
        ask(Endpoint(server.url, concurrency=2), *range(20))
    assert time.monotonic() - started < 120
    assert len(server.requests) <= 4


def test_the_token_goes_into_the_usual_header(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "s3cret-token")
    server = serve(echo)
    ask(Endpoint(server.url, token_env=VARIABLE), "a")
    assert server.requests[0].headers["Authorization"] == "Bearer s3cret-token"


def test_the_token_goes_where_the_headers_want_it(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "s3cret-token")
    server = serve(echo)
    ask(Endpoint(server.url, headers={"X-Api-Key": "{token}", "X-Tier": "test"}, token_env=VARIABLE), "a")
    headers = server.requests[0].headers
    assert (headers["X-Api-Key"], headers["X-Tier"]) == ("s3cret-token", "test")
    assert "Authorization" not in headers


@pytest.mark.parametrize(
    "reply",
    [
        Reply({"error": "bad key s3cret-token"}, 401),
        Reply({"error": "busy, s3cret-token"}, 500),
        Reply("", 302, {"Location": "http://127.0.0.1/?t=s3cret-token"}),
        Reply(b"<p>s3cret-token</p>", headers={"Content-Type": "text/s3cret-token"}),
        Reply(("x" * 150 + " s3cret-token"), 400),
    ],
)
def test_an_endpoint_that_repeats_the_token_does_not_get_it_into_a_message(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, reply: Reply
) -> None:
    monkeypatch.setenv(VARIABLE, "s3cret-token")
    server = serve(lambda request: reply)
    with pytest.raises(ModelError) as caught:
        ask(Endpoint(server.url, token_env=VARIABLE, retries=0), "a")
    assert "s3c" not in str(caught.value)
    assert caught.value.__cause__ is None, "a chained error could hold it"


def test_a_reader_complains_without_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "s3cret-token")

    def reader(document: Any) -> None:
        raise ModelError(f"cannot read {document!r:.20}.")

    with pytest.raises(ModelError, match=r"""^cannot read \['\[token\]'\]\. It answered: \["\[token\]"\]\.$"""):
        Endpoint("http://localhost", token_env=VARIABLE).read(["s3cret-token"], reader)


def test_a_missing_variable_sends_nothing(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    server = serve(echo)
    with pytest.raises(UsageError, match="is not set"):
        ask(Endpoint(server.url, token_env=VARIABLE), "a")
    assert server.requests == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"url": "localhost:8000"}, "'url' is not an address that begins with http://"),
        ({"url": "ftp://host"}, "'url' is not an address"),
        ({"url": "http://"}, "'url' is not an address"),
        ({"url": "http://[::1"}, "'url' is not an address"),
        ({"url": "http://host:99999"}, "'url' is not an address"),
        ({"url": "http://me:s3cret@host"}, "'url' holds a user or password"),
        ({"url": "http://host?api_key=s3cret"}, "parameter of 'url' 'api_key' looks like a secret"),
        ({"headers": {"Authorization": "Bearer s3cret"}}, "header 'Authorization' looks like a secret"),
        ({"headers": {"X-Api-Key": "{token}"}}, "but 'token_env' is missing"),
        ({"headers": {"X Tier": "1"}}, "'X Tier' cannot be sent"),
        ({"headers": {"X-Tier": "1\n2"}}, "'X-Tier' cannot be sent"),
    ],
)
def test_an_option_without_a_usable_value_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        Endpoint(**{"url": "http://localhost", **options})
    assert "s3cret" not in str(caught.value)


def test_a_missing_library_comes_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(ModelError, match=r"the library 'httpx' is missing: pip install 'robustfim\[http\]'"):
        ask(Endpoint("http://localhost"), "a")


def test_a_notebook_with_a_loop_of_its_own_can_ask(serve: Serve) -> None:
    server = serve(echo)

    async def cell() -> list[Any]:
        return ask(Endpoint(server.url), "a", "b")

    # A thread of its own: in this one a browser of other tests may keep its loop.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(lambda: asyncio.run(cell())).result() == [{"got": "a"}, {"got": "b"}]


def test_an_interrupt_does_not_wait_for_the_endpoint(serve: Serve) -> None:
    server = serve(lambda request: Reply("late", seconds=60))
    code = (
        "import sys\n"
        "from robustfim_blackbox.endpoint import Endpoint\n"
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a job of a shell may ignore it
        "async def job(send): return await send('a')\n"
        "try: [*Endpoint(sys.argv[1], timeout=60).stream([job] * 3)]\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-c", code, server.url], env=environment, stdout=subprocess.PIPE, text=True
    )
    until(lambda: len(server.requests), 3)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    assert out == "interrupted\n"
