"""Names of labels: what the numbers of a CheckList file stand for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from robustfim.errors import DataError
from robustfim_checklist.lines import TestLine

__all__ = ["SENTIMENT", "Naming"]

SENTIMENT = ("negative", "neutral", "positive")
"""What 0, 1 and 2 stand for in CheckList's sentiment suite."""


class Naming:
    """Names the labels of the tests of one file, and remembers where each was first used.

    Args:
        labels: Names for 0, 1, … (a list), or new names for some labels (a mapping, ``{"2": good}``); None takes
            numbers for those of CheckList's sentiment suite.
        tests: The tests.

    Attributes:
        names: The labels in the order of their numbers; None where the file names them by texts.
        used: Every label that an MFT uses, to the place of its first use.

    Raises:
        DataError: Without ``labels``, the numbers are 0 and 1 or 1 alone: 1 may be neutral, and may be positive.
    """

    def __init__(self, labels: Sequence[str] | Mapping[str, str] | None, tests: Sequence[TestLine]) -> None:
        self._given = labels
        self.used: dict[str, str] = {}
        numbers = {each for test in tests for each in _leaves(test.labels) if isinstance(each, int)}
        first = next((test.place for test in tests if any(isinstance(each, int) for each in _leaves(test.labels))), "")
        if labels is None and 1 in numbers and 2 not in numbers:
            raise DataError(
                f"{first}: the labels are numbers, and 1 may stand for neutral (as in CheckList's sentiment suite) or "
                "for the second of two. Say which: 'labels: [negative, positive]' or "
                "'labels: [negative, neutral, positive]'."
            )
        renamed = labels if isinstance(labels, Mapping) else {}
        texts = {renamed.get(each, each).casefold() for test in tests for each in _leaves(test.labels)
                 if isinstance(each, str)}  # fmt: skip
        self.names: tuple[str, ...] | None = None
        if labels is not None and not isinstance(labels, Mapping):
            self.names = tuple(labels)
        elif not texts or "neutral" in texts:
            self.names = tuple(renamed.get(str(number), name) for number, name in enumerate(SENTIMENT))

    def of_cases(self, test: TestLine) -> list[Any]:
        """Name the label of each case.

        Returns:
            A label for each case, or a list for a group of texts; None for a test that is no MFT or has no labels.

        Raises:
            DataError: There is not one label for each case, or a label has no name.
        """
        if test.type != "MFT" or test.labels is None:
            return [None] * len(test.data)
        if not isinstance(test.labels, list):
            return [self._name(test.labels, test)] * len(test.data)
        if len(test.labels) != len(test.data):
            raise DataError(
                f"{test.place}: the test {test.name!r} has {len(test.labels)} labels for {len(test.data)} cases."
            )
        return [
            [self._name(one, test) for one in each] if isinstance(each, list) else self._name(each, test)
            for each in test.labels
        ]

    def of_expected(self, labels: Any, test: TestLine) -> list[str]:
        """Name the labels that an expectation gives, and remember them.

        Raises:
            DataError: A label has no name, or there is none.
        """
        given = labels if isinstance(labels, list) else [labels]
        if not given:
            raise DataError(f"{test.place}: the expectation of {test.name!r} names no label.")
        return [self._name(each, test) for each in given]

    def _name(self, label: Any, test: TestLine) -> str:
        name = self._look_up(label, test)
        self.used.setdefault(name, test.place)
        return name

    def _look_up(self, label: Any, test: TestLine) -> str:
        if isinstance(label, bool) or not isinstance(label, int | str) or label == "":
            raise DataError(f"{test.place}: the label {label!r} of {test.name!r} is neither a text nor a whole number.")
        if isinstance(self._given, Mapping) and str(label) in self._given:
            return self._given[str(label)]
        if isinstance(label, str):
            return label
        names = self.names or SENTIMENT
        if not 0 <= label < len(names):
            raise DataError(
                f"{test.place}: label {label} of {test.name!r} has no name; 0 to {len(names) - 1} are "
                f"{', '.join(names)}. To name more labels, write 'labels: [first, second, …]'."
            )
        return names[label]


def _leaves(labels: Any) -> Iterator[Any]:
    if isinstance(labels, list):
        for each in labels:
            yield from _leaves(each)
    elif labels is not None and not isinstance(labels, bool):
        yield labels
