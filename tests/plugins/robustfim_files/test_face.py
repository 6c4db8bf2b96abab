"""The face: light, and complete."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import robustfim_files
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
