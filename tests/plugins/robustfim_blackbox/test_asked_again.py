"""A model that changes behind an unchanged fingerprint: no answer of the old one passes for one of the new."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

import numpy
import pytest

from tests.plugins.robustfim_blackbox.serving import LocalServer, Reply, Request, positive

pytest.importorskip("httpx")

Serve = Callable[[Callable[[Request], Reply]], LocalServer]
SUITE = """\
suite: films
model: {{{model}}}
data: {{use: csv, path: films.csv}}
checks:
  typos: {{perturb: {{use: typos, candidates: 2}}, expect: {{use: invariant, counts: changes}}, limit: 0.9}}
  right: {{perturb: itself, expect: correct, limit: 0.5}}
"""
PYTHON = 'use: python, call: "mine:predict", labels: [negative, positive]'


@pytest.fixture
def films(project: Any) -> Any:
    """A folder with data and a function whose knowledge is elsewhere."""
    texts = [f"a {word} film of {number} hours" for number in range(30) for word in ("good", "bad")]
    with project.write("films.csv", "").open("w", encoding="utf-8", newline="") as file:
        labels = ("positive" if positive(text) > 0.5 else "negative" for text in texts)
        csv.writer(file).writerows([("text", "label"), *zip(texts, labels, strict=True)])
    project.write("films.yaml", SUITE.format(model=PYTHON))
    return project


HELPED = """\
{imported}
def predict(texts):
    {late}
    return [[1 - helper.score(text), helper.score(text)] for text in texts]
"""
HELPER = """\
from tests.plugins.robustfim_blackbox.serving import positive

def score(text):
    return {score}
"""
WEIGHED = """\
from pathlib import Path
from tests.plugins.robustfim_blackbox.serving import positive

{early}
def predict(texts):
    sign = float(Path("weights.txt").read_text())
    return [[0.5 - sign * (positive(text) - 0.5), 0.5 + sign * (positive(text) - 0.5)] for text in texts]
"""


def passed_then_failed(films: Any, redeploy: Callable[[], object]) -> Any:
    """Assert that a suite passes, and no longer does once the model is one that is always wrong; return the record."""
    assert films("run films.yaml").code == 0
    sent = films.record().model_calls
    redeploy()
    assert films("run films.yaml --strict").code == 1
    record = films.record()
    assert record.model.accuracy.rate == 0
    assert {check.name: check.outcome.value for check in record.checks}["right"] == "failed"
    assert record.model_calls >= sent
    assert films("run films.yaml").code == 1
    return record


@pytest.mark.parametrize("lines", [("import helper", "pass"), ("", "import helper")], ids=["imported", "imported late"])
def test_a_module_beside_that_of_a_function_is_of_its_fingerprint(films: Any, lines: tuple[str, str]) -> None:
    films.write("mine.py", HELPED.format(imported=lines[0], late=lines[1]))
    films.write("helper.py", HELPER.format(score="positive(text)"))
    wrong = HELPER.format(score="1 - positive(text)")
    assert passed_then_failed(films, lambda: films.write("helper.py", wrong)).model.asked_again.stored == 0


def test_a_file_that_a_module_reads_when_it_is_imported_is_of_its_fingerprint(films: Any) -> None:
    films.write("mine.py", WEIGHED.format(early='SIGN = Path("weights.txt").read_text()\n'))
    films.write("weights.txt", "1")
    assert passed_then_failed(films, lambda: films.write("weights.txt", "-1")).model.asked_again.stored == 0


NATIVE = """\
from pathlib import Path
import {library}
from tests.plugins.robustfim_blackbox.serving import positive

HERE = Path(__file__).parent
SIGN = float({read})
def predict(texts):
    return [[0.5 - SIGN * (positive(text) - 0.5), 0.5 + SIGN * (positive(text) - 0.5)] for text in texts]
"""


@pytest.mark.parametrize(
    "place",
    ['"net.safetensors"', 'HERE / "net.safetensors"', 'f"{HERE}/net.safetensors"', 'next((HERE / "net").iterdir())'],
)
def test_weights_that_compiled_code_reads_are_of_the_fingerprint(films: Any, place: str) -> None:
    saving = pytest.importorskip("safetensors.numpy")
    (films.folder / "net").mkdir()
    file = films.folder / ("net/a.safetensors" if "iterdir" in place else "net.safetensors")
    reader = f'safetensors.safe_open({place}, "np").get_tensor("sign")[0]'
    films.write("mine.py", NATIVE.format(library="safetensors", read=reader))
    saving.save_file({"sign": numpy.ones(1)}, file)

    def redeploy() -> None:
        saving.save_file({"sign": -numpy.ones(1)}, file)

    assert passed_then_failed(films, redeploy).model.asked_again.stored == 0


def test_a_single_other_decision_has_everything_asked_anew(films: Any, serve: Serve) -> None:
    """One call in ten reaches a replica that is always wrong; the sample of twenty seldom proves a change."""
    deployed = Deployed(positive)
    server = serve(deployed)
    films.write(
        "films.yaml",
        SUITE.format(
            model=f"use: http, url: '{server.url}', body: '{{texts}}', batch: 1, labels: [negative, positive]"
        ),
    )
    assert films("run films.yaml").code == 0
    sent, calls = films.record().model_calls, count()
    deployed.score = lambda text: 1 - positive(text) if next(calls) % 3 == 0 else positive(text)
    films("run films.yaml")
    record = films.record()
    again = record.model.asked_again
    assert again.changed
    assert again.noisy
    assert "or does not give one answer to one text" in again.sentence
    assert record.model_calls >= sent
    assert record.model.accuracy.rate < 0.9


def test_a_file_that_a_function_reads_later_is_found_by_asking_again(films: Any) -> None:
    films.write("mine.py", WEIGHED.format(early=""))
    films.write("weights.txt", "1")
    again = passed_then_failed(films, lambda: films.write("weights.txt", "-1")).model.asked_again
    assert (again.changed, again.generation, again.noisy) == (True, 1, 0)
    assert again.differing == again.asked == 10
    films.write("weights.txt", "1")
    assert films("run films.yaml").code == 0
    assert films.record().model.asked_again.generation == 2


class Deployed:
    """An endpoint's model, which can be exchanged."""

    def __init__(self, score: Callable[[str], float]) -> None:
        self.score = score

    def __call__(self, request: Request) -> Reply:
        return Reply([[1 - score, score] for score in map(self.score, request.body)])


def test_an_endpoint_that_is_deployed_anew_is_asked_anew(films: Any, serve: Serve) -> None:
    deployed = Deployed(positive)
    server = serve(deployed)
    films.write(
        "films.yaml",
        SUITE.format(model=f"use: http, url: '{server.url}', body: '{{texts}}', labels: [negative, positive]"),
    )

    def redeploy() -> None:
        deployed.score = lambda text: 1 - positive(text)

    record = passed_then_failed(films, redeploy)
    assert record.model.asked_again.changed
    assert any("the model has changed" in warning for warning in record.warnings)


def test_a_change_that_shows_in_perturbed_texts_alone_begins_the_run_anew(films: Any, serve: Serve) -> None:
    texts = {f"a {word} film of {number} hours" for number in range(30) for word in ("good", "bad")}
    deployed = Deployed(positive)
    server = serve(deployed)
    films.write(
        "films.yaml",
        SUITE.format(model=f"use: http, url: '{server.url}', body: '{{texts}}', labels: [negative, positive]"),
    )
    assert films("run films.yaml").code == 0
    deployed.score = lambda text: positive(text) if text in texts else 1 - positive(text)
    shown = films("run films.yaml --strict")
    assert shown.code == 1
    record = films.record()
    again = record.model.asked_again
    assert (again.changed, again.generation) == (True, 1)
    assert again.asked == 20
    assert record.model.accuracy.rate == 1
    assert {check.name: check.outcome.value for check in record.checks} == {"typos": "failed", "right": "passed"}


def test_a_noisy_endpoint_is_not_taken_for_another_one_and_an_exchanged_one_is(
    films: Any, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The sample is another in every run, and the test of it is wrong in 1 of 100: here both are fixed.
    monkeypatch.setattr("random.SystemRandom.getrandbits", lambda self, bits: 7)
    times = Counter[str]()

    def noisy(text: str) -> float:
        times[text] += 1
        return min(1, max(0, positive(text) + Random(f"{text} {times[text]}").uniform(-0.05, 0.05)))

    deployed = Deployed(noisy)
    server = serve(deployed)
    films.write(
        "films.yaml",
        SUITE.format(model=f"use: http, url: '{server.url}', body: '{{texts}}', labels: [negative, positive]"),
    )
    assert films("run films.yaml").code == 0
    films("run films.yaml")
    again = films.record().model.asked_again
    assert (again.changed, again.asked, again.generation) == (False, 20, 0)
    assert again.noisy > 15
    steady = deployed.score
    deployed.score = lambda text: 1 - steady(text)
    assert films("run films.yaml").code == 1
    assert films.record().model.asked_again.changed


def test_offline_says_that_nothing_was_asked_again(films: Any) -> None:
    films.write("mine.py", WEIGHED.format(early=""))
    films.write("weights.txt", "1")
    films("run films.yaml")
    shown = films("run films.yaml --offline")
    again = films.record().model.asked_again
    assert again.unasked
    assert f"{again.stored} stored answers: not asked again" in shown.out
    assert films.record().model_calls == 0
