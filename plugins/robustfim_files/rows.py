"""Conversion of rows (named values from any file) to examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import Field

from robustfim.errors import DataError, UsageError, did_you_mean, shown, shown_names
from robustfim.example import Example
from robustfim.labels import read_label
from robustfim.spans import written_spans
from robustfim_files.gold_spans import Offsets, gold_spans
from robustfim_files.labels import GoldLabels, LabelNames

__all__ = ["Columns", "FromRows", "Limit", "Names", "Rows", "require_distinct"]

Columns: TypeAlias = str | list[str]
"""A column, or several."""
Limit: TypeAlias = Annotated[int, Field(ge=1)] | None
"""The largest number of examples; None for all."""
Names: TypeAlias = list[str] | dict[str, str] | None
"""Names of labels by position, or by the label's text, or none."""


class Rows:
    """Converts the rows of a file to examples, and counts the rows left out.

    Args:
        path: The file's path, for messages.
        text: The text column, or several, each a field under its own name.
        label: The column of gold labels; if a text may have several labels at once, one column of 0 and 1 for each
            label; None for none.
        labels: The names of the labels, see :class:`robustfim_files.labels.GoldLabels`.
        limit: The largest number of examples, at least 1; None for all.
        spans: The column of gold spans, instead of labels; None without gold spans.
        offsets: The unit in which the starts and ends of spans are counted, such as ``characters``.

    Attributes:
        skipped: The number of rows left out by the last reading, by reason.
        declared: Whether ``labels`` are the class names of the data set itself.

    Raises:
        UsageError: No text column is named, or a column is named twice.
    """

    def __init__(
        self,
        path: Path,
        *,
        text: str | Sequence[str],
        label: str | Sequence[str] | None,
        labels: LabelNames,
        limit: int | None,
        spans: str | None = None,
        offsets: Offsets = "characters",
    ) -> None:
        self.path = path
        self.fields = (text,) if isinstance(text, str) else tuple(text)
        if spans is not None:
            label = None
        self.label = label if isinstance(label, str) else None
        self.flags = () if label is None or isinstance(label, str) else tuple(label)
        self.labels, self.limit, self.declared = labels, limit, False
        self.spans, self.offsets = spans, offsets
        self.skipped: dict[str, int] = {}
        if not self.fields:
            raise UsageError("'text' names no column; name one, or a list of them.")
        if len(set(self.fields)) < len(self.fields):
            raise UsageError(f"'text' names a column twice: {shown_names(self.fields)}.")
        if spans is not None and len(self.fields) > 1:
            raise UsageError(f"'spans' needs one text column, but 'text' names {len(self.fields)}.")
        listed = label is not None and self.label is None
        if listed and (not self.flags or len({*self.flags, *self.fields}) < len(self.flags) + len(self.fields)):
            raise UsageError(
                f"'label' must list each column of labels once, and no column of text: {list(self.flags)}."
            )

    @property
    def asked(self) -> set[str]:
        """The columns that the options name."""
        return {name for name in (*self.fields, *self.flags, self.label, self.spans) if name is not None}

    def examples(
        self, columns: Sequence[str], rows: Iterable[tuple[str, Mapping[str, Any]]], hint: str = ""
    ) -> Iterator[Example]:
        """Convert rows to examples, one at a time.

        Args:
            columns: The columns of the file.
            rows: The place of each row (``file:line``) and its values by column.
            hint: A sentence for the message about a missing column; it begins with a blank.

        Yields:
            The examples, in the order of the rows. Text columns become fields, and all other columns become ``meta``.

        Raises:
            DataError: A column is missing, a text or a label is of the wrong kind, or no example is left.
        """
        columns = [*filter(None, columns)]  # one without a name is left alone
        self._require_columns(columns, hint)
        skipped: Counter[str] = Counter()
        self.skipped = skipped
        used = {*self.asked, ""}
        made, labels = 0, GoldLabels(self.labels, declared=self.declared)
        for place, row in rows:
            texts = {name: self._text(row.get(name), name, place) for name in self.fields}
            fields = {name: text for name, text in texts.items() if text is not None}
            if len(fields) < len(texts):
                skipped["missing text"] += 1
            elif not any(text.strip() for text in fields.values()):
                skipped["empty text"] += 1
            else:
                gold = self._gold(row, next(iter(fields.values())), place, labels)
                others = {name: row[name] for name in row if name not in used}
                yield Example(fields, gold[0] if gold else None, others, tuple(gold[1:]))
                made += 1
                if made == self.limit:
                    break
        skipped.update(labels.unlabelled.require(str(self.path)))
        if not made:
            why = ", ".join(f"{count} × {reason}" for reason, count in skipped.items())
            raise DataError(
                f"{self.path}: no usable example: {skipped.total()} rows, all left out ({why})."
                if skipped
                else f"{self.path}: there are columns ({shown_names(columns)}) but no rows."
            )

    def _require_columns(self, columns: Sequence[str], hint: str) -> None:
        require_distinct(self.path, columns)
        labels = [("label", flag) for flag in self.flags or (self.label,)]
        for option, name in [*(("text", field) for field in self.fields), *labels, ("spans", self.spans)]:
            if name is None or name in columns:
                continue
            unlabelled = "; data without labels says 'label: null'" if option == "label" else ""
            way = f" Name the right one: '{option}: COLUMN', or --data {option}=COLUMN{unlabelled}."
            raise DataError(
                f"{self.path}: no column {shown(name)} for '{option}'."
                f"{did_you_mean(name, columns)} Columns: {shown_names(columns)}.{hint or way}"
            )

    def _gold(self, row: Mapping[str, Any], text: str, place: str, labels: GoldLabels) -> list[str]:
        """Tell which labels of a row are right."""
        if self.spans is not None:
            if (spans := row.get(self.spans)) is None or isinstance(spans, float):  # NaN, as a frame has none
                return []
            try:
                return [written_spans(gold_spans(spans, text, self.offsets))]
            except ValueError as error:
                raise DataError(f"{place}: {error}.") from None
        if self.flags:
            return labels.flagged([(name, row.get(name)) for name in self.flags], place)
        return [] if self.label is None else labels.of(row.get(self.label), place)

    @staticmethod
    def _text(value: Any, column: str, place: str) -> str | None:
        if isinstance(value, str):
            return value
        with suppress(ValueError):
            if read_label(value) is None:  # NaN, as pandas reads an empty cell
                return None
        raise DataError(f"{place}: column {shown(column)} holds {type(value).__name__} ({value!r:.60}), not text.")


class FromRows:
    """A data source that reads rows."""

    _rows: Rows

    @property
    def skipped(self) -> dict[str, int]:
        """The number of rows that the last ``load`` left out, by reason."""
        return self._rows.skipped


def require_distinct(place: object, columns: Sequence[str]) -> None:
    """Check that no two columns have the same name.

    Raises:
        DataError: A name occurs twice.
    """
    for name, count in Counter(filter(None, columns)).items():
        if count > 1:
            raise DataError(f"{place}: {count} columns are named {shown(name)}. Rename all but one, or leave them out.")
