"""What is explored: records and suites that are there, and those that are not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from robustfim.commands import Chosen
from robustfim.errors import UsageError
from robustfim.judge import first_failures, write_record
from robustfim.record import CauseRecord, Record
from robustfim.statistics import Rate
from robustfim_explore.desk import Desk
from robustfim_explore.subject import open_subject


def test_a_record_its_folder_and_its_suite_are_one_subject(ran: Path) -> None:
    chosen = Chosen(reports=ran / "reports")
    places = [ran / "toy.yaml", ran / "reports" / "toy", ran / "reports" / "toy" / "results.json"]
    found = [open_subject(place, chosen) for place in places]
    assert {subject.place for subject in found} == {places[-1]}
    assert {subject.models[0].name for subject in found} == {"reference/fasttext"}
    assert found[0].fields == ["text"]


def test_a_suite_that_has_not_run_is_refused_with_the_command_that_runs_it(ran: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no record yet: .*results\.json\. 'robustfim run .*toy\.yaml'"):
        open_subject(ran / "toy.yaml", Chosen(reports=tmp_path))


def test_a_record_that_is_truncated_or_newer_is_refused(ran: Path, tmp_path: Path) -> None:
    text = (ran / "reports" / "toy" / "results.json").read_text(encoding="utf-8")
    path = tmp_path / "results.json"
    path.write_text(text[: len(text) // 2], encoding="utf-8")
    with pytest.raises(UsageError, match="is not a run record"):
        open_subject(path, Chosen())
    path.write_text(json.dumps(json.loads(text) | {"schema": 99}), encoding="utf-8")
    with pytest.raises(UsageError, match="upgrade it"):
        open_subject(tmp_path, Chosen())


def test_a_record_without_its_suite_finds_the_model_that_it_names(ran: Path, tmp_path: Path) -> None:
    record = Record.load(ran / "reports" / "toy")
    path = write_record(record.model_copy(update={"path": "gone.yaml"}), tmp_path / "results.json")
    found = open_subject(path, Chosen())
    assert (found.suite, [model.name for model in found.models]) == (None, ["reference/fasttext"])


def test_pairs_are_grouped_by_the_cause_that_explains_them_else_by_check(ran: Path, tmp_path: Path) -> None:
    subject = open_subject(ran / "reports" / "toy", Chosen(), model=False, review=tmp_path / "toy.json")
    check = next(check_record for check_record in subject.record.checks if check_record.name == "typos")
    ids = [failure.id for failure in subject.record.failures if failure.check == check.id][-3:]
    cause = CauseRecord(
        check=check.id, edit='"film" -> "flim"', inside=Rate(3, 4), elsewhere=Rate(1, 9), p_value=0.01, failures=ids
    )
    explained = replace(subject, record=subject.record.model_copy(update={"causes": [cause]}))
    groups = {pair["id"]: pair["group"] for pair in Desk(explained).told()["pairs"]}
    assert {groups.pop(id) for id in ids} == {cause.sentence}
    assert set(groups.values()) == {"typos"}
    assert next(iter(Desk(subject).told()["pairs"]))["id"] == first_failures(subject.record)[0].id
