"""Result files of TextAttack and LangTest as run records."""

from __future__ import annotations

import datetime
import hashlib
import platform
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from robustfim import __version__
from robustfim.candidate import Candidate
from robustfim.errors import DataError, UsageError
from robustfim.example import Example
from robustfim.judge import CheckCounts, decide, exit_code, summarise
from robustfim.record import (
    ArmRecord,
    CandidateCounts,
    DataRecord,
    EditRecord,
    Environment,
    ExampleRecord,
    Failure,
    ModelRecord,
    PredictionRecord,
    Record,
)
from robustfim.statistics import Rate
from robustfim.suite import Fraction
from robustfim.target import Counts
from robustfim_suites.cases import plain_name
from robustfim_suites.table import table

__all__ = ["LangTestResults", "TextAttackResults", "Tried", "record_of"]

_MARK = re.compile(r"\[\[|\]\]")
_KEY = re.compile(r"^(?:\[\[)+([^\[\]]+)(?:\]\])+: (.*)$", re.DOTALL)

_NO_TEXT = ("", "-")
"""What LangTest writes for a test of all examples together, such as a least F1."""


@dataclass(frozen=True)
class Tried:
    """A text that another tool changed, with the model's answers before and after the change."""

    check: str
    source: Example
    fields: Mapping[str, str]
    before: PredictionRecord
    after: PredictionRecord
    failed: bool
    reason: str = ""


class TextAttackResults:
    """The CSV file of TextAttack's ``--log-to-csv``: one attack a row.

    The rate is TextAttack's attack success rate: the fraction of successful attacks, without examples that were wrong
    before the attack (``Skipped``).

    Args:
        limit: Tolerated fraction of examples that the attack changes.
    """

    def __init__(self, limit: Fraction = 0.1) -> None:
        self._limit = limit

    def record(self, path: Path) -> Record:
        """Convert a log to a run record.

        Returns:
            A record with one check, ``attack``.
        """
        columns = ("original_text", "perturbed_text", "original_score", "perturbed_score", "original_output",
                   "perturbed_output", "ground_truth_output", "result_type")  # fmt: skip
        rows = table(path, columns)
        names = {_label(row[name]) for _, row in rows for name in columns[4:7]}
        labels = sorted(names) if len(names) == 2 else []
        skipped: Counter[str] = Counter()
        tried: list[Tried] = []
        examples: dict[str, ExampleRecord] = {}
        for place, row in rows:
            if row["result_type"] not in ("Successful", "Failed", "Skipped", "Maximized"):
                raise DataError(f"{place}: 'result_type' is {row['result_type']!r}, which TextAttack does not write.")
            gold = _label(row["ground_truth_output"])
            before, after = (
                PredictionRecord(
                    label=_label(row[f"{when}_output"]),
                    probabilities=_probabilities(row[f"{when}_score"], gold, labels, place),
                )
                for when in ("original", "perturbed")
            )
            source = Example(_fields(row["original_text"]), gold)
            if source.id in examples:
                skipped["repeated text"] += 1
                continue
            attacked = row["result_type"] != "Skipped"
            examples[source.id] = _example(source, before, gold, tested=attacked)
            if attacked:
                tried.append(
                    Tried("attack", source, _fields(row["perturbed_text"]), before, after,
                           row["result_type"] == "Successful", f"{before.label} -> {after.label}")
                )  # fmt: skip
        if not tried:
            raise DataError(f"{path}: every attack was skipped, since the model was wrong on all unchanged texts.")
        calls = sum(int(float(row.get("num_queries") or 0)) for _, row in rows)
        return record_of(path, "textattack", tried, examples, labels, skipped, self._limit, calls, counts="broken")


class LangTestResults:
    """The CSV file of LangTest's ``harness.generated_results()``: one test case a row, one check a test type.

    The rate of a check is 1 − LangTest's pass rate.

    Args:
        limit: Tolerated fraction of failing test cases of each test type: 1 − LangTest's minimum pass rate.
        limits: Limits of single test types.
    """

    def __init__(self, limit: Fraction = 0.35, limits: dict[str, Fraction] | None = None) -> None:
        self._limit, self._limits = limit, limits or {}

    def record(self, path: Path) -> Record:
        """Convert a file of LangTest's results to a run record.

        Returns:
            A record with one check for each test type.
        """
        columns = ("category", "test_type", "original", "test_case", "expected_result", "actual_result", "pass")
        tried: list[Tried] = []
        examples: dict[str, ExampleRecord] = {}
        skipped: Counter[str] = Counter()
        for place, row in table(path, columns):
            if (passed := {"true": True, "false": False}.get(row["pass"].strip().lower())) is None:
                raise DataError(f"{place}: 'pass' is {row['pass']!r}, neither True nor False.")
            if row["original"].strip() in _NO_TEXT or row["test_case"].strip() in _NO_TEXT:
                skipped["no text"] += 1
                continue
            source = Example({"text": row["original"]})
            before = PredictionRecord(label=row["expected_result"], probabilities=[])
            after = PredictionRecord(label=row["actual_result"], probabilities=[])
            examples.setdefault(source.id, _example(source, before, None, tested=True))
            tried.append(
                Tried(plain_name(row["test_type"]), source, {"text": row["test_case"]}, before, after, not passed,
                       f"{before.label} -> {after.label}")
            )  # fmt: skip
        if not tried:
            raise DataError(f"{path}: no row has an original and a test case; there is nothing to show.")
        return record_of(path, "langtest", tried, examples, [], skipped, self._limit, 0, self._limits)


def _label(text: str) -> str:
    """A class number without the ``.0`` that a column with gaps gets."""
    return text.removesuffix(".0") if re.fullmatch(r"\d+\.0", text) else text


def _probabilities(score: str, gold: str, labels: Sequence[str], place: str) -> list[float]:
    """Of two classes: TextAttack's score of an untargeted attack is 1 − P(gold). Empty where it says nothing."""
    try:
        wrong = float(score)
    except ValueError:
        raise DataError(f"{place}: the score {score!r} is not a number.") from None
    if len(labels) != 2 or not 0 <= wrong <= 1:
        return []
    return [1 - wrong if label == gold else wrong for label in labels]


def _fields(text: str) -> dict[str, str]:
    """The texts of a logged example: without the marks of changed words, and by name where it has several."""
    lines = text.split("<SPLIT>")
    keys = [_KEY.match(line) for line in lines]
    if len(lines) > 1 and all(keys):
        return {key[1].lower(): _MARK.sub("", key[2]) for key in keys if key}
    return {"text": _MARK.sub("", "\n".join(lines))}


def _example(source: Example, before: PredictionRecord, gold: str | None, *, tested: bool) -> ExampleRecord:
    return ExampleRecord(
        id=source.id,
        fields=dict(source.fields),
        label=gold,
        prediction=before.label,
        probabilities=before.probabilities or None,
        correct=None if gold is None else before.label == gold,
        arm="all" if tested else None,
    )


def record_of(
    path: Path, tool: str, tried: Sequence[Tried], examples: Mapping[str, ExampleRecord], labels: Sequence[str],
    skipped: Mapping[str, int], limit: float | None, calls: int,
    limits: Mapping[str, float] | None = None, name: str = "", counts: Counts = "changes",
) -> Record:  # fmt: skip
    """Create a run record from the results of another tool, such as TextAttack.

    Args:
        path: The tool's file.
        tool: The name of the tool.
        tried: The changed texts, or samples.
        examples: The examples by their ids.
        labels: The model's labels, if they are known.
        skipped: The number of rows without a result, by reason.
        limit: The tolerated failure rate of each check; None for no limit.
        calls: The number of texts that the tool sent to the model.
        limits: Limits of single checks.
        name: The suite's name; by default the name of the file.
        counts: The failures that count: ``broken`` (right examples made wrong) or ``changes`` (changed labels).

    Raises:
        UsageError: ``limits`` names a check that the results do not have.
    """
    name = name or plain_name(path.stem)
    by_check: dict[str, list[Tried]] = {}
    for each in tried:
        by_check.setdefault(each.check, []).append(each)
    for unknown in (limits or {}).keys() - by_check.keys():
        raise UsageError(f"'limits' names {unknown!r}, which {path} does not have; it has {', '.join(by_check)}.")
    counted = [
        _check(f"{name}::{key}", tool, rows, (limits or {}).get(key, limit), counts) for key, rows in by_check.items()
    ]
    checks = decide(counted, {})
    failures = [failure for key, rows in by_check.items() for failure in _failures(f"{name}::{key}", rows)]
    answered = [example.correct for example in examples.values() if example.correct is not None]
    right = Rate(sum(answered), len(answered))
    return Record(
        suite=name,
        path=str(path),
        model=ModelRecord(
            use=tool, labels=list(labels), accuracy=right,
        ),
        data=DataRecord(use=tool, options={"path": str(path)}, examples=len(examples), labelled=right.tested,
                        skipped=dict(skipped)),
        environment=Environment(robustfim=__version__, python=platform.python_version()),
        seed=0,
        started=datetime.datetime.fromtimestamp(path.stat().st_mtime, datetime.UTC).isoformat(timespec="seconds"),
        model_calls=calls,
        exit_code=exit_code(checks),
        summary=summarise(checks),
        examples=list(examples.values()),
        checks=checks,
        failures=failures,
    )  # fmt: skip


def _check(identity: str, tool: str, rows: Sequence[Tried], limit: float | None, counts: Counts) -> CheckCounts:
    tested = list(dict.fromkeys(row.source.id for row in rows))
    broken = Rate(len({row.source.id for row in rows if row.failed}), len(tested))
    failed = sum(row.failed for row in rows)
    return CheckCounts(
        id=identity,
        name=identity.partition("::")[2],
        perturbation={"use": tool},
        expectation={"use": "invariant"},
        counts=counts,
        limit=limit,
        tested=broken.tested,
        failing=broken.count,
        rate=broken.rate,
        interval=broken.interval,
        arms={
            "all": ArmRecord(drawn=broken.tested, tested=broken.tested, failing=broken.count, interval=broken.interval)
        },
        examples=tested,
        candidates=CandidateCounts(proposed=len(rows), tested=len(rows), failed=failed),
    )


def _failures(identity: str, rows: Iterable[Tried]) -> Iterator[Failure]:
    for row in rows:
        if not row.failed:
            continue
        fields = {**row.source.fields, **{key: row.fields[key] for key in row.source.fields if key in row.fields}}
        edits = Candidate.replacing(row.source, fields).edits
        content = "\x1f".join([identity, row.source.id, *fields.values()])
        yield Failure(
            id=hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest(),
            check=identity,
            example=row.source.id,
            arm="all",
            fields=fields,
            edits=[EditRecord(**{key: getattr(edit, key) for key in EditRecord.model_fields}) for edit in edits],
            before=row.before,
            after=row.after,
            reason=row.reason,
        )
