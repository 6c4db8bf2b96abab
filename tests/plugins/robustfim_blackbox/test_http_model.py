"""A model behind an HTTP endpoint: bodies, answers, fingerprints."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import robustfim
from robustfim import Example, ModelError, UsageError
from robustfim.predict.rating import answering
from robustfim_blackbox.http_model import HttpModel
from tests.plugins.robustfim_blackbox.serving import LocalServer, Reply, Request, positive

pytest.importorskip("httpx")

Serve = Callable[[Callable[[Request], Reply]], LocalServer]
LABELS = ["negative", "positive"]
TEXTS = ["a good film", "a bad film", "an awful film", "a fine film", "a film"]
EXPECTED = [[pytest.approx(1 - positive(text)), pytest.approx(positive(text))] for text in TEXTS]


def examples(*texts: str) -> list[Example]:
    return [Example({"text": text}) for text in texts or TEXTS]


def row(text: str) -> list[float]:
    return [1 - positive(text), positive(text)]


def test_texts_are_sent_several_a_request(serve: Serve) -> None:
    server = serve(lambda request: Reply({"out": [{"p": row(text)} for text in request.body["inputs"]]}))
    model = HttpModel(server.url, LABELS, body={"inputs": "{texts}", "top": 2}, answer="out.*.p", batch=2)
    assert model.predict(examples()) == EXPECTED
    assert sorted(len(request.body["inputs"]) for request in server.requests) == [1, 2, 2]
    assert all(request.body["top"] == 2 for request in server.requests)


def test_one_text_a_request_gives_one_answer(serve: Serve) -> None:
    server = serve(lambda request: Reply({"result": dict(zip(LABELS, row(request.body["q"]), strict=True))}))
    model = HttpModel(server.url, LABELS, body={"q": "{text}"}, answer="result")
    assert model.predict(examples()) == EXPECTED
    assert len(server.requests) == len(TEXTS)


def test_a_text_can_stand_in_the_address(serve: Serve) -> None:
    def answer(request: Request) -> Reply:
        (text,) = parse_qs(urlsplit(request.path).query)["q"]
        return Reply("positive" if positive(text) >= 0.5 else "negative")

    server = serve(answer)
    model = HttpModel(f"{server.url}/classify?q={{text}}", LABELS, method="GET")
    assert model.predict(examples("good & great?", "bad #1")) == [[0.0, 1.0], [1.0, 0.0]]
    assert [(request.method, request.body) for request in server.requests] == [("GET", None)] * 2


def test_scores_as_hugging_face_endpoints_give_them_are_read(serve: Serve) -> None:
    def answer(request: Request) -> Reply:
        rows = [zip(LABELS, row(text), strict=True) for text in request.body["inputs"]]
        return Reply([sorted(({"label": k, "score": p} for k, p in each), key=lambda s: -s["score"]) for each in rows])

    model = HttpModel(serve(answer).url, LABELS, body={"inputs": "{texts}"})
    assert model.predict(examples()) == EXPECTED


def test_logits_are_turned_into_probabilities(serve: Serve) -> None:
    server = serve(lambda request: Reply([[0.0, 0.0] for _ in request.body]))
    assert HttpModel(server.url, LABELS, body="{texts}", logits=True).predict(examples("a")) == [[0.5, 0.5]]


def test_several_fields_are_named_in_the_body(serve: Serve) -> None:
    pair = [Example({"premise": "good", "hypothesis": "bad"}), Example({"premise": "bad", "hypothesis": "good"})]
    single = serve(lambda request: Reply(row(request.body["of"]["a"])))
    model = HttpModel(single.url, LABELS, body={"of": {"a": "{premise}", "b": "{hypothesis}"}})
    assert model.predict(pair) == [row("good"), row("bad")]
    many = serve(lambda request: Reply([row(each["hypothesis"]) for each in request.body]))
    assert HttpModel(many.url, LABELS, body="{texts}").predict(pair) == [row("bad"), row("good")]


def test_a_misspelled_field_is_told(serve: Serve) -> None:
    model = HttpModel(serve(lambda request: Reply()).url, LABELS, body="{premis}")
    with pytest.raises(UsageError, match=r"'\{premis\}' that nothing fills\. Did you mean 'premise'\?"):
        model.predict([Example({"premise": "a", "hypothesis": "b"})])


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([[0.5, 0.5]], "gave 1 answers for 2 texts"),
        ([[0.5, 0.5]] * 3, "gave 3 answers for 2 texts"),
        ({"error": "none"}, "gave {'error': 'none'}, which is not a list with one answer for each text"),
        (["positive", "postive"], r"gave 'postive', which is not in 'labels' .* Did you mean 'positive'\?"),
        ([1, 0], "gave 1 for a text"),
        (None, "gave None, which is not a list"),
    ],
)
def test_what_is_no_answer_is_told(serve: Serve, answer: Any, message: str) -> None:
    server = serve(lambda request: Reply(answer))
    with pytest.raises(ModelError, match=f"{server.url} {message}"):
        HttpModel(server.url, LABELS, body="{texts}").predict(examples("a", "b"))


def test_a_path_that_leads_nowhere_is_told_without_the_token(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBUSTFIM_TEST_TOKEN", "s3cret-token")
    server = serve(lambda request: Reply({"s3cret-token": 1, "scores": [0.5, 0.5]}))
    model = HttpModel(server.url, LABELS, body="{text}", answer="score", token_env="ROBUSTFIM_TEST_TOKEN")  # noqa: S106  # its name
    with pytest.raises(ModelError, match=r"has the keys \[token\], scores\. Did you mean 'scores'\?") as caught:
        model.predict(examples("a"))
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "neither 'body' nor 'url' has a place for the text"),
        ({"body": {"inputs": "text"}}, "neither 'body' nor 'url' has a place for the text"),
        ({"body": ["{text}", "{texts}"]}, r"'\{texts\}' is the list of all texts"),
        ({"url": "http://localhost/{texts}"}, r"'\{texts\}' is the list of all texts"),
        ({"body": {"q": "{text}", "api_key": "s3cret"}}, "key of 'body' 'api_key' looks like a secret"),
        ({"body": "{text}", "answer": "a..b"}, "is not a path"),
    ],
)
def test_an_option_without_a_usable_value_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        made(**options)
    assert "s3cret" not in str(caught.value)


def made(**options: Any) -> HttpModel:
    return HttpModel(**{"url": "http://localhost", "labels": LABELS, **options})


def test_the_fingerprint_is_of_what_decides_an_answer() -> None:
    body = {"q": "{text}"}
    first = made(body=body).fingerprint
    transport = {"concurrency": 9, "retries": 9, "backoff": 9, "rate": 9, "timeout": 9, "token_env": "A", "batch": 9}
    assert made(body=body, **transport).fingerprint == first
    changes: list[dict[str, Any]] = [
        {"url": "http://localhost/v2"},
        {"labels": LABELS[::-1]},
        {"body": {"p": "{text}"}},
        {"answer": "a"},
        {"method": "PUT"},
        {"headers": {"X-Model": "b"}},
        {"logits": True},
        {"version": 2},
    ]
    assert len({first, *(made(**{"body": body, **change}).fingerprint for change in changes)}) == 1 + len(changes)


@pytest.mark.parametrize(
    ("wrap", "given", "told"),
    [
        (lambda rows: {"outputs": [{"scores": each} for each in rows]}, "", "answer: 'outputs.*.scores'"),
        (lambda rows: {"out": [{"scores": each} for each in rows]}, "out.*.logits", "answer: 'out.*.scores'"),
        (lambda rows: {"data": {"p": rows}, "ids": [[3, 7]]}, "", "answer: 'data.p'"),
        (lambda rows: rows, "outputs", "no answer"),
        (lambda rows: [[dict(zip(LABELS, each, strict=True)) for each in rows]], "", "answer: '0'"),
        (lambda rows: {"ids": [[3, 7], [4, 8]], "text": "a good film"}, "", None),
    ],
)  # fmt: skip
def test_an_answer_of_another_shape_is_told_with_the_path_that_reads_it(
    serve: Serve, wrap: Callable[[list[list[float]]], Any], given: str, told: str | None
) -> None:
    server = serve(lambda request: Reply(wrap([row(text) for text in request.body["inputs"]])))
    with pytest.raises(ModelError) as caught:
        HttpModel(server.url, LABELS, body={"inputs": "{texts}"}, answer=given, batch=2).predict(examples(*TEXTS[:2]))
    if told is None:
        assert "it would be read" not in str(caught.value)
        return
    assert f" With {told} it would be read: [" in str(caught.value)
    path = told.removeprefix("answer: ").strip("'") if told != "no answer" else ""
    model = HttpModel(server.url, LABELS, body={"inputs": "{texts}"}, answer=path, batch=2)
    assert model.predict(examples(*TEXTS[:2])) == EXPECTED[:2]


def test_one_answer_of_another_shape_is_told_with_its_path_too(serve: Serve) -> None:
    server = serve(lambda request: Reply({"result": {"label": "positive", "p": row(request.body["q"])}}))
    with pytest.raises(ModelError, match=r"With answer: 'result\.label' it would be read"):
        HttpModel(server.url, LABELS, body={"q": "{text}"}, answer="label").predict(examples())


FIRST = re.compile(r"\b(Ana|Bo)\b")


def as_presidio(text: str) -> list[dict[str, Any]]:
    """What Presidio's analyzer answers to POST /analyze, recognisers' explanations and all."""
    return [
        {"analysis_explanation": None, "start": match.start(), "end": match.end(), "score": 0.85,
         "entity_type": "PERSON", "recognition_metadata": {"recognizer_name": "SpacyRecognizer"}}
        for match in FIRST.finditer(text)
    ]  # fmt: skip


NAMED = ["Ana met Bo", "nobody"]
SPANS = ["⟦0:3@0.85 PERSON⟧ ⟦8:10@0.85 PERSON⟧", "⟦⟧"]


def told(model: HttpModel) -> list[str]:
    tagger = answering(model)
    streamed = dict(tagger.stream([examples(*NAMED)]) if (model.contract.batch_size or 1) > 1 else
                    tagger.stream([[example] for example in examples(*NAMED)]))  # fmt: skip
    rows = [row for index in sorted(streamed) for row in streamed[index]]
    assert rows == tagger.answer(examples(*NAMED))
    return [answer for ((answer, _),) in rows]


def test_a_tagger_that_answers_as_presidios_analyzer_does_is_read(serve: Serve) -> None:
    server = serve(lambda request: Reply(as_presidio(request.body["text"])))
    model = HttpModel(f"{server.url}/analyze", body={"text": "{text}", "language": "en"}, task="spans")
    assert told(model) == SPANS
    assert {(request.path, request.body["language"]) for request in server.requests} == {("/analyze", "en")}


def test_a_tagger_that_answers_several_texts_under_a_key_is_read(serve: Serve) -> None:
    def answer(request: Request) -> Reply:
        rows = [{"entities": [{"start": m.start(), "end": m.end(), "label": "PERSON", "confidence": 0.85}
                              for m in FIRST.finditer(text)]} for text in request.body["texts"]]  # fmt: skip
        return Reply({"predictions": rows})

    url = serve(answer).url
    assert told(HttpModel(url, body={"texts": "{texts}"}, answer="predictions.*.entities", task="spans")) == SPANS


def test_a_tagger_without_probabilities_and_spans_as_lists_is_read(serve: Serve) -> None:
    server = serve(lambda request: Reply([[m.start(), m.end(), "PERSON"] for m in FIRST.finditer(request.body)]))
    assert told(HttpModel(server.url, body="{text}", task="spans")) == ["⟦0:3 PERSON⟧ ⟦8:10 PERSON⟧", "⟦⟧"]


def test_a_tagger_behind_an_endpoint_runs_in_a_suite(serve: Serve) -> None:
    server = serve(lambda request: Reply(as_presidio(request.body["text"])))
    rows = [Example({"text": NAMED[0]}, "⟦0:3 PERSON⟧ ⟦8:10 PERSON⟧"), Example({"text": NAMED[1]}, "⟦⟧")]
    model = {"use": "http", "url": server.url, "body": {"text": "{text}"}, "task": "spans"}
    suite = {"suite": "s", "model": model, "checks": {"case": {"perturb": {"use": "case", "kinds": ["lower"]},
                                                               "expect": "found"}}}  # fmt: skip
    (check,) = robustfim.run(suite, data=rows).record.checks
    assert [(recall.label, recall.before.count, recall.after.count) for recall in check.recall] == [("PERSON", 2, 0)]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ({"error": "busy"}, "which is not a list of spans for each text"),
        ([{"start": 0, "end": 3}], "a span has no label: the span has the keys start, end"),
        ({"out": as_presidio("Ana")}, "With answer: 'out' it would be read"),
    ],
)
def test_what_is_no_spans_is_refused_by_what_it_is(reply: Any, message: str, serve: Serve) -> None:
    model = HttpModel(serve(lambda request: Reply(reply)).url, body="{text}", task="spans")
    with pytest.raises(ModelError, match=message):
        answering(model).answer(examples("Ana"))


def test_windows_of_long_texts_are_sent_as_texts_of_their_own_and_the_surest_answers(serve: Serve) -> None:
    server = serve(lambda request: Reply(row(request.body["text"])))
    http = {"use": "http", "url": server.url, "body": {"text": "{text}"}, "labels": LABELS}
    model = {
        **{"use": "windows", "model": http, "size": 3, "stride": 2, "label": "positive"},
        "decide": {"label": "positive", "at": 0.5},
    }
    suite = {"suite": "s", "model": model, "checks": {"same": {"perturb": "itself"}}}
    (told,) = robustfim.run(suite, data=["an awful film with a good end"]).record.examples
    windows = ["an awful film", "film with a", "a good end"]
    assert {request.body["text"] for request in server.requests} == {*windows}, "a sample of them twice"
    assert told.prediction == "positive"
    assert max(told.probabilities or []) == pytest.approx(max(map(positive, windows)))


def test_a_model_of_numbers_behind_an_endpoint_runs_in_a_suite_and_orders_pairs(serve: Serve) -> None:
    url = serve(lambda request: Reply({"score": float(len(request.body["text"]))})).url
    model = {"use": "http", "url": url, "body": {"text": "{text}"}, "answer": "score", "task": "number"}
    checks = {"longer": {"perturb": {"use": "openers"}, "expect": {"use": "directional", "direction": "down"}}}
    suite = {"suite": "s", "model": {**model, "decide": {"within": 0.5}}, "checks": checks}
    made = robustfim.run(suite, data=["The film is wonderful.", "The songs are dull."])
    assert made.checks["longer"].rate == 1
    assert all(float(failure.after.label) == len(failure.fields["text"]) for failure in made.record.failures)
    suite = {
        "suite": "s",
        "model": {**model, "decide": {"order": ["a", "b"]}},
        "checks": {"same": {"perturb": "itself"}},
    }
    rows = [Example({"a": "a long text", "b": "a text"}), Example({"a": "short", "b": "a long text"})]
    pairs = robustfim.run(suite, data=rows).record.examples
    assert [pair.prediction for pair in pairs] == ["a", "b"]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ({"error": "busy"}, "which is not a number"),
        ("many", "which is not a number"),
        ({"out": {"score": 0.5}}, "With answer: 'out.score' it would be read: 0.5"),
    ],
)
def test_what_is_no_number_is_refused_by_what_it_is(reply: Any, message: str, serve: Serve) -> None:
    model = HttpModel(serve(lambda request: Reply(reply)).url, body="{text}", task="number")
    with pytest.raises(ModelError, match=message):
        answering(model).answer(examples("Ana"))


def test_a_tagger_takes_no_labels_and_a_classifier_must_have_some() -> None:
    with pytest.raises(UsageError, match="takes no 'labels'"):
        HttpModel("http://localhost", LABELS, body="{text}", task="spans")
    with pytest.raises(UsageError, match="the option 'labels' is missing"):
        HttpModel("http://localhost", body="{text}")
