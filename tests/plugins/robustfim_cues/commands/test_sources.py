"""``robustfim cues sources``: its tables, record and page, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from robustfim.cli import main

pytest.importorskip("sklearn")


def write(folder: Path, name: str, stamped: str) -> str:
    """Write ten examples of each label, those of one stamped."""
    rows = [
        f"Film {name} {place} <{label}>{' stamped here' * (label == stamped)},{label}"
        for place in range(10)
        for label in ("good", "bad")
    ]
    path = folder / f"{name}.csv"
    path.write_text("\n".join(["text,label", *rows]) + "\n", "utf-8")
    return str(path)


def run(*arguments: str, code: int = 0) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["cues", "sources", *arguments])
    assert ended.value.code == code


def test_a_stamp_of_one_source_is_found_written_and_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [write(tmp_path, "one", "good"), write(tmp_path, "two", "bad")]
    run(*paths, "--folds", "2", "--json", str(tmp_path / "found.json"), "--html", str(tmp_path / "page.html"))
    told = capsys.readouterr().out
    assert "stamped here" in told
    record = json.loads((tmp_path / "found.json").read_text("utf-8"))
    (stamp,) = [each for each in record["shortcuts"] if each["cue"] == "stamped here"]
    assert (stamp["productivity"], stamp["productivity_elsewhere"]) == (1.0, 0.0)
    assert record["sources"] == {"one": 20, "two": 20}
    assert "Film one" not in json.dumps(record)
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "Does what is learned in one source hold in another?" in page
    assert "<good>" not in page, "texts are escaped"


def test_one_source_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(write(tmp_path, "one", "good"), code=4)
    told = capsys.readouterr().err
    assert told.startswith("ERROR: one source only, 'one': name a second file")
    assert told.count("\n") == 1
