from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.run_options import RunOptions
from robustfim.suite.config import RunConfig
from robustfim.suite.file import read_suite_file
from robustfim.suite.format import read_suite
from tests.robustfim.command_line import SUITE


def config(path: Path, **options: object) -> RunConfig:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SUITE + "seed: 5\n", encoding="utf-8")
    file = read_suite_file(path)
    return RunConfig(read_suite(file), file, RunOptions(**options))  # type: ignore[arg-type]  # the test's own options


def test_the_seed_of_the_command_line_goes_before_the_suites(tmp_path: Path) -> None:
    assert config(tmp_path / "a.yaml").seed == 5
    assert config(tmp_path / "a.yaml", seed=0).seed == 0


def test_reports_go_to_a_folder_of_the_suites_name(tmp_path: Path) -> None:
    assert config(tmp_path / "a.yaml").folder == Path("reports/toy")
    assert config(tmp_path / "a.yaml", reports=Path("out")).folder == Path("out/toy")


def test_a_suite_is_shown_from_the_current_folder_or_as_it_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert config(tmp_path / "here" / "suites" / "a.yaml").shown_path == "suites/a.yaml"
    assert config(Path("../beside.yaml")).shown_path == "../beside.yaml"
    assert config(tmp_path / "outside" / "a.yaml").shown_path == (tmp_path / "outside" / "a.yaml").as_posix()
