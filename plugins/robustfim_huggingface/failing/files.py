"""The files of a dataset of failing texts: a table in Parquet, and a card."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from robustfim.record import parquet_library, write_rows
from robustfim.result import Run

__all__ = ["files"]

_CARD = """---
task_categories: [text-classification]
tags: [robustness, robustfim]
configs:
- config_name: default
  data_files:
  - split: failures
    path: failures/*.parquet
---

# Failing texts

Texts on which {model} failed, found by robustfim {version} in the suite `{suite}`. `text` is the original with its gold
`label`, `perturbed` what was made of it by the `edits` of a `check`, `before` and `after` are the model's answers. The
texts come from the data that was tested, {data}, and its licence holds for them.
"""


def files(run: Run) -> dict[str, bytes]:
    """Make the files of a dataset that the datasets library loads as the split ``failures``.

    Raises:
        DataError: pyarrow is missing.
    """
    record = run.record
    about = {"suite": record.suite, "model": record.model.use}
    rows = [{**about, **each} for each in run.failures]
    parquet_library(Path("a dataset of failing texts"))
    with TemporaryDirectory() as folder:
        table = write_rows(Path(folder) / "failures.parquet", list(rows[0]), rows).read_bytes()
    told = _CARD.format(
        model=record.model.use, version=record.environment.robustfim, suite=record.suite, data=record.data.use
    )
    return {f"failures/{record.suite}.parquet": table, "README.md": told.encode()}
