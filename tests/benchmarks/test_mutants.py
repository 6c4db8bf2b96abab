"""The mutants of ``python -m benchmarks.mutants``: each is one change, and a test finds those that it should."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from benchmarks.mutant import ROOT, mutants_of
from benchmarks.mutants import TARGETS, copy_tree, draw, finds, render


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


@pytest.mark.slow
def test_a_draw_follows_from_its_seed_and_every_module_has_tests() -> None:
    drawn = draw(40, 7)
    assert drawn == draw(40, 7)
    assert drawn != draw(40, 8)
    for tests in [*TARGETS.values(), *(tests for _, tests in drawn)]:
        for test in tests:
            assert (Path("tests/robustfim") / test).exists()


@pytest.mark.slow
def test_a_mutant_that_changes_a_number_is_found_and_the_code_as_it_is_passes(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path)
    path = ROOT / "robustfim" / "statistics" / "rate.py"
    before = path.read_text(encoding="utf-8")
    mutant = next(mutant for mutant in mutants_of(path) if mutant.what == "returns None")
    assert not finds(tree, ["statistics/test_rate.py"])
    assert finds(tree, ["statistics/test_rate.py"], mutant)
    assert (tree / "robustfim" / "statistics" / "rate.py").read_text(encoding="utf-8") == before


def test_the_counts_are_told_by_module_with_an_interval_and_what_was_aimed_at() -> None:
    results = [(mutant, number > 0) for number, (mutant, _) in enumerate(draw(20, 1, "statistics/gap"))]
    text = render(results, 2345, "a command")
    assert "20 were drawn at random of the 2,345 that there are" in text
    assert "95.0% [76.4%, 99.1%] were found; the aim of 90% of 500 is met." in text
    assert "| `statistics/gap.py` | 20 | 19 | 95% |" in text
