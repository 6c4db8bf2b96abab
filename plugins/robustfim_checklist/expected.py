"""The expectation of a test, from the suite, from the test's line in the file, or from its name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from robustfim.builtin import Directional, Equals, Invariant, Where, original_labels
from robustfim.candidate import Candidate
from robustfim.errors import DataError
from robustfim.judgement import Judgement
from robustfim.prediction import Prediction
from robustfim.roles import Expectation
from robustfim_checklist.lines import TestLine, made_of
from robustfim_checklist.naming import Naming

__all__ = ["Untold", "expected"]

_CLASSES = {"MFT": ("equals", Equals), "INV": ("invariant", Invariant), "DIR": ("directional", Directional)}
"""The expectation of each type of test."""
_UNTOLD = {
    "MFT": "If it is that the prediction is not negative, the suite says: expect: {%r: {label: [neutral, positive]}}",
    "DIR": "Say it in the suite, expect: {%r: {label: …, direction: up, tolerance: 0.1}}, or in the line.",
}
_ADDING = re.compile(r"\b(?:add|adds|added|adding)\b", re.IGNORECASE)


class Untold:
    """Stands for a missing expectation: the check ends in an error that says how to give an expectation.

    Args:
        message: A text on the missing expectation, with the way to give it.
    """

    def __init__(self, message: str) -> None:
        self._message = message

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Raise an error.

        Raises:
            DataError: Always, with the message.
        """
        raise DataError(self._message)


def expected(
    test: TestLine, given: Mapping[str, Any] | None, naming: Naming, tolerance: float
) -> tuple[Expectation, Mapping[str, Any]]:
    """Return the expectation of a CheckList test, from the suite or else from the test's line in the file.

    If neither has an expectation, the name of a DIR test may imply one: "add positive phrases" means that the added
    text speaks for the last label, and "add negative phrases" for the first. The lead of this label over the opposite
    label must then not fall by more than 0.1, as in CheckList's sentiment suite.

    Args:
        test: The test.
        given: The test's entry in the suite's ``expect``, or None.
        naming: The names of labels. Labels that the expectation uses are added to ``naming.used``.
        tolerance: The tolerance of an INV (a test that the label stays) that sets no tolerance itself.

    Returns:
        The expectation, and its options for the record.

    Raises:
        DataError: The expectation is of another type, or ``where`` is malformed.
        UsageError: An option is unknown or wrong.
    """
    use, cls = _CLASSES[test.type]
    options = dict(given or test.expect or {})
    try:
        where = original_labels(options.pop("where")) if "where" in options else []
    except ValueError as error:
        raise DataError(f"{test.place}: {test.name!r}: {error}.") from None
    if options.pop("use", use) != use:
        raise DataError(f"{test.place}: {test.name!r} is of type {test.type}, so its expectation must be {use!r}.")
    if test.type == "MFT" and "label" in options:
        labels = naming.of_expected(options["label"], test)
        options["label"] = labels[0] if len(labels) == 1 else labels
    if test.type == "INV" and tolerance:
        options = {"tolerance": tolerance, **options}
    if test.type == "DIR" and not options:
        options = _told_by_name(test.name, naming.names)
    told = {"use": use, **options}
    if test.type in _UNTOLD and not options and test.labels is None:
        way = _UNTOLD[test.type] % test.name
        made: Expectation = Untold(f"{test.place}: nothing says what {test.name!r} ({test.type}) expects. {way}")
    else:
        counts = {"counts": "changes"} if test.type == "INV" else {}
        made = made_of(cls, {**counts, **options}, f"{test.place}: {test.name!r}", "where")
    for key in ("label", "against") if test.type == "DIR" else ():
        if key in options:
            naming.used.setdefault(options[key], test.place)
    if test.type == "MFT" and not options and test.labels is not None and not isinstance(test.labels, list):
        told["label"] = naming.of_cases(test)[0]
    if not where:
        return made, told
    named = naming.of_expected(where, test)
    return Where(made, named), {**told, "where": {"original": named}}


def _told_by_name(name: str, names: Sequence[str] | None) -> dict[str, Any]:
    if names is None or len(names) < 2 or not _ADDING.search(name):
        return {}
    outer = (names[0], names[-1])
    said = [label for label in outer if re.search(rf"\b{re.escape(label)}\b", name, re.IGNORECASE)]
    if len(said) != 1:
        return {}
    return {"label": said[0], "direction": "up", "tolerance": 0.1, "against": outer[said[0] == outer[0]]}
