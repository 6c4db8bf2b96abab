"""The expectation of a DIR test, from the suite, from the test's line in the file, or from its name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from robustfim.builtin import Directional
from robustfim.errors import DataError, did_you_mean, shown
from robustfim_checklist.lines import TestLine

__all__ = ["direction"]

_KEYS = ("use", "label", "direction", "tolerance", "against", "where")
_DIRECTIONS = ("up", "down", "same")
_ADDING = re.compile(r"\b(?:add|adds|added|adding)\b", re.IGNORECASE)


def direction(test: TestLine, given: Mapping[str, Any] | None, names: Sequence[str] | None) -> dict[str, Any] | None:
    """Return the expectation of a DIR test (the probability must move in a direction), as options.

    The suite has priority over the test's line in the file. If neither has an expectation, the name may imply one: "add
    positive phrases" means that the added text speaks for the last label, and "add negative phrases" for the first. The
    lead of this label over the opposite label must then not fall by more than 0.1, as in CheckList's sentiment suite.

    Returns:
        Options of :class:`robustfim.builtin.expectations.Directional`; None if the expectation is unknown.

    Raises:
        DataError: An option is wrong.
    """
    options = dict(given or test.expect)
    if not set(options) - {"where", "use"}:
        options |= _told_by_name(test.name, names)
    if not set(options) - {"where", "use"}:
        return None
    for key in options:
        if key not in _KEYS:
            raise DataError(
                f"{test.place}: unknown option {shown(key)} of the direction of {test.name!r}."
                f"{did_you_mean(key, _KEYS)} Known: {', '.join(_KEYS[1:])}."
            )
    if options.pop("use", "directional") != "directional":
        raise DataError(f"{test.place}: {test.name!r} is a DIR test, so its expectation must be 'directional'.")
    options.pop("where", None)
    if (way := options.get("direction", "up")) not in _DIRECTIONS:
        raise DataError(
            f"{test.place}: unknown direction {shown(way)} of {test.name!r}.{did_you_mean(str(way), _DIRECTIONS)} "
            f"Known: {', '.join(_DIRECTIONS)}."
        )
    tolerance = options.get("tolerance", 0.1)
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float):
        raise DataError(f"{test.place}: the tolerance of {test.name!r} must be a number, not {tolerance!r}.")
    try:
        Directional(**options)
    except ValueError as error:
        raise DataError(f"{test.place}: {test.name!r}: {error}.") from error
    return options


def _told_by_name(name: str, names: Sequence[str] | None) -> dict[str, Any]:
    if names is None or len(names) < 2 or not _ADDING.search(name):
        return {}
    outer = (names[0], names[-1])
    said = [label for label in outer if re.search(rf"\b{re.escape(label)}\b", name, re.IGNORECASE)]
    if len(said) != 1:
        return {}
    against = outer[0] if said[0] == outer[1] else outer[1]
    return {"label": said[0], "direction": "up", "tolerance": 0.1, "against": against}
