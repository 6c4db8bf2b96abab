"""The names of labels that a CheckList file gives as numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from robustfim.errors import DataError
from robustfim_checklist.lines import TestLine

__all__ = ["SENTIMENT", "Naming"]

SENTIMENT = ("negative", "neutral", "positive")
"""What 0, 1 and 2 stand for in CheckList's sentiment suite."""


class Naming:
    """Names the labels of the tests of a file, and remembers where each label was first used.

    Args:
        labels: Names for 0, 1, … (a list), or new names for some labels (a mapping, ``{"2": good}``). With None the
            numbers are read as in CheckList's sentiment suite: 0 negative, 1 neutral, 2 positive.
        tests: The tests.

    Attributes:
        names: The labels in the order of their numbers; None if the file gives labels as texts.
        used: For each label that a test uses, the place of its first use.

    Raises:
        DataError: ``labels`` is None and the numbers include 1 but not 2, so that 1 may mean neutral or positive.
    """

    def __init__(self, labels: Sequence[str] | Mapping[str, str] | None, tests: Sequence[TestLine]) -> None:
        self._given = labels
        self.used: dict[str, str] = {}
        numbers = {leaf for test in tests for leaf in _leaves(test.labels) if isinstance(leaf, int)}
        first = next((test.place for test in tests if any(isinstance(leaf, int) for leaf in _leaves(test.labels))), "")
        if labels is None and 1 in numbers and 2 not in numbers:
            raise DataError(
                f"{first}: the labels are numbers, and 1 may stand for neutral (as in CheckList's sentiment suite) or "
                "for the second of two labels. Name the labels: 'labels: [negative, positive]' or "
                "'labels: [negative, neutral, positive]'."
            )
        renamed = labels if isinstance(labels, Mapping) else {}
        texts = {renamed.get(leaf, leaf).casefold() for test in tests for leaf in _leaves(test.labels)
                 if isinstance(leaf, str)}  # fmt: skip
        self.names: tuple[str, ...] | None = None
        if labels is not None and not isinstance(labels, Mapping):
            self.names = tuple(labels)
        elif not texts or "neutral" in texts:
            self.names = tuple(renamed.get(str(number), name) for number, name in enumerate(SENTIMENT))

    def of_cases(self, test: TestLine) -> list[Any]:
        """Return the label of each case of a test.

        Returns:
            For each case a label, or a list of labels for a group of texts. All are None for a test that has no labels,
            or is not an MFT (a test with required labels).

        Raises:
            DataError: The numbers of labels and cases differ, or a label has no name.
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
            [self._name(one, test) for one in label] if isinstance(label, list) else self._name(label, test)
            for label in test.labels
        ]

    def of_expected(self, labels: Any, test: TestLine) -> list[str]:
        """Return the names of the labels in an expectation, and add them to ``used``.

        Raises:
            DataError: A label has no name, or the expectation has no label.
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
                f"{test.place}: label {label} of {test.name!r} has no name; labels 0 to {len(names) - 1} are "
                f"{', '.join(names)}. To name more labels, write 'labels: [first, second, …]'."
            )
        return names[label]


def _leaves(labels: Any) -> Iterator[Any]:
    if isinstance(labels, list):
        for label in labels:
            yield from _leaves(label)
    elif labels is not None and not isinstance(labels, bool):
        yield labels
