"""The lines of a CheckList file: a test in JSON on each line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from robustfim.errors import DataError, did_you_mean, shown, shown_path
from robustfim.reading import json_rows, read_text

__all__ = ["TYPES", "TestLine", "read_lines"]

TYPES = ("MFT", "INV", "DIR")
_KEYS = {"type", "capability", "name", "labels", "data", "expect", "limit", "description"}
_JSON = {list: "an array", str: "a text", int: "a number", float: "a number", bool: "a boolean", type(None): "null"}


@dataclass(frozen=True)
class TestLine:
    """A test as given by its line in a CheckList file.

    Attributes:
        place: ``file:line``, for messages.
        type: ``MFT`` (labels are required), ``INV`` (the label must stay) or ``DIR`` (a probability must move in a
            direction).
        capability: The tested capability of the model.
        name: The test's name.
        labels: One label for all cases, or a list with one for each case; None if the test has no labels.
        data: The cases. A case is a text, or a list of texts whose first is the source.
        expect: The expectation, written as under ``expect`` in a suite; empty if the line has none.
        limit: The tolerated failure rate of the test; None if the line has none.
    """

    __test__ = False  # not a test class, whatever pytest thinks of its name

    place: str
    type: Literal["MFT", "INV", "DIR"]
    capability: str
    name: str
    labels: Any
    data: list[Any]
    expect: Mapping[str, Any] = field(default_factory=dict)
    limit: float | None = None


def read_lines(path: Path) -> list[TestLine]:
    """Read a CheckList file: JSON lines of ``{type, capability, name, labels, data}``.

    A line may also have ``expect`` (written as in a suite), ``limit`` and ``description``. CheckList's own suites are
    pickles, which run code when they are read, so pickles are refused.

    Args:
        path: The file, UTF-8.

    Raises:
        DataError: The file is missing, empty, a pickle or not JSON; a line has a missing, unknown or malformed key; or
            two tests have the same name.
    """
    tests: dict[str, TestLine] = {}
    for place, row in json_rows(read_text(path).split("\n"), shown_path(path)):
        test = _test(place, row)
        if test.name in tests:
            raise DataError(f"{place}: the test name {test.name!r} is taken at {tests[test.name].place}. Rename one.")
        tests[test.name] = test
    if not tests:
        raise DataError(f"{path} is empty; it needs one test a line: {_SHAPE}.")
    return list(tests.values())


_SHAPE = '{"type": "MFT", "capability": "Vocabulary", "name": "single words", "labels": 2, "data": ["good"]}'


def _test(place: str, row: dict[str, Any]) -> TestLine:
    for key in row:
        if key not in _KEYS:
            raise DataError(
                f"{place}: unknown key {shown(key)}.{did_you_mean(key, _KEYS)} Known: {', '.join(sorted(_KEYS))}."
            )
    for key in ("type", "name", "data"):
        if key not in row:
            raise DataError(f"{place}: the key {key!r} is missing: {_SHAPE}.")
    kind, name, capability, data = row["type"], row["name"], row.get("capability"), row["data"]
    if kind not in TYPES:
        known = f"{did_you_mean(str(kind).upper(), TYPES)} Known: {', '.join(TYPES)}."
        raise DataError(f"{place}: unknown type {shown(kind)}.{known}")
    if not isinstance(name, str) or not name.strip():
        raise DataError(f"{place}: the name must be a text, not {name!r}.")
    if capability is not None and not isinstance(capability, str):
        raise DataError(f"{place}: the capability must be a text, not {capability!r}.")
    if not isinstance(data, list):
        raise DataError(f"{place}: 'data' must be a list of test cases, not {_JSON.get(type(data), 'an object')}.")
    if not data:
        raise DataError(f"{place}: the test {name!r} is empty: its 'data' has no test case.")
    expect, limit = row.get("expect") or {}, row.get("limit")
    if not isinstance(expect, dict):
        raise DataError(f"{place}: 'expect' must be an object such as {_DIRECTION}, not {expect!r}.")
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int | float) or not 0 <= limit <= 1):
        raise DataError(f"{place}: the limit {limit!r} is not a rate between 0 and 1.")
    return TestLine(place, kind, capability or "General", name, row.get("labels"), data, expect, limit)


_DIRECTION = '{"label": "positive", "direction": "up", "tolerance": 0.1}'
