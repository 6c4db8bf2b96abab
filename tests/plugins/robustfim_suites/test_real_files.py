"""The real files, where they are: read in place, counted, and compared with what the papers say of them."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from robustfim_suites.suites import AdversarialGlue, HateCheck

SUITES = Path(__file__).parents[4] / "shared" / "data" / "suites"
SUITES = SUITES if SUITES.is_dir() else Path(__file__).parents[3].parent / "shared" / "data" / "suites"
pytestmark = pytest.mark.skipif(not SUITES.is_dir(), reason="the released suites are not here")


@pytest.mark.parametrize("name", ["hatecheck_test_suite_cases.csv", "hatecheck_german.csv"])
def test_hatechecks_functionalities_have_as_many_cases_as_the_file(name: str) -> None:
    with (SUITES / name).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    checks = {check.name: check for check in HateCheck().read(SUITES / name)}
    tests = {key: sum(map(len, check.cases)) for key, check in checks.items() if "." not in key}
    assert tests == Counter(row["functionality"] for row in rows)
    pairs = sum(sum(map(len, check.cases)) for key, check in checks.items() if "." in key)
    assert pairs == sum(bool(row["ref_case_id"]) for row in rows)


def test_hatecheck_has_the_29_functionalities_of_its_paper() -> None:
    names = [
        check.name for check in HateCheck().read(SUITES / "hatecheck_test_suite_cases.csv") if "." not in check.name
    ]
    assert len(names) == 29


@pytest.mark.parametrize("task", ["sst2", "qqp", "mnli"])
def test_advglues_tasks_have_as_many_examples_as_the_file(task: str) -> None:
    path = SUITES / "advglue_dev_part.json"
    (check,) = AdversarialGlue(task).read(path)
    assert len(check.cases) == len(json.loads(path.read_text())[task])
