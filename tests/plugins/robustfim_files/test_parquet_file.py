"""Parquet: what is read, and every way in which a file can be wrong."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from robustfim import DataError, Example
from robustfim_files.parquet_file import BATCH, ParquetFile

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "reviews.parquet"


def load(path: Path, columns: dict[str, Any], **options: Any) -> list[Example]:
    parquet.write_table(pyarrow.table(columns), path)
    return list(ParquetFile(path, **options).load())


def test_text_and_label_are_read_and_the_rest_is_meta(path: Path) -> None:
    columns = {"text": ["good “film”\n😀", "bad"], "label": ["yes", None], "n": [1, 2], "tags": [["a"], []]}
    assert load(path, columns) == [
        Example({"text": "good “film”\n😀"}, "yes", {"n": 1, "tags": ["a"]}),
        Example({"text": "bad"}, None, {"n": 2, "tags": []}),
    ]


@pytest.mark.parametrize("how", ["new_file", "new_stream"])
@pytest.mark.parametrize("suffix", [".arrow", ".feather"])
def test_files_and_streams_of_arrow_are_read_as_parquet_is(path: Path, how: str, suffix: str) -> None:
    columns = {"text": [f"text {number}" for number in range(2 * BATCH + 3)], "label": [None, *range(2 * BATCH + 2)]}
    table, other = pyarrow.table(columns), path.with_suffix(suffix)
    with getattr(pyarrow.ipc, how)(other, table.schema) as writer:
        writer.write_table(table, max_chunksize=BATCH)
    assert list(ParquetFile(other).load()) == load(path, columns)


def test_a_file_that_is_no_arrow_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rows.arrow").write_text("text,label\ngood,1\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"rows\.arrow cannot be read as Arrow: "):
        list(ParquetFile(tmp_path / "rows.arrow").load())


def test_a_dictionary_column_gives_its_values(path: Path) -> None:
    labels = pyarrow.array(["yes", "no", "yes"]).dictionary_encode()
    assert [example.label for example in load(path, {"text": list("abc"), "label": labels})] == ["yes", "no", "yes"]


@pytest.mark.parametrize("contents", [b"", b"text,label\ngood,1\n", b"PAR1 cut off"])
def test_a_file_that_is_no_parquet_is_refused(path: Path, contents: bytes) -> None:
    path.write_bytes(contents)
    with pytest.raises(DataError, match=r"reviews\.parquet cannot be read as Parquet: "):
        list(ParquetFile(path).load())


def test_a_missing_file_is_refused(path: Path) -> None:
    with pytest.raises(DataError, match="no file"):
        list(ParquetFile(path).load())


def test_a_missing_library_comes_with_the_command_that_installs_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.touch()
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(DataError, match=r"needs pyarrow: pip install 'robustfim\[data\]'"):
        list(ParquetFile(path).load())
