"""Reading and cutting training texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import DataError
from robustfim_reference.corpus import Row, cut, read_rows


def written(folder: Path, text: str) -> Path:
    path = folder / "rows.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_rows_come_in_order_without_empty_texts(tmp_path: Path) -> None:
    path = written(tmp_path, '\ufefftext,label\n"a, b",x\n  ,y\nc, z \n')
    assert read_rows(path, "text", "label") == [Row("a, b", "x"), Row("c", "z")]


def test_texts_can_be_read_without_labels(tmp_path: Path) -> None:
    assert read_rows(written(tmp_path, "body\nhello\n"), "body", None) == [Row("hello", "")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("texts,label\na,b\n", "no column 'text'. Did you mean 'texts'"),
        ("text,gold\na,b\n", "no column 'label'.*It has: text, gold; name the right one with --label"),
        ("text,label\n", "has no row with a text"),
        ("", "no column 'text'"),
        ("text,label\nonly\n", "rows.csv:2: 1 cells where the header has 2"),
    ],
)
def test_a_file_that_is_no_table_of_texts_is_refused(tmp_path: Path, content: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_rows(written(tmp_path, content), "text", "label")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no file .*absent\.csv"):
        read_rows(tmp_path / "absent.csv", "text", "label")


def test_bytes_that_are_no_utf8_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes(b"text,label\ncaf\xe9,x\n")
    with pytest.raises(DataError, match="is not UTF-8 text"):
        read_rows(path, "text", "label")


def test_a_short_text_stays_whole() -> None:
    row = Row("one . two . three .", "x")
    assert cut(row, 6) == [row]


def test_a_long_text_is_cut_at_the_ends_of_sentences() -> None:
    row = Row('It began well. "Very well!" we said.<br /><br />Then it stopped ... and we left', "x")
    assert [part.text for part in cut(row, 5)] == [
        'It began well. "Very well!"',
        "we said. <br /><br />",
        "Then it stopped ...",
        "and we left",
    ]


def test_no_word_is_lost_and_a_long_sentence_stays_whole() -> None:
    text = "a b c. " + "d " * 20 + "e. f g! h i? j"
    parts = cut(Row(text, "x"), 6)
    assert " ".join(part.text for part in parts).split() == text.split()
    assert [len(part.text.split()) for part in parts] == [3, 21, 5]
    assert {part.label for part in parts} == {"x"}
