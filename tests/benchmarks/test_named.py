"""Reach among texts that name something."""

from __future__ import annotations

from pathlib import Path

from benchmarks.named import section, sentences


def test_messages_are_read_as_texts_with_the_kinds_that_they_name(tmp_path: Path) -> None:
    path = tmp_path / "train.conll"
    path.write_text("In\tO\nNew\tB-location\nYork\tI-location\n!\tO\n\t\nhi\tO\n#\tO\nfun\tO\n", encoding="utf-8")
    assert list(sentences(path)) == [("In New York!", frozenset(["location"])), ("hi #fun", frozenset())]


def test_the_section_says_where_the_aim_is_met() -> None:
    lines = section({"places": (1, 10), "people": (5, 10)}, {"places": (3, 10), "people": (6, 10)}, "abc").splitlines()
    assert "| `places` | 10 | 10% | 30% | missed |" in lines
    assert "| `people` | 10 | 50% | 60% | met |" in lines
