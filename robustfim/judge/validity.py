"""Validity: the order in which people review failures, and the rate of valid failures from their answers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from robustfim.record import Counted, ExampleRecord, Failure, Record, ValidityRecord
from robustfim.record.review import Answer, pair_hash
from robustfim.statistics.clusters import by_cluster
from robustfim.statistics.validity import ReviewCounts, valid_rate

__all__ = ["Pair", "next_pair", "review_counts", "reviewed", "validity"]


@dataclass(frozen=True)
class Pair:
    """A failing text and its unperturbed source, for a person to review.

    Attributes:
        failure: The failure as reports show it, reduced to the fewest edits that still fail.
        source: The example from which the text was made.
        hash: The key under which the person's answer is stored.
    """

    failure: Failure
    source: ExampleRecord
    hash: str


def next_pair(
    record: Record, answers: Mapping[str, Answer], checks: Sequence[str] = (), most: int | None = None
) -> Pair | None:
    """Find the failing text that a person should review next.

    A hash orders the failing examples of a check, so the first ones are a random sample, earlier answers stay useful,
    and an interrupted review continues where it stopped. If an example has several failing candidates, they are shown
    one after the other until one is valid. The check with the fewest reviewed examples comes first. People rate the
    text that reports show, with the fewest edits that still fail.

    Args:
        record: The run.
        answers: People's answers so far, by the pair's hash.
        checks: Names of the checks; all by default.
        most: The most failing examples to review per check, including answered ones; None for all.

    Returns:
        The failing text with its source; None if nothing is left to review.
    """
    waiting: list[tuple[int, Pair]] = []
    for check in record.checks:
        if not checks or check.name in checks:
            units = _units(check.id, record.failures, record.examples)[:most]
            looked = _sample(units, answers)
            if len(looked) < len(units):
                unit = units[len(looked)]
                waiting.append((len(looked), next(pair for pair in unit if pair.hash not in answers)))
    return min(waiting, key=lambda pair: pair[0])[1] if waiting else None


def validity(record: Record, answers: Mapping[str, Answer]) -> dict[str, ValidityRecord]:
    """Estimate the rate of valid failures of each check, from people's reviews of a random sample of failures.

    An example fails validly if at least one of its failing candidates is valid. A check with ``fails`` other than
    ``any`` is left out. The sample is the longest beginning of the order of :func:`next_pair` in which every example is
    reviewed.

    Args:
        record: The run.
        answers: People's answers, by pair.

    Returns:
        The rate of valid failures by check id, for the checks with at least one counted answer.
    """
    corrected = {}
    for check in record.checks:
        counts = review_counts(check, record.failures, record.examples, answers)
        if not counts.looked or not check.estimand.counts or check.fails["use"] != "any":
            continue
        estimate = valid_rate(check.tested, counts)
        if estimate is not None:
            corrected[check.id] = ValidityRecord(**asdict(counts), rate=estimate[0], interval=estimate[1])
    return corrected


def reviewed(record: Record, answers: Mapping[str, Answer]) -> Record:
    """Return a record with people's reviews added: to the failures, and to the failure rates of the checks."""
    sources = record.example_by_id
    failures = []
    for failure in record.failures:
        source = sources.get(failure.example)
        if failure.step is None and source is not None:
            answer = answers.get(pair_hash(source.fields, failure.shown.fields))
            failure = failure.model_copy(update={"review": answer})
        failures.append(failure)
    found = validity(record, answers)
    checks = [check.model_copy(update={"validity": found.get(check.id)}) for check in record.checks]
    return record.model_copy(update={"failures": failures, "checks": checks})


def review_counts(
    check: Counted, failures: Iterable[Failure], examples: Iterable[ExampleRecord], answers: Mapping[str, Answer],
    clusters: Mapping[str, str] | None = None,
) -> ReviewCounts:  # fmt: skip
    """Count people's answers on the failing examples of a check, in the random sample that :func:`validity` uses.

    Args:
        check: The check.
        failures: Failures of the check; failures of other checks are ignored.
        examples: The source examples of the failures.
        answers: People's answers, by pair.
        clusters: Example id to cluster (group of dependent examples); by default read from ``examples``.
    """
    examples = list(examples)
    units = _units(check.id, failures, examples)
    verdicts = _sample(units, answers)
    if clusters is None:
        clusters = {example.id: example.cluster for example in examples if example.cluster is not None}
    sizes = [size for _, size in by_cluster((), check.examples, clusters)]
    worth = 1.0 if len(sizes) < 2 else 1 / max(sizes)
    valid, invalid, unsure = (verdicts.count(kind) for kind in ("valid", "invalid", "unsure"))
    return ReviewCounts(len(units), valid, invalid, unsure, worth)


def _units(check: str, failures: Iterable[Failure], examples: Iterable[ExampleRecord]) -> list[list[Pair]]:
    """The failing examples of a check as their pairs, in the order in which they should be looked at."""
    sources = {example.id: example for example in examples}
    units: dict[str, list[Pair]] = {}
    for failure in failures:
        source = sources.get(failure.example)
        if failure.check == check and failure.step is None and source is not None:
            units.setdefault(failure.example, []).append(
                Pair(failure.shown, source, pair_hash(source.fields, failure.shown.fields))
            )
    return [units[example] for example in sorted(units, key=lambda example: _place(check, example))]


def _place(check: str, example: str) -> bytes:
    key = f"review\x1f{check}\x1f{example}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(key, digest_size=8).digest()


def _sample(units: Sequence[Sequence[Pair]], answers: Mapping[str, Answer]) -> list[Answer]:
    """The verdicts of the examples at the beginning that have one."""
    verdicts: list[Answer] = []
    for unit in units:
        said = [answers.get(pair.hash) for pair in unit]
        if "valid" in said:
            verdicts.append("valid")
        elif None in said:
            break
        else:
            verdicts.append("unsure" if "unsure" in said else "invalid")
    return verdicts
