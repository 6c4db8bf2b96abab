"""Perturbations that a chat model writes, against a local server, in whole runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import robustfim
from robustfim import Example, UsageError
from robustfim_blackbox.chat.rewriting import PROMPT_ATTACKS, Instruct, PromptAttack
from robustfim_blackbox.chat.service import Chat
from robustfim_blackbox.chat.writer import usable
from tests.plugins.robustfim_blackbox.conftest import Project
from tests.plugins.robustfim_blackbox.serving import LocalServer, Reply, Request, completion

pytest.importorskip("httpx")

Serve = Callable[[Callable[[Request], Reply]], LocalServer]
USAGE = {"usage": {"prompt_tokens": 40, "completion_tokens": 10}}
TEXTS = {
    "a good film": "a rather good film",
    "a bad film": "",
    "a dull film": "a dull film",
    "a great film": "I'm sorry, but I can't help with that.",
    "a fine film": "Sure!\nHere it is.",
    "an awful film": "'a most awful film'",
}


def said(request: Request) -> str:
    prompt = request.body["messages"][-1]["content"]
    return str(prompt.partition("ext: ")[2] or prompt.partition("Sentence: ")[2]).partition("\n")[0]


def writes(request: Request) -> Reply:
    return Reply({**completion(TEXTS[said(request)]), **USAGE})


def chat(server: LocalServer, **options: Any) -> dict[str, Any]:
    return {"url": f"{server.url}/v1", "model": "tiny", "backoff": 0, **options}


def films(project: Project, server: LocalServer, **options: Any) -> None:
    """A suite whose model counts words and whose texts the server writes."""
    project.write(
        "mine.py", "def predict(texts):\n    return [[0, 1] if 'rather' in each else [1, 0] for each in texts]\n"
    )
    project.write("films.csv", "text,label\n" + "".join(f"{text},no\n" for text in TEXTS))
    perturb = {"use": "instruct", "instruction": "Say more.", "chat": chat(server, **options)}
    suite = {
        "suite": "films", "one_label": True,
        "model": {"use": "python", "call": "mine:predict", "labels": ["no", "yes"]},
        "data": {"use": "csv", "path": "films.csv"},
        "checks": {"more": {"perturb": perturb, "limit": 0.9}},
    }  # fmt: skip
    project.write("films.yaml", json.dumps(suite))


@pytest.mark.parametrize(
    ("before", "said", "after"),
    [
        ("a film ", " a good film\n", ("a good film ", "")),
        ("a film", '"a good film"', ("a good film", "")),
        ('"a film"', '"a good film"', ('"a good film"', "")),
        ("a film", " ", ("", "empty")),
        (" a film", "a film", ("", "the text as it was")),
        ("a film", "I cannot do that.", ("", "refused")),
        ("I cannot sit still", "I can’t sit still", ("I can’t sit still", "")),
        ("a film", "a\nfilm", ("", "more than a text")),
        ("a\nfilm", "the\nfilm", ("the\nfilm", "")),
    ],
)
def test_an_answer_is_a_new_text_or_of_no_use_for_a_reason(before: str, said: str, after: tuple[str, str]) -> None:
    assert usable(before, said) == after


def test_answers_are_candidates_and_those_of_no_use_are_counted_by_reason(serve: Serve, project: Project) -> None:
    server = serve(writes)
    films(project, server, prices={"input": 1, "output": 2}, budget={"requests": 100})
    shown = project("run films.yaml")
    record = project.record()
    (check,) = record.checks
    assert (check.tested, check.failing) == (2, 1)
    assert [failure.fields["text"] for failure in record.failures] == ["a rather good film"]
    assert check.resources["writer"].startswith("tiny ")
    for why in ("empty", "the text as it was", "refused", "more than a text"):
        assert f"more: no usable answer of the writer ({why}): 1 text was left alone." in record.warnings
    out = " ".join(shown.out.split())
    assert f"chat: tiny at {server.url}/v1, at most 100 requests" in out
    assert "tiny: 6 requests; 240 tokens read, 60 written, 0.0004 at the prices of the suite; 0 answers of the" in out
    assert "4 answers of no use: 1 empty, 1 the text as it was, 1 refused, 1 more than a text." in out
    assert [section.name for section in record.sections] == ["writers"]


def test_a_run_repeats_without_the_endpoint_by_its_store_or_by_a_lock(serve: Serve, project: Project) -> None:
    server = serve(writes)
    films(project, server)
    project("run films.yaml")
    first = project.record()
    assert project("lock films.yaml --to films.lock.json").code == 0
    assert len(server.requests) == 6, "the lock is made of answers that the store has"
    server.answer = lambda request: Reply({"error": "gone"}, 404)
    for again in ("run films.yaml", "run films.yaml --no-store --lock films.lock.json"):
        project(again)
        record = project.record()
        assert [failure.fields for failure in record.failures] == [failure.fields for failure in first.failures]
        assert record.checks[0].tested == 2
    assert len(server.requests) == 6


def test_a_lock_compares_of_a_chat_what_decides_its_answers_and_nothing_else(serve: Serve, project: Project) -> None:
    server = serve(writes)
    films(project, server, timeout=30, prices={"input": 1, "output": 2})
    assert project("lock films.yaml --to films.lock.json").code == 0
    films(project, server, timeout=10, concurrency=1, rate=50, budget={"requests": 1})
    again = project("run films.yaml --no-store --lock films.lock.json")
    assert project.record().checks[0].tested == 2, again.err
    assert len(server.requests) == 6, "the lock asks no writer"
    films(project, server, max_tokens=100)
    assert (
        "check 'more' has other settings than in the lock file" in project("run films.yaml --lock films.lock.json").err
    )


def test_a_budget_that_ends_is_an_error_of_its_check_and_a_larger_one_goes_on(serve: Serve, project: Project) -> None:
    server = serve(writes)
    films(project, server, budget={"requests": 4})
    shown = project("run films.yaml")
    assert shown.code == 1
    (check,) = project.record().checks
    assert check.outcome == "error"
    assert check.message.startswith("the budget {requests: 4} is used up, 4 requests")
    films(project, server, budget={"requests": 5})
    project("run films.yaml")
    assert project.record().checks[0].tested == 2
    assert len(server.requests) == 6, "what was answered is not asked again"


def test_promptattack_asks_for_its_nine_changes_with_the_label_it_wants(serve: Serve) -> None:
    server = serve(lambda request: Reply(completion(f"{said(request)} {len(request.body['messages'][0]['content'])}")))
    found = robustfim.perturb(
        {"use": "promptattack", "chat": chat(server)}, [Example({"text": "a good film"}, "yes")], candidates=9
    )
    assert len(server.requests) == len(PROMPT_ATTACKS) == 9
    assert {candidate.edits[0].origin for candidate in found[0]} == {f"promptattack: {name}" for name in PROMPT_ATTACKS}
    prompts = [request.body["messages"][0]["content"] for request in server.requests]
    assert all("means the same.\n" in prompt for prompt in prompts), "no model, so no label to aim at"
    assert all(sum(guidance in prompt for prompt in prompts) == 1 for guidance in PROMPT_ATTACKS.values())
    context = robustfim.context(lambda texts: [[0.5, 0.5]] * len(texts), ["a"], labels=["no", "yes"])
    attack = PromptAttack(chat=Chat(**chat(server)), by="handle")
    attack.prepare(context)
    list(attack.propose(Example({"text": "a good film"}, "yes"), Random(0)))
    aimed = server.requests[-1].body["messages"][0]["content"]
    assert "has the label 'yes'" in aimed
    assert "that a classifier would give the label 'no'" in aimed


def test_each_field_is_rewritten_by_itself_or_the_one_that_is_named(serve: Serve) -> None:
    server = serve(lambda request: Reply(completion(f"well, {said(request)}")))
    pair = Example({"premise": "a", "hypothesis": "b"})
    spec = {"use": "instruct", "chat": chat(server), "instruction": "Say more."}
    (both,) = robustfim.perturb(spec, [pair])
    assert [dict(candidate.example.fields) for candidate in both] == [
        {"premise": "well, a", "hypothesis": "b"},
        {"premise": "a", "hypothesis": "well, b"},
    ]
    (one,) = robustfim.perturb({**spec, "field": "hypothesis"}, [pair])
    assert [candidate.example.fields["hypothesis"] for candidate in one] == ["well, b"]
    with pytest.raises(UsageError, match=r"no field .hypotesis. to rewrite\. Did you mean 'hypothesis'"):
        robustfim.perturb({**spec, "field": "hypotesis"}, [pair])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"instruction": " "}, "'instruction' says nothing"),
        ({"prompt": "{text}"}, "'prompt' must contain the places"),
        ({"answers": 2, "temperature": 0}, "2 answers at temperature 0 would all be the same"),
        ({"chat": Chat("tiny", "tiny")}, "'url' is not an address"),
        ({"chat": Chat("http://localhost/v1", "tiny", budget={"cost": 1})}, "a budget of 'cost' needs the price"),
        ({"chat": Chat("http://localhost/v1", "tiny", budget={"request": 1})}, "'budget' must give the most"),
    ],
)
def test_an_option_without_a_usable_value_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Instruct(**{"chat": Chat("http://localhost/v1", "tiny"), "instruction": "Say more.", **options})


def test_an_unknown_key_of_a_chat_or_an_unknown_attack_is_told() -> None:
    with pytest.raises(UsageError, match=r"unknown key 'chat.modle'"):
        robustfim.perturb({"use": "promptattack", "chat": {"url": "http://a/v1", "model": "x", "modle": "x"}}, ["a"])
    with pytest.raises(UsageError, match=r"no instruction .typo.\. Did you mean 'typos'"):
        PromptAttack(chat=Chat("http://localhost/v1", "tiny"), by="typo")
