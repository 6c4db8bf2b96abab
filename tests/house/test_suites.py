"""Every suite that ships can be run: each name in it exists, and each option is known."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from robustfim.cli import main
from tests.house.tree import ROOT, shown

SUITES = sorted((ROOT / "suites").rglob("*.yaml"))


@pytest.mark.parametrize("path", SUITES, ids=shown)
def test_a_suite_that_ships_can_be_collected(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["run", str(path), "--co"])
    printed = capsys.readouterr()
    assert stop.value.code == 0, printed.err
    checks = yaml.safe_load(path.read_text(encoding="utf-8"))["checks"]
    for name in checks.get("tests", ()) if isinstance(checks.get("use"), str) else checks:  # a source brings its own
        assert f"{path.name}::{name}\n" in printed.out


@pytest.mark.parametrize("path", SUITES, ids=shown)
def test_a_suite_that_ships_says_in_its_first_line_what_it_asks(path: Path) -> None:
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    assert first.startswith("# ")
    assert f"robustfim run {shown(path)}" in path.read_text(encoding="utf-8")
