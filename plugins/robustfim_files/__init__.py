"""Data from files: CSV, JSON Lines, Parquet and SQuAD's JSON; and the hardest examples of a run written to one."""

from __future__ import annotations

from robustfim import hookimpl

__all__ = ["robustfim_commands", "robustfim_data"]


@hookimpl
def robustfim_data() -> dict[str, str]:
    """Offer ``csv``, ``jsonl``, ``parquet`` and ``squad``."""
    return {
        "csv": "robustfim_files.csv_file:CsvFile",
        "jsonl": "robustfim_files.jsonl_file:JsonlFile",
        "parquet": "robustfim_files.parquet_file:ParquetFile",
        "squad": "robustfim_files.squad_file:SquadFile",
    }


@hookimpl
def robustfim_commands() -> dict[str, tuple[str, str]]:
    """Offer ``robustfim export``."""
    return {"export": ("robustfim_files.export:command", "Write a run's hardest examples and their failures as data.")}
