"""Drafting: from a model and its data to a suite whose limits come from what a scan measured."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from robustfim.config import RunOptions
from robustfim.console import print_line
from robustfim.draft import Draft
from robustfim.errors import NothingCollected, UsageError
from robustfim.example import Example
from robustfim.loading import PluginOptions
from robustfim.options import options_model
from robustfim.record import Record
from robustfim.roles import DifferentiableModel
from robustfim.scan import known_checks, measured, scan
from robustfim.statistics import wilson
from robustfim.subject import ROWS, Part, Subject, sample
from robustfim.verdicts import percent

__all__ = ["draft_suite"]

_ROWS = 1000
"""Rows that a suite reads of larger data: accuracy and scores are computed on all that it reads."""

_ARM = 40
"""Examples an arm needs at least."""


def draft_suite(
    subject: Subject, out: Path, plugins: PluginOptions, options: RunOptions, *, examples: int, console: Console
) -> Draft:
    """Scan a model on its data and draft a suite from what was measured.

    Args:
        subject: The model and the data.
        out: The file that the suite is meant for; its name is the suite's.
        plugins: ``-p``; what it loads becomes part of the suite.
        options: Seed, store and bound of the scan.
        examples: Examples tested, at most.
        console: Where the scan is shown.

    Returns:
        The draft, its checks with limits.

    Raises:
        UsageError: There is no model or no data, or one cannot be used.
        ModelError: The model gave no usable answer.
        NothingCollected: No check measured anything.
    """
    model, data = subject.model, subject.data
    if model is None or data is None:
        missing = "--model use=NAME" if model is None else "--data use=NAME"
        raise UsageError(f"a suite needs a model and data: {missing} is missing. 'robustfim plugins' lists the names.")
    gradients = isinstance(model.make(), DifferentiableModel) and "fisher" in subject.manager.offers("scorers")
    reason = f"{model.use.use} offers no gradients"
    rows = sample(data.make(), data.use.use, ROWS, options.seed or 0)
    limit = _data_limit(data, rows, options.seed or 0)
    usable = min(len(rows), limit or len(rows))
    try:
        draft, record = _scanned(subject, model, data, limit, usable, out, plugins, options, examples, gradients, reason, console)
    except UsageError as error:
        if not gradients or "selected by" not in str(error):
            raise
        draft, record = _scanned(
            subject, model, data, limit, usable, out, plugins, options, examples, False, str(error), console
        )  # fmt: skip
    checks, untested = measured(draft.checks, record)
    if not checks:
        raise NothingCollected(f"the scan measured nothing that could hold a limit: {'; '.join(untested)}")
    return replace(
        draft, checks=checks, left_out=[*draft.left_out, *untested], head=_head(draft, record, out),
        reports=[each for each in ("html", "json") if each in subject.manager.offers("reports")],
    )  # fmt: skip
