"""A check for each value of an option."""

from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import SuiteError
from robustfim.suite.file import SuiteFile, read_suite_file
from robustfim.suite.format import read_suite
from robustfim.suite.matrix import one_check_each

HEAD = "suite: names\nmodel: toy\ndata: films\nchecks:\n  before: {perturb: shout}\n  names:\n"


def split(tmp_path: Path, check: str) -> SuiteFile:
    path = tmp_path / "names.yaml"
    path.write_text(HEAD + check, encoding="utf-8")
    return one_check_each(read_suite_file(path))


def test_each_value_has_a_check_of_its_own_that_differs_in_nothing_else(tmp_path: Path) -> None:
    check = "    perturb: {use: names, candidates: 3}\n    each: {to: [indian, the Far East]}\n    limit: 0.2\n"
    file = split(tmp_path, check)
    checks = read_suite(file).checks
    assert list(checks) == ["before", "names.indian", "names.the-Far-East"]
    for name, value in (("names.indian", "indian"), ("names.the-Far-East", "the Far East")):
        assert checks[name].perturb.options == {"to": value}
        assert (checks[name].perturb.candidates, checks[name].limit, checks[name].each) == (3, 0.2, None)
        assert file.line(("checks", name, "limit")) == 9


def test_each_value_can_have_its_own_limit(tmp_path: Path) -> None:
    file = split(tmp_path, "    perturb: names\n    each: {to: {indian: 0.05, chinese: {difficult: 0.1}}}\n")
    limits = {name: check["limit"] for name, check in file.data["checks"].items() if name != "before"}
    assert limits == {"names.indian": 0.05, "names.chinese": {"difficult": 0.1}}


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ("    perturb: names\n    each: indian\n", "each names one option"),
        ("    perturb: names\n    each: {to: [], kinds: []}\n", "each names one option"),
        ("    perturb: names\n    each: {to: indian}\n", "'to' needs a list of values"),
        ("    perturb: [names, typos]\n    each: {to: [indian]}\n", "each goes with one perturbation"),
        ("    perturb: {use: names, to: x}\n    each: {to: [indian]}\n", "'to' stands in 'perturb' already"),
        ("    perturb: names\n    each: {to: [indian, indian]}\n", "there are two checks 'names.indian'"),
    ],
)
def test_what_cannot_be_split_is_refused_with_its_line(tmp_path: Path, check: str, message: str) -> None:
    with pytest.raises(SuiteError, match=message) as refused:
        split(tmp_path, check)
    assert refused.value.line == 8


def test_a_suite_without_each_comes_back_as_it_is() -> None:
    file = SuiteFile.of({"suite": "plain", "checks": {"one": {"perturb": "shout"}}})
    assert one_check_each(file) is file
