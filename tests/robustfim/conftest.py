"""Fixtures of the core's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from robustfim.statistics import stratified
from robustfim.suite.file import SuiteFile, read_suite_file
from robustfim.suite.format import Suite, read_suite
from tests.robustfim.command_line import CommandLine
from tests.robustfim.transformer import save_transformer


@pytest.fixture
def suite_file(tmp_path: Path) -> Callable[[str], SuiteFile]:
    """Write a suite file and read it back."""

    def write(text: str) -> SuiteFile:
        path = tmp_path / "suite.yaml"
        path.write_text(text, encoding="utf-8")
        return read_suite_file(path)

    return write


@pytest.fixture
def suite(suite_file: Callable[[str], SuiteFile]) -> Callable[[str], Suite]:
    """Write a suite file, read and validate it."""
    return lambda text: read_suite(suite_file(text))


@pytest.fixture
def robustfim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """``robustfim``, in an empty folder with a toy plugin and a suite."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("NO_COLOR", "FORCE_COLOR", "HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    return CommandLine(tmp_path, capsys)


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Intervals of 4,000 draws: their ends are exact to 0.25 % of probability, where hundreds of runs leave 1 %."""
    monkeypatch.setattr(stratified, "_DRAWS", 4000)
    stratified._draws.cache_clear()
    yield
    stratified._draws.cache_clear()


@pytest.fixture(scope="session")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> Callable[[dict[int, str] | None], Path]:
    """A small BERT, trained on the critic's reviews and saved; asked for names, under which its classes go."""
    return lambda names: save_transformer(tmp_path_factory.mktemp("transformer"), names)
