"""Read instances in COPA's form from a dataset of the hub, or from a folder that the datasets library can read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from robustfim.errors import DataError, UsageError, shown
from robustfim.example import Example
from robustfim_cues.choices.copa_lines import read_row

__all__ = ["read_hub"]


def read_hub(path: Path | str, name: str | None, split: str) -> Iterator[Example]:
    """Read the instances of a split in SuperGLUE's form.

    The columns are ``premise``, ``choice1``, ``choice2``, ``question`` and ``label`` (0 or 1).

    Args:
        path: A hub id, or a folder: written by ``save_to_disk``, or with Parquet, CSV or JSON files.
        name: The configuration, for a dataset with several.
        split: The name of the split. If a saved folder holds a single split, this split is read.

    Yields:
        The examples, in the dataset's order.

    Raises:
        UsageError: The datasets library is missing.
        DataError: The dataset or the split cannot be read, or a row lacks a column.
    """
    for count, row in enumerate(_rows(path, name, split), start=1):
        yield read_row(row, f"{path} ({split}), row {count}", count)


def _rows(path: Path | str, name: str | None, split: str) -> Any:
    try:
        import datasets
    except ModuleNotFoundError as error:
        raise UsageError(f"this needs {error.name}: pip install 'robustfim[data]'.") from error
    folder = Path(path)
    try:
        if (folder / "dataset_dict.json").is_file() or (folder / "state.json").is_file():
            found = datasets.load_from_disk(str(folder))
        else:
            found = datasets.load_dataset(str(path), name=name)
    except Exception as error:  # the library, the hub's client and the file formats raise what they like
        raise DataError(f"no dataset {path} could be read: {type(error).__name__}: {error}") from error
    if not isinstance(found, Mapping):
        return found
    if split not in found:
        raise DataError(f"{path}: no split {shown(split)}. Splits: {', '.join(found)}.")
    return found[split]
