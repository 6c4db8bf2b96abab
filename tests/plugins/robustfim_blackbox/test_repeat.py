"""An endpoint that answers differently each time is held against its own noise."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from html import unescape
from random import Random
from typing import Any

import pytest

from tests.plugins.robustfim_blackbox.serving import LocalServer, Reply, Request, positive

pytest.importorskip("httpx")

Serve = Callable[[Callable[[Request], Reply]], LocalServer]
SUITE = """\
suite: films
model: {{use: http, url: '{url}', body: '{{texts}}', labels: [negative, positive]}}
data: {{use: csv, path: films.csv}}
{key}
checks:
  added: {{perturb: {{use: typos, words: 1, candidates: 4}}, limit: 0.15}}
reports: [json, html, markdown]
"""


class Noisy:
    """A model that decides otherwise by chance, by a seed and how often it was asked about the text."""

    def __init__(self, share: float, score: Callable[[str], float] = positive) -> None:
        self.share, self.score, self.times = share, score, Counter[str]()

    def __call__(self, request: Request) -> Reply:
        rows = []
        for text in request.body:
            self.times[text] += 1
            score = self.score(text)
            if Random(f"{self.times[text]} of {text}").random() < self.share:
                score = 1 - score
            rows.append([1 - score, score])
        return Reply(rows)


@pytest.fixture
def films(project: Any) -> Callable[..., Any]:
    """Write the data and a suite, and return what runs it."""
    texts = [f"{word} film number {number} of many hours" for number in range(120) for word in ("good", "bad")]
    with project.write("films.csv", "").open("w", encoding="utf-8", newline="") as file:
        labels = ("positive" if positive(text) > 0.5 else "negative" for text in texts)
        csv.writer(file).writerows([("text", "label"), *zip(texts, labels, strict=True)])

    def written(server: LocalServer, key: str = "") -> Any:
        project.write("films.yaml", SUITE.format(url=server.url, key=key))
        return project

    return written


def stays(text: str) -> float:
    """What a model says that reads only a word's first letter."""
    return 0.9 if text.lower().startswith("g") else 0.1


def test_a_model_that_flips_by_itself_and_is_not_moved_fails_without_repeat_and_not_with_it(
    films: Callable[..., Any], serve: Serve
) -> None:
    server = serve(Noisy(0.1, stays))
    run = films(server)
    assert run("run films.yaml").code == 1
    (plain,) = run.record().checks
    assert plain.rate > 0.3
    films(server, "repeat: 4")
    shown = run("run films.yaml")
    record = run.record()
    (check,) = record.checks
    assert check.outcome.value in ("passed", "inconclusive")
    assert check.gap.groups["perturbed"].count == plain.failing  # by all four candidates, whose answers are stored
    broken, fixed = check.gap.alone
    assert check.tested == round(record.model.accuracy.rate * 240) < 240  # what its first answer got wrong cannot break
    assert check.rate == pytest.approx((broken - fixed) / check.tested)
    assert check.interval[0] < 0 < check.interval[1]
    noise = record.model.noise
    assert (noise.texts, noise.again.tested) == (check.tested, 4 * check.tested)
    assert noise.again.rate == pytest.approx(0.1, abs=0.03)  # of texts whose first answer was right
    assert noise.sentence in " ".join(shown.out.split())
    page, comment = (run.folder / "reports" / "films" / name for name in ("report.html", "comment.md"))
    assert noise.sentence in page.read_text(encoding="utf-8")
    assert noise.sentence in unescape(comment.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_a_second_run_asks_for_no_answer_again_but_the_sample_and_says_the_same(
    films: Callable[..., Any], serve: Serve
) -> None:
    server = serve(Noisy(0.1, stays))
    run = films(server, "repeat: 3")
    run("run films.yaml")
    first = run.record()
    assert first.checks[0].gap.answers == 3
    run("run films.yaml")
    second = run.record()
    assert not second.model.asked_again.changed
    assert second.model_calls <= 40
    assert (second.checks[0].gap, second.model.noise) == (first.checks[0].gap, first.model.noise)
    assert not any("repeat" in warning for warning in second.warnings)


@pytest.mark.slow
def test_a_run_that_is_stopped_goes_on_with_the_answers_that_it_has(films: Callable[..., Any], serve: Serve) -> None:
    server = serve(Noisy(0.1, stays))
    run = films(server, "repeat: 3")
    run("run films.yaml --max-calls 900")
    sent = sum(map(len, (request.body for request in server.requests)))
    run("run films.yaml")
    again = run.record().model.asked_again.asked
    (check,) = run.record().checks
    whole = 240 + check.candidates.tested + 3 * 240  # those that were wrong at first are asked again, too
    total = sum(map(len, (request.body for request in server.requests)))
    assert sent == 900
    assert whole <= total <= whole + 2 * again


@pytest.mark.slow
def test_a_model_that_is_moved_fails_beyond_its_noise(films: Callable[..., Any], serve: Serve) -> None:
    run = films(serve(Noisy(0.05)), "repeat: 4")  # it reads words, and a typo in the one that counts makes it even
    assert run("run films.yaml").code == 1
    (check,) = run.record().checks
    assert check.outcome.value == "failed"
    assert "perturbed examples fail and" in check.message


@pytest.mark.slow
def test_noise_is_said_of_a_run_whose_stored_answers_are_asked_again_and_by_the_doctor(
    films: Callable[..., Any], serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("random.SystemRandom.getrandbits", lambda self, bits: 7)
    run = films(serve(Noisy(0.3, stays)))
    run("run films.yaml")
    run("run films.yaml")
    record = run.record()
    assert record.model.asked_again.flipped
    assert record.model.asked_again.changed, "one other decision is enough to ask anew"
    assert any("--repeat 3" in warning for warning in record.warnings)
    shown = run("doctor films.yaml --no-store")
    assert "of 20 texts that were asked about twice" in shown.out
    assert "repeat: 3" in shown.out
    steady = films(serve(Noisy(0, stays)))("doctor films.yaml --no-store")
    assert "asked about twice" not in steady.out
