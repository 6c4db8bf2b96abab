"""Data from files: CSV, JSON Lines and Parquet."""

from __future__ import annotations

from robustfim import hookimpl

__all__ = ["robustfim_data"]


@hookimpl
def robustfim_data() -> dict[str, str]:
    """Offer ``csv``, ``jsonl`` and ``parquet``."""
    return {
        "csv": "robustfim_files.csv_file:CsvFile",
        "jsonl": "robustfim_files.jsonl_file:JsonlFile",
        "parquet": "robustfim_files.parquet_file:ParquetFile",
    }
