"""AdvGLUE: the adversarial version of GLUE's tasks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from robustfim.contract import FormatContract
from robustfim.errors import DataError, UsageError, did_you_mean, shown
from robustfim.example import Example
from robustfim.roles import SourcedCheck
from robustfim_suites.cases import Pair, label_of, labelled, paired
from robustfim_suites.table import json_file

__all__ = ["AdversarialGlue"]

_NLI = ("entailment", "neutral", "contradiction")
_TASKS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "sst2": (("sentence",), ("negative", "positive")),
    "qqp": (("question1", "question2"), ("not_duplicate", "duplicate")),
    "mnli": (("premise", "hypothesis"), _NLI),
    "mnli-mm": (("premise", "hypothesis"), _NLI),
    "qnli": (("question", "sentence"), ("entailment", "not_entailment")),
    "rte": (("sentence1", "sentence2"), ("entailment", "not_entailment")),
}
"""The fields and labels of each task."""


class AdversarialGlue:
    """AdvGLUE (Wang et al., NeurIPS 2021): GLUE's examples, changed by attacks and by people until models were wrong.

    One check for the task. Where the file tells the method, one check a method instead; where it has the originals,
    another one in which the label must stay.

    Args:
        task: Which task's examples: sst2, qqp, mnli, mnli-mm, qnli or rte.
    """

    def __init__(self, task: str) -> None:
        if task not in _TASKS:
            raise UsageError(f"unknown task {shown(task)}.{did_you_mean(task, _TASKS)} There are: {', '.join(_TASKS)}.")
        self._task = task
        self._fields, labels = _TASKS[task]
        self.contract = FormatContract(
            title="AdvGLUE (Wang et al., NeurIPS 2021)",
            licence="CC BY-SA 4.0",
            labels=labels,
            slice_by=("method", "data_construction"),
        )

    def read(self, path: Path) -> Iterable[SourcedCheck]:
        """Read the checks.

        Args:
            path: ``dev.json``, or the annotated test file.
        """
        tasks = json_file(path)
        rows = tasks.get(self._task) if isinstance(tasks, dict) else None
        if not isinstance(rows, list) or not rows:
            known = ", ".join(tasks) if isinstance(tasks, dict) else "no tasks"
            raise DataError(f"{path} has no examples of the task {self._task!r}; it has {known}.")
        names = {str(number): label for number, label in enumerate(self.contract.labels)}
        tests: dict[str, list[tuple[Example, str]]] = {}
        pairs: list[Pair] = []
        for number, row in enumerate(rows, start=1):
            place = f"{path}: example {number} of {self._task!r}"
            if not isinstance(row, dict):
                raise DataError(f"{place} is no object.")
            label = label_of(row.get("label"), names, place)
            told = {name: row[name] for name in ("method", *self.contract.slice_by) if name in row} | {"gold": label}
            example = Example(_texts(row, self._fields, place), None, told)
            tests.setdefault(str(row.get("method") or self._task), []).append((example, label))
            originals = [f"original_{name}" for name in self._fields]
            if any(name in row for name in originals):
                before = {name: str(row.get(f"original_{name}") or row[name]) for name in self._fields}
                pairs.append((Example(before, None, told), example))
        made = [labelled(name, cases) for name, cases in tests.items()]
        return [*made, paired("pairs", pairs, "invariant", marks=["pairs"])] if pairs else made


def _texts(row: dict[str, Any], fields: tuple[str, ...], place: str) -> dict[str, str]:
    for name in fields:
        if not isinstance(row.get(name), str):
            raise DataError(f"{place} has no text {shown(name)}.{did_you_mean(name, row)}")
    return {name: row[name] for name in fields}
