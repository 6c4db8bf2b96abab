"""Sources: files and columns, and what cannot be one."""

from __future__ import annotations

from pathlib import Path

import pytest

from robustfim import Example
from robustfim.errors import DataError
from robustfim_cues.sources.reading import as_sources, read_sources


def rows(*labels: str | None, text: str = "film") -> list[Example]:
    return [Example({"text": f"{text} {place}"}, label) for place, label in enumerate(labels)]


def test_each_file_is_a_source_named_by_what_tells_it_apart(tmp_path: Path) -> None:
    paths = []
    for folder in ("shop", "forum"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "dev.csv"
        path.write_text(f"text,label\nin {folder},good\nout of {folder},bad\n", "utf-8")
        paths.append(str(path))
    found = read_sources(paths)
    assert found.names == ("shop/dev", "forum/dev")
    assert (found.labels, found.source, found.label) == (("bad", "good"), (0, 0, 1, 1), (1, 0, 1, 0))


def test_a_column_names_the_source(tmp_path: Path) -> None:
    path = tmp_path / "all.csv"
    path.write_text("text,label,place\na,good,x\nb,bad,x\nc,good,y\nd,bad,y\n", "utf-8")
    found = read_sources([str(path)], column="place")
    assert (found.names, found.source) == (("x", "y"), (0, 0, 1, 1))
    with pytest.raises(DataError, match=r"no column 'plaec'\. Did you mean 'place'"):
        read_sources([str(path)], column="plaec")


def of(name: str, *labels: str | None) -> list[tuple[str, Example]]:
    return [(name, each) for each in rows(*labels)]


OTHER = [("b", Example({"x": "y"}, label)) for label in ("good", "bad")]
SEVERAL = [("b", Example({"text": "x"}, "good", accepted=("fine",)))]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (of("a", "good", "bad"), "one source only, 'a': name a second file, or with --by"),
        ([], "no example: name a second file"),
        ([*of("a", "good", None), *of("b", "good", "bad")], "no gold label"),
        ([*of("a", "good", "bad"), *of("b", "good")], "b has no example of 'bad'"),
        ([*of("a", "good"), *of("b", "good")], "all examples have the label 'good'"),
        ([*of("a", "good", "bad"), *OTHER], r"other fields \(a: text; b: x\)"),
        ([*of("a", "good"), *SEVERAL], "several gold labels"),
    ],
)
def test_what_cannot_be_compared_is_refused_by_name(given: list[tuple[str, Example]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        as_sources(given)
