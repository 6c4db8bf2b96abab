"""The expectation of a test, from the suite, from the test's line in the file, or from its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from robustfim.builtin import Directional, Equals, Invariant, Where, original_labels
from robustfim.candidate import Candidate
from robustfim.errors import DataError, did_you_mean, shown
from robustfim.judgement import Judgement
from robustfim.prediction import Prediction
from robustfim.roles import Expectation
from robustfim_checklist.directions import direction
from robustfim_checklist.lines import TestLine
from robustfim_checklist.naming import Naming

__all__ = ["Untold", "expected"]


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

    Args:
        test: The test.
        given: The test's entry in the suite's ``expect``, or None.
        naming: The names of labels. Labels that the expectation uses are added to ``naming.used``.
        tolerance: The tolerance of an INV (a test that the label stays) that sets no tolerance itself.

    Raises:
        DataError: An option is unknown or wrong.
    """
    options = dict(given or test.expect)
    try:
        original = original_labels(options["where"]) if "where" in options else []
    except ValueError as error:
        raise DataError(f"{test.place}: {test.name!r}: {error}.") from None
    made, told = {"MFT": _answer, "INV": _invariant, "DIR": _direction}[test.type](test, options, naming, tolerance)
    if not original:
        return made, told
    named = naming.of_expected(original, test)
    return Where(made, named), {**told, "where": {"original": named}}


def _answer(
    test: TestLine, options: Mapping[str, Any], naming: Naming, tolerance: float
) -> tuple[Expectation, dict[str, Any]]:
    _require_known(test, options, "equals", "label")
    if "label" in options:
        labels = naming.of_expected(options["label"], test)
        return Equals(labels), {"use": "equals", "label": labels[0] if len(labels) == 1 else labels}
    if test.labels is None:
        return Untold(
            f"{test.place}: nothing says what the MFT {test.name!r} expects. If it is that the prediction is not "
            f"negative, the suite says: expect: {{'{test.name}': {{label: [neutral, positive]}}}}"
        ), {"use": "equals"}
    one = {"label": naming.of_cases(test)[0]} if not isinstance(test.labels, list) else {}
    return Equals(), {"use": "equals", **one}


def _invariant(
    test: TestLine, options: Mapping[str, Any], naming: Naming, tolerance: float
) -> tuple[Expectation, dict[str, Any]]:
    _require_known(test, options, "invariant", "tolerance")
    own = options.get("tolerance", tolerance)
    if isinstance(own, bool) or not isinstance(own, int | float) or not 0 <= own < 1:
        raise DataError(f"{test.place}: the tolerance of {test.name!r} must lie in [0, 1), not {own!r}.")
    return Invariant(own, "changes"), {"use": "invariant", **({"tolerance": own} if own else {})}


def _direction(
    test: TestLine, options: Mapping[str, Any], naming: Naming, tolerance: float
) -> tuple[Expectation, dict[str, Any]]:
    found = direction(test, options, naming.names)
    if found is None:
        return Untold(
            f"{test.place}: nothing tells the direction of the DIR test {test.name!r}. Say it in the suite, "
            f"expect: {{'{test.name}': {{label: …, direction: up, tolerance: 0.1}}}}, or in the line."
        ), {"use": "directional"}
    for key in ("label", "against"):
        if key in found:
            naming.used.setdefault(found[key], test.place)
    return Directional(**found), {"use": "directional", **found}


def _require_known(test: TestLine, options: Mapping[str, Any], use: str, *keys: str) -> None:
    """Refuse options that the type of a test does not have."""
    known = ("use", *keys, "where")
    for key in options:
        if key not in known:
            raise DataError(
                f"{test.place}: unknown option {shown(key)} of the expectation of {test.name!r}, which is of type "
                f"{test.type}.{did_you_mean(key, known)} Known: {', '.join(known[1:])}."
            )
    if options.get("use", use) != use:
        raise DataError(f"{test.place}: {test.name!r} is of type {test.type}, so its expectation must be {use!r}.")
