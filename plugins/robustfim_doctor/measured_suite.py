"""A measured suite: drafted for a model and its data, with limits from the rates that a scan measured."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from robustfim.blame import blame
from robustfim.collect import ROWS, ModelAndData, Named, sample
from robustfim.errors import ModelError, NothingCollected, RobustfimError, UsageError
from robustfim.example import Example
from robustfim.parts import ScorerPart
from robustfim.plugin import PluginManager, PluginOptions
from robustfim.plugin.factory import default_score
from robustfim.plugin.options import options_model
from robustfim.record import Record
from robustfim.run_options import RunOptions
from robustfim.spans import is_spans
from robustfim.statistics import percent
from robustfim_doctor.draft import Draft, DraftCheck
from robustfim_doctor.draft_run import known_checks, limits_kept, measured
from robustfim_doctor.equal_model import CHURN, GATED, LARGEST, margin_for, no_worse
from robustfim_doctor.first_suite import FirstSuite, first_suite
from robustfim_power import pass_all

__all__ = ["READ", "tested", "unmeasured", "with_limits"]

READ = 1000
"""Rows that a suite reads of larger data: accuracy and scores are computed on all that it reads."""

_ARM = 40
"""Examples an arm needs at least."""

SPANS = "spans"
"""Marks the checks of a first suite that suit taggers alone."""

RIGHT = DraftCheck("right", {"use": "itself"}, expect="correct")
"""The check that asks whether a guard's answers are right, before any text is changed."""


def unmeasured(
    pair: ModelAndData, name: str, plugins: PluginOptions, options: RunOptions, *, examples: int,
    one_label: bool = False, suits: FirstSuite | None = None, read: int | None = None,
) -> tuple[Draft, int]:  # fmt: skip
    """Draft a suite for a model and data: choose the checks, scores and groups of examples, and run nothing.

    Args:
        pair: The model and the data.
        name: The suite's name.
        plugins: The plugins given with the command-line option ``-p``.
        options: The options of the run, of which the seed is used.
        examples: The largest number of examples that each check tests.
        one_label: Whether the model may give one label to all examples.
        suits: The checks for a guard; None for those that the plugins suggest for a first suite.
        read: The largest number of rows to read, if the data source has an option for it; None for a suite's default.

    Returns:
        The draft, with checks without limits, and the number of usable examples.

    Raises:
        UsageError: There is no model or no data, or one cannot be used.
        NothingCollected: The data has no usable example.
    """
    if pair.model is None or pair.data is None:
        missing = "model" if pair.model is None else "data"
        raise UsageError(f"a suite needs a model and data: the {missing} is missing.")
    manager, seed = pair.manager, options.seed or 0
    rows = sample(pair.data.make(), pair.data.use.use, ROWS, seed)
    plain, suits = suits is None, suits or first_suite(manager, rows)
    if not rows:
        raise NothingCollected(f"data {pair.data.use.use!r} has no usable example.")
    limit = _data_limit(pair.data, rows, read or READ)
    usable = min(len(rows), limit or len(rows))
    without = _without_gradients(pair.model.make(), manager, rows[0])
    own = [Path(each).stem if each.endswith(".py") else each for each in plugins.load]
    checks, left_out = known_checks(manager, own, gradients=not without, suits=suits)
    if not _have_spans(rows):
        checks = [check for check in checks if SPANS not in check.marks]
    if not plain and any(row.label is not None for row in rows):
        checks.insert(0, RIGHT)
    number = min(examples, usable)
    notes: dict[str, Sequence[str]] = {}
    if limit is not None:
        notes["data"] = [f"The first {limit:,} rows; without 'limit' all of them are read, predicted and scored."]
    if without:
        notes["checks"] = [
            "'order: guided', which tries the most harmful substitutes first, would need gradients, too."
        ]
    select, why = _selection(None if number == usable else _at_random(number, rows), number, without, manager)
    scorers, reports = manager.offers("scorers"), manager.offers("reports")
    draft = Draft(
        name=name, seed=seed, plugins=plugins.load, model=pair.model, data_source=pair.data, data_limit=limit,
        scores=[] if without else [score for score in suits.scores if score in scorers], select=select, checks=checks,
        notes={**notes, "select": why}, one_label=one_label, left_out=left_out,
        reports=[report for report in (*suits.reports, "json") if report in reports],
    )  # fmt: skip
    return draft, usable


def tested(draft: Draft, usable: int) -> int:
    """Return the number of examples that a draft tests."""
    return usable if draft.select is None else sum(each for each in draft.select.values() if isinstance(each, int))


def with_limits(draft: Draft, record: Record, out: Path, command: str, churn: float | None = None) -> Draft:
    """Give a draft suite limits for checks that fail often, and a tolerated loss, so that an equal model passes.

    Args:
        draft: The suite, with checks without limits.
        record: The run that measured the checks.
        out: The file for which the suite is meant.
        command: The command that made the suite, without ``robustfim``.
        churn: The measured fraction of examples that an equally good model answers differently; None if not measured.

    Raises:
        NothingCollected: No check tested anything.
    """
    assumed = round(CHURN if churn is None else churn, 3)
    held, untested = measured(draft.checks, record, assumed)
    if not held:  # the scan had time for few examples: the comparison with a baseline gates alone
        few = {check.name: check.tested for check in record.checks if check.tested}
        held = [
            replace(check, limit=None, comments=[f"not gated: the scan tested {few[check.name]} examples."])
            for check in draft.checks
            if check.name in few
        ]
    if not held:
        raise NothingCollected(f"the scan tested nothing: {record.message or ' '.join(untested)}")
    drawn = tested(draft, record.data.examples)
    labelled = record.data.labelled
    margin = margin_for(labelled, drawn, assumed)
    said = "assumed; 'robustfim scan --against MODEL' measures it" if churn is None else "measured"
    otherwise = f"which answers {percent(assumed)} of the texts otherwise ({said})"
    gate = [
        f"No margin up to {percent(LARGEST)} lets a model pass that is as good,",
        f"{otherwise}, with the {drawn:,} examples drawn.",
    ]
    if margin is not None:
        chance = pass_all([*limits_kept(held, record, assumed), *no_worse(labelled, drawn, margin, assumed)])
        gate = [
            "The gate: accuracy and robust accuracy must be no worse than those of a baseline, by this margin. A model",
            f"that is as good, {otherwise},",
            f"passes the comparison and every limit in at least {percent(chance)} of cases with the {drawn:,} examples "
            "drawn.",
        ]
    return replace(
        draft, checks=held, margin=margin, churn=assumed, left_out=[*draft.left_out, *untested],
        head=_head(draft, record, out, command), notes={**draft.notes, "baseline": gate},
    )  # fmt: skip


def _data_limit(data: Named, rows: Sequence[Example], read: int) -> int | None:
    """Bound what a suite reads of large data, unless its beginning lacks a label that it has elsewhere."""
    if (
        data.use.given is not None
        or len(rows) <= read
        or ("limit" in data.use.options and read >= READ)
        or "limit" not in options_model(data.cls, "").model_fields
    ):
        return None
    first = sample(data.make({**data.use.options, "limit": read}), data.use.use, read, 0)
    return read if {each.label for each in first} == {row.label for row in rows} else None


def _without_gradients(model: Any, manager: PluginManager, example: Example) -> str:
    """Say why a model cannot be differentiated; empty when one example was."""
    geometry = manager.shared("geometry")
    if geometry is None or default_score(manager) is None:
        return "no loaded plugin computes gradients."
    try:
        with blame(manager.sharer("geometry"), ModelError):
            geometry(model).at([example])
    except RobustfimError as error:
        return str(error).partition(" The scores ")[0]
    return ""


def _at_random(number: int, rows: Sequence[Example]) -> dict[str, int]:
    """Draw texts at random; of spans, which many texts lack, until so many texts that have them could be tested."""
    return {"testable": number} if _have_spans(rows) else {"difficult": 0, "control": number}


def _have_spans(rows: Sequence[Example]) -> bool:
    return any(row.label is not None and is_spans(row.label) for row in rows)


def _selection(
    otherwise: Mapping[str, Any] | None, number: int, without: str, manager: PluginManager
) -> tuple[Mapping[str, Any] | None, list[str]]:
    """Choose the arms, and say why."""
    by = default_score(manager)
    symbol = "their score" if by is None else ScorerPart(manager.get("scorers", by).cls).contract.symbol or by
    if by is not None and not without and number >= 2 * _ARM:
        select = {"by": by, "difficult": number // 2, "control": number - number // 2}
        return select, [f"The hardest examples by {symbol}, and others drawn at random."]
    why = [f"No difficult arm: {number} examples are too few for two."]
    if without:
        why = [
            f"Not the hardest examples by {symbol}: {without}",
            *filter(None, [first_suite(manager).without_gradients]),
        ]
    return otherwise, why


def _head(draft: Draft, record: Record, out: Path, command: str) -> list[str]:
    """Say where the suite comes from and how its limits were made."""
    accuracy = ""
    if record.model.accuracy.tested:
        share = record.model.accuracy.text
        accuracy = f" Accuracy: {share} on {record.data.labelled:,} examples{record.model.labelled_text}."
    drawn = tested(draft, record.data.examples)
    subject = f"{draft.model.use.use} on {draft.data_source.use.use}"
    return [
        f"Written by 'robustfim {command}' on {datetime.date.today()} for {subject}.{accuracy}",
        f"Run it:  robustfim run {out.as_posix()}",
        f"Make that run the baseline:  robustfim accept reports/{out.stem}/results.json",
        f"Gate a new model:  robustfim run {out.as_posix()} --model … --baseline baselines",
        "",
        f"Drawn: {drawn:,} examples. A check that broke {percent(GATED)} of its texts or more has a",
        "limit, at most twice what was measured, which an equal model passes. Lower it when the model gets better.",
    ]
