"""docs/limits.md: its numbers are those of the mathematics, and its keys those of a suite."""

from __future__ import annotations

import re

import pytest
import yaml

from robustfim.outcome import Outcome
from robustfim.statistics import tail, wilson
from robustfim.suite.file import SuiteFile
from robustfim.suite.format import read_suite
from tests.docs.page import DOCS

TEXT = (DOCS / "limits.md").read_text(encoding="utf-8")


def test_no_failure_in_fifty_examples_leaves_seven_percent_open() -> None:
    interval = wilson(0, 50)
    assert interval is not None
    assert "the interval of 0 of 50 reaches to 7 %" in TEXT
    assert interval[1] == pytest.approx(0.07, abs=0.005)
    assert tail(0, 50, 0.02).side is Outcome.INCONCLUSIVE


def test_the_keys_that_the_page_names_can_stand_in_a_suite() -> None:
    check: dict[str, object] = {"perturb": "typos"}
    suite: dict[str, object] = {"suite": "s", "model": "m", "data": "d", "select": {"by": "margin"}}
    for written in re.findall(r"`((?:xfail|baseline|limit): \{.*?\})`", TEXT):
        for key, value in yaml.safe_load(written.replace("…", "known")).items():
            (check if key in ("xfail", "limit") else suite)[key] = value
    assert set(check) == {"perturb", "xfail", "limit"}
    assert read_suite(SuiteFile.of(suite | {"checks": {"typos": check}})).baseline.margin == pytest.approx(0.02)
