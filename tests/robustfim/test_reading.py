"""Files that a user names: what they are packed in, what they are instead, and JSON that says a key twice."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import zipfile
from pathlib import Path

import pytest

from robustfim.errors import DataError
from robustfim.reading import read_json, read_text, require_file

TEXT = "text,label\na café,yes\n"
PACKED = gzip.compress(TEXT.encode(), mtime=0)  # of any time alike: it names tests


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "reviews.csv"


def archive() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("xl/workbook.xml", "<workbook/>")
    return packed.getvalue()


@pytest.mark.parametrize("content", [TEXT.encode(), TEXT.encode("utf-8-sig"), PACKED])
def test_text_is_read_whatever_the_file_is_called(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert read_text(path) == TEXT


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (archive(), r"a ZIP archive, as an Excel workbook \(\.xlsx\) is: save its sheet as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "an Excel workbook"),
        (pickle.dumps([TEXT]), "a pickle, which runs code"),
        (b"PAR1\x15\x04", "Parquet: name the data source parquet"),
        (b"SQLite format 3\0", "an SQLite database"),
    ],
)
def test_what_is_no_text_is_named(path: Path, content: bytes, message: str) -> None:
    path.write_bytes(content)
    with pytest.raises(DataError, match=f"reviews.csv is {message}"):
        read_text(path)


@pytest.mark.parametrize("packed", [PACKED[:-6], PACKED[:12] + b"x" * 30])
def test_a_packing_that_is_broken_is_told(path: Path, packed: bytes) -> None:
    path.write_bytes(packed)
    with pytest.raises(DataError, match="cannot be unpacked"):
        read_text(path)


def test_bytes_of_another_encoding_are_told(path: Path) -> None:
    path.write_bytes(TEXT.encode("latin-1"))
    with pytest.raises(DataError, match="is not UTF-8 text: byte 16 cannot be read"):
        read_text(path)


def test_a_missing_file_is_refused_with_its_neighbour(path: Path) -> None:
    path.touch()
    with pytest.raises(DataError, match=r"no file .*review\.csv\. Did you mean 'reviews\.csv'\?"):
        require_file(path.with_name("review.csv"))
    with pytest.raises(DataError, match=r"no file .*reviews\.csv\."):
        require_file(path.parent / "nowhere" / "reviews.csv")
    with pytest.raises(DataError, match="is a folder; name the file in it"):
        require_file(path.parent)


def test_a_key_that_stands_twice_in_an_object_is_refused_and_in_two_objects_is_not() -> None:
    assert read_json(b'[{"a": 1}, {"a": {"a": 2}}]') == [{"a": 1}, {"a": {"a": 2}}]
    for text in ('{"a": 1, "b": 2, "a": 1}', '[{"x": {"a": 1, "a": 2}}]'):
        with pytest.raises(ValueError, match="the key 'a' stands twice in one object"):
            read_json(text)
    with pytest.raises(json.JSONDecodeError):
        read_json("{")
