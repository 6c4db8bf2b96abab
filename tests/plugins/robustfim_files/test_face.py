"""The face: light, and complete."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import robustfim_files
from robustfim import UsageError
from robustfim.roles import DataSource


def test_the_face_offers_data_from_files_the_hub_and_rows() -> None:
    offered = robustfim_files.robustfim_offers()["data"]
    assert set(offered) == {"conll", "conllu", "csv", "hub", "jsonl", "parquet", "rows", "squad"}
    for kind, target in offered.items():
        module, _, name = target.partition(":")
        make = getattr(importlib.import_module(module), name)
        source = make(rows=[{"text": "fine"}]) if kind == "rows" else make(path=Path("data"))
        assert {name for name in vars(DataSource) if not name.startswith("_")} <= set(dir(source))
        assert source.skipped == {}


@pytest.mark.parametrize(
    ("use", "suffixes"),
    [
        ("csv", ("csv", "CSV", "tsv", "csv.gz", "tsv.gz")),
        ("jsonl", ("jsonl", "ndjson", "json", "jsonl.gz")),
        ("parquet", ("parquet", "arrow", "feather")),
    ],
)
def test_a_file_is_read_by_its_suffix(use: str, suffixes: tuple[str, ...]) -> None:
    for path in (Path(f"my.rows.{suffix}") for suffix in suffixes):
        assert robustfim_files.robustfim_translate("data", path) == {"use": use, "path": path}


@pytest.mark.parametrize("suffix", ["xlsx", "XLS", "ods"])
def test_a_workbook_is_refused_with_the_line_to_write(suffix: str) -> None:
    with pytest.raises(UsageError, match=rf"read_excel\('it/a\.{suffix}'\)\.to_csv\('a\.csv', index=False\)"):
        robustfim_files.robustfim_translate("data", Path(f"it/a.{suffix}"))
