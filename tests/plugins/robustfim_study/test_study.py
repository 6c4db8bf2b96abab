"""``robustfim study`` as a user types it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.robustfim.command_line import CommandLine, Shown, refused

FILMS = [
    ("a slow and touching film", "positive"), ("a bad plot and a dull end", "negative"),
    ("nobody wanted this film", "negative"), ("the best cast of the year", "positive"),
    ("an awful lot of noise", "negative"), ("fine , if you like fine things", "positive"),
    ("a great film", "positive"), ("a good plot and a good cast", "positive"), ("dull and long", "negative"),
    ("a film that is neither good nor bad", "negative"), ("not the worst film of the year", "positive"),
    ("a bad film with one good scene", "negative"), ("funny , warm and wise", "positive"), ("what a mess", "negative"),
]  # fmt: skip
SUITE = """\
suite: films
model: reference/fasttext
data: {use: csv, path: films.csv}
scores: [entropy]
select: {by: entropy, difficult: 3, control: 3}
budget: 4
checks:
  words: {perturb: {use: rename, words: 1, order: guided}, limit: {difficult: 1, control: 0.5}}
  steps: {perturb: {use: eigenvector, norms: [0.5]}}
plugins: [swap.py]
"""
SWAP = '''\
"""Puts "calm" and "vivid" in place of every word."""
import re
from robustfim import Edit, hookimpl

class Rename:
    """Puts one of two words in place of another."""
    def edits(self, example, random):
        for field, text in example.fields.items():
            for place in re.finditer(r"[a-z]+", text):
                for after in ("calm", "vivid"):
                    yield Edit(field, place.start(), place.end(), place[0], after)

@hookimpl
def robustfim_perturbations():
    return {"rename": Rename}
'''


@pytest.fixture
def study(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """A folder with a suite over a reference model and a perturbation that breaks it."""
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    command = CommandLine(tmp_path, capsys)
    command.write("films.csv", "text,label\n" + "".join(f'"{text}",{label}\n' for text, label in FILMS))
    command.write("swap.py", SWAP)
    command.write("films.yaml", SUITE)
    return command


def saved(study: CommandLine, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((study.folder / "reports" / name).read_text(encoding="utf-8"))
    return found


def succeeded(shown: Shown) -> str:
    assert shown.code == 0, shown
    return shown.out


def test_scorers_measures_every_score_on_all_the_texts_of_a_random_sample(study: CommandLine) -> None:
    out = succeeded(study("study scorers films.yaml"))
    assert "wrote reports/films/study-scorers.json" in out
    record = saved(study, "films/study-scorers.json")
    results = record["results"]
    assert results["checks"] == ["words"]  # a step is what some scores measure themselves
    assert results["examples"] == len(FILMS)
    assert results["calls"] == sum(min(8, 2 * len(re.findall("[a-z]+", text))) for text, _ in FILMS)
    names = {each["name"] for each in results["scores"]}
    assert {"entropy", "fisher", "boundary", "margin", "gradient_norm", "smallest_step", "length"} <= names
    for each in results["scores"]:
        assert each["examples"] == len(FILMS)
        assert sum(part["calls"] for part in each["deciles"]) == results["calls"]
        assert sum(part["failing"] for part in each["deciles"]) == results["failing"]
    assert 0 < results["failing"] < len(FILMS)
    page = (study.folder / "reports/films/study-scorers.html").read_text(encoding="utf-8")
    assert all(finding.split(":")[0] in page for finding in record["findings"] if "'" not in finding)


def test_the_failures_counted_are_those_of_a_run(study: CommandLine) -> None:
    succeeded(study("study scorers films.yaml"))
    found = saved(study, "films/study-scorers.json")["results"]
    study("run films.yaml -o select.difficult=0 -o select.control=99 -o budget=null -o checks.words.limit=0.5 -k words")
    check = study.record("films").checks[0]
    assert (found["failing"], found["examples"]) == (check.failing, check.tested)
    assert found["calls"] == check.candidates.tested


def test_the_sample_can_be_smaller_and_one_seed_gives_one_study(study: CommandLine) -> None:
    def without_times() -> dict[str, Any]:
        succeeded(study("study scorers films.yaml --examples 11 --score flips --no-store"))
        return {key: item for key, item in saved(study, "films/study-scorers.json").items() if key != "started"}

    first = without_times()
    assert first["results"]["examples"] == 11
    assert "flips" in {each["name"] for each in first["results"]["scores"]}
    assert without_times() == first


def test_a_study_leaves_the_reports_and_the_memory_of_runs_alone(study: CommandLine) -> None:
    study("run films.yaml")
    before = {name: (study.folder / name).read_bytes() for name in ("reports/films/results.json",
              ".robustfim/lastfailed.json")}  # fmt: skip
    succeeded(study("study scorers films.yaml"))
    assert all((study.folder / name).read_bytes() == data for name, data in before.items())


def test_a_model_without_gradients_is_measured_by_the_scores_it_allows(study: CommandLine) -> None:
    succeeded(study("study scorers toy.yaml"))
    record = saved(study, "toy/study-scorers.json")
    scores = {each["name"]: each for each in record["results"]["scores"]}
    assert "has no gradients" in scores["fisher"]["message"]
    assert scores["fisher"]["auroc"]["value"] is None
    assert scores["margin"]["message"] == ""
    assert any(each.startswith("fisher could not be computed") for each in record["findings"])


def test_resilience_correlates_flips_and_steps_with_lambda_max(study: CommandLine) -> None:
    out = succeeded(study("study resilience films.yaml"))
    assert "log λmax and smallest flipping step η: r = " in out
    results = saved(study, "films/study-resilience.json")["results"]
    found = {each["name"]: each for each in results["correlations"]}
    assert list(found) == ["flip probability under words", "smallest flipping step η", "log₁₀ η"]
    assert found["log₁₀ η"]["examples"] == len(FILMS) - results["without_step"]
    # fastText is linear: η = |Δz| / ‖∇Δz‖ falls as λmax = p (1 − p) ‖∇Δz‖² rises, for texts of like length.
    assert found["log₁₀ η"]["r"]["value"] < 0


def test_resilience_needs_gradients(study: CommandLine) -> None:
    refused(
        study("study resilience toy.yaml"), "'study resilience' needs the score 'fisher'", "has no gradients", code=1
    )


def test_gaussians_writes_its_table_record_and_page(study: CommandLine) -> None:
    out = succeeded(study("study gaussians --points 30 --seed 4"))
    assert "λmax of two Gaussians" in out
    record = saved(study, "study-gaussians.json")
    assert len(record["results"]["points"]) == 60
    assert record["seed"] == 4
    page = (study.folder / "reports/study-gaussians.html").read_text(encoding="utf-8")
    assert page.count("<polygon") == 20
    assert page.count('r="3"') == 60


def test_a_suite_whose_checks_bring_their_own_examples_is_refused(study: CommandLine) -> None:
    study.write("own.yaml", "suite: own\nmodel: wordsum\nchecks: {use: checklist, path: tests.jsonl}\n")
    refused(study("study scorers own.yaml"), "own.yaml: a study needs a suite with 'data' and with checks of its own")


def test_a_score_that_nobody_offers_is_refused(study: CommandLine) -> None:
    refused(study("study scorers films.yaml --score fischer"), "unknown score", "Did you mean 'fisher'")


def test_checks_that_test_nothing_teach_nothing(study: CommandLine) -> None:
    refused(study("study scorers films.yaml -o checks.words.perturb=people"), "no check of films.yaml tested", code=1)


def test_a_study_must_be_named(study: CommandLine) -> None:
    refused(study("study"), "Missing command", "robustfim study --help")
    refused(study("study scorer films.yaml"), "Did you mean 'scorers'?")
