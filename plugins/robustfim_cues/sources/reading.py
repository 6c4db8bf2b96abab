"""Sources: labelled examples with the place that each comes from, a file or what a column says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from robustfim.errors import DataError, did_you_mean, shown
from robustfim.example import Example
from robustfim_cues.choices.reading import read_data

__all__ = ["Sources", "as_sources", "read_sources"]


@dataclass(frozen=True)
class Sources:
    """Labelled examples of two sources or more.

    Attributes:
        names: The sources, in the order in which they were met, two or more.
        labels: The labels, sorted, two or more; each source has them all.
        examples: All examples.
        source: The place in ``names`` of each example, ``[examples]``.
        label: The place in ``labels`` of each example, ``[examples]``.
    """

    names: tuple[str, ...]
    labels: tuple[str, ...]
    examples: tuple[Example, ...]
    source: tuple[int, ...]
    label: tuple[int, ...]


def read_sources(data: Sequence[str], options: Sequence[str] = (), column: str | None = None) -> Sources:
    """Read files, each a source, or data with a column that names the source.

    Args:
        data: Files or names of data sources, one or more.
        options: Options of all of them, ``KEY=VALUE``.
        column: The column that names the source; None where each of ``data`` is one.

    Raises:
        UsageError: No such data source or option.
        DataError: It cannot be read, or :func:`as_sources` refuses it.
    """
    read = {name: read_data(name, options) for name in data}
    if column is None:
        named = _named(list(read))
        return as_sources([(named[name], example) for name, part in read.items() for example in part])
    examples = [example for part in read.values() for example in part]
    known = list(dict.fromkeys(key for example in examples for key in example.meta))
    for example in examples:
        if example.meta.get(column) in (None, ""):
            if column in known:
                raise DataError(f"example {example.id} has nothing in the column {shown(column)}: leave its row out.")
            has = f"Columns: {', '.join(known)}." if known else "No column stands beside text and label."
            raise DataError(f"no column {shown(column)}.{did_you_mean(column, known)} {has}")
    return as_sources([(str(example.meta[column]), example) for example in examples])


def _named(data: Sequence[str]) -> dict[str, str]:
    """Name files by as much of the end of their paths as tells them apart, without suffix."""
    for depth in range(1, max(len(Path(name).parts) for name in data) + 1):
        names = {name: "/".join(Path(name).with_suffix("").parts[-depth:]) for name in data}
        if len(set(names.values())) == len(data):
            return names
    return {name: name for name in data}


def as_sources(given: Sequence[tuple[str, Example]]) -> Sources:
    """Put named examples together.

    Args:
        given: The source of each example, and the example.

    Raises:
        DataError: There is one source only, an example has no label or several, the sources have other labels or
            other fields, or there is one label only.
    """
    names = tuple(dict.fromkeys(name for name, _ in given))
    if len(names) < 2:
        what = f"one source only, {shown(names[0])}" if names else "no example"
        raise DataError(f"{what}: name a second file, or with --by a column of at least two sources.")
    for name, example in given:
        if len(example.gold) != 1:
            told = "no gold label" if example.label is None else f"several gold labels ({', '.join(example.gold)})"
            raise DataError(f"example {example.id} of {name} has {told}, and a shortcut is to one: leave its row out.")
    own = {name: {str(example.label) for source, example in given if source == name} for name in names}
    labels = tuple(sorted(set.union(*own.values())))
    for name, found in own.items():
        if missing := [label for label in labels if label not in found]:
            raise DataError(
                f"{name} has no example of {', '.join(map(repr, missing))}, another source has: leave out the source, "
                "or the label in all of them."
            )
    if len(labels) < 2:
        raise DataError(f"all examples have the label {labels[0]!r}; a shortcut leads to one of several.")
    fields = {name: tuple(example.fields) for name, example in given}
    if len(set(fields.values())) > 1:
        told_fields = "; ".join(f"{name}: {', '.join(each)}" for name, each in fields.items())
        raise DataError(f"the sources have other fields ({told_fields}): name the same ones with -o text=COLUMN.")
    return Sources(
        names, labels, tuple(example for _, example in given), tuple(names.index(name) for name, _ in given),
        tuple(labels.index(str(example.label)) for _, example in given),
    )  # fmt: skip
