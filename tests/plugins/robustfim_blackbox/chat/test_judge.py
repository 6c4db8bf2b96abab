"""A chat model as a judge of meaning and as a paraphraser, against a local server."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest

import robustfim
from robustfim import Candidate, Example, UsageError
from robustfim.predict.queue import CallLimitReached
from robustfim_blackbox.chat.judge import ChatJudge
from robustfim_blackbox.chat.paraphraser import ChatParaphraser
from robustfim_blackbox.chat.service import Chat, Services
from tests.plugins.robustfim_blackbox.conftest import Project
from tests.plugins.robustfim_blackbox.serving import LocalServer, Reply, Request, completion, token

pytest.importorskip("httpx")

Serve = Callable[[Callable[[Request], Reply]], LocalServer]
SOURCE = Example({"text": "a good film"}, "positive")


def judges(request: Request) -> Reply:
    """Says yes to texts with "good", nothing of use to "hm", and writes for everything else that it is asked."""
    prompt = request.body["messages"][-1]["content"]
    pair = re.search(r"Text A: (.*)\nText B: (.*)\n", prompt)
    if pair is None:
        return Reply(completion(f"a {'good' if len(prompt) % 2 else 'bad'} one"))
    if "hm" in pair[2]:
        return Reply(completion("hm"))
    share = 0.9 if "good" in pair[2] else 0.2
    said = "yes" if share > 0.5 else "no"
    tokens = [token(said, yes=share, no=1 - share)] if request.body.get("logprobs") and "sure" not in pair[2] else None
    return Reply(completion(said, tokens=tokens))


def chat(server: LocalServer, **options: Any) -> Chat:
    return Chat(f"{server.url}/v1", "tiny", backoff=0, **options)


def prepared(judge: Any) -> Any:
    judge.prepare(robustfim.context(lambda texts: [[0.5, 0.5]] * len(texts), ["a"], labels=["no", "yes"]))
    return judge


def turned(text: str) -> Candidate:
    return Candidate.replacing(SOURCE, {"text": text})


@pytest.mark.parametrize("sure", ["", " surely"])  # with log-probabilities, and by the vote of one answer
def test_what_means_something_else_or_has_no_verdict_is_rejected_by_its_reason(serve: Serve, sure: str) -> None:
    server = serve(judges)
    judge = prepared(ChatJudge(chat=chat(server)))
    candidates = [turned(f"{text}{sure}") for text in ("a rather good film", "a bad film", "hm")]
    judge.foresee(candidates)
    sent = len(server.requests)
    assert [judge.reject(candidate) for candidate in candidates] == [None, "another meaning", "no verdict"]
    assert len(server.requests) == sent, "the block is asked about at once"
    assert judge.reject(turned("the good film")) is None
    assert prepared(ChatJudge(chat=chat(server), least=0.95)).reject(candidates[0]) == (
        None if sure else "another meaning"
    )
    assert judge.resources()["judge"].startswith("tiny ")


def test_a_judge_of_naturalness_asks_its_own_question_and_gives_a_number(serve: Serve) -> None:
    server = serve(judges)
    judge = prepared(ChatJudge(chat=chat(server), asks="natural"))
    candidates = [turned(text) for text in ("a rather good film", "a bad film", "hm")]
    assert judge.numbers(candidates) == [pytest.approx(0.9), pytest.approx(0.2), -math.inf]
    assert [judge.reject(candidate) for candidate in candidates] == [None, "not natural", "no verdict"]
    prompts = [request.body["messages"][-1]["content"] for request in server.requests]
    assert all("Could a person have written text B in earnest" in prompt for prompt in prompts)


def test_votes_on_a_pair_in_whose_middle_a_budget_ends_are_kept(serve: Serve) -> None:
    server = serve(lambda request: Reply(completion("no" if len(server.requests) % 3 else "yes")))
    context = robustfim.context(lambda texts: [[0.5, 0.5]] * len(texts), ["a"], labels=["no", "yes"])
    for requests in (4, 100):
        judge = ChatJudge(chat=chat(server, budget={"requests": requests}), votes=6)
        judge.prepare(context)
        context.shared(Services)._made.clear()  # as in a run of its own
        judge.prepare(context)
        with nullcontext() if requests == 100 else pytest.raises(CallLimitReached):
            assert judge.reject(turned("the good film")) == "another meaning"
    assert len(server.requests) == 1 + 6 + 1, "each run learns anew that there are no log-probabilities"


def test_a_label_is_asked_for_where_labels_count(serve: Serve) -> None:
    server = serve(judges)
    judge = prepared(ChatJudge(chat=chat(server), asks="label"))
    assert judge.reject(turned("a bad film")) == "another label"
    assert (
        "Text A has the label 'positive'. Does this label fit text B"
        in server.requests[-1].body["messages"][0]["content"]
    )
    judge.reject(Candidate.replacing(Example({"text": "a"}), {"text": "b"}))
    assert "Would a careful reader give both the same label?" in server.requests[-1].body["messages"][0]["content"]


def test_a_judge_is_a_constraint_in_a_suite(serve: Serve, project: Project) -> None:
    server = serve(judges)
    project.write(
        "mine.py", "def predict(texts):\n    return [[0, 1] if 'film' in each else [1, 0] for each in texts]\n"
    )
    lines = [{"text": f"film {n}", "label": "yes", "other": [f"good {n}", f"bad {n}"]} for n in range(4)]
    project.write("films.jsonl", "\n".join(map(json.dumps, lines)))
    own = {"url": f"{server.url}/v1", "model": "tiny"}
    check = {"perturb": {"use": "column", "name": "other"}, "limit": 0.5}
    suite = {
        "suite": "films", "one_label": True,
        "model": {"use": "python", "call": "mine:predict", "labels": ["no", "yes"]},
        "data": {"use": "jsonl", "path": "films.jsonl"},
        "checks": {"all": check, "judged": {**check, "constrain": [{"use": "chat_judge", "chat": own}]}},
    }  # fmt: skip
    project.write("films.yaml", json.dumps(suite))
    project("run films.yaml")
    record = project.record()
    every, judged = record.checks
    assert every.candidates.tested == 8
    assert judged.candidates.tested == 4
    assert judged.candidates.rejected == {"chat_judge: another meaning": 4}
    assert len(server.requests) == 8


def test_paraphrases_are_written_and_scored_by_the_same_model(serve: Serve) -> None:
    server = serve(judges)
    model = ChatParaphraser(chat=chat(server), answers=2)
    model.prepare(robustfim.context(lambda texts: [[0.5, 0.5]] * len(texts), ["a"], labels=["no", "yes"]))
    found = model.paraphrase(["ab", "abc"], seed=1)
    scored = {paraphrase.text: paraphrase.score for own in found for paraphrase in own}
    assert scored == pytest.approx({"a bad one": 0.2, "a good one": 0.9})
    assert len(server.requests) == 2 * 2 + 2
    assert model.score(["ab", "ab"], ["hm", "good"]) == [0, pytest.approx(0.9)]
    assert model.resources()["paraphraser"].startswith("chat tiny ")


def test_rules_are_mined_of_what_it_writes_and_what_was_asked_is_told(serve: Serve, project: Project) -> None:
    server = serve(judges)
    project.write(
        "mine.py", "def predict(texts):\n    return [[0, 1] if 'film' in each else [1, 0] for each in texts]\n"
    )
    project.write("films.csv", "text,label\n" + "".join(f"film {number},yes\n" for number in range(4)))
    suite = {
        "suite": "films",
        "model": {"use": "python", "call": "mine:predict", "labels": ["no", "yes"]},
        "data": {"use": "csv", "path": "films.csv"},
    }
    project.write("films.yaml", json.dumps(suite))
    words = f"chat.url={server.url}/v1 chat.model=tiny chat.backoff=0 answers=1"
    shown = project(f"mine films.yaml --paraphraser chat {' '.join(f'--paraphraser {each}' for each in words.split())}")
    assert "4 texts" in shown.out
    assert f"tiny: {len(server.requests)} requests; 0 answers of the store." in " ".join(shown.out.split())


def test_a_budget_ends_the_judging(serve: Serve) -> None:
    judge = prepared(ChatJudge(chat=chat(serve(judges), budget={"requests": 1})))
    judge.reject(turned("a rather good film"))
    with pytest.raises(CallLimitReached, match=r"the budget \{requests: 1\} is used up"):
        judge.reject(turned("a bad film"))


def test_an_option_without_a_usable_value_is_refused() -> None:
    there = Chat("http://localhost/v1", "tiny")
    with pytest.raises(UsageError, match=r"'prompt' must contain the place \{text\}"):
        ChatParaphraser(chat=there, prompt="Write.")
