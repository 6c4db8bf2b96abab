"""The mutants of ``python -m benchmarks.mutants``: each is one change, and a test finds those that it should."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from benchmarks.mutants import ROOT, TARGETS, draw, mutants_of


@pytest.fixture(scope="module")
def of_answers() -> list[str]:
    return [mutant.source for mutant in mutants_of(ROOT / "robustfim" / "predict" / "answers.py")]


def test_every_mutant_is_another_module_that_python_can_read(of_answers: list[str]) -> None:
    original = ast.unparse(ast.parse((ROOT / "robustfim" / "predict" / "answers.py").read_text(encoding="utf-8")))
    assert len(of_answers) > 40
    assert len({*of_answers, original}) > len(of_answers) * 0.95  # "x and y" in two places may become one text
    for source in of_answers:
        ast.parse(source)
        assert source != original
        assert abs(len(source.splitlines()) - len(original.splitlines())) <= 2


def test_the_words_that_the_store_depends_on_are_among_them() -> None:
    path = ROOT / "robustfim" / "predict" / "store.py"
    whats = [mutant.what for mutant in mutants_of(path)]
    assert whats.count("IMMEDIATE in SQL") == 1
    assert "NOT NULL in SQL" in whats


def test_a_draw_follows_from_its_seed_and_every_module_has_tests() -> None:
    drawn = draw(40, 7)
    assert drawn == draw(40, 7)
    assert drawn != draw(40, 8)
    for tests in [*TARGETS.values(), *(tests for _, tests in drawn)]:
        for each in tests:
            assert (Path("tests/robustfim") / each).exists()
