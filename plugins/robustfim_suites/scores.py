"""Scores of other tools' evaluations, as run records that can be compared with one another."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from robustfim.errors import DataError, UsageError, did_you_mean
from robustfim.example import Example
from robustfim.record import ExampleRecord, PredictionRecord, Record
from robustfim_suites.result_files import Tried, record_of
from robustfim_suites.table import json_file, json_lines, table

__all__ = ["DeepEvalScores", "InspectScores", "LmEvalScores", "PlainScores", "PromptfooScores"]


_PROMPTFOO_ERROR = 2
"""The ``failureReason`` of a test that got no answer; 1 is one whose assertion failed."""


@dataclass(frozen=True)
class _Scored:
    """A sample's score; ``cluster`` is what it shares with samples that depend on it, ``asked`` what it asks.

    ``broke`` says why the tool has no score of it.
    """

    place: str
    id: str
    score: object
    cluster: str | None = None
    asked: str = ""
    broke: object = None


class _Scores(ABC):
    """What every format of scores does: a sample fails whose score is below ``passes``.

    Args:
        passes: The least score of a sample that passes.
    """

    _mend: ClassVar[str] = "Evaluate this sample again."
    """What completes a file with a sample that broke."""

    def __init__(self, passes: float = 1.0) -> None:
        if not math.isfinite(passes):
            raise UsageError(f"{passes=} is not a number that a score can reach.")
        self._passes = passes

    @abstractmethod
    def _scored(self, path: Path) -> Iterator[_Scored]:
        """Read the samples of a file."""

    def record(self, path: Path) -> Record:
        """Make a run record of a file.

        Returns:
            A record with one check, ``score``, without a limit. All have one suite's name, so that two can be compared.
        """
        tried: list[Tried] = []
        examples: dict[str, ExampleRecord] = {}
        largest = 0.0
        for sample in self._scored(path):
            source = Example({"id": sample.id} | ({"input": sample.asked} if sample.asked else {}))
            if source.id in examples:
                raise DataError(f"{sample.place}: the id {sample.id!r} stands twice.")
            if sample.broke:
                raise DataError(
                    f"{sample.place} has no score, since its evaluation failed: {sample.broke}. {self._mend}"
                )
            score = _number(sample)
            fails, largest = score < self._passes, max(largest, score)
            answer = PredictionRecord(label="fails" if fails else "passes", probabilities=[])
            examples[source.id] = ExampleRecord(
                id=source.id, fields=dict(source.fields), correct=not fails, cluster=sample.cluster, arm="all"
            )
            reason = f"score {score:g}, less than {self._passes:g}"
            tried.append(Tried("score", source, source.fields, answer, answer, fails, reason))
        if not tried:
            raise DataError(f"{path} holds no sample with a score.")
        if 0 < largest < self._passes == 1:
            raise DataError(
                f"{path}: no score reaches 1, the largest is {largest:g}. Name the least score that passes: -o "
                "passes=0.5."
            )
        return record_of(path, "scores", tried, examples, [], {}, None, 0, name="scores")


def _number(sample: _Scored) -> float:
    """Read a score: a number, a truth value, or Inspect's letters."""
    letters = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "true": 1.0, "false": 0.0}
    value = sample.score
    if isinstance(value, str) and (value in letters or value.lower() in letters):
        return letters.get(value, letters.get(value.lower(), math.nan))
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise DataError(f"{sample.place}: the score {value!r} is not a number, a truth value, or one of C, P, I, N.")
    return number


class PlainScores(_Scores):
    """Reads scores from CSV or JSON Lines, with an id, a score and optionally a cluster in each row.

    Args:
        passes: The smallest score of a row that passes.
        id: The column or key of the ids.
        score: The column or key of the scores: numbers, truth values, or Inspect's letters.
        cluster: The column or key of the clusters; by default ``cluster``, if it exists.
    """

    def __init__(self, passes: float = 1.0, id: str = "id", score: str = "score", cluster: str | None = None) -> None:
        super().__init__(passes)
        self._id, self._score, self._cluster = id, score, cluster

    def _scored(self, path: Path) -> Iterator[_Scored]:
        named = [self._id, self._score, *([self._cluster] if self._cluster else [])]
        for place, row in table(path, named) if path.suffix.lower() == ".csv" else json_lines(path, named):
            shared = row.get(self._cluster or "cluster")
            yield _Scored(place, str(row[self._id]), row[self._score], _cluster(shared))


class InspectScores(_Scores):
    """Reads scores from a JSON log of Inspect (``inspect log convert --to json``).

    The epochs of a sample form a cluster. Samples of two logs match if id, epoch and input are equal, so samples of
    different data sets do not match.

    Args:
        passes: The smallest score of a sample that passes; C is 1, P 0.5, I and N 0.
        scorer: The scorer whose scores are read; by default the only scorer.
    """

    _mend = "'inspect eval-retry' completes the log."

    def __init__(self, passes: float = 1.0, scorer: str | None = None) -> None:
        super().__init__(passes)
        self._scorer = scorer

    def _scored(self, path: Path) -> Iterator[_Scored]:
        if path.suffix == ".eval":
            raise DataError(
                f"{path} is a log in Inspect's own form. 'inspect log convert {path} --to json --output-dir json' "
                "makes JSON of it."
            )
        log = json_file(path)
        samples = _listed(path, log, "samples")
        if (status := log.get("status", "success")) != "success":
            raise DataError(
                f"{path}: the evaluation ended with the status {status!r}; 'inspect eval-retry' completes it."
            )
        for number, sample in enumerate(samples):
            place = f"{path}: sample {number}"
            if broke := sample.get("error"):
                yield _Scored(place, "", None, broke=broke.get("message", broke) if isinstance(broke, dict) else broke)
                continue
            scores = sample.get("scores") or {}
            value = _one(scores, self._scorer, place, "scorer")
            if not isinstance(value, dict) or "value" not in value:
                raise DataError(f"{place}: its score has no 'value'.")
            id, epoch = str(sample.get("id", number)), sample.get("epoch", 1)
            yield _Scored(place, f"{id}/{epoch}", value["value"], id, _text(sample.get("input")))


class LmEvalScores(_Scores):
    """Reads scores from samples of lm-eval (``samples_TASK_….jsonl``, written with ``--log_samples``).

    Args:
        metric: One of the file's ``metrics``; by default the only metric.
        filter: One of the file's filters; by default the only filter.
    """

    def __init__(self, passes: float = 1.0, metric: str | None = None, filter: str | None = None) -> None:
        super().__init__(passes)
        self._metric, self._filter = metric, filter

    def _scored(self, path: Path) -> Iterator[_Scored]:
        if path.suffix == ".json":
            raise DataError(f"{path} holds no samples; name the 'samples_TASK_….jsonl' that '--log_samples' wrote.")
        rows = list(json_lines(path, ("doc_id", "metrics")))
        filters = {str(row.get("filter")): None for _, row in rows}
        wanted = _one({name: name for name in filters}, self._filter, str(path), "filter") if rows else None
        samples = []
        for place, row in rows:
            if str(row.get("filter")) == wanted:
                scores = {name: row[name] for name in row["metrics"] if name in row}
                value = _one(scores, self._metric, place, "metric")
                samples.append(_Scored(place, str(row.get("doc_hash") or row["doc_id"]), value))
        yield from _repeated(samples)


class PromptfooScores(_Scores):
    """Reads scores from ``promptfoo eval --output results.json``; tests with equal variables form a cluster.

    Args:
        passes: The smallest score of a test that passes; by default promptfoo's own ``success`` decides.
        column: The number of a prompt and provider in promptfoo's table, from 0; by default the only column.
    """

    _mend = "'promptfoo eval --retry-errors' completes the results."

    def __init__(self, passes: float | None = None, column: int | None = None) -> None:
        super().__init__(1.0 if passes is None else passes)
        self._own, self._column = passes is None, None if column is None else str(column)

    def _scored(self, path: Path) -> Iterator[_Scored]:
        whole = json_file(path)
        inner = whole.get("results") if isinstance(whole, dict) else None
        rows = [(str(row.get("promptIdx", 0)), n, row) for n, row in enumerate(_listed(path, inner, "results"))]
        columns = {column: column for column in sorted({column for column, _, _ in rows})}
        wanted = _one(columns, self._column, str(path), "column") if rows else None
        yield from _repeated(self._one_of(f"{path}: result {n}", n, row) for column, n, row in rows if column == wanted)

    def _one_of(self, place: str, number: int, row: dict[str, Any]) -> _Scored:
        id = json.dumps(row.get("vars") or row.get("testIdx", number), sort_keys=True, ensure_ascii=False)
        broke = row.get("error") if row.get("failureReason") == _PROMPTFOO_ERROR else None
        return _Scored(place, id, row.get("success" if self._own else "score"), broke=broke)


class DeepEvalScores(_Scores):
    """Reads scores from a test run of DeepEval (``test_run_….json`` in ``DEEPEVAL_RESULTS_FOLDER``).

    Args:
        passes: The smallest score of a test case that passes; by default DeepEval's own ``success`` decides.
        metric: The metric that is read. By default it is the only metric with ``passes``, else all metrics that decide
            a test case.
    """

    def __init__(self, passes: float | None = None, metric: str | None = None) -> None:
        super().__init__(1.0 if passes is None else passes)
        self._key = "success" if passes is None else "score"
        self._metric = metric

    def _scored(self, path: Path) -> Iterator[_Scored]:
        whole = json_file(path)
        inner = whole.get("testRunData", whole) if isinstance(whole, dict) else whole
        rows = enumerate(_listed(path, inner, "testCases"))
        yield from _repeated(self._one_of(f"{path}: test case {number}", row) for number, row in rows)

    def _one_of(self, place: str, row: dict[str, Any]) -> _Scored:
        metrics = {str(each.get("name")): each for each in row.get("metricsData") or ()}
        value, deciding = row.get("success"), [metric for metric in metrics.values() if not metric.get("flaky")]
        if self._metric is not None or self._key == "score":
            deciding = [_one(metrics, self._metric, place, "metric")]
            value = deciding[0].get(self._key)
        asked = [row.get(key) for key in ("input", "expectedOutput", "context")]  # what the model answers is not
        broke = next((each["error"] for each in deciding if each.get("error")), None)
        return _Scored(place, json.dumps(asked, ensure_ascii=False), value, broke=broke)


def _repeated(samples: Iterable[_Scored]) -> Iterator[_Scored]:
    """Samples that may ask the same: a cluster, whose second and later ones are numbered."""
    times: Counter[str] = Counter()
    for sample in samples:
        times[sample.id] += 1
        number = times[sample.id]
        yield replace(sample, id=sample.id if number == 1 else f"{sample.id}/{number}", cluster=sample.id)


def _text(asked: Any) -> str:
    """The text of an input of Inspect: its own, or that of its messages, without what is new in every run."""
    if not isinstance(asked, list):
        return str(asked or "")
    turns = [[each.get("role"), each.get("content")] if isinstance(each, dict) else each for each in asked]
    return json.dumps(turns, sort_keys=True, ensure_ascii=False)


def _cluster(value: Any) -> str | None:
    return None if value in (None, "") else str(value)


def _listed(path: Path, whole: Any, key: str) -> list[dict[str, Any]]:
    """The objects below a key."""
    found = whole.get(key) if isinstance(whole, dict) else None
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise DataError(f"{path}: there is no list of objects at {key!r}.")
    return found


def _one(values: dict[str, Any], wanted: str | None, place: str, option: str) -> Any:
    """The value of a name, or the only one."""
    if wanted is None and len(values) == 1:
        return next(iter(values.values()))
    if wanted not in values:
        there = ", ".join(values) or "none"
        near = "" if wanted is None else did_you_mean(wanted, values)
        raise DataError(f"{place}: name one {option} with '-o {option}=NAME'; there is: {there}.{near}")
    return values[wanted]
