"""Test cases: the value of ``data`` in a CheckList file as candidates of a source example."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from robustfim.candidate import Candidate
from robustfim.errors import DataError
from robustfim.example import Example
from robustfim_checklist.lines import TestLine

__all__ = ["Cases"]


class Cases:
    """Reads the test cases of a CheckList file.

    Args:
        fields: The names of an example's text fields. With one field an example is a text; with several fields it is a
            list of as many texts.

    Attributes:
        skipped: The number of cases and texts left out so far, by reason.
    """

    def __init__(self, fields: Sequence[str]) -> None:
        self.fields = tuple(fields)
        self.skipped: Counter[str] = Counter()

    def read(self, test: TestLine, labels: Sequence[Any]) -> list[list[Candidate]]:
        """Return the texts to test (candidates) of each case of a CheckList test.

        Args:
            test: The test.
            labels: For an MFT (minimum functionality test, with required labels), the label of each case, or a list
                with a label for each of its texts; None for other tests.

        Returns:
            For each case its candidates, whose source is the case's first text. For an MFT the first candidate is the
            source itself; for other types the source is not a candidate. Cases without texts to test are left out.

        Raises:
            DataError: A case is neither a text nor a list of texts, or one text has two labels.
        """
        cases: list[list[Candidate]] = []
        known: dict[str, str | None] = {}
        for number, (item, label) in enumerate(zip(test.data, labels, strict=True), start=1):
            place = f"{test.place}: case {number} of {test.name!r}"
            examples = self._examples(item, place)
            wanted = label if isinstance(label, list) else [label] * len(examples)
            if len(wanted) != len(examples):
                raise DataError(f"{place} has {len(examples)} texts and {len(wanted)} labels.")
            pairs = [(example, name) for example, name in zip(examples, wanted, strict=True) if example.text.strip()]
            self.skipped["empty text"] += len(examples) - len(pairs)
            if not pairs or not examples[0].text.strip():
                continue
            for example, name in pairs:
                if known.setdefault(example.id, name) != name:
                    raise DataError(
                        f"{place}: the text {example.text!r:.60} has the label {known[example.id]} in one test "
                        f"case and {name} in another."
                    )
            source = examples[0]
            if test.type != "MFT":
                pairs = pairs[1:]
            if not pairs:
                self.skipped["test case without a second text"] += 1
                continue
            cases.append(
                [
                    Candidate(source, Candidate.replacing(source, example.fields).edits, label=name)
                    for example, name in pairs
                ]
            )
        sources = [case[0].source.id for case in cases]
        self.skipped["repeated test case"] += len(sources) - len(set(sources))
        if not cases:
            self.skipped["test without texts to test"] += 1
        return cases

    def _examples(self, item: Any, place: str) -> list[Example]:
        """One example, or the examples of a group."""
        if self._is_example(item):
            return [self._example(item)]
        if isinstance(item, list) and item and all(map(self._is_example, item)):
            return [self._example(each) for each in item]
        one = "a text" if len(self.fields) == 1 else f"a list of {len(self.fields)} texts ({', '.join(self.fields)})"
        raise DataError(f"{place} is neither {one} nor a list of such entries: {item!r:.80}.")

    def _is_example(self, item: Any) -> bool:
        if len(self.fields) == 1:
            return isinstance(item, str)
        return isinstance(item, list) and len(item) == len(self.fields) and all(isinstance(each, str) for each in item)

    def _example(self, item: Any) -> Example:
        texts = [item] if isinstance(item, str) else item
        return Example(dict(zip(self.fields, texts, strict=True)))
