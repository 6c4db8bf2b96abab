"""The reader of released suites, which creates checks from a file and the description of its columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from robustfim.contract import FormatContract
from robustfim.errors import DataError, did_you_mean, shown
from robustfim.example import Example
from robustfim.roles import SourcedCheck
from robustfim_suites.cases import Pair, label_of, labelled, pair_checks, paired, plain_name
from robustfim_suites.columns import Columns
from robustfim_suites.table import Row, json_file, json_lines, table

__all__ = ["ReleasedSuite"]


class ReleasedSuite:
    """Base of the formats of released suites. A format only describes its columns."""

    columns: Columns

    @property
    def contract(self) -> FormatContract:
        """The suite's title, licence and labels, and the columns that become slices."""
        columns = self.columns
        labels = tuple(dict.fromkeys(columns.labels.values()))
        return FormatContract(title=columns.title, licence=columns.licence, labels=labels, slice_by=columns.slice_by)

    def files(self, path: Path) -> list[Path]:
        """Return the files that are read, starting with ``path``."""
        beside = self.columns.beside
        return sorted(beside(path), key=lambda each: each != path) if beside else [path]

    def read(self, path: Path) -> Iterable[SourcedCheck]:
        """Return the checks of the suite.

        Raises:
            DataError: A file is missing or malformed.
        """
        columns = self.columns
        if not (columns.beside or columns.inner or columns.group):
            return self._checks([(row, self._example(row)) for row in self._rows(path)])
        pairs = [pair for rows in self._sets(path) for pair in self._pairs(rows)]
        if not pairs:
            raise DataError(
                f"{path} has no original with a changed row, both with one of the labels "
                f"{', '.join(self.columns.labels)}."
            )
        return pair_checks(pairs)

    def _rows(self, path: Path) -> Iterable[Row]:
        columns = self.columns
        needs = [*columns.fields.values(), columns.gold, *columns.needs]
        if columns.form == "json":
            return _objects(path, columns.at)
        if columns.form == "jsonl":
            return json_lines(path, needs)
        return table(path, needs, tabs=columns.form != "csv", quotes=columns.form != "plain tsv")

    def _example(self, row: Row, before: str = "") -> Example:
        """The example of a row, or with a prefix its original."""
        columns, (place, values) = self.columns, row
        meta: dict[str, Any] = {name: values[name] for name in columns.keep if name in values}
        if cluster := _first(values, columns.cluster):
            meta["cluster"] = cluster
        meta["gold"] = label_of(values.get(columns.gold), columns.labels, place)
        fields: dict[str, str] = {}
        for name, key in columns.fields.items():
            text = values.get(before + key) or values.get(key)
            if not isinstance(text, str):
                raise DataError(f"{place} has no text {shown(key)}.{did_you_mean(key, values)}")
            fields[name] = text
        return Example(fields, None, meta)

    def _checks(self, cases: Sequence[tuple[Row, Example]]) -> Iterator[SourcedCheck]:
        """A check for each name, and for the pairs of a row with an original that it names or holds."""
        columns = self.columns
        tests: dict[str, list[Example]] = {} if columns.checks else {label: [] for label in columns.labels.values()}
        about: dict[str, str | None] = {}
        pairs = defaultdict[tuple[str, bool], list[Pair]](list)
        numbered = {_number(_first(row, columns.id)): example for (_, row), example in cases}
        for (place, row), example in cases:
            gold = example.meta["gold"]
            name = plain_name(".".join(str(row[key]) for key in columns.checks if row.get(key)) or columns.at or gold)
            tests.setdefault(name, []).append(example)
            about[name] = row.get(columns.capability)
            if wanted := _number(row.get(columns.reference)):
                if wanted not in numbered:
                    raise DataError(
                        f"{place}: {columns.reference!r} names the case {wanted}, but there is no such case."
                    )
                before = numbered[wanted]
                pairs[name, before.meta["gold"] == gold].append((before, example))
            if columns.original and any(columns.original + key in row for key in columns.fields.values()):
                pairs["", True].append((self._example((place, row), columns.original), example))
        for name, examples in tests.items():
            if examples:
                yield labelled(name, examples, capability=about[name], marks_label=columns.marks_label)
            if same := pairs.get((name, True)):
                yield paired(f"{name}.same", same, "invariant", capability=about[name], marks=["pairs"])
            if differ := pairs.get((name, False)):
                yield paired(f"{name}.contrast", differ, "changes", capability=about[name], marks=["pairs"])
        if held := pairs.get(("", True)):
            yield paired("pairs", held, "invariant", marks=["pairs"])

    def _sets(self, path: Path) -> Iterable[Sequence[Row]]:
        """Rows that belong together, an original first."""
        columns = self.columns
        sets = defaultdict[object, list[Row]](list)
        if columns.beside:
            originals, made = columns.beside(path)
            if originals == made:
                raise DataError(f"{path}: name {columns.file}.")
            for each, times in ((originals, 1), (made, columns.times)):
                for number, row in enumerate(self._rows(each)):
                    sets[number // times + 1].append(row)
        else:
            for place, values in self._rows(path):
                sets[values[columns.group] if columns.group else place] += [
                    (place, values),
                    *self._inner(place, values),
                ]
        for name, rows in sets.items():
            if columns.times and len(rows) != columns.times + 1:
                raise DataError(f"{path}: the set {name} has {len(rows)} rows instead of {columns.times + 1}.")
        return sets.values()

    def _inner(self, place: str, row: Mapping[str, Any]) -> list[Row]:
        key, renamed = self.columns.inner or ("", {})
        try:
            return [
                (place, {**row, **{name: each[column] for name, column in renamed.items()}})
                for each in (row[key] if key else ())
            ]
        except (KeyError, TypeError) as error:
            raise DataError(f"{place} lacks {error}.") from None

    def _pairs(self, rows: Sequence[Row]) -> Iterator[Pair]:
        """An original with each row that was made of it."""
        columns = self.columns
        kept = [row for row in rows if not columns.some_rows or self._is_full(row[1])]
        if not kept or kept[0] is not rows[0]:
            return
        before, *made = map(self._example, kept)
        for (place, _), after in zip(kept[1:], made, strict=True):
            if len(columns.fields) > 1 and not before.fields.items() & after.fields.items():
                raise DataError(
                    f"{place}: a changed row must keep at least one text of its original at {rows[0][0]} unchanged."
                )
            yield before, after

    def _is_full(self, row: Mapping[str, Any]) -> bool:
        texts = [row.get(key) for key in self.columns.fields.values()]
        return row.get(self.columns.gold) in self.columns.labels and all(str(text or "").strip() for text in texts)


def _objects(path: Path, key: str) -> Iterator[Row]:
    """The objects of a list in a JSON file."""
    whole = json_file(path)
    rows = whole.get(key) if isinstance(whole, dict) else None
    if not isinstance(rows, list) or not rows:
        known = ", ".join(whole) if isinstance(whole, dict) else "no keys"
        raise DataError(f"{path} has no examples at {key!r}; it has {known}.")
    for number, row in enumerate(rows, start=1):
        place = f"{path}: example {number} of {key!r}"
        if not isinstance(row, dict):
            raise DataError(f"{place} is not an object.")
        yield place, row


def _first(row: Mapping[str, Any], names: Iterable[str]) -> str:
    return next((str(row[name]) for name in names if row.get(name)), "")


def _number(text: str | None) -> str:
    """The number of a case: the English file writes references as ``27.0``, the others as ``german-27`` and ``27``."""
    return (text or "").strip().rpartition("-")[2].removesuffix(".0")
