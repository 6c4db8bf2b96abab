"""Data from files (CoNLL, CSV, JSON Lines, Parquet, SQuAD) and the hub; export of a run's hard or failing examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from robustfim.api import Rows
from robustfim.errors import UsageError
from robustfim.hookspecs import Commands, Offers, hookimpl

__all__ = ["robustfim_commands", "robustfim_offers", "robustfim_translate"]

_SUFFIXES = {
    **dict.fromkeys((".csv", ".tsv", ".tab"), "csv"),
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), "jsonl"),
    **dict.fromkeys((".parquet", ".arrow", ".feather"), "parquet"),
}
_WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods")


@hookimpl
def robustfim_offers() -> Offers:
    """Name the data sources for files, hub datasets and script objects, and the perturbation that reads a column."""
    return {
        "data": {
            "conll": "robustfim_files.conll_file:ConllFile",
            "conllu": "robustfim_files.conllu_file:ConlluFile",
            "csv": "robustfim_files.csv_file:CsvFile",
            "hub": "robustfim_files.hub_dataset:HubDataset",
            "jsonl": "robustfim_files.jsonl_file:JsonlFile",
            "parquet": "robustfim_files.parquet_file:ParquetFile",
            "squad": "robustfim_files.squad_file:SquadFile",
            "rows": "robustfim_files.given_rows:GivenRows",
        },
        "perturbations": {"column": "robustfim_files.column_perturbation:Column"},
    }


@hookimpl
def robustfim_translate(kind: str, value: object) -> dict[str, Any] | None:
    """Convert data frames, Arrow tables, lists and file paths to the data source that reads them.

    Data frames, tables and lists are read by ``rows``; a list may contain texts, mappings or examples. The suffix of a
    file chooses the source. Objects of the datasets library, and folders written by ``save_to_disk``, are read by
    ``hub``.
    """
    if kind != "data":
        return None
    saved = isinstance(value, Path) and any((value / name).is_file() for name in ("dataset_dict.json", "state.json"))
    if saved or type(value).__module__.partition(".")[0] == "datasets":
        return {"use": "hub", "path": value}
    if isinstance(value, Path):
        plain = Path(value.name.removesuffix(".gz"))
        suffix = plain.suffix.lower()
        if suffix in _WORKBOOKS:
            table = f"{plain.stem}.csv"
            raise UsageError(
                f"{value} is a workbook. Write its sheet as CSV, and name that: python -c "
                f'"import pandas; pandas.read_excel({str(value)!r}).to_csv({table!r}, index=False)"'
            )
        return {"use": _SUFFIXES[suffix], "path": value} if suffix in _SUFFIXES else None
    if callable(getattr(value, "collect", None)):
        raise UsageError(f"a {type(value).__name__} has no rows yet: give data=frame.collect().")
    frame = hasattr(value, "__arrow_c_stream__") or (
        hasattr(value, "columns") and callable(getattr(value, "to_dict", 0))
    )
    return {"use": "rows", "rows": value} if frame or isinstance(value, Rows) else None


@hookimpl
def robustfim_commands() -> Commands:
    """Offer ``robustfim export``."""
    return {
        "export": (
            "robustfim_files.export:command",
            "Write a run's hardest examples as data, or its failing texts as data or a suite.",
            "look",
        )
    }
