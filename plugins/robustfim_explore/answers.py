"""People's answers: which failures are valid, and which gold labels are wrong."""

from __future__ import annotations

import datetime
from math import inf
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict

from robustfim.errors import UsageError, shown
from robustfim.judge import next_pair, reviewed, validity
from robustfim.record import ANSWERS, Answer, Record, ReviewFile, pair_hash, read_versioned
from robustfim.whole_file import write_json
from robustfim_explore.request import Json

__all__ = ["Answers", "LabelFile"]

LABELS = 1
"""The version of the format of marks; a reader refuses a newer one."""


class LabelFile(BaseModel):
    """A file of the gold labels that people consider wrong, with ids and labels but no texts."""

    model_config = ConfigDict(extra="forbid")

    robustfim_labels: int = LABELS
    wrong: list[dict[Literal["example", "label", "when", "who"], str | None]] = []
    """The example's id, its label, the time (ISO 8601, UTC) and the person."""

    @property
    def ids(self) -> list[str]:
        """The ids of the examples."""
        return [str(each["example"]) for each in self.wrong]

    @classmethod
    def load(cls, path: Path) -> LabelFile:
        """Read a file of gold labels that people consider wrong; a missing file marks no label.

        Raises:
            UsageError: The file is of another kind, or was written by a newer robustfim.
        """
        if not path.exists():
            return cls()
        hint = "'robustfim explore' writes one."
        return read_versioned(path, cls, key="robustfim_labels", version=LABELS, what="file of labels", hint=hint)


class Answers:
    """Writes people's answers about failures to the review file that ``robustfim review`` also writes.

    Each answer is written at once, whole or not at all. The files are read again before each answer, so that two pages,
    or a page and a terminal, do not overwrite each other's answers. One thread writes; others may read.

    Args:
        record: The run.
        path: The review file; the file of labels is in the same folder.
        who: The name of the person, if they wish to be named.
    """

    def __init__(self, record: Record, path: Path, who: str | None = None) -> None:
        self.record, self.path, self.who = record, path, who
        self.labels = path.with_name(f"{path.stem}.labels.json")
        self._examples = record.example_by_id
        self._failures = {failure.id: failure for failure in record.failures}
        self._pairs = {
            failure.id: pair_hash(source.fields, failure.shown.fields)
            for failure in record.failures
            if failure.step is None and (source := self._examples.get(failure.example)) is not None
        }

    def told(self) -> Json:
        """Return all answers so far.

        Raises:
            UsageError: A file cannot be read.
        """
        file, labels = ReviewFile.load(self.path), LabelFile.load(self.labels)
        return self._told(file) | {
            "wrong": labels.ids,
            "reviewable_ids": list(self._pairs),
        }

    def written(self) -> str:
        """Return a text that changes whenever anybody writes an answer or a mark.

        The text contains the modification times of the files.
        """
        return " ".join(str(path.stat().st_mtime_ns) for path in (self.path, self.labels) if path.exists())

    def answer(self, failure: Any, answer: Any, seconds: Any = None) -> Json:
        """Record a person's answer whether a failing pair of texts is valid.

        Args:
            failure: The id of the failing pair.
            answer: ``valid``, ``invalid`` or ``unsure``; None withdraws the last answer to this pair.
            seconds: The time for which the person looked at the pair; None if unknown.

        Raises:
            UsageError: There is no such pair of texts, or no such answer, or the file cannot be read.
        """
        if not isinstance(failure, str) or failure not in self._pairs:
            raise UsageError(
                f"the run has no failing pair of texts {shown(failure)}. You can review changed texts, not embeddings."
            )
        if answer not in (*ANSWERS, None):
            raise UsageError(f"{answer!r} is not an answer; there are: {', '.join(ANSWERS)}.")
        file = ReviewFile.load(self.path)
        if answer is None:
            file.take_back(self._pairs[failure])
        else:
            check = self._failures[failure].check
            known = round(seconds, 1) if isinstance(seconds, int | float) and 0 <= seconds < inf else None
            file.add(self._pairs[failure], cast(Answer, answer), check=check, who=self.who, seconds=known)
        file.save(self.path)
        return self._told(file)

    def mark(self, example: Any, wrong: Any) -> Json:
        """Record whether a person considers an example's gold label wrong.

        Raises:
            UsageError: There is no such example, or it has no gold label, or the file cannot be read.
        """
        found = self._examples.get(example) if isinstance(example, str) else None
        if found is None or found.label is None:
            raise UsageError(f"the run has no example {shown(example)} with a gold label.")
        file = LabelFile.load(self.labels)
        file.wrong = [each for each in file.wrong if each["example"] != example]
        if wrong:
            when = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
            file.wrong.append({"example": example, "label": found.label, "when": when, "who": self.who})
        self.labels.parent.mkdir(parents=True, exist_ok=True)
        write_json(self.labels, file.model_dump(mode="json"))
        return {"wrong": file.ids}

    def export(self) -> list[Json]:
        """List the examples whose gold label is marked as wrong, with their texts and the model's predictions."""
        file = LabelFile.load(self.labels)
        return [
            {"id": found.id, **found.fields, "label": found.label, "prediction": found.prediction}
            for example in file.ids
            if (found := self._examples.get(example)) is not None
        ]

    def reviewed(self) -> Record:
        """Return the record with all answers so far."""
        file = ReviewFile.load(self.path)
        return reviewed(self.record, file.by_pair)

    def _told(self, file: ReviewFile) -> Json:
        given = file.by_pair
        following = next_pair(self.record, given)
        corrected = validity(self.record, given)
        return {
            "review_file": str(self.path),
            "answers": {failure: given[pair] for failure, pair in self._pairs.items() if pair in given},
            "reviewable": len(self._pairs),
            "next": None if following is None else following.failure.id,
            "validity": [
                {
                    "check": check.name, "rate": check.rate, "valid": own.rate, "interval": own.interval,
                    "looked": own.valid + own.invalid + own.unsure, "failing": own.failing,
                }
                for check in self.record.checks
                if (own := corrected.get(check.id)) is not None
            ],
        }  # fmt: skip
