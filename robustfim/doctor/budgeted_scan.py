"""A budgeted scan: what applies to a model and its texts, on as many of them as the budget allows."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from robustfim.collect.lookup import ModelAndData
from robustfim.doctor.digest import digest, ranked
from robustfim.doctor.draft import Draft
from robustfim.doctor.first_suite import FirstSuite
from robustfim.doctor.measured_suite import tested, unmeasured
from robustfim.doctor.scan import scan
from robustfim.judge import exit_code, summarise
from robustfim.outcome import Outcome
from robustfim.plugin.sources import PluginOptions
from robustfim.record import Record
from robustfim.run_options import RunOptions

__all__ = ["FIRST", "Scan", "budgeted_scan"]

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
        record = scan(draft, PluginOptions(block=plugins.block), replace(options, max_calls=left), None)
        if record.message and latest is not None:  # the round before was whole
            break
        sent += record.model_calls
        latest = Scan(record, draft)
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
