from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import DataError, UsageError
from robustfim_checklist.lines import TestLine, read_lines

LINE: dict[str, Any] = {"type": "MFT", "capability": "Vocabulary", "name": "words", "labels": 2, "data": ["good"]}


def write(path: Path, *lines: dict[str, Any] | str) -> Path:
    path.write_text("".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines), encoding="utf-8")
    return path


def test_a_line_is_a_test(tmp_path: Path) -> None:
    second = {"type": "DIR", "name": "thanks", "data": [["a", "b"]], "expect": {"label": "positive"}, "limit": 0.2}
    path = write(tmp_path / "tests.jsonl", LINE, "", {**second, "labels": None, "description": "add thanks"})
    assert read_lines(path) == [
        TestLine("MFT", "words", ["good"], 2, "Vocabulary", place=f"{path}:1"),
        TestLine(
            "DIR", "thanks", [["a", "b"]], None, "General", {"label": "positive"}, 0.2, "add thanks", place=f"{path}:3"
        ),
    ]


def test_a_byte_order_mark_and_a_line_separator_in_a_text_are_no_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "tests.jsonl"
    path.write_text("\ufeff" + json.dumps({**LINE, "data": ["a\u2028b"]}, ensure_ascii=False), encoding="utf-8")
    assert read_lines(path)[0].data == ["a\u2028b"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{'type': 'MFT'}", ":2: malformed JSON at column 2: Expecting property name"),
        ('{"type": "MFT",', ":2: malformed JSON"),
        ("[" * 100_000, ":2: JSON that cannot be read"),
        ('["MFT"]', ":2: a line holds one JSON object, not ['MFT']"),
        ({**LINE, "type": "MTF"}, ":2: option 'type': input should be 'MFT', 'INV' or 'DIR', not 'MTF'."),
        ({**LINE, "label": 2}, ":2: unknown option 'label'. Did you mean 'labels'?"),
        ({"type": "INV", "name": "x"}, ":2: the option 'data' is missing"),
        ({**LINE, "name": " "}, ":2: option 'name': string should match pattern"),
        ({**LINE, "data": "good"}, ":2: option 'data' must be a list"),
        ({**LINE, "data": []}, ":2: option 'data': list should have at least 1 item"),
        ({**LINE, "limit": 2}, ":2: option 'limit': input should be less than or equal to 1, not 2."),
        ({**LINE, "limit": True}, ":2: option 'limit': input should be a valid number, not True."),
        ({**LINE, "type": "DIR", "expect": "up"}, ":2: option 'expect' must be a mapping of keys"),
        ({**LINE, "name": "first"}, ":2: the test name 'first' is taken at "),
    ],
)
def test_a_malformed_line_is_told_with_its_place(tmp_path: Path, line: dict[str, Any] | str, message: str) -> None:
    path = write(tmp_path / "tests.jsonl", {**LINE, "name": "first"}, line)
    with pytest.raises((DataError, UsageError)) as raised:
        read_lines(path)
    assert str(raised.value).startswith(f"{path}{message}")


class Bomb:
    def __reduce__(self) -> Any:
        return Path.touch, (Path("exploded"),)


def test_a_pickle_is_never_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "sentiment_suite.pkl"
    path.write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(DataError, match="is a pickle, which runs code when it is read, so it is not"):
        read_lines(path)
    assert not Path("exploded").exists()


def test_a_file_that_is_missing_empty_or_no_text_is_told(tmp_path: Path) -> None:
    write(tmp_path / "sentiment.jsonl", LINE)
    with pytest.raises(DataError, match=r"no file .*sentiments\.jsonl\. Did you mean 'sentiment\.jsonl'\?"):
        read_lines(tmp_path / "sentiments.jsonl")
    with pytest.raises(DataError, match="is a folder"):
        read_lines(tmp_path)
    with pytest.raises(DataError, match="is empty; it needs one test a line"):
        read_lines(write(tmp_path / "empty.jsonl", "", " "))
    (tmp_path / "latin.jsonl").write_bytes(b'{"name": "caf\xe9"}')
    with pytest.raises(DataError, match="is not UTF-8 text: byte 13"):
        read_lines(tmp_path / "latin.jsonl")
