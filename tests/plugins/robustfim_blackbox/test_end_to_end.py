"""Every kind of model through ``robustfim run``: what works, what is refused, and what is kept."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.found import plain_record
from tests.plugins.robustfim_blackbox.serving import LocalServer, Reply, Request, completion, positive

pytest.importorskip("httpx")

Serve = Callable[[Callable[[Request], Reply]], LocalServer]
VARIABLE = "ROBUSTFIM_TEST_TOKEN"
REVIEWS = {
    "a great film": "positive",
    "a good plot and a good cast": "positive",
    "a good film with a dull end": "positive",
    "an awful film": "negative",
    "a bad plot": "negative",
    "a great cast in an awful film": "negative",
}
SUITE = """\
suite: films
model: {use: python, call: "mine:predict", labels: [negative, positive]}
data: {use: csv, path: films.csv}
allow_weak: true  # six rows prove nothing
checks:
  typos: {perturb: {use: typos, candidates: 4}, limit: 1}
"""
MINE = """\
from tests.plugins.robustfim_blackbox.serving import LocalServer, Reply, Request, completion, positive

def predict(texts):
    return [[1 - positive(text), positive(text)] for text in texts]
"""


@pytest.fixture
def films(project: Any) -> Any:
    """A folder with data, a function and a suite of it."""
    with project.write("films.csv", "").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "label"), *REVIEWS.items()])
    project.write("mine.py", MINE)
    project.write("films.yaml", SUITE)
    return project


def model(films: Any, options: str) -> None:
    """Put another model into the suite."""
    lines = SUITE.splitlines()
    films.write("films.yaml", "\n".join([lines[0], f"model: {{{options}}}", *lines[2:]]))


def rows(request: Request) -> Reply:
    return Reply([[1 - positive(text), positive(text)] for text in request.body])


def refused(shown: Any, *parts: str, code: int) -> None:
    """Assert that a run ended with an exit code and a message that holds every part, without a traceback."""
    assert shown.code == code, shown
    told = " ".join((shown.out + shown.err).split())
    assert "Traceback" not in shown.err
    for part in parts:
        assert part in told, told


# ---- every kind of model ------------------------------------------------------------------------------


def checked(films: Any) -> list[tuple[str, list[float]]]:
    """Assert that the record is of a whole run; return what the model says of each example."""
    record = films.record()
    assert record.model.accuracy.rate == 1
    assert record.checks[0].candidates.tested >= 20
    assert record.checks[0].outcome.value in ("passed", "inconclusive")
    return [(example.prediction, example.probabilities) for example in record.examples]


def test_a_function_is_tested(films: Any) -> None:
    assert films("run films.yaml").code == 0
    expected = [pytest.approx([1 - positive(text), positive(text)]) for text in REVIEWS]
    assert [row for _, row in checked(films)] == expected
    sent = films.record().model_calls
    assert sent >= 26
    again = films("run films.yaml")
    assert again.code == 0
    asked = films.record().model.asked_again
    assert (asked.stored, asked.asked, asked.differing) == (sent, films.record().model_calls, 0)
    assert 6 <= asked.asked <= 20, "the fingerprint is the same in the next run, and some answers are asked again"
    assert f"{asked.asked} of {sent} stored answers asked again, all alike; so many see a change of 15 %" in again.out
    films.write("mine.py", f"{MINE}\n# another model\n")
    assert films("run films.yaml").code == 0
    assert films.record().model_calls == sent


def test_a_function_that_gives_labels_is_tested(films: Any) -> None:
    films.write(
        "mine.py",
        f"{MINE}\ndef label(texts):\n    return ['positive' if positive(t) > 0.5 else 'negative' for t in texts]\n",
    )
    assert films("run films.yaml --model call=mine:label").code == 0
    assert {tuple(row) for _, row in checked(films)} == {(0, 1), (1, 0)}


def test_a_pipeline_is_tested(films: Any) -> None:
    pytest.importorskip("sklearn")
    films.write(
        "fitted.py",
        "from sklearn.feature_extraction.text import TfidfVectorizer\n"
        "from sklearn.linear_model import LogisticRegression\n"
        "from sklearn.pipeline import make_pipeline\n"
        f"reviews = {REVIEWS!r}\n"
        "model = make_pipeline(TfidfVectorizer(), LogisticRegression(C=100))\n"
        "pipeline = model.fit(list(reviews), list(reviews.values()))\n",
    )
    assert films("run films.yaml --model use=sklearn --model call=fitted:pipeline").code == 0
    checked(films)
    assert films("run films.yaml --model use=sklearn --model call=fitted:pipeline").code == 0
    assert films.record().model_calls == films.record().model.asked_again.asked <= 20, "the fingerprint is the same"


def test_an_endpoint_is_tested_and_the_token_is_in_nothing_that_is_written(
    films: Any, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "s3cret-token")
    server = serve(rows)
    model(
        films, f"use: http, url: '{server.url}', body: '{{texts}}', labels: [negative, positive], token_env: {VARIABLE}"
    )
    shown = films("run films.yaml --html report.html")
    assert shown.code == 0
    checked(films)
    assert {request.headers["Authorization"] for request in server.requests} == {"Bearer s3cret-token"}
    written = [path for path in films.folder.rglob("*") if path.is_file()]
    assert {"results.json", "store.sqlite", "report.html"} <= {path.name for path in written}
    assert not [path for path in written if b"s3cret" in path.read_bytes()]
    assert "s3cret" not in shown.out + shown.err


def test_a_chat_model_is_tested(films: Any, serve: Serve) -> None:
    def answer(request: Request) -> Reply:
        text = request.body["messages"][0]["content"].partition("Text: ")[2]
        return Reply(completion("positive" if positive(text) > 0.5 else "negative"))

    server = serve(answer)
    model(films, f"use: chat, url: '{server.url}/v1', model: tiny, labels: [negative, positive], votes: 2")
    assert films("run films.yaml").code == 0
    checked(films)
    assert films.record().model_calls * 2 <= len(server.requests) <= films.record().model_calls * 2 + 16


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_a_file_of_answers_is_tested_in_two_passes(films: Any, ending: str) -> None:
    answers, ask = films.folder / f"answers.{ending}", films.folder / f"ask.{ending}"
    model(films, f"use: predictions, path: {answers.name}, export: {ask.name}, labels: [negative, positive]")
    refused(films("run films.yaml"), "6 of 6 texts have no answer", f"they are in {ask.name} now", code=4)
    respond(ask, answers)
    refused(films("run films.yaml"), "typos", "texts have no answer", "run the same command again", code=1)
    before = films.record()
    assert before.model.accuracy.rate == 1, "what was answered is in the record"
    respond(ask, answers)
    assert films("run films.yaml").code == 0
    checked(films)


def respond(ask: Path, answers: Path) -> None:
    """Answer what is asked, as a user's own program would, and append."""
    if ask.suffix == ".jsonl":
        with ask.open(encoding="utf-8") as questions, answers.open("a", encoding="utf-8") as file:
            for row in map(json.loads, questions):
                p = positive(row["text"])
                file.write(json.dumps({"id": row["id"], "probabilities": {"positive": p, "negative": 1 - p}}) + "\n")
        return
    with ask.open(encoding="utf-8", newline="") as questions, answers.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "negative", "positive"])
        for row in csv.DictReader(questions):
            writer.writerow([row["id"], 1 - positive(row["text"]), positive(row["text"])])


def test_flips_selects_for_a_model_without_gradients(films: Any) -> None:
    options = "-o 'scores=[{use: flips, queries: 5}]' -o 'select={by: flips, difficult: 2, control: 2}'"
    assert films(f"run films.yaml {options}").code == 0
    record = films.record()
    scores = {each.fields["text"]: each.scores["flips"] for each in record.every_example()}
    assert scores["a great cast in an awful film"] == pytest.approx(1 / 5)
    assert scores["a good plot and a good cast"] == 0
    assert record.selection.by == "flips"
    assert record.selection.difficult == 2


def test_a_score_that_needs_gradients_names_those_that_do_not(films: Any) -> None:
    shown = films("run films.yaml -o select.by=fisher -o select.difficult=2 -o select.control=2")
    refused(shown, "PythonFunction has no gradients", "'margin' and 'entropy' (and 'flips'", code=4)


# ---- a function that misbehaves -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("returns", "message"),
    [
        ("[[-3.0, 3.0] for _ in texts]", "not probabilities that sum to 1. Logits?"),
        ("[[0.5, 0.7] for _ in texts]", "not probabilities that sum to 1"),
        ("[[float('nan')] * 2 for _ in texts]", "no finite probabilities for any of 6 examples"),
        ("[[0.5, 0.25, 0.25] for _ in texts]", "shape [6, 3] for 6 texts and 2 labels"),
        ("[[1.0], *[[0.5, 0.5] for _ in texts[1:]]]", "must return probabilities [examples, classes]"),
        ("[[0.5, 0.5]]", "gave 1 answers for 6 texts"),
        ("['good' for _ in texts]", "gave 'good', which is not in 'labels' (negative, positive)"),
        ("'positive'", "not a list with one answer for each text"),
        ("1 / 0", "plugin 'blackbox', model 'python' (PythonFunction) raised ZeroDivisionError"),
    ],
)
def test_a_function_that_returns_something_else_is_told(films: Any, returns: str, message: str) -> None:
    films.write("mine.py", f"def predict(texts):\n    return {returns}\n")
    refused(films("run films.yaml"), message, code=1)
    assert films.record().checks[0].outcome.value == "error"


def test_logits_are_fine_where_the_suite_says_so(films: Any) -> None:
    films.write(
        "mine.py", MINE.replace("[[1 - positive(text), positive(text)]", "[[-positive(text), positive(text) - 1]")
    )
    assert films("run films.yaml --model logits=true").code == 0


def test_a_text_without_numbers_is_left_out_and_counted(films: Any) -> None:
    films.write(
        "mine.py",
        "from tests.plugins.robustfim_blackbox.serving import positive\n\n"
        "def predict(texts):\n"
        "    return [None if t == 'a bad plot' else [1 - positive(t), positive(t)] for t in texts]\n",
    )
    assert films("run films.yaml").code == 0
    assert films.record().data.skipped == {"the model gave no finite numbers": 1}
    alone = '-o "checks={same: {perturb: itself, limit: 0.55}}" -o "select={difficult: 0, control: 12}"'
    assert films(f"run films.yaml {alone}").code == 6, "0.45 ** 5 < 0.025, but the sixth text may fail"
    assert "within the limit of 55 %, unless 1 example without an answer fails" in films.record().checks[0].message


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("mnie:predict", "no module 'mnie' is installed or in the current folder. Did you mean 'mine'?"),
        ("mine:predcit", "mine (mine.py) has no 'predcit'. Did you mean 'predict'?"),
        ("mine.py:predict", "write package.module:name. Is it 'mine:predict'?"),
    ],
)
def test_a_misspelled_function_is_told(films: Any, call: str, message: str) -> None:
    refused(films(f"run films.yaml --model call={call}"), message, code=4)


def test_a_label_of_the_data_that_the_model_does_not_know_is_told(films: Any) -> None:
    shown = films("run films.yaml --model 'labels=[bad, good]'")
    refused(shown, "has labels that the model does not know: 'positive' (3 rows), 'negative' (3 rows)", code=4)


# ---- an endpoint that misbehaves ----------------------------------------------------------------------


def endpoint(films: Any, server: LocalServer, more: str = "") -> None:
    options = "batch: 1, concurrency: 1, retries: 1, backoff: 0, timeout: 0.5"
    labels = "labels: [negative, positive]"
    model(films, f"use: http, url: '{server.url}', body: '{{texts}}', {labels}, {options}{more}")


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Reply("late", seconds=30), "failed in 2 attempts, the last with: no answer within 0.5 s"),
        (Reply({"error": "out of order"}, 500), "failed in 2 attempts, the last with: HTTP 500"),
        (Reply(b"<html>sign in</html>", headers={"Content-Type": "text/html"}), "text/html, not JSON: <html>sign in"),
        (Reply([]), "gave 0 answers for 1 texts"),
        (Reply([[0.2, 0.3, 0.5]]), "shape [1, 3] for 1 texts and 2 labels"),
        (Reply([[3.0, -3.0]]), "not probabilities that sum to 1"),
        (Reply(["good"]), "gave 'good', which is not in 'labels'"),
        (Reply({"error": "who are you"}, 401), "refused a request: HTTP 401"),
    ],
    ids=["hangs", "500", "html", "too few", "wrong shape", "logits", "unknown label", "401"],
)
def test_an_endpoint_that_gives_no_answer_is_told(films: Any, serve: Serve, reply: Reply, message: str) -> None:
    endpoint(films, serve(lambda request: reply))
    refused(films("run films.yaml"), message, code=1)
    assert films.record().checks[0].outcome.value == "error"


def test_what_was_computed_before_an_endpoint_failed_is_kept(films: Any, serve: Serve) -> None:
    served: list[str] = []
    limit = [12]

    def answer(request: Request) -> Reply:
        if len(served) >= limit[0]:
            return Reply("down", 500)
        served.extend(request.body)
        return rows(request)

    server = serve(answer)
    endpoint(films, server)
    refused(films("run films.yaml"), "HTTP 500", "The store keeps the answers so far", code=1)
    assert len(served) == 12
    assert films.record().model.accuracy.rate == 1, "the unperturbed examples had been answered"
    limit[0] = 10_000
    assert films("run films.yaml").code == 0
    checked(films)
    # A batch is 4 rounds of requests; only what was answered within the failed one is asked again.
    assert len(served) - len(set(served)) < 4 + 12
    assert films.record().model.asked_again.asked == 12


@pytest.mark.slow
def test_a_run_that_is_killed_while_the_endpoint_answers_is_reported_and_goes_on_to_the_same_record(
    films: Any, serve: Serve
) -> None:
    """The kill comes in the second check, with a request under way on each of four connections."""
    holds, arrived = [False], threading.Event()

    def answer(request: Request) -> Reply:
        if holds[0] and len(server.requests) > 40:
            arrived.set()
            return Reply(rows(request).body, seconds=120)
        return rows(request)

    server = serve(answer)
    endpoint(films, server)
    suite = (films.folder / "films.yaml").read_text(encoding="utf-8").replace("concurrency: 1", "concurrency: 4")
    suite = suite.replace("timeout: 0.5", "timeout: 120")
    films.write("films.yaml", f"{suite}\n  twice: {{perturb: {{use: typos, words: 2, candidates: 4}}, limit: 1}}\n")
    assert films("run films.yaml --no-store --reports whole").code == 0
    needed, whole = len(server.requests), plain_record(films.folder / "whole" / "films" / "results.json")
    assert needed == len({str(request.body) for request in server.requests}) > 45, "shrinking asks no text again"

    server.requests.clear()
    holds[0] = True
    run = subprocess.Popen(
        [sys.executable, "-m", "robustfim", "run", "films.yaml"], cwd=films.folder,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert arrived.wait(60)
    finally:
        run.kill()
        run.wait()
    holds[0] = False
    assert films("report reports/films --partial --junit-xml killed.xml").code == 0
    found = (films.folder / "killed.xml").read_text(encoding="utf-8")
    assert "typos" in found
    assert "1 of 2 checks had not run" in found

    assert films("run films.yaml").code == 0
    assert plain_record(films.folder / "reports" / "films" / "results.json") == whole
    # What was under way is asked again, and what had been answered and not yet been written when its connection took
    # the next: at most one request of either kind a connection. So is a sample of what the killed run had stored.
    asked = films.record().model.asked_again.asked
    assert 6 <= asked <= 20
    assert needed + asked <= len(server.requests) <= needed + asked + 2 * 4
    assert not (films.folder / "reports" / "films" / "results.partial.json").exists()


def test_a_missing_variable_is_told_with_exit_code_4(films: Any, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    server = serve(rows)
    endpoint(films, server, f", token_env: {VARIABLE}")
    refused(films("run films.yaml"), f"the environment variable '{VARIABLE}'", "is not set", code=4)
    assert server.requests == []
    assert films("list films.yaml").code == 0, "listing the checks needs no token"


def test_a_secret_in_the_suite_is_refused_with_its_line(films: Any, serve: Serve) -> None:
    endpoint(films, serve(rows), ", headers: {Authorization: Bearer s3cret}")
    shown = films("run films.yaml")
    refused(shown, "films.yaml:2: the header 'Authorization' looks like a secret", "'token_env'", code=4)
    assert "s3cret" not in shown.out + shown.err
    assert not (films.folder / "reports").exists()


# ---- a chat --------------------------------------------------------------------------------------------


def chat(films: Any, server: LocalServer, more: str = "") -> None:
    prompt = "prompt: 'Is this review good or bad? Answer with one word and nothing else. The review: {text}'"
    labels = "labels: [negative, positive]"
    model(films, f"use: chat, url: '{server.url}/v1', model: tiny, {labels}, {prompt}, votes: 4, concurrency: 1{more}")


def voted(request: Request) -> Reply:
    text = request.body["messages"][-1]["content"].partition("The review: ")[2]
    return Reply({**completion("positive" if positive(text) > 0.5 else "negative"), "usage": {"prompt_tokens": 30}})


def test_a_chats_requests_are_shown_and_kept_in_the_record(films: Any, serve: Serve) -> None:
    server = serve(voted)
    chat(films, server)
    shown = films("run films.yaml")
    assert shown.code in (0, 1, 6), shown.err
    sent, texts = len(server.requests), films.record().model_calls
    assert sent == 4 * texts + 1  # the first request asked for log-probabilities
    assert f"{sent:,} requests for {texts:,} texts: the endpoint gives no log-probabilities" in " ".join(
        shown.out.split()
    )
    assert films.record().sections[-1].name == "chat"
    assert "Answer with one word" not in shown.out
    assert "prompt=…" in "".join(shown.out.split())


def test_max_calls_bounds_the_requests_of_a_chat(films: Any, serve: Serve) -> None:
    server = serve(voted)
    chat(films, server)
    shown = films("run films.yaml --max-calls 10")
    assert len(server.requests) == 10
    assert "--max-calls 10 is used up: robustfim sent this many requests" in " ".join((shown.out + shown.err).split())
