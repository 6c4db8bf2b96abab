"""``robustfim grow``, against a local server that proposes tests."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.robustfim_blackbox.conftest import Project, Shown
from tests.plugins.robustfim_blackbox.serving import LocalServer, Reply, Request, completion

pytest.importorskip("httpx")

Serve = Callable[[Callable[[Request], Reply]], LocalServer]
ROUNDS = [
    """Here are some tests:
```json
{"text": "not bad at all", "label": "positive"}
{"text": "a good film", "label": "positive"}
{"text": "bad, they said, and were wrong", "label": "positive"}
{"text": "good for nothing", "label": "negative"}
{"text": "it is a film", "label": "neutral"}
{"text": "cut off
```""",
    '[{"text": "not bad at all", "label": "positive"}, {"text": "not good", "label": "negative"}, {"label": 1}]',
]


def grown(project: Project, server: LocalServer, options: str, said: str = "") -> Shown:
    sys.stdin = io.StringIO(said)
    return project(f"grow 'mixed praise' films.yaml --chat url={server.url}/v1 --chat model=tiny --rounds 2 {options}")


@pytest.fixture
def films(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setattr(sys, "stdin", sys.stdin)
    project.write(
        "mine.py", "def predict(texts):\n    return [[0.2, 0.8] if 'good' in each else [0.9, 0.1] for each in texts]\n"
    )
    project.write("films.csv", "text,label\ngood,positive\nbad,negative\n")
    suite = {
        "suite": "films",
        "model": {"use": "python", "call": "mine:predict", "labels": ["negative", "positive"]},
        "data": {"use": "csv", "path": "films.csv"},
    }
    project.write("films.yaml", json.dumps(suite))
    return project


def proposes(request: Request) -> Reply:
    """The second list where the first is among the tests so far, or where it was asked before."""
    prompt = request.body["messages"][0]["content"]
    assert '{"text": "…", "label": "negative"}' in prompt
    return Reply(completion(ROUNDS["a good film" in prompt]))


def lines(path: str = "mixed_praise.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def test_what_fails_is_accepted_rejected_or_relabelled_and_runs_as_a_suite(serve: Serve, films: Project) -> None:
    server = serve(proposes)
    Path("mixed_praise.jsonl").write_text('{"type": "MFT", "name": "mine", "labels": "positive", "data": ["good"]}\n')
    shown = grown(films, server, "", "a\nwhat\n1\nr\nq\n")
    assert shown.code == 0, shown.err
    out = " ".join(shown.out.split())
    assert "round 1 of 2: 3 failing proposals" in out
    assert "not bad at all proposed positive; the model says negative, and positive with 0.10" in out
    assert "'what' is no answer." in out
    assert "so the model is right: it is kept as a test that passes." in out
    assert "round 2 of 2: 1 failing proposals" in out
    assert "9 proposed: 4 failed, 1 passed, 1 known, 1 unknown label, 2 unreadable" in out
    assert "2 kept, 1 of them relabelled; 1 rejected" in out
    assert "tiny: 2 requests; 0 answers of the store." in out
    other, own = lines()
    assert other["name"] == "mine"
    assert (own["name"], own["capability"]) == ("mixed praise", "mixed praise")
    assert dict(zip(own["data"], own["labels"], strict=True)) == {
        "not bad at all": "positive",
        "bad, they said, and were wrong": "negative",
    }
    assert own["description"] == "Proposed by tiny; each was accepted or relabelled by a person."
    films("run mixed_praise.yaml --no-store")
    checks = {check.name: check for check in films.record("mixed_praise").checks}
    assert (checks["mixed_praise"].tested, checks["mixed_praise"].failing) == (2, 1)
    # What is known or was rejected is not asked again, and no request is sent twice.
    again = " ".join(grown(films, server, "--rounds 1", "q\n").out.split())
    assert "good for nothing" not in again


def test_without_questions_what_fails_is_kept_as_unreviewed_and_said_to_be(serve: Serve, films: Project) -> None:
    shown = grown(films, serve(proposes), "--yes --out grown/tests.jsonl")
    assert shown.code == 0
    out = " ".join(shown.out.split())
    assert "4 kept unreviewed: their labels are the chat model's, and nobody looked at them." in out
    assert "wrote grown/tests.jsonl: 4 tests; robustfim run mixed_praise.yaml" in out
    (own,) = lines("grown/tests.jsonl")
    assert own["name"] == "mixed praise, unreviewed"
    assert own["description"] == "Proposed by tiny; nobody looked at them."
    assert "path: grown/tests.jsonl" in Path("mixed_praise.yaml").read_text()
    assert films("list mixed_praise.yaml").code == 0


def test_a_budget_that_ends_keeps_what_was_accepted(serve: Serve, films: Project) -> None:
    shown = grown(films, serve(proposes), "--yes --chat budget.requests=1")
    assert shown.code == 1
    assert "the budget {requests: 1} is used up, 1 request" in " ".join(shown.out.split())
    assert len(lines()[0]["data"]) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--chat modle=x", "--chat modle: unexpected keyword argument"),
        ("--chat backoff=-1", "'backoff' at least 0"),
        ("--out bad.jsonl", "bad.jsonl:1 is no test of CheckList's JSON lines"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_asked(
    serve: Serve, films: Project, options: str, message: str
) -> None:
    server = serve(proposes)
    films.write("bad.jsonl", '{"name": "mixed praise", "labels": ["positive"], "data": ["a", "b"]}\n')
    shown = grown(films, server, options)
    assert shown.code == 4
    assert message in shown.err
    assert not server.requests
