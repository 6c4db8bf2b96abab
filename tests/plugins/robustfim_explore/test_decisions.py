"""An explorer with a decision rule over its model, against what a run and the scores say of the same texts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import robustfim
from robustfim.record import Record
from tests.plugins.robustfim_explore.served import Served

RULE = "decide: {label: negative, at: 0.7}"
SUITE = """\
suite: toy
model: {use: reference/fasttext, %s}
data: {use: reviews, limit: 60}
scores: [fisher, boundary, margin]
select: {by: fisher, difficult: 10, control: 10}
checks:
  typos: {perturb: {use: typos, words: 2, candidates: 4}}
reports: [json]
"""


@pytest.fixture(scope="module", params=[RULE])
def decided(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A run at a threshold, served."""
    folder = tmp_path_factory.mktemp("decided")
    suite = folder / "toy.yaml"
    suite.write_text(SUITE % request.param, encoding="utf-8")
    robustfim.run(suite, reports=folder / "reports")
    running = Served(suite, folder, reports=folder / "reports")
    yield running
    running.close()


def record_of(served: Served) -> Record:
    return Record.load(served.review.parent.parent / "reports" / "toy" / "results.json")


def test_a_text_is_told_what_the_rule_decides_and_the_scores_at_the_threshold(decided: Served) -> None:
    examples = record_of(decided).examples
    assert {example.prediction for example in examples} == {"negative", "not negative"}
    for example in examples[:6]:
        (told,) = decided.post("look", fields=example.fields)["models"]
        assert told["label"] == example.prediction
        assert max(told["probabilities"]) == pytest.approx(max(told["probabilities"][0], 1 - told["probabilities"][0]))
        assert told["lambda_max"] == pytest.approx(example.scores["fisher"], rel=1e-4)
        assert told["distance"] == pytest.approx(example.scores["boundary"], rel=1e-4)
        assert told["margin"] == pytest.approx(example.scores["margin"], abs=1e-4)


@pytest.mark.slow
def test_every_smallest_change_turns_the_decision(decided: Served) -> None:
    example = min(record_of(decided).examples, key=lambda example_record: example_record.scores["margin"] or 0)
    ways = decided.post("flips", fields=example.fields)["ways"]
    found = [way for way in ways if "words" in way]
    assert found
    for each in found:
        (told,) = decided.post("look", fields=each["fields"])["models"]
        assert told["label"] != example.prediction


def test_a_perturbation_that_is_tried_fails_where_its_decision_turns(decided: Served) -> None:
    tested = decided.get("state")["tested"]
    told = decided.trial(perturb={"use": "typos", "words": "2"}, examples=tested, candidates=4)
    assert told["pairs"], told
    for pair in told["pairs"]:
        assert set(pair["reason"].split(" -> ")) == {"negative", "not negative"}


@pytest.fixture(scope="module")
def rating(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A model that gives a text its number of letters, served."""
    folder = tmp_path_factory.mktemp("rating")
    (folder / "measured.py").write_text("def rate(texts):\n    return [float(len(text)) for text in texts]\n", "utf-8")
    texts = [f"A film about the long winter of {year}." for year in range(1950, 1960)]
    (folder / "films.csv").write_text("\n".join(["text", *texts]) + "\n", "utf-8")
    suite = folder / "toy.yaml"
    suite.write_text(
        '{suite: toy, model: {use: python, call: "measured:rate", task: number, decide: {within: 0.5}}, '
        "data: {use: csv, path: films.csv, label: null}, checks: {typos: {perturb: typos}}}",
        encoding="utf-8",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        robustfim.run(suite, reports=folder / "reports")
        running = Served(suite, folder, reports=folder / "reports")
        yield running
        running.close()


def test_a_number_is_told_and_a_perturbation_is_tried_by_its_tolerance(rating: Served) -> None:
    (told,) = rating.post("look", fields={"text": "a film"})["models"]
    assert told["label"] == "6"
    tested = rating.get("state")["tested"]
    told = rating.trial(perturb={"use": "typos", "kinds": "drop"}, examples=tested, candidates=2)
    assert told["pairs"], told
    for pair in told["pairs"]:
        before, after = map(float, pair["reason"].split(" -> "))
        assert before - after == 1
    ways = rating.post("flips", fields={"text": "a film"})["ways"]
    assert any(way.get("words") == 1 for way in ways), "one word left out is more than half a letter"
