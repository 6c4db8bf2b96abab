"""Planted shortcuts are found, and the section of RESULTS.md says how often."""

from __future__ import annotations

from benchmarks.sources import planted, section


def test_most_planted_cues_are_found_and_few_others() -> None:
    row = planted(2, 1000, 0.9, repeats=3)
    assert row.found.tested == 120
    assert (row.found.rate or 0) >= 0.8
    assert sum(row.wrong) / 3 <= 0.1


def test_the_section_tells_what_was_measured() -> None:
    row = planted(2, 500, 0.8, repeats=2)
    way = {"right": 8, "interval": [0.5, 0.9], "lost": 0.1, "lost_interval": [0.0, 0.2]}
    ways = {"as it is": way, "no shortcuts": way, "other sources": way}
    found = {
        "sources": {"a": 10, "b": 10},
        "accuracy": [{"source": None, "examples": 10, "ways": ways}],
        "findings": ["first", "second", "third"],
    }
    text = section([row], found, "the command")
    assert f"| 2 | 500 | 80 % | {row.found} |" in text
    assert "| all | 80 % [50.0, 90.0] |" in text
    assert text.rstrip().endswith("second\nthird")
