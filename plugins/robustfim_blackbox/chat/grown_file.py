"""The file of grown tests: CheckList's JSON lines, one test for what people reviewed and one for what nobody did."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from robustfim.errors import DataError, UsageError, shown_path
from robustfim.reading import read_text
from robustfim.whole_file import write_whole
from robustfim_blackbox.chat.growth import TopicTest

__all__ = ["GrownFile"]


class GrownFile:
    """Tests on a topic in a CheckList file; its other lines stay as they are.

    Args:
        path: The file; one that is not there has no test yet.
        topic: The topic: the name of its test. What nobody reviewed is in a test of its own, ``TOPIC, unreviewed``.
        fields: The text fields of a case.

    Raises:
        UsageError: The file is none of JSON lines, or its test on the topic is of another form.
    """

    def __init__(self, path: Path, topic: str, fields: Sequence[str]) -> None:
        self.path, self._topic, self._fields = path, topic, list(fields)
        self._others: list[str] = []
        self.tests: list[TopicTest] = []
        try:
            lines = read_text(path).splitlines() if path.exists() else []
        except DataError as error:
            raise UsageError(str(error)) from error
        for number, line in enumerate(lines, 1):
            if line.strip():
                self._take(number, line)

    @property
    def _names(self) -> dict[str, bool]:
        """The names of the file's tests on the topic: whether people reviewed it."""
        return {self._topic: True, f"{self._topic}, unreviewed": False}

    def _take(self, number: int, line: str) -> None:
        try:
            row: Any = json.loads(line)
            name = row["name"]
            if name not in self._names:
                self._others.append(line)
                return
            labels = row["labels"] if isinstance(row["labels"], list) else [row["labels"]] * len(row["data"])
            for case, label in zip(row["data"], labels, strict=True):
                texts = [case] if isinstance(case, str) else case
                fields = dict(zip(self._fields, texts, strict=True))
                if not all(isinstance(each, str) for each in (*texts, label)):
                    raise TypeError("a text or a label is none")
                self.tests.append(TopicTest(fields, label, self._names[name]))
        except (ValueError, TypeError, LookupError) as error:
            raise UsageError(
                f"{shown_path(self.path)}:{number} is no test of CheckList's JSON lines that could grow: {error}. Name "
                "another file with --out."
            ) from None

    def write(self, tests: Sequence[TopicTest], by: str) -> None:
        """Write the file whole or not at all."""
        lines = list(self._others)
        for name, reviewed in self._names.items():
            own = [each for each in tests if each.reviewed is reviewed]
            texts = [[each.fields[field] for field in self._fields] for each in own]
            row = {
                "type": "MFT", "capability": self._topic, "name": name, "labels": [each.label for each in own],
                "data": [each[0] if len(self._fields) == 1 else each for each in texts],
                "description": f"Proposed by {by}; "
                + ("each was accepted or relabelled by a person." if reviewed else "nobody looked at them."),
            }  # fmt: skip
            lines += [json.dumps(row, ensure_ascii=False)] if own else []
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self.path, "".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))

    def write_suite(self, path: Path, name: str, model: Any, plugins: Any, checks_path: str) -> bool:
        """Write a suite that runs the file, unless there is one.

        Args:
            path: The suite.
            name: Its name.
            model: As the suite says it of whose model the tests are.
            plugins: The same of its plugins; None for none.
            checks_path: The file of tests, from the suite's folder.
        """
        if path.exists():
            return False
        checks = {"use": "checklist", "path": checks_path}
        several = {} if self._fields == ["text"] else {"fields": self._fields}
        listed = {"plugins": plugins} if plugins else {}
        suite = {"suite": name, **listed, "model": model, "checks": {**checks, **several}}
        text = yaml.safe_dump(suite, sort_keys=False, allow_unicode=True, width=120)
        write_whole(path, text.encode())
        return True
