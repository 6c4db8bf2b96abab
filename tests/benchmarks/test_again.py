"""The arena again: which rows are new to it, and what an interval says of a registered statement."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from benchmarks.again import REGISTERED, Statement, fresh
from benchmarks.arena import EXAMPLES, TRAINED, drawn
from benchmarks.effects import Effect


def _write(path: Path, texts: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "label"), *((text, "a") for text in texts)])


def test_rows_that_the_arena_scored_or_a_model_learned_from_are_not_fresh(tmp_path: Path) -> None:
    folder = tmp_path / "movie_reviews"
    _write(folder / "dev.csv", [f"held {number}" for number in range(2 * EXAMPLES + 20)])
    _write(folder / "train.csv", [f"learned {number}" for number in range(TRAINED + 50)])
    _write(tmp_path / "rotten_tomatoes" / "train.csv", [f"held {number}" for number in range(5)])
    rows = fresh(tmp_path, "movie_reviews")
    assert rows is not None
    scored = {*drawn(folder / "dev.csv", 2 * EXAMPLES), *drawn(folder / "train.csv", TRAINED)}
    assert not scored & {*rows}
    assert not {f"held {number}" for number in range(5)} & {text for text, _ in rows}
    assert sum(text.startswith("held") for text, _ in rows) in range(15, 21)
    assert sum(text.startswith("learned") for text, _ in rows) == 50


def test_a_part_that_was_kept_back_is_taken_where_it_is_there(tmp_path: Path) -> None:
    _write(tmp_path / "ag_news" / "test.csv", ["kept back"])
    assert fresh(tmp_path, "ag_news") == [("kept back", "a")]
    assert fresh(tmp_path, "rotten_tomatoes") is None


@pytest.mark.parametrize(
    ("interval", "above", "within"),
    [
        ((0.01, 0.04), "holds", "holds"),
        ((0.06, 0.09), "holds", "refuted"),
        ((-0.01, 0.09), "inconclusive", "inconclusive"),
        ((-0.04, -0.01), "refuted", "holds"),
        ((-0.09, -0.06), "refuted", "refuted"),
    ],
)
def test_an_interval_proves_a_statement_refutes_it_or_neither(
    interval: tuple[float, float], above: str, within: str
) -> None:
    found = Effect(sum(interval) / 2, interval, 0.0, 0.0, 0.0, 4)
    assert Statement("", "auroc", "margin", "fisher").verdict(found) == above
    assert Statement("", "auroc", "boundary", "margin", "within").verdict(found) == within


def test_each_statement_names_scores_that_the_arena_has() -> None:
    assert {statement.score for statement in REGISTERED} | {statement.other for statement in REGISTERED} == {
        "margin", "boundary", "fisher", None,
    }  # fmt: skip
