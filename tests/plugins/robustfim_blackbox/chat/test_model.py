"""A chat model, against a local server that speaks OpenAI's chat completions."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import cycle
from math import isnan
from typing import Any

import pytest

from robustfim import Example, ModelError, UsageError
from robustfim.predict.context import RunContext
from robustfim.predict.queue import CallLimitReached, PredictionQueue
from robustfim.predict.store import Store
from robustfim_blackbox.chat.model import ChatModel
from robustfim_blackbox.endpoint import Refused
from tests.plugins.robustfim_blackbox.conftest import Project
from tests.plugins.robustfim_blackbox.serving import LocalServer, Reply, Request, completion, positive, token

pytest.importorskip("httpx")

Serve = Callable[[Callable[[Request], Reply]], LocalServer]
DATA = {"use": "csv", "path": "films.csv", "label": None}
LABELS = ["negative", "positive"]


def examples(*texts: str) -> list[Example]:
    return [Example({"text": text}) for text in texts]


def model(server: LocalServer, **options: Any) -> ChatModel:
    return ChatModel(**{"url": f"{server.url}/v1", "model": "tiny", "labels": LABELS, "backoff": 0, **options})


def with_logprobs(request: Request) -> Reply:
    """Answers as an endpoint that gives log-probabilities when it is asked for them."""
    text = request.body["messages"][-1]["content"].partition("Text: ")[2]
    p = positive(text)
    tokens = [token("positive" if p >= 0.5 else "negative", positive=p, negative=1 - p)]
    return Reply(completion(tokens[0]["token"], tokens=tokens if request.body.get("logprobs") else None))


def without_logprobs(*answers: str) -> Callable[[Request], Reply]:
    """Answers as an endpoint that ignores the wish for log-probabilities, in turn."""
    turn = cycle(answers)
    return lambda request: Reply(completion(*(next(turn) for _ in range(request.body.get("n", 1)))))


def test_log_probabilities_give_the_probabilities_with_one_request_a_text(serve: Serve) -> None:
    server = serve(with_logprobs)
    rows = model(server).predict(examples("a good film", "an awful film"))
    assert rows[0] == pytest.approx([1 - positive("good"), positive("good")])
    assert rows[1] == pytest.approx([1 - positive("awful"), positive("awful")])
    assert len(server.requests) == 2
    assert server.requests[0].path == "/v1/chat/completions"


def test_a_request_is_what_the_protocol_asks_for(serve: Serve) -> None:
    server = serve(with_logprobs)
    model(server, system="You label {text}s.", extra={"seed": 3, "max_tokens": None}).predict(
        examples("a {labels} film")
    )
    assert server.requests[0].body == {
        "model": "tiny",
        "messages": [
            {"role": "system", "content": "You label a {labels} films."},
            {
                "role": "user",
                "content": "Classify the text. Answer with one of these labels and nothing else: negative, positive."
                "\n\nText: a {labels} film\nLabel:",
            },
        ],
        "temperature": 0,
        "logprobs": True,
        "top_logprobs": 20,
        "seed": 3,
    }


def test_an_endpoint_without_log_probabilities_is_asked_for_votes(serve: Serve) -> None:
    server = serve(without_logprobs("positive", "Positive.", "negative", "hm", "positive"))
    chat = model(server, votes=5, temperature=0.7)
    (first,), (second,) = chat.predict(examples("a")), chat.predict(examples("b"))
    # The first answer was the reply to the wish for log-probabilities and does not vote.
    assert first == [0.25, 0.75]
    assert second == [0.25, 0.75]
    assert len(server.requests) == 1 + 5 + 5, "the wish is not repeated for each text"
    assert all(request.body["temperature"] == 0.7 and "logprobs" not in request.body for request in server.requests[1:])


def test_several_answers_a_request_are_taken_where_the_endpoint_gives_them(serve: Serve) -> None:
    server = serve(without_logprobs("positive", "negative"))
    assert model(server, probabilities="votes", votes=10, choices=4).predict(examples("a")) == [[0.5, 0.5]]
    assert [request.body.get("n") for request in server.requests] == [4, 4, 2]


def test_an_endpoint_that_gives_one_answer_whatever_it_is_asked_is_asked_again(serve: Serve) -> None:
    server = serve(lambda request: Reply(completion("positive")))
    assert model(server, probabilities="votes", votes=3, choices=3).predict(examples("a")) == [[0, 1]]
    assert [request.body.get("n") for request in server.requests] == [3, 2, None]


def test_an_endpoint_that_refuses_the_wish_is_asked_for_votes(serve: Serve) -> None:
    def answer(request: Request) -> Reply:
        if "logprobs" in request.body:
            return Reply({"error": {"message": "logprobs is not supported with this model"}}, 400)
        return Reply(completion("positive"))

    server = serve(answer)
    assert model(server, votes=2).predict(examples("a")) == [[0, 1]]
    assert len(server.requests) == 3
    with pytest.raises(Refused, match="logprobs is not supported"):
        model(server, probabilities="logprobs").predict(examples("a"))


def test_another_refusal_is_no_reason_for_votes(serve: Serve) -> None:
    server = serve(lambda request: Reply({"error": {"message": "no model tiny"}}, 404))
    with pytest.raises(Refused, match=r"HTTP 404: .*no model tiny"):
        model(server).predict(examples("a"))
    assert len(server.requests) == 1


def test_log_probabilities_of_thoughts_are_none_of_the_answer(serve: Serve) -> None:
    def answer(request: Request) -> Reply:
        tokens = [token("<think>", **{"<think>": 1.0})] if request.body.get("logprobs") else None
        return Reply(completion("<think>bad?</think>positive", tokens=tokens))

    assert model(serve(answer), votes=2).predict(examples("a")) == [[0, 1]]


def test_a_text_in_parts_without_a_label_is_quoted(serve: Serve) -> None:
    def answer(request: Request) -> Reply:
        reply = completion("", tokens=[token("well", well=1.0)])
        reply["choices"][0]["message"]["content"] = [{"type": "text", "text": "well, well"}]
        return Reply(reply)

    asked = model(serve(answer))
    assert all(isnan(number) for number in asked.predict(examples("a"))[0])
    assert asked.tally.quoted == ["well, well"]


def test_a_request_that_is_refused_says_how_to_change_it(serve: Serve) -> None:
    def answer(request: Request) -> Reply:
        if "max_tokens" in request.body:
            return Reply({"error": {"message": "'max_tokens' is not supported. Use 'max_completion_tokens'."}}, 400)
        return Reply(completion("positive"))

    server = serve(answer)
    with pytest.raises(
        Refused, match=r"'max_tokens' is not supported.* 'extra: {KEY: VALUE}' adds a key .* null takes"
    ):
        model(server, probabilities="votes").predict(examples("a"))
    extra = {"max_tokens": None, "max_completion_tokens": 8}
    assert model(server, probabilities="votes", votes=1, extra=extra).predict(examples("a")) == [[0, 1]]


def test_an_address_without_its_v1_is_told(serve: Serve) -> None:
    server = serve(lambda request: Reply({"error": "not found"}, 404))
    with pytest.raises(Refused, match=r"HTTP 404: .*Most servers answer below '/v1'"):
        model(server, url=server.url).predict(examples("a"))
    with pytest.raises(Refused, match=r"HTTP 404: [^/]*not found[^/]*$"):
        model(server, url=f"{server.url}/v1").predict(examples("a"))


def test_log_probabilities_can_be_insisted_on(serve: Serve) -> None:
    server = serve(without_logprobs("positive"))
    with pytest.raises(ModelError, match="Write 'probabilities: votes' to ask 10 times"):
        model(server, probabilities="logprobs").predict(examples("a"))


def test_a_text_without_a_label_in_any_answer_has_no_prediction(serve: Serve) -> None:
    server = serve(lambda request: Reply(completion("I would rather not say.")))
    (row,) = model(server, probabilities="votes", votes=2).predict(examples("a"))
    assert all(isnan(number) for number in row)
    assert model(server, probabilities="votes", votes=2, unparsed="negative").predict(examples("a")) == [[1, 0]]


def test_an_answer_without_content_is_an_answer_without_a_label(serve: Serve) -> None:
    server = serve(lambda request: Reply({"choices": [{"message": {"content": None}}]}))
    assert model(server, probabilities="votes", unparsed="negative").predict(examples("a")) == [[1, 0]]


def test_an_answer_in_parts_or_after_thoughts_is_its_text(serve: Serve) -> None:
    parts = [{"type": "thinking", "thinking": []}, {"type": "text", "text": "posi"}, {"type": "text", "text": "tive"}]
    server = serve(lambda request: Reply({"choices": [{"message": {"content": parts}}]}))
    assert model(server, probabilities="votes", votes=1).predict(examples("a")) == [[0, 1]]
    server = serve(lambda request: Reply(completion("<think>negative or positive?</think>\npositive")))
    assert model(server, probabilities="votes", votes=1).predict(examples("a")) == [[0, 1]]
    server = serve(lambda request: Reply({"choices": [{"message": {"content": 1}}]}))
    with pytest.raises(ModelError, match=r"the endpoint's 'content' is not a text: 1\. It answered: {\"message\""):
        model(server, probabilities="votes", votes=1).predict(examples("a"))


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ({"answer": "positive"}, r"finds no 'choices' in the answer: at its top it has the keys answer"),
        (
            {"error": {"message": "overloaded"}},
            r'has the keys error\. It answered: {"error": {"message": "overloaded"}}\.$',
        ),
        ({"choices": []}, "'choices' are not a list of answers"),
        ({"choices": ["positive"]}, "'choices' are not a list of answers"),
        ({"choices": [{"text": "positive"}]}, r"finds no 'message'"),
        ({"choices": [{"logprobs": {"content": [{"bytes": []}]}}]}, "log-probabilities of another form .*'token'"),
    ],
)
def test_another_protocol_is_told(serve: Serve, reply: Any, message: str) -> None:
    server = serve(lambda request: Reply(reply))
    with pytest.raises(ModelError, match=message):
        model(server).predict(examples("a"))


def test_several_fields_are_named_in_the_prompt(serve: Serve) -> None:
    server = serve(with_logprobs)
    pair = [Example({"premise": "good", "hypothesis": "bad"})]
    model(server, prompt="{labels}? {premise} / {hypothesis}").predict(pair)
    assert server.requests[0].body["messages"][0]["content"] == "negative, positive? good / bad"
    with pytest.raises(UsageError, match=r"'\{text\}' that nothing fills.* Known: \{premise\}, \{hypothesis\}"):
        model(server).predict(pair)


def test_the_whole_address_can_be_given(serve: Serve) -> None:
    server = serve(with_logprobs)
    model(server, url=f"{server.url}/openai/chat/completions").predict(examples("a"))
    assert server.requests[0].path == "/openai/chat/completions"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prompt": "{labels}?"}, "'prompt' has no place for the text"),
        ({"extra": {"api_key": "s3cret"}}, "key of 'extra' 'api_key' looks like a secret"),
        ({"url": "tiny"}, "'url' is not an address"),
        ({"unparsed": "other"}, "unparsed='other' is none of the labels"),
    ],
)
def test_an_option_without_a_usable_value_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ChatModel(**{"url": "http://localhost/v1", "model": "tiny", "labels": LABELS, **options})


def test_the_fingerprint_is_of_what_decides_an_answer() -> None:
    plain: dict[str, Any] = {"url": "http://localhost/v1", "model": "tiny", "labels": LABELS}
    first = ChatModel(**plain).fingerprint
    assert ChatModel(**plain, concurrency=9, timeout=9, token_env="A_NAME").fingerprint == first  # noqa: S106  # its name
    changes: list[dict[str, Any]] = [
        {"model": "large"},
        {"labels": {"negative": "bad", "positive": "good"}},
        {"prompt": "{text}?"},
        {"system": "Be brief."},
        {"probabilities": "votes"},
        {"votes": 3},
        {"temperature": 0.5},
        {"unparsed": "negative"},
        {"extra": {"seed": 1}},
        {"version": 2},
    ]
    assert len({first, *(ChatModel(**{**plain, **change}).fingerprint for change in changes)}) == 1 + len(changes)


def test_a_malformed_answer_is_asked_for_again_and_then_counted_for_its_text(serve: Serve) -> None:
    calls = {"b": 0, "c": 0}

    def answer(request: Request) -> Reply:
        text = request.body["messages"][-1]["content"].partition("Text: ")[2][0]
        calls[text] = calls.get(text, 0) + 1
        if text == "c" or (text == "b" and calls["b"] == 1):
            return Reply(b'{"choices": [{"message": {"content": "posit')
        return with_logprobs(request)

    server = serve(answer)
    asked = model(server, retries=2)
    rows = asked.predict(examples("a good film", "b good film", "c good film", "d good film"))
    assert [isnan(row[0]) for row in rows] == [False, False, True, False]
    assert (calls["b"], calls["c"]) == (2, 3)
    assert len(server.requests) == 1 + 2 + 3 + 1
    assert asked.tally.sections()[0].findings[0].startswith("7 requests for 4 texts")
    assert (asked.tally.lost, asked.tally.texts) == ({"malformed": 1}, 4)


def test_requests_are_bounded_not_texts(serve: Serve) -> None:
    server = serve(without_logprobs("positive"))
    asked = model(server, votes=5, concurrency=1)
    RunContext(asked, PredictionQueue(asked, Store(None), max_calls=12), None, seed=0)
    got: list[Any] = []
    answers = asked.stream([[example] for example in examples("a", "b", "c", "d")])
    with pytest.raises(CallLimitReached, match="--max-calls 12 is used up: robustfim sent this many requests"):
        got.extend(answers)
    assert len(server.requests) == 12
    assert len(got) == 2  # 1 + 5 requests for the first, which told that there are no log-probabilities; then 5


def test_votes_of_a_text_in_whose_middle_the_requests_end_are_kept_for_the_next_run(
    serve: Serve, project: Project
) -> None:
    server = serve(without_logprobs("positive", "negative", "positive"))
    project.write("films.csv", "text\na fine film\na dull film\n")
    spec = {"use": "chat", "url": f"{server.url}/v1", "model": "tiny", "labels": LABELS, "votes": 6}
    suite = {
        "suite": "films", "one_label": True, "model": {**spec, "probabilities": "votes", "concurrency": 1},
        "data": DATA,
        "checks": {"same": {"perturb": {"use": "typos", "candidates": 1}, "limit": 1.0}},
    }  # fmt: skip
    project.write("films.yaml", json.dumps(suite))
    project("run films.yaml --max-calls 4")
    project("run films.yaml --max-calls 5")
    assert len(server.requests) == 9
    project("run films.yaml")
    asked = project.record().model.asked_again
    assert asked is not None
    assert (asked.stored, asked.asked) == (1, 1), "the text that was answered whole"
    assert len(server.requests) == (4 + 1) * 6, (
        "two texts and a typo in each, six votes a text: none is asked for twice"
    )
    assert all(example.probabilities == pytest.approx([2 / 6, 4 / 6]) for example in project.record().examples)


def test_tokens_are_added_up_and_priced(serve: Serve) -> None:
    usage = {"prompt_tokens": 40, "completion_tokens": 2, "total_tokens": 42}
    server = serve(lambda request: Reply({**completion("positive"), "usage": usage}))
    asked = model(server, votes=3, probabilities="votes", prices={"input": 0.5, "output": 2})
    asked.predict(examples("a", "b"))
    assert asked._service.account.tokens == {"input": 240, "output": 12}
    assert asked._service.account.cost == pytest.approx((240 * 0.5 + 12 * 2) / 1e6)
    told = asked.tally.sections()[0].findings[0]
    assert told == (
        "6 requests for 2 texts: each text was asked 3 times; 240 tokens read, 12 written, 0.0001 at the prices of the "
        "suite."
    )


def test_refusals_are_told_apart_from_answers_without_a_label(serve: Serve) -> None:
    def answer(request: Request) -> Reply:
        text = request.body["messages"][-1]["content"].partition("Text: ")[2][0]
        reply = completion("I think it is a   fine film")
        if text == "r":
            reply["choices"][0]["message"] = {"content": None, "refusal": "I cannot help with that."}
        if text == "f":
            reply["choices"][0] = {"message": {"content": ""}, "finish_reason": "content_filter"}
        if text == "h":
            return Reply({"error": {"code": "content_filter"}}, 400)
        return Reply(reply)

    asked = model(serve(answer), votes=2, probabilities="votes")
    rows = asked.predict(examples("r", "f", "h", "other"))
    assert all(isnan(row[0]) for row in rows)
    assert asked.tally.lost == {"refused": 3, "without a label": 1}
    told = asked.tally.sections()[0].findings[1]
    assert told.startswith("4 of 4 texts have no usable answer: 3 refused, 1 without a label.")
    assert "Some answers without a label: 'I think it is a fine film'. 'labels: {LABEL: [word, word]}' takes" in told


def test_answers_without_a_label_are_quoted_once_and_empty_ones_too(serve: Serve) -> None:
    asked = model(serve(without_logprobs("", "well")), votes=2, concurrency=1, probabilities="votes")
    asked.predict(examples("a", "b", "c", "d"))
    told = asked.tally.sections()[0].findings[1]
    assert set(asked.tally.quoted) <= {"", "well"}, "'' is what a model says whose thoughts used up its tokens"
    assert len(asked.tally.quoted) == len(set(asked.tally.quoted))
    assert "'max_tokens' lets an answer be longer" in told


def test_too_many_texts_without_a_usable_answer_end_the_run(serve: Serve) -> None:
    many = [f"text {number}" for number in range(30)]
    asked = model(serve(without_logprobs("well")), votes=1, concurrency=1)
    with pytest.raises(ModelError, match=r"10 of 10 texts have no usable answer, more than 'unusable: 0.2' allows"):
        asked.predict(examples(*many))
    borne = model(serve(without_logprobs("well")), votes=1, concurrency=1, unusable=1)
    assert all(isnan(row[0]) for row in borne.predict(examples(*many)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prices": {"input": 1}}, "'prices' must give the price of a million tokens"),
    ],
)
def test_bounds_and_prices_without_a_usable_value_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ChatModel("http://127.0.0.1:1/v1", "tiny", LABELS, **options)


@pytest.mark.parametrize(
    ("budget", "sent", "told"),
    [
        ({"requests": 5}, 5, r"the budget \{requests: 5\} is used up, 5 requests; "),
        ({"tokens": 84}, 2, r"the budget \{tokens: 84\} is used up"),
        ({"cost": 0.0001}, 5, r"the budget \{cost: 0.0001\} is used up, .*0.0001 at the prices of the suite"),
    ],
)
def test_a_budget_ends_the_requests_and_loses_no_answer(
    serve: Serve, budget: dict[str, float], sent: int, told: str
) -> None:
    usage = {"prompt_tokens": 40, "completion_tokens": 2}
    server = serve(lambda request: Reply({**completion("positive"), "usage": usage}, seconds=0.02))
    options: dict[str, Any] = {"votes": 1, "probabilities": "votes", "prices": {"input": 0.5, "output": 2}}
    asked = model(server, budget=budget, concurrency=2 if "requests" in budget else 1, **options)
    got: list[Any] = []
    with pytest.raises(CallLimitReached, match=told):
        got.extend(asked.stream([[example] for example in examples(*"abcdefgh")]))
    assert len(server.requests) == len(got) == sent
    assert "at most" in asked.tally.sections()[0].findings[0]


def test_a_budget_of_tokens_is_refused_where_none_are_told(serve: Serve) -> None:
    server = serve(without_logprobs("positive"))
    with pytest.raises(ModelError, match="does not report how many tokens a request took"):
        model(server, budget={"tokens": 100}).predict(examples("a"))


def test_what_was_asked_is_told_however_the_run_ends_and_the_bound_holds_for_kept_answers(
    serve: Serve, project: Project
) -> None:
    def answer(request: Request) -> Reply:
        text = request.body["messages"][-1]["content"].partition("Text: ")[2]
        return Reply(completion("well" if "odd" in text else "positive" if "good" in text else "negative"))

    server = serve(answer)
    rows = [f"{'good' if number % 2 else 'bad'} number {number}" for number in range(20)]
    rows += [f"odd number {number}" for number in range(12)]
    project.write("films.csv", "text\n" + "\n".join(rows) + "\n")
    spec = {"use": "chat", "url": f"{server.url}/v1", "model": "tiny", "labels": LABELS, "unusable": 0.3}
    checks = {"typos": {"perturb": {"use": "typos", "candidates": 1}, "limit": 1.0}}
    suite = {"suite": "films", "model": spec, "data": DATA, "checks": checks}
    project.write("films.yaml", json.dumps(suite))
    stopped = project("run films.yaml --max-calls 7")
    assert stopped.code == 1
    assert "7 requests for 0 texts: the endpoint gives no log-probabilities, so each text was asked 10 times" in (
        stopped.out.replace("\n", " ")
    )
    assert [section.name for section in project.record().sections] == ["chat"]
    before = len(server.requests)
    worked = project("run films.yaml -n 2 --max-calls 7 --no-store")
    assert "the model 'chat' sends several requests at once" in " ".join(worked.out.split())
    assert len(server.requests) - before <= 7
    for _ in range(2):  # the second time the store answers
        told = project("run films.yaml --model votes=1")
        assert told.code == 1
    assert "the model has no usable answer to 12 of 32 examples, and 'unusable: 0.3'" in told.out.replace("\n", " ")
