"""The mutants of ``python -m benchmarks.mutants``: each is one change, and a test finds those that it should."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from benchmarks.mutant import ROOT, mutants_of
from benchmarks.mutants import TARGETS, Counts, Kept, draw, render


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


def test_what_was_found_out_holds_for_the_same_change_and_the_same_tests_alone(tmp_path: Path) -> None:
    (first, tests), (other, others) = draw(2, 3)
    kept = Kept(tmp_path / "kept.jsonl")
    kept.put(kept.key(first, tests), True)
    kept.put(kept.key(other, others), False)
    again = Kept(tmp_path / "kept.jsonl")
    assert (again.get(kept.key(first, tests)), again.get(kept.key(other, others))) == (True, False)
    assert again.get(kept.key(first, ["session/test_failures.py", "judge"])) is None
    assert Kept(None).get(kept.key(first, tests)) is None


def test_the_counts_are_told_by_module_with_an_interval_and_what_was_aimed_at() -> None:
    counts = Counts()
    for number, (mutant, _) in enumerate(draw(20, 1, "statistics/gap")):
        counts.count(mutant, number > 0)
    text = render(counts, 2345, "a command")
    assert counts.told == "19 of 20 mutants found (95.0%)"
    assert "20 were drawn at random of the 2,345 that there are" in text
    assert "95.0% [76.4%, 99.1%] were found; the aim of 90% of 500 is met." in text
    assert "| `statistics/gap.py` | 20 | 19 | 95% |" in text
    assert len(counts.missed) == 1
