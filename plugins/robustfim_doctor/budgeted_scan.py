"""A budgeted scan: test every applicable change on few examples, then test changes that break answers on more."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from robustfim.api import model_and_data
from robustfim.collect import ModelAndData, Named, predict, sample
from robustfim.judge import exit_code, ordered_failures, summarise
from robustfim.outcome import ExitCode, Outcome
from robustfim.plugin import PluginOptions
from robustfim.record import CheckRecord, Record
from robustfim.result import Run
from robustfim.run_options import RunOptions
from robustfim_doctor.deadline import Deadline
from robustfim_doctor.digest import digest, ranked
from robustfim_doctor.draft import Draft
from robustfim_doctor.draft_run import run_draft
from robustfim_doctor.first_suite import FirstSuite
from robustfim_doctor.measured_suite import READ, tested, unmeasured

__all__ = [
    "FIRST",
    "Scan",
    "budgeted_scan",
    "churn_between",
    "first_look",
    "merged",
    "pace_of",
    "scan_objects",
    "sized",
]

FIRST = 60
"""Examples of a first look: enough for an interval that says something."""

_LEAST = 5
"""Examples of a first look at a slow model: each change gets its turn, rather than one change many examples."""

_PACED = 24
"""Texts by which the pace of a model is measured; it may load with the first of them, which is not counted."""

_BEGUN = 0.2
"""The part of the time that the unchanged texts of a first look may take; if they take more, it begins again."""

_LOOK = 0.6
"""The part of the time that a first look may take."""


_SHOWN = 20
"""Pairs that reports show first."""

_LABELS = 0.1
"""The part of the time that the comparison of the labels may take."""

_SPENT = 0.8
"""The part of the time left that a later round is to take: writing the page takes some, too."""


@dataclass(frozen=True)
class Scan:
    """The result of a scan.

    Attributes:
        record: The run record; its first section is the digest, the findings in sentences.
        draft: The suite that was run; its checks have no limits.
    """

    record: Record
    draft: Draft


def budgeted_scan(
    pair: ModelAndData, name: str, plugins: PluginOptions, options: RunOptions, *, examples: int,
    deadline: Deadline, pace: float, one_label: bool = False, suits: FirstSuite | None = None, following: str = "",
    tell: Callable[[str], None] = lambda _: None,
) -> Scan:  # fmt: skip
    """Run all applicable checks within a time limit, first on few examples, then on as many as time allows.

    The model's pace determines the number of examples in the first round. If the model becomes slower while it predicts
    the unchanged texts, its pace is measured again, and the first round restarts with fewer examples. A later round
    begins with the checks that broke an answer, and uses the stored answers of earlier rounds. Checks that no round
    reached in time are left out and named. For a check that a later round did not reach, the record has the earlier
    counts.

    Args:
        pair: The model and the data.
        name: The suite's name.
        plugins: The plugins given with the command-line option ``-p``.
        options: Store of predictions, seed, and ``max_calls``, the largest number of texts sent to the model in all
            rounds together.
        examples: The largest number of tested examples.
        deadline: The time limit of the scan.
        pace: The model's seconds for each text, as :func:`pace_of` measures.
        one_label: Whether the model may give one label to all examples.
        suits: The checks to consider; by default the plugins' suggestions.
        following: The command to continue with, for the digest.
        tell: Called with a line at the beginning of each round.

    Raises:
        UsageError: The model or the data cannot be used.
        ModelError: The model gave no usable answer.
        NothingCollected: The data has no usable example.
    """
    number = read = None
    cut = False
    latest: Scan | None = None
    sent = 0
    while True:
        started = time.monotonic()
        draft, usable = unmeasured(
            pair, name, plugins, options, examples=number or examples, one_label=one_label, suits=suits, read=read
        )
        if number is None:  # of a slow model fewer examples are tested, and fewer rows are read
            number, read = first_look(draft, pace, deadline.left, min(examples, usable))
            if number < min(examples, usable) or read is not None:
                continue
        draft = replace(draft, checks=_promising(draft, latest))
        whole = tested(draft, usable)
        deadline.unchanged = 0.0 if latest or cut else (1 - _BEGUN) * deadline.left
        tell(f"{len(draft.checks)} checks on {whole:,} of {usable:,} examples")
        left = None if options.max_calls is None else max(1, options.max_calls - sent)
        record = run_draft(draft, PluginOptions(block=plugins.block), replace(options, max_calls=left), deadline)
        sent += record.model_calls
        if deadline.predicted and not cut:
            cut = True
            slower = (time.monotonic() - started) / deadline.predicted
            number, read = first_look(draft, slower, deadline.left, number)
            tell("the model is slower than it was: fewer examples")
            continue
        if latest is not None and record.message and not deadline.passed:  # the round before was whole
            break
        latest = Scan(merged(latest, _with_whole_bound(record, left, options.max_calls)), draft)
        if deadline.passed or record.message or record.interrupted:
            break
        took = max(1e-3, time.monotonic() - started)
        wanted = min(examples, usable, int(_SPENT * number * deadline.left / took))
        if wanted <= number * 1.2:
            break
        number = wanted
    return Scan(_finished(latest, pair, deadline, following), latest.draft)


def churn_between(scan: Scan, other: Named, plugins: PluginOptions, options: RunOptions) -> float | None:
    """Run a scan's suite on the same examples with another model, and compare which examples are right.

    Returns:
        The churn: the fraction of examples that only one of the two models gets right, with or without edits; None
        without common examples.
    """
    draft = replace(scan.draft, model=other)
    record = run_draft(draft, PluginOptions(block=plugins.block), options, Deadline(None), scan.record)
    found = record.comparisons[0].whole
    changed = (found.newly_broken, found.newly_fixed, found.newly_wrong, found.newly_right)
    return sum(map(len, changed)) / found.estimate.tested if found.estimate.tested else None


def pace_of(pair: ModelAndData, options: RunOptions) -> float:
    """Measure a model's seconds per text, without the time of loading; 0 if nothing can be measured."""
    if pair.model is None or pair.data is None:
        return 0.0
    with ExitStack() as opened:
        model, data = (named.opened(opened) for named in (pair.model, pair.data))
        rows = sample(data, pair.data.use.use, _PACED, options.seed or 0)
        if len(rows) < 2:
            return 0.0
        predict(model, rows[:1], None, None)
        began = time.monotonic()
        predict(model, rows[1:], None, None)
        return (time.monotonic() - began) / (len(rows) - 1)


def sized(pace: float, seconds: float, most: int) -> int:
    """Choose on how many examples to compare the data's labels with the model's, given its pace.

    Args:
        pace: Seconds for each text.
        seconds: The time of the whole scan.
        most: The largest number of examples.
    """
    return min(most, max(_LEAST, int(_LABELS * seconds / max(pace, 1e-9))))


def first_look(draft: Draft, pace: float, seconds: float, most: int) -> tuple[int, int | None]:
    """Choose how many examples a scan's first round tests, and how many rows are read (None: a suite's default)."""
    candidates = sum(int(check.perturb.get("candidates", 1)) for check in draft.checks)
    room = int(_LOOK * seconds / max(pace * candidates, 1e-9))
    number = min(most, max(_LEAST, min(FIRST, room)))
    rows = int((1 - _LOOK) * seconds / max(pace * (1 + len(draft.scores)), 1e-9))
    return number, None if rows >= READ else max(rows, 2 * number)


def _promising(draft: Draft, latest: Scan | None) -> list[Any]:
    """Put the checks that broke an answer first, then those that were tested on too few; the calm ones last."""
    known = {} if latest is None else {check.name: check for check in latest.record.checks}

    def key(name: str) -> tuple[bool, int]:
        found = known.get(name)
        return (found is not None and not found.failing, 0 if found is None else -found.failing)

    return sorted(draft.checks, key=lambda check: key(check.name))


def merged(before: Scan | None, now: Record) -> Record:
    """Merge the record of a scan's round with the result of the earlier rounds.

    Checks that this round did not reach keep their earlier results.
    """
    if before is None:
        return now
    done = {check.id for check in now.checks if check.tested or check.outcome is not Outcome.ERROR}
    kept = [check for check in before.record.checks if check.id not in done]
    ids = {check.id for check in kept}
    here = {example.id for example in now.examples}
    checks = [check for check in now.checks if check.id in done] + kept
    return now.model_copy(
        update={
            "checks": checks,
            "failures": [
                *(failure for failure in now.failures if failure.check in done),
                *(failure for failure in before.record.failures if failure.check in ids),
            ],
            "causes": [*now.causes, *(cause for cause in before.record.causes if cause.check in ids)],
            "edits": [*now.edits, *(edit for edit in before.record.edits if edit.check in ids)],
            "examples": [*now.examples, *(example for example in before.record.examples if example.id not in here)],
        }
    )


def _finished(scan: Scan, pair: ModelAndData, deadline: Deadline, following: str) -> Record:
    """Put the digest before what was found, and the checks in its order."""
    record = scan.record
    reached = {check.name for check in record.checks}
    late = [check.name for check in scan.draft.checks if check.name not in reached]
    left_out = [*scan.draft.left_out, *([f"{', '.join(late)}: the time was up."] if late and deadline.passed else [])]
    if deadline.passed:
        record = record.model_copy(update={"interrupted": False, "message": ""})
        shown = ordered_failures(record)[:_SHOWN]
        if waiting := sum(failure.shrunk is None and len(failure.edits) > 1 for failure in shown):
            left_out.append(f"whether {waiting} of the pairs shown first fail with fewer edits, too: the time was up.")
    order = ranked(record, pair.manager)
    section = digest(record, pair.manager, left_out, following)
    # Nobody asked for these checks, so one that finds nothing to change in these texts is not an error.
    checks: list[CheckRecord] = [
        check.model_copy(update={"outcome": Outcome.SKIPPED})
        if check.outcome is Outcome.ERROR and not check.tested and not check.traceback
        else check
        for check in order
    ]
    told = {"sections": [section, *record.sections], "checks": checks, "summary": summarise(checks)}
    if not record.interrupted and not record.message:
        weak = record.model.association
        against = weak.asked and weak.verdict == "negative"
        told["exit_code"] = int(ExitCode.FAILED if against else exit_code(checks))
    return record.model_copy(update=told)


def _with_whole_bound(record: Record, left: int | None, bound: int | None) -> Record:
    """Name the bound that the user set where a round names what was left of it."""
    here, whole = f"--max-calls {left} ", f"--max-calls {bound} "
    checks = [check.model_copy(update={"message": check.message.replace(here, whole)}) for check in record.checks]
    return record.model_copy(update={"checks": checks})


def scan_objects(
    model: Any, data: Any, labels: Any, decide: Any, *, examples: int, seconds: float | None, max_calls: int | None,
    seed: int, plugins: Sequence[str], offline: bool, store: str | Path | None, one_label: bool,
) -> Run:  # fmt: skip
    """Scan a model and data given as Python objects; see :func:`robustfim_doctor.scan`."""
    deadline, loaded = Deadline(seconds), PluginOptions.parse(plugins)
    pair = model_and_data(model, data, labels=labels, decide=decide, plugins=loaded, offline=offline)
    with tempfile.TemporaryDirectory() as folder:  # a round finds the answers of the one before
        options = RunOptions(
            seed=seed, offline=offline, max_calls=max_calls, reports=None, remember=False,
            store=Path(folder) / "store.sqlite" if store is None else Path(store),
        )  # fmt: skip
        done = budgeted_scan(
            pair, "scan", loaded, options, examples=examples, deadline=deadline, pace=pace_of(pair, options),
            one_label=one_label,
        )  # fmt: skip
    return Run(done.record, plugins)
