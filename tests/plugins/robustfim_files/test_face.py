"""The face: light, and complete."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
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


def test_importing_the_sources_imports_no_library_of_tables() -> None:
    code = (
        "import sys, importlib, robustfim_files as face\n"
        "for each in face.robustfim_offers()['data'].values():\n"
        "    importlib.import_module(each.partition(':')[0])\n"
        "print(*sorted(sys.modules))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert {"pyarrow", "pandas", "datasets", "torch", "numpy"} & set(done.stdout.split()) == set()
