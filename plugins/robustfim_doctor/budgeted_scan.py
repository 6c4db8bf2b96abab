"""A budgeted scan: what applies to a model and its texts, on as many of them as the budget allows."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from robustfim.api import model_and_data
from robustfim.collect import ModelAndData
from robustfim.judge import exit_code, summarise
from robustfim.outcome import Outcome
from robustfim.plugin import PluginOptions
from robustfim.record import Record
from robustfim.result import Run
from robustfim.run_options import RunOptions
from robustfim_doctor.digest import digest, ranked
from robustfim_doctor.draft import Draft
from robustfim_doctor.draft_run import run_draft
from robustfim_doctor.first_suite import FirstSuite
from robustfim_doctor.measured_suite import tested, unmeasured

__all__ = ["FIRST", "Scan", "budgeted_scan", "scan_objects"]

FIRST = 60
"""Examples of the first round: enough for an interval that says something, and for an estimate of the time."""

_GROWTH = 3
"""How many times as many examples the next round may have."""


@dataclass(frozen=True)
class Scan:
    """What a scan found.

    Attributes:
        record: The run, its digest as the first section.
        draft: The suite that was run, its checks without limits.
    """

    record: Record
    draft: Draft


def budgeted_scan(
    pair: ModelAndData, name: str, plugins: PluginOptions, options: RunOptions, *, examples: int, seconds: float | None,
    one_label: bool = False, suits: FirstSuite | None = None, tell: Callable[[str], None] = lambda _: None,
) -> Scan:  # fmt: skip
    """Run the checks that apply, in rounds of more and more examples, until the budget would be exceeded.

    A round asks the model nothing that one before it asked. The next one is as large as its predecessor's pace allows
    in the time that is left; the first is run whatever it takes.

    Args:
        pair: The model and the data.
        name: The suite's name.
        plugins: ``-p``.
        options: Store, seed, and ``max_calls``, the texts that may be sent to the model in all rounds together.
        examples: Examples tested, at most.
        seconds: The time that it may take, about; None for no limit.
        one_label: Whether the model may give one label to all examples.
        suits: What suits the model; by default what the plugins say.
        tell: Called with a line at the beginning of each round.

    Returns:
        The last round that was whole, or the first.

    Raises:
        UsageError: The model or the data cannot be used.
        ModelError: The model gave no usable answer.
        NothingCollected: The data has no usable example.
    """
    began, sent, number = time.monotonic(), 0, min(FIRST, examples)
    latest: Scan | None = None
    while True:
        started = time.monotonic()
        draft, usable = unmeasured(pair, name, plugins, options, examples=number, one_label=one_label, suits=suits)
        whole = tested(draft, usable)
        tell(f"{len(draft.checks)} checks on {whole:,} of {usable:,} examples")
        left = None if options.max_calls is None else max(1, options.max_calls - sent)
        record = run_draft(draft, PluginOptions(block=plugins.block), replace(options, max_calls=left))
        if record.message and latest is not None:  # the round before was whole
            break
        sent += record.model_calls
        latest = Scan(_with_whole_bound(record, left, options.max_calls), draft)
        took = time.monotonic() - started
        pace = took / max(1, whole)
        room = examples if seconds is None else int((seconds - (time.monotonic() - began)) / pace)
        wanted = min(examples, usable, number * _GROWTH, room)
        if record.message or record.interrupted or wanted <= number * 1.2:
            break
        number = wanted
    order = ranked(latest.record, pair.manager)
    section = digest(latest.record, pair.manager, latest.draft.left_out)
    # Nobody asked for these checks, so one that finds nothing to change in these texts is no error.
    checks = [
        check.model_copy(update={"outcome": Outcome.SKIPPED})
        if check.outcome is Outcome.ERROR and not check.tested and not check.traceback
        else check
        for check in order
    ]
    told = {"sections": [section, *latest.record.sections], "checks": checks, "summary": summarise(checks)}
    if not latest.record.interrupted and not latest.record.message:
        told["exit_code"] = int(exit_code(checks))
    return Scan(latest.record.model_copy(update=told), latest.draft)


def _with_whole_bound(record: Record, left: int | None, bound: int | None) -> Record:
    """Name the bound that the user set where a round names what was left of it."""
    here, whole = f"--max-calls {left} ", f"--max-calls {bound} "
    checks = [each.model_copy(update={"message": each.message.replace(here, whole)}) for each in record.checks]
    return record.model_copy(update={"checks": checks})


def scan_objects(
    model: Any, data: Any, labels: Any, decide: Any, *, examples: int, seconds: float | None, max_calls: int | None,
    seed: int, plugins: Sequence[str], offline: bool, store: str | Path | None, one_label: bool,
) -> Run:  # fmt: skip
    """Scan a model and data that a script gives; see :func:`robustfim_doctor.scan`."""
    loaded = PluginOptions.parse(plugins)
    pair = model_and_data(model, data, labels=labels, decide=decide, plugins=loaded, offline=offline)
    with tempfile.TemporaryDirectory() as folder:  # a round finds the answers of the one before
        options = RunOptions(
            seed=seed, offline=offline, max_calls=max_calls, reports=None, remember=False,
            store=Path(folder) / "store.sqlite" if store is None else Path(store),
        )  # fmt: skip
        done = budgeted_scan(pair, "scan", loaded, options, examples=examples, seconds=seconds, one_label=one_label)
    return Run(done.record, plugins)
