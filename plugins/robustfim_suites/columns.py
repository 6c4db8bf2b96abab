"""The columns that describe the file of a released suite: texts, labels, checks and pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

__all__ = ["Columns"]


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns and the format of a released test suite's file.

    Attributes:
        title: The name of the suite, and its paper.
        licence: The licence of the release.
        form: The format of the file. In ``plain tsv`` a quote is an ordinary character.
        fields: The column of each text field.
        gold: The column of the label.
        labels: The suite's name of each label in the column ``gold``.
        some_rows: Whether a pair with an unknown label or without a text is left out. Otherwise it is an error.
        needs: Further columns that every row must have.
        keep: Columns that become an example's ``meta``, if the file has them.
        slice_by: The columns of ``keep`` whose values become slices of the imported suite.
        cluster: Columns with the name of a row's cluster, in order of priority; the first one with a value counts.
        checks: Columns whose values name a row's check. Without a value the row's label names the check.
        capability: The column with a check's capability.
        marks_label: Whether a check is marked with the label of its texts.
        id: Columns with the number of a row, in order of priority.
        reference: The column with the number of a row's original.
        original: The prefix of the columns with the texts of a row's original.
        at: The key of a JSON file that has the list of rows.
        inner: The key of a list in each row with the rows made of it, and the names of columns that differ in these
            rows.
        group: The column that an original shares with the rows made of it; the original comes first.
        beside: A function that returns the file of the originals and the file of the rewritten rows, given one of the
            two.
        times: The number of rows made of each original; 0 if the number differs.
        file: The file to name with ``beside``, for the error message if another file is named.
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
