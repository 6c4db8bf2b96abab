"""The failing texts of a run as a dataset: a table in Parquet and a dataset card."""

from __future__ import annotations

from pathlib import Path

from robustfim.errors import UsageError
from robustfim.record import Record, parquet_library, write_rows
from robustfim.result import Run
from robustfim.whole_file import write_whole

__all__ = ["write_failing"]

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


def write_failing(record: Record, folder: Path) -> int:
    """Write the failing texts of a run as the split ``failures`` of a dataset for the datasets library.

    A row describes a failing text: the check, the original and its gold label, the answers before and after, and the
    edits. If the folder has the texts of another suite, the new texts are written to a separate table. An existing
    dataset card (``README.md``) is kept.

    Returns:
        The number of failing texts written.

    Raises:
        UsageError: The run has no failing texts.
        DataError: pyarrow is missing.
    """
    failures = Run(record).failures
    if not failures:
        raise UsageError(f"{record.suite} has no failing text, so there is nothing to write.")
    rows = [{"suite": record.suite, "model": record.model.use, **failure} for failure in failures]
    table = folder / "failures" / f"{record.suite}.parquet"
    parquet_library(table)
    table.parent.mkdir(parents=True, exist_ok=True)
    write_rows(table, list(rows[0]), rows)
    if not (folder / "README.md").exists():
        card = _CARD.format(
            model=record.model.use, version=record.environment.robustfim, suite=record.suite, data=record.data.use
        )
        write_whole(folder / "README.md", card.encode())
    return len(rows)
