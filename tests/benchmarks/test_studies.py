"""The section of the papers' experiments says what the records say."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.studies import Study, as_markdown, studies

ESTIMATE = {"value": -0.8, "interval": [-0.9, -0.7]}


def test_an_aim_is_met_by_the_size_of_the_correlation() -> None:
    rows = [
        {"name": name, "examples": 9, "r": value, "rho": ESTIMATE}
        for name, value in (("flip probability under synonyms", 0.44), ("smallest flipping step η", -0.86))
    ]
    text = as_markdown([Study("resilience", "reference/cnn", "rotten_tomatoes/dev", {"correlations": rows})])
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if "| 9 |" in line]
    assert [row[-1] for row in cells] == ["missed", "met"]
    assert cells[1][4:6] == ["-0.80 [-0.90, -0.70]", "-0.86"]


def test_every_experiment_has_its_table_and_what_is_missing_is_named() -> None:
    difference = {"name": "Δλmax", "pairs": 4, "mean": ESTIMATE, "deviation": 1.5, "overlap": 0.5, "harder": 1,
                  "interval": [0.05, 0.7]}  # fmt: skip
    pair = {
        "models": ["a", "b"],
        "examples": 50,
        "rho": {"value": None},
        "overlaps": [[2, 1, 0.1, 0.2], [5, 3, 0.5, 0.1]],
    }
    text = as_markdown(
        [
            ("ag_news", "not in --data"),
            Study("contrast", "reference/cnn", "contrast_imdb/dev", {"differences": [difference]}),
            Study("agreement", "reference/cnn", "rotten_tomatoes/dev", {"pairs": [pair]}),
        ]
    )
    assert "ag_news: not measured: not in --data" in text
    assert "| 0.25 [0.05, 0.70] |" in text
    assert "| a · b | 50 | undefined | 5 | 3 | 0.5 |" in text


@pytest.mark.slow
def test_the_commands_are_those_that_a_user_types(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    folder = tmp_path / "rotten_tomatoes"
    folder.mkdir()
    rows = [f"{word} {thing},{label}" for word, label in (("good", "positive"), ("bad", "negative"))
            for thing in ("film", "plot", "cast", "end")]  # fmt: skip
    (folder / "dev.csv").write_text("\n".join(["text,label", *rows]) + "\n", encoding="utf-8")
    found = next(iter(studies(tmp_path, tmp_path / "scratch", examples=8)))
    assert isinstance(found, Study)
    assert (found.name, found.model) == ("resilience", "reference/cnn")
    assert found.results["correlations"][-1]["examples"] <= 8
