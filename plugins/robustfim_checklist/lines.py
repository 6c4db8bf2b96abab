"""The lines of a CheckList file: a test in JSON on each line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from robustfim.errors import DataError, shown_path
from robustfim.plugin.options import build
from robustfim.reading import json_rows, read_text
from robustfim.suite import SuiteFile

__all__ = ["TestLine", "made_of", "read_lines"]

_SHAPE = '{"type": "MFT", "capability": "Vocabulary", "name": "single words", "labels": 2, "data": ["good"]}'


@dataclass(frozen=True)
class TestLine:
    """A test as given by its line in a CheckList file.

    Attributes:
        type: ``MFT`` (labels are required), ``INV`` (the label must stay) or ``DIR`` (a probability must move in a
            direction).
        name: The test's name.
        data: The cases. A case is a text, or a list of texts whose first is the source.
        labels: One label for all cases, or a list with one for each case; None if the test has no labels.
        capability: The tested capability of the model.
        expect: The expectation, written as under ``expect`` in a suite; None if the line has none.
        limit: The tolerated failure rate of the test; None if the line has none.
        description: What the test is about; it is ignored.
        place: ``file:line``, for messages.
    """

    __test__ = False  # not a test class, whatever pytest thinks of its name

    type: Literal["MFT", "INV", "DIR"]
    name: Annotated[str, Field(pattern=r"\S")]
    data: Annotated[list[Any], Field(min_length=1)]
    labels: Any = None
    capability: Annotated[str, BeforeValidator(lambda name: name or "General")] = "General"
    expect: dict[str, Any] | None = None
    limit: Annotated[float, Field(ge=0, le=1, strict=True)] | None = None
    description: Any = None
    place: str = ""


def made_of(cls: type[Any], options: Mapping[str, Any], place: str, *others: str) -> Any:
    """Make an object of a class of options that a file holds, checked as a suite's options are.

    Args:
        cls: The class.
        options: Its options.
        place: The place of the options, for messages.
        others: Further keys that are known in this place.

    Raises:
        UsageError: An option is unknown, missing or of the wrong kind, or the class refuses it.
    """
    return build(cls, options, "checklist", SuiteFile(Path(place), {}), (), others=others)


def read_lines(path: Path) -> list[TestLine]:
    """Read a CheckList file: JSON lines of ``{type, capability, name, labels, data}``.

    A line may also have ``expect`` (written as in a suite), ``limit`` and ``description``. CheckList's own suites are
    pickles, which run code when they are read, so pickles are refused.

    Args:
        path: The file, UTF-8.

    Raises:
        DataError: The file is missing, empty, a pickle or not JSON, or two tests have the same name.
        UsageError: A line has a missing, unknown or malformed key.
    """
    tests: dict[str, TestLine] = {}
    for place, row in json_rows(read_text(path).split("\n"), shown_path(path)):
        test: TestLine = made_of(TestLine, {**row, "place": place}, place)
        if test.name in tests:
            raise DataError(f"{place}: the test name {test.name!r} is taken at {tests[test.name].place}. Rename one.")
        tests[test.name] = test
    if not tests:
        raise DataError(f"{path} is empty; it needs one test a line: {_SHAPE}.")
    return list(tests.values())
