"""``robustfim export``: a test set that grows, and that the next run can read."""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from robustfim.example import content_id
from robustfim.judge import write_record
from robustfim.record import Record
from robustfim.result import Run
from tests.robustfim.command_line import CommandLine, refused
from tests.robustfim.conftest import robustfim as robustfim  # the fixture, which pytest finds by its name

CHECKS = "{both: {perturb: {use: rename, words: 2}, limit: 0}, other: {perturb: rename, expect: changes, limit: 1}}"
SCORES = "scores: [margin]\nselect: {by: margin, difficult: 4, control: 2}"


@pytest.fixture
def run(robustfim: CommandLine) -> Record:
    """A run of two checks, of which one expects the label to stay."""
    robustfim(f"run {robustfim.suite(CHECKS, rest=SCORES)}")
    return robustfim.record("other")


def rows(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        found: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
        return found
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".csv":
        return [{key: value or None for key, value in row.items()} for row in csv.DictReader(text.splitlines())]
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_the_hardest_examples_and_their_failures_are_written_with_gold_labels(
    robustfim: CommandLine, run: Record, suffix: str
) -> None:
    path = robustfim.folder / f"hard{suffix}"
    shown = robustfim(f"export reports/other/results.json --difficult 3 --out {path.name}")
    assert shown.code == 0, shown
    examples = {example.id: example for example in run.examples}
    hardest = sorted(run.examples, key=lambda example: (example.scores["margin"], example.id))[:3]
    found = rows(path)
    assert [row["id"] for row in found if row["source"] is None] == [example.id for example in hardest]
    failures = {
        content_id(failure.fields): failure
        for failure in run.failures
        if failure.check.endswith("::both") and failure.example in {one.id for one in hardest}
    }
    perturbed = {row["id"]: row for row in found if row["source"] is not None}
    assert perturbed.keys() == failures.keys()
    assert perturbed
    for key, row in perturbed.items():
        assert row["text"] == failures[key].fields["text"]
        assert row["label"] == examples[row["source"]].label
        assert [edit["after"] for edit in json.loads(row["edits"])] == [edit.after for edit in failures[key].edits]
    assert all(float(row["difficulty"]) == examples[row["source"] or row["id"]].scores["margin"] for row in found)


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_a_file_that_is_there_grows_and_has_nothing_twice(robustfim: CommandLine, run: Record, suffix: str) -> None:
    path = robustfim.folder / f"hard{suffix}"
    assert robustfim(f"export reports/other/results.json --difficult 2 --out {path.name}").code == 0
    before, data = rows(path), path.read_bytes()
    shown = robustfim(f"export reports/other/results.json --difficult 2 --out {path.name}")
    assert f": 0 new, {len(before)} in all" in shown.out
    assert path.read_bytes() == data
    assert robustfim(f"export reports/other/results.json --out {path.name}").code == 0
    after = rows(path)
    assert after[: len(before)] == before
    assert len({row["id"] for row in after}) == len(after) > len(before)


def test_the_next_model_is_tested_on_what_was_written(robustfim: CommandLine, run: Record) -> None:
    robustfim("export reports/other/results.json --out hard.jsonl")
    suite = robustfim.suite("{calm: {perturb: rename, limit: 1}}", name="next", data="{use: jsonl, path: hard.jsonl}")
    assert robustfim(f"run {suite}").code == 6  # so few rows do not show what the model is worth
    again = robustfim.record("next")
    assert {example.id for example in again.examples} == {row["id"] for row in rows(robustfim.folder / "hard.jsonl")}
    assert again.model.accuracy.rate is not None
    assert run.model.accuracy.rate is not None
    assert again.model.accuracy.rate < run.model.accuracy.rate  # it holds what failed


def test_what_may_change_the_gold_label_is_left_out_and_counted(robustfim: CommandLine, run: Record) -> None:
    lost = sum(failure.check.endswith("::other") for failure in run.failures)
    shown = robustfim("export reports/other/results.json --out hard.jsonl")
    assert lost
    assert f"left out: {lost}: the perturbation may change the gold label" in shown.out


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--out hard.txt", "written as .jsonl, .csv, .parquet"),
        ("--out hard.csv --by margins", "no score 'margins'. Did you mean 'margin'?"),
        ("--out old.jsonl", "row 1 has the columns id, words"),
        ("--out broken.jsonl", "broken.jsonl cannot be read"),
    ],
)
def test_what_cannot_be_written_is_refused_and_left_as_it_was(
    robustfim: CommandLine, run: Record, options: str, told: str
) -> None:
    files = [
        robustfim.write("old.jsonl", '{"id": "1", "words": "a"}\n'), robustfim.write("broken.jsonl", '{"id": "1'),
    ]  # fmt: skip
    before = [path.read_bytes() for path in files]
    refused(robustfim(f"export reports/other/results.json {options}"), told)
    assert [path.read_bytes() for path in files] == before


def test_a_run_without_a_score_says_how_to_get_one(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    refused(robustfim("export reports/toy/results.json --out hard.csv"), "computed no score", "scores: [fisher]")


def test_datasets_reads_the_failing_texts_of_a_folder_and_a_card_that_exists_stays(
    robustfim: CommandLine, run: Record, tmp_path: Path
) -> None:
    datasets = pytest.importorskip("datasets")
    for card in (None, "mine"):
        if card is not None:
            robustfim.write("failing/README.md", f"{(tmp_path / 'failing/README.md').read_text()}{card}")
        shown = robustfim("export reports/other --failing --out failing")
        assert f"wrote failing: {len(run.failures)} failing texts" in shown.out, shown
    assert (robustfim.folder / "failing/README.md").read_text(encoding="utf-8").endswith("mine")
    rows = list(
        datasets.load_dataset(str(robustfim.folder / "failing"), split="failures", cache_dir=str(tmp_path / "c"))
    )
    assert rows == [{"suite": "other", "model": "wordsum", **failure} for failure in Run.load("reports/other").failures]


def test_a_run_without_failing_texts_and_a_file_for_the_folder_are_refused(robustfim: CommandLine, run: Record) -> None:
    write_record(run.model_copy(update={"failures": []}), robustfim.folder / "calm.json")
    refused(robustfim("export calm.json --failing --out failing"), "has no failing text")
    refused(
        robustfim("export reports/other --failing --out toy.py"), "is a file; name a folder, or FILE.yaml for a suite"
    )
    refused(robustfim("export reports/other --out reports"), "is a folder; name a file")


def test_the_shortest_step_of_an_example_is_written_and_stepped_again(robustfim: CommandLine) -> None:
    pytest.importorskip("torch")
    norms = "{use: eigenvector, norms: [0.2, 2.0]}"
    suite = "suite: {}\nmodel: reference/cnn\ndata: {}\nchecks: {{steps: {{perturb: {}, limit: 1}}}}\n"
    data = "{use: reviews, limit: 12}"
    for name, what in (("steps", suite.format("steps", data, norms)), ("other", suite.format("t", data, "typos"))):
        (robustfim.folder / f"{name}.yaml").write_text(what, encoding="utf-8")
    assert robustfim("run steps.yaml").code in (0, 6)
    shown = robustfim("export reports/steps/results.json --steps --out steps.jsonl")
    found = rows(robustfim.folder / "steps.jsonl")
    assert f"{len(found)} examples with a step that makes their label another" in shown.out
    record = robustfim.record("steps")
    gold = {example.id: example.label for example in record.examples}
    for row in found:
        own = [failure for failure in record.failures if failure.example == row["source"] and failure.step is not None]
        assert abs(row["eigenvector_step"]) == min(abs(failure.step.norm) for failure in own if failure.step)
        assert row["label"] == gold[row["source"]] != row["after"]
    assert {failure.before.label for failure in record.failures if failure.example in {row["source"] for row in found}}
    again = suite.format("again", "{use: jsonl, path: steps.jsonl}", "{use: eigenvector, norms: eigenvector_step}")
    (robustfim.folder / "again.yaml").write_text(again, encoding="utf-8")
    assert robustfim("run again.yaml").code in (0, 6)
    (check,) = robustfim.record("again").checks
    assert (check.tested, check.failing) == (len(found), len(found))
    refused(robustfim("export reports/steps --steps --failing --out x.jsonl"), "Give one of them")
    robustfim("run other.yaml")
    refused(robustfim("export reports/t --steps --out x.jsonl"), "no step along the eigenvector")


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("table", ["examples", "trials", "edits", "failures"])
def test_a_table_of_the_database_is_written_with_all_its_rows(
    robustfim: CommandLine, run: Record, table: str, suffix: str
) -> None:
    path = robustfim.folder / f"{table}{suffix}"
    shown = robustfim(f"export reports/other/results.json --table {table} --out {path.name}")
    with closing(sqlite3.connect(robustfim.folder / "reports/other/results.sqlite")) as connection:
        connection.row_factory = sqlite3.Row
        held = [dict(row) for row in connection.execute(f"SELECT * FROM {table}")]  # noqa: S608  # no input
    assert held
    assert shown.out == f"wrote {path.name}: {len(held)} rows\n"
    written = [{name: None if each is None else str(each) for name, each in row.items()} for row in held]
    if suffix == ".csv":
        written = [{name: each or None for name, each in row.items()} for row in written]
    assert [{name: None if each is None else str(each) for name, each in row.items()} for row in rows(path)] == written


def test_a_record_without_a_database_has_no_tables(robustfim: CommandLine, run: Record) -> None:
    robustfim("accept reports/other/results.json")
    shown = robustfim("export baselines/other.json --table trials --out trials.csv")
    refused(shown, "has no database: the file itself holds all rows")
    (robustfim.folder / "reports/other/results.sqlite").unlink()
    shown = robustfim("export reports/other/results.json --table trials --out trials.csv")
    refused(shown, "the rows of this run are in results.sqlite, which is not beside its record")
