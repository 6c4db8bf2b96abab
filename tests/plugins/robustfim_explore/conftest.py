from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from robustfim import run as run_suite
from tests.plugins.robustfim_explore.served import Served
from tests.robustfim.conftest import robustfim

__all__ = ["robustfim"]

SUITE = """\
suite: toy
model: reference/fasttext
data: reviews
scores: [fisher]
select: {by: fisher, difficult: 20, control: 10}
checks:
  typos: {perturb: {use: typos, words: 2, candidates: 4}}
  eigenvector: {perturb: {use: eigenvector, norms: [0.5]}}
reports: [json]
"""


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite that has run: ``toy.yaml`` with ``reports/toy/results.json`` beside it."""
    folder = tmp_path_factory.mktemp("explored")
    (folder / "toy.yaml").write_text(SUITE, encoding="utf-8")
    run = run_suite(folder / "toy.yaml", reports=folder / "reports")
    assert run.record.failures
    return folder


@pytest.fixture(scope="module")
def served(ran: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The suite's explorer, with its model loaded."""
    running = Served(ran / "toy.yaml", tmp_path_factory.mktemp("reviewed"), reports=ran / "reports")
    yield running
    running.close()


@pytest.fixture(autouse=True)
def nothing_is_left_for_the_next(request: pytest.FixtureRequest) -> Iterator[None]:
    """What one test reviewed is not there for the next one, whether it passed or not."""
    yield
    if "served" in request.fixturenames:
        request.getfixturevalue("served").forget()
