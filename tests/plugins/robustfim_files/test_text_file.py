"""Text files: encodings, byte order marks, NUL bytes, missing files."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from robustfim import DataError, UsageError
from robustfim_files.csv_file import CsvFile
from robustfim_files.text_file import known_encoding, text_lines


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "reviews.csv"


def lines(path: Path, contents: bytes, encoding: str = "utf-8") -> list[str]:
    path.write_bytes(contents)
    return list(text_lines(path, known_encoding(encoding), newline="\n"))


def test_a_byte_order_mark_is_no_part_of_the_first_column(path: Path) -> None:
    path.write_bytes("\ufefftext,label\ngood,a\n".encode())
    assert [dict(example.fields) for example in CsvFile(path).load()] == [{"text": "good"}]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-16-le", "UTF8"])
def test_a_file_is_read_in_the_encoding_that_is_named(path: Path, encoding: str) -> None:
    assert lines(path, "naïve\ncafé\n".encode(encoding), encoding) == ["naïve\n", "café\n"]


@pytest.mark.parametrize("before", [0, 1, 200_000])
def test_a_byte_of_another_encoding_is_found_at_its_line_and_offset(path: Path, before: int) -> None:
    good = "naïve line\n".encode() * before
    place = f"reviews.csv:{before + 1}: byte 0xe9 at offset {len(good) + 3} is not UTF-8"
    with pytest.raises(DataError, match=re.escape(place) + r".*'encoding: latin-1'"):
        lines(path, good + "café olé\n".encode("latin-1"))


def test_offsets_count_the_byte_order_mark(path: Path) -> None:
    with pytest.raises(DataError, match=r"reviews\.csv:2: byte 0xff at offset 6 "):
        lines(path, "\ufeffab\n".encode() + b"\xff\n")


def test_a_character_cut_between_two_blocks_is_found_at_its_first_byte(path: Path) -> None:
    good = b"x" * ((1 << 20) - 1)
    with pytest.raises(DataError, match=rf"reviews\.csv:1: byte 0xc3 at offset {len(good)} "):
        lines(path, good + b"\xc3(\n")


def test_utf_16_is_recognised_by_its_mark(path: Path) -> None:
    with pytest.raises(DataError, match=r"byte 0xff at offset 0 is not UTF-8 .*'encoding: utf-16'"):
        lines(path, "good\n".encode("utf-16"))


def test_a_file_that_ends_within_a_character_is_refused(path: Path) -> None:
    with pytest.raises(DataError, match=r"reviews\.csv:2: the last character is not complete in UTF-8"):
        lines(path, b"good\ncaf\xc3")


def test_utf_16_without_its_mark_is_refused(path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot be read: .*BOM"):
        lines(path, "good\n".encode("utf-16-le"), "utf-16")


def test_a_nul_byte_is_refused_with_its_line(path: Path) -> None:
    with pytest.raises(DataError, match=r"reviews\.csv:2: a NUL byte.*'encoding: utf-16'"):
        lines(path, b"good\nba\0d\n")


def test_an_unknown_encoding_is_refused_with_its_neighbour() -> None:
    with pytest.raises(UsageError, match=r"unknown encoding 'latin-11'\. Did you mean 'latin-1'\?"):
        known_encoding("latin-11")


def test_a_line_without_an_end_is_refused() -> None:
    with pytest.raises(DataError, match="a line of more than 33,554,432 characters"):
        next(text_lines(Path("/dev/zero"), known_encoding("utf-8"), newline="\n"))


def test_what_gzip_packed_is_read_and_its_errors_are_placed_as_in_what_is_not(path: Path) -> None:
    assert lines(path, gzip.compress("naïve\ncafé\n".encode())) == ["naïve\n", "café\n"]
    with pytest.raises(DataError, match=r"reviews\.csv:2: byte 0xe9 at offset 8 is not UTF-8"):
        lines(path, gzip.compress(b"good\ncaf\xe9 \n"))
