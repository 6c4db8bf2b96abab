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
def robustfim_offers():
    return {"perturbations": {"rename": Rename}}
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


def test_a_cross_fitted_mix_of_the_scores_is_one_more_row(study: CommandLine) -> None:
    out = succeeded(study("study scorers films.yaml"))
    found = saved(study, "films/study-scorers.json")["results"]
    mixes = [score for score in found["scores"] if score["name"] == "mix"]
    failing, examples = found["failing"], found["examples"]
    if min(failing, examples - failing) < 5:
        assert not mixes
    else:
        (mix,) = mixes
        assert mix["examples"] == examples
        assert 0 <= mix["auroc"]["value"] <= 1
        assert "mix: a logistic regression of all the other scores" in " ".join(out.split())
        assert "select: {by: mix}" not in out


def test_scorers_measures_every_score_on_all_the_texts_of_a_random_sample(study: CommandLine) -> None:
    out = succeeded(study("study scorers films.yaml"))
    assert "wrote reports/films/study-scorers.json" in out
    record = saved(study, "films/study-scorers.json")
    results = record["results"]
    assert results["checks"] == ["words"]  # a step is what some scores measure themselves
    assert results["examples"] == len(FILMS)
    assert results["calls"] == sum(min(8, 2 * len(re.findall("[a-z]+", text))) for text, _ in FILMS)
    names = {score["name"] for score in results["scores"]}
    assert {"entropy", "fisher", "boundary", "margin", "smallest_step"} <= names
    for score in results["scores"]:
        assert score["examples"] == len(FILMS)
        assert sum(part["calls"] for part in score["deciles"]) == results["calls"]
        assert sum(part["failing"] for part in score["deciles"]) == results["failing"]
    assert 0 < results["failing"] < len(FILMS)
    page = (study.folder / "reports/films/study-scorers.html").read_text(encoding="utf-8")
    assert all(finding.split(":")[0] in page for finding in record["findings"] if "'" not in finding)


def test_the_failures_counted_are_those_of_a_run(study: CommandLine) -> None:
    succeeded(study("study scorers films.yaml"))
    found = saved(study, "films/study-scorers.json")["results"]
    changes = "-o 'checks.words.expect={use: invariant, counts: changes}'"
    options = f"-o select.difficult=0 -o select.control=99 -o budget=null -o checks.words.limit=0.5 {changes}"
    study(f"run films.yaml {options} -k words")
    check = study.record("films.partial").checks[0]
    assert (found["failing"], found["examples"]) == (check.failing, check.tested)
    assert found["calls"] == check.candidates.tested


def test_the_sample_can_be_smaller_and_one_seed_gives_one_study(study: CommandLine) -> None:
    def without_times() -> dict[str, Any]:
        succeeded(study("study scorers films.yaml --examples 11 --score flips --no-store"))
        return {key: item for key, item in saved(study, "films/study-scorers.json").items() if key != "started"}

    first = without_times()
    assert first["results"]["examples"] == 11
    assert "flips" in {score["name"] for score in first["results"]["scores"]}
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
    scores = {score["name"]: score for score in record["results"]["scores"]}
    assert "has no gradients" in scores["fisher"]["message"]
    assert scores["fisher"]["auroc"]["value"] is None
    assert scores["margin"]["message"] == ""
    assert any(finding.startswith("fisher could not be computed") for finding in record["findings"])


def test_resilience_correlates_flips_and_steps_with_lambda_max(study: CommandLine) -> None:
    out = succeeded(study("study resilience films.yaml --checks suite"))
    assert "smallest flipping step η            14  −0.96 [−0.99, −0.71]" in out
    results = saved(study, "films/study-resilience.json")["results"]
    found = {correlation["name"]: correlation for correlation in results["correlations"]}
    assert list(found) == ["flip probability under words", "smallest flipping step η"]
    assert found["smallest flipping step η"]["examples"] == len(FILMS) - results["without_step"]
    # fastText is linear: η = |Δz| / ‖∇Δz‖ falls as λmax = p (1 − p) ‖∇Δz‖² rises, for texts of like length.
    assert found["smallest flipping step η"]["rho"]["value"] < 0


def test_resilience_substitutes_a_tenth_of_the_words_as_published(study: CommandLine) -> None:
    succeeded(study("study resilience films.yaml --candidates 3"))
    found = [
        correlation["name"] for correlation in saved(study, "films/study-resilience.json")["results"]["correlations"]
    ]
    assert [name for name in found if name.startswith("flip")] == [
        f"flip probability under {name}" for name in ("neighbours", "random_words", "synonyms")
    ]


def test_accuracy_compares_the_ends_and_steps_along_the_eigenvector(study: CommandLine) -> None:
    out = succeeded(study("study accuracy films.yaml --norm 2"))
    results = saved(study, "films/study-accuracy.json")["results"]
    parts = {(part["check"], part["end"], part["examples"]): part for part in results["parts"]}
    assert {check for check, _, _ in parts} == {"words", "steps"}  # the suite's own, which steps, too
    halves = [parts["words", end, len(FILMS) // 2]["before"]["value"] for end in ("easiest", "hardest")]
    changes = "-o 'checks.words.expect={use: invariant, counts: changes}'"
    options = f"-o select.difficult=0 -o select.control=99 -o budget=null -o checks.words.limit=0.5 {changes}"
    study(f"run films.yaml {options} -k words")
    assert sum(halves) / 2 == pytest.approx(study.record("films.partial").model.accuracy.rate)
    assert "words: the hardest example goes from" in out
    figures = saved(study, "films/study-accuracy.json")["figures"]
    norms = [point[0] for point in figures[-1]["series"][2]["points"]]
    assert norms == [pytest.approx(0.2 * step) for step in range(11)]


def test_accuracy_needs_gold_labels_and_its_score(study: CommandLine) -> None:
    study.write("plain.csv", "text,label\n" + "".join(f'"{text}",\n' for text, _ in FILMS))
    refused(study("study accuracy films.yaml --data path=plain.csv --data label=null"), "needs gold labels")
    refused(study("study accuracy toy.yaml"), "needs the score 'fisher'", "has no gradients", code=1)


def test_contrast_compares_edits_with_their_originals(study: CommandLine) -> None:
    rows = [f'{pair},"{text}",{label}\n' for pair, (text, label) in enumerate(FILMS)]
    rows += [f'{pair},"{text} , not",{label}\n' for pair, (text, label) in enumerate(FILMS)]
    study.write("pairs.csv", "pair,text,label\n" + "".join(rows))
    out = succeeded(study("study contrast films.yaml --data path=pairs.csv --pair pair"))
    assert "Δlog₁₀ λmax:" in out
    assert "of the originals and" in out
    found = saved(study, "films/study-contrast.json")["results"]
    assert found["pairs"] == len(FILMS)
    assert [difference["pairs"] for difference in found["differences"]] == [len(FILMS)] * 2
    page = (study.folder / "reports/films/study-contrast.html").read_text(encoding="utf-8")
    assert re.search(r"<td>[+−]0\.\d\d \[", page), "a difference has its sign"
    assert re.search(r"<td>\d+(\.\d)? % \[", page), "the share has its interval, as in the sentence"
    refused(study("study contrast films.yaml --data path=pairs.csv --pair pairs"), "Did you mean 'pair'?")


def test_agreement_compares_two_models_or_more(study: CommandLine) -> None:
    out = succeeded(study("study agreement films.yaml --against reference/cnn --against '{use: reference/fasttext}'"))
    assert "reference/fasttext and reference/cnn: Spearman" in out
    found = saved(study, "films/study-agreement.json")["results"]
    assert [model["name"] for model in found["models"]] == [
        "reference/fasttext", "reference/cnn", "reference/fasttext (2)",
    ]  # fmt: skip
    same = next(pair for pair in found["pairs"] if pair["models"][1].endswith("(2)"))
    assert same["rho"]["value"] == 1
    refused(study("study agreement films.yaml --no-store --max-calls 1"), "needs two models or more")
    refused(study("study agreement films.yaml --against '[1]'"), "is not a model: give a name")


def test_rows_of_one_document_widen_the_intervals_of_correlations(study: CommandLine) -> None:
    rows = [
        (f"{text} {end}", label, text) for text, label in FILMS for end in ("", "indeed", "truly", "today", "again")
    ]
    study.write(
        "films.csv", "text,label,document\n" + "".join(f'"{text}",{label},"{of}"\n' for text, label, of in rows)
    )
    widths = []
    for data in ("path: films.csv}", "path: films.csv}\ncluster: document"):
        study.write("films.yaml", SUITE.replace("path: films.csv}", data))
        succeeded(study("study agreement films.yaml --against reference/cnn"))
        (pair,) = saved(study, "films/study-agreement.json")["results"]["pairs"]
        assert pair["examples"] == len(rows)
        low, high = pair["rho"]["interval"]
        widths.append(high - low)
    assert widths[1] > 1.3 * widths[0]


def test_four_classes_are_studied_like_two(study: CommandLine, tmp_path: Path) -> None:
    from robustfim.example import Example
    from robustfim_reference.trainers import FastTextTrainer

    topics = {"world": "peace", "sports": "ball", "business": "shares", "science": "atoms"}
    data = [Example({"text": f"{word} and {other} today"}, label)
            for label, word in topics.items() for other in topics.values()]  # fmt: skip
    FastTextTrainer(epochs=3).train(data, data, tmp_path / "topics", seed=0, report=lambda line: None)
    study.write("topics.csv", "text,label\n" + "".join(f"{example.text},{example.label}\n" for example in data))
    model = "--model use=reference/fasttext --model path=topics --data path=topics.csv"
    succeeded(study(f"study resilience films.yaml --checks suite {model}"))
    succeeded(study(f"study accuracy films.yaml {model}"))
    succeeded(study(f"study agreement films.yaml {model} --against '{{use: reference/fasttext, path: topics}}'"))
    assert saved(study, "films/study-accuracy.json")["model"]["labels"] == sorted(topics)


def test_resilience_needs_gradients(study: CommandLine) -> None:
    refused(
        study("study resilience toy.yaml"), "'study resilience' needs the score 'fisher'", "has no gradients", code=1
    )


def test_a_folder_that_cannot_be_written_ends_a_study_before_it_begins(study: CommandLine) -> None:
    study.write("taken", "a file")
    shown = study("study scorers toy.yaml --reports taken")
    refused(shown, "reports cannot be written to taken")
    assert "AUROC" not in shown.out, "nothing was computed and lost"


def test_a_suite_whose_checks_bring_their_own_examples_is_refused(study: CommandLine) -> None:
    study.write("own.yaml", "suite: own\nmodel: wordsum\nchecks: {use: checklist, path: tests.jsonl}\n")
    refused(study("study scorers own.yaml"), "own.yaml: a study needs a suite with 'data' and with checks of its own")


def test_a_score_that_nobody_offers_is_refused(study: CommandLine) -> None:
    refused(study("study scorers films.yaml --score fischer"), "unknown score", "Did you mean 'fisher'")


def test_checks_that_test_nothing_teach_nothing(study: CommandLine) -> None:
    refused(study("study scorers films.yaml -o checks.words.perturb=people"), "no check of films.yaml tested", code=1)


def test_a_study_must_be_named(study: CommandLine) -> None:
    shown = study("study")
    assert (shown.code, shown.out) == (4, study("study --help").out)
    refused(study("study scorer films.yaml"), "Did you mean 'scorers'?")
