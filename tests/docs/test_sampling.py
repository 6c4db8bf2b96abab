"""docs/sampling.md: its numbers are those of the code and of the results, and what it calls refused is."""

from __future__ import annotations

import re

import pytest
import yaml

from benchmarks.sections import result_file
from robustfim.statistics import allocation
from robustfim.suite.format import SelectSpec
from tests.docs.page import DOCS

TEXT = (DOCS / "sampling.md").read_text(encoding="utf-8")
FLAT = " ".join(TEXT.split())


def test_the_draws_of_the_page_are_those_of_a_run() -> None:
    parts = allocation(4000, 300)
    assert parts[0] == (63, 12)
    assert parts[-1] == (2032, 118)
    assert "12 of the 63 hardest and 118 of the 2,032 easiest" in FLAT
    assert "one of the hardest stands for 5, and one of the easiest for 17" in FLAT
    assert [round(size / drawn) for size, drawn in (parts[0], parts[-1])] == [5, 17]


@pytest.mark.parametrize("shown", re.findall(r"`(\{[^`]+\})` \|", TEXT) + re.findall(r"^select: (\{.*\})$", TEXT, re.M))
def test_every_selection_of_the_page_is_one(shown: str) -> None:
    assert SelectSpec.model_validate(yaml.safe_load(shown))


def test_the_numbers_of_the_page_are_the_measured_ones() -> None:
    section = result_file("Draws from strata").read_text(encoding="utf-8")
    rows = [row.split(" | ") for row in re.findall(r"^\| (\d.*) \|$", section, re.M)]
    assert max(float(row[6]) for row in rows) == 1.15
    assert "at most 1.15 times as wide" in FLAT
    by_auroc = {(row[0], row[1], row[2]): float(row[4]) for row in rows}
    assert by_auroc["30.1 %", "0.5", "200"] == 1.03
    assert by_auroc["10.1 %", "0.9", "200"] == 0.76
    assert "an AUROC of 0.9, the interval is 24 % narrower than with a random sample, which saves about four" in FLAT
    assert "A useless score makes the interval 3 % wider" in FLAT
    assert pytest.approx(0.6, abs=0.03) == 0.76**2  # four calls of ten


def test_the_numbers_of_budgets_are_the_measured_ones() -> None:
    section = result_file("Budgets").read_text(encoding="utf-8")
    rows = {tuple(row.split(" | ")[:3]): row.split(" | ") for row in re.findall(r"^\| (\S.*) \|$", section, re.M)}
    passed, failed, at = (rows["0.9", "2 %", rate] for rate in ("0.5 %", "4 %", "2 %"))
    plain = [rows["–", "2 %", rate][3] for rate in ("0.5 %", "4 %")]
    assert f"| 0.5 %, passed | {plain[0]} | {passed[3]} | {passed[6]} |" in TEXT
    assert f"| 4 %, failed | {plain[1]} | {failed[3]} | {failed[6]} |" in TEXT
    assert f"itself, {at[8]} of runs pass and {at[9]} fail" in FLAT
