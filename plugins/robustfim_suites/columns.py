"""Columns: how the file of a released suite keeps its texts, labels, checks and pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

__all__ = ["Columns"]


@dataclass(frozen=True, kw_only=True)
class Columns:
    """One row of the table of released suites.

    Attributes:
        title: The suite and its paper.
        licence: Under which it was released.
        form: How the file is written; in ``plain tsv`` a quote is a character like any other.
        fields: The column of each text field.
        gold: The column of the label.
        labels: The suite's name of each label in that column.
        some_rows: Whether pairs with another label or without a text are left out; otherwise they are an error.
        needs: Further columns of every row.
        keep: Columns for an example's ``meta``, if they are there.
        slice_by: The columns of ``keep`` whose values become slices of the imported suite.
        cluster: Columns with the name of a row's cluster; the first one with a value counts.
        checks: Columns whose values name a row's check; its label names it if they have none.
        capability: The column with the capability of a check.
        marks_label: Whether a check is marked with the label of its texts.
        id: Columns with the number of a row; the first one that is there counts.
        reference: The column with the number of a row's original.
        original: The prefix of the columns with the texts of a row's original.
        at: The key of the list of rows in a JSON file.
        inner: The key of a list in each row, of rows made of it, and their own column for some of its columns.
        group: The column shared by an original and the rows made of it; the original stands first.
        beside: The file of the originals and the file of the rows made of them, when one of the two is named.
        times: The number of rows made of each original; 0 where it differs.
        file: The file to name with ``beside``, for the error when another one is named.
    """

    title: str
    licence: str
    form: Literal["csv", "tsv", "plain tsv", "json", "jsonl"]
    fields: Mapping[str, str]
    gold: str
    labels: Mapping[str, str]
    some_rows: bool = False
    needs: Sequence[str] = ()
    keep: Sequence[str] = ()
    slice_by: Sequence[str] = ()
    cluster: Sequence[str] = ()
    checks: Sequence[str] = ()
    capability: str = ""
    marks_label: bool = False
    id: Sequence[str] = ()
    reference: str = ""
    original: str = ""
    at: str = ""
    inner: tuple[str, Mapping[str, str]] | None = None
    group: str = ""
    beside: Callable[[Path], tuple[Path, Path]] | None = None
    times: int = 1
    file: str = ""
