"""A measured suite: drafted for a model and its data, with limits from what a scan measured."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from robustfim.blame import blame
from robustfim.collect import ROWS, ModelAndData, Named, sample
from robustfim.commands import print_line
from robustfim.errors import ModelError, NothingCollected, RobustfimError, UsageError
from robustfim.example import Example
from robustfim.parts import ScorerPart
from robustfim.plugin import PluginManager, PluginOptions
from robustfim.plugin.factory import default_score
from robustfim.plugin.options import options_model
from robustfim.record import Record, ScoreRecord
from robustfim.run_options import RunOptions
from robustfim.statistics import POWER, percent
from robustfim.terminal.area import area_text
from robustfim_doctor.draft import Draft, DraftCheck
from robustfim_doctor.draft_run import TESTED, known_checks, measured, run_draft, that_decide
from robustfim_doctor.first_suite import FirstSuite, first_suite

__all__ = ["draft_suite", "tested", "unmeasured", "with_limits"]

_READ = 1000
"""Rows that a suite reads of larger data: accuracy and scores are computed on all that it reads."""

_ARM = 40
"""Examples an arm needs at least."""

RIGHT = DraftCheck("right", {"use": "itself"}, expect="correct")
"""The check that asks whether answers are right, before any text is changed."""

_CHANCE = 0.5
"""The area under the ROC curve of a score that knows nothing."""


def draft_suite(
    pair: ModelAndData, out: Path, plugins: PluginOptions, options: RunOptions, *, examples: int, console: Console,
    one_label: bool = False,
) -> Draft:  # fmt: skip
    """Scan a model on its data and draft a suite from what was measured.

    Args:
        pair: The model and the data.
        out: The file that the suite is meant for; its name is the suite's.
        plugins: ``-p``; what it loads becomes part of the suite.
        options: Store, bound and seed of the scan.
        examples: Examples tested, at most.
        console: Where the scan is shown.
        one_label: Whether the model may give one label to all examples.

    Raises:
        UsageError: There is no model or no data, or one cannot be used.
        ModelError: The model gave no usable answer.
        NothingCollected: The data has no usable example, or no check measured anything.
    """
    draft, usable, without = _plain(pair, out.stem, plugins, options, examples=examples, one_label=one_label)
    number, scores = min(examples, usable), draft.scores
    blocked = PluginOptions(block=plugins.block)
    pilot = None
    if len(scores) > 1 and number >= 2 * _ARM:
        pilot = _pilot(draft, number, blocked, options, console)
    bound = options.max_calls
    if pilot is not None and bound is not None and pilot.model_calls >= bound:  # nothing more may be sent
        record, draft = pilot, replace(draft, scores=[], select={"difficult": 0, "control": number - number // 2})
    else:
        draft = _selected(draft, number, usable, without, pair.manager, pilot)
        left = options if bound is None or pilot is None else replace(options, max_calls=bound - pilot.model_calls)
        said = "" if bound is None else f", at most {bound:,} texts"
        told = f"scan: {len(draft.checks)} checks on {tested(draft, usable)} of {usable:,} examples{said}"
        print_line(console, told, "bold")
        record = run_draft(draft, blocked, left, console)
    held = with_limits(draft, record, f"Run it:  robustfim run {out.as_posix()}", "init")
    if pilot is not None and bound is not None and record is not pilot:  # the bound that the user named, not its rest
        rest = f"--max-calls {bound - pilot.model_calls}"
        held = replace(held, left_out=[each.replace(rest, f"--max-calls {bound}") for each in held.left_out])
    return held


def unmeasured(
    pair: ModelAndData, name: str, plugins: PluginOptions, options: RunOptions, *, examples: int,
    one_label: bool = False, suits: FirstSuite | None = None,
) -> tuple[Draft, int]:  # fmt: skip
    """Choose the checks, the scores and the arms that apply to a model and its data, without running anything.

    Returns:
        The draft, its checks without limits, and how many examples are usable.

    Raises:
        UsageError: There is no model or no data, or one cannot be used.
        NothingCollected: The data has no usable example.
    """
    draft, usable, without = _plain(pair, name, plugins, options, examples=examples, one_label=one_label, suits=suits)
    return _selected(draft, min(examples, usable), usable, without, pair.manager, None), usable


def tested(draft: Draft, usable: int) -> int:
    """Tell how many examples a draft tests."""
    return usable if draft.select is None else sum(each for each in draft.select.values() if isinstance(each, int))


def with_limits(draft: Draft, record: Record, run_it: str, command: str) -> Draft:
    """Give a draft the limits that were measured.

    Raises:
        NothingCollected: No check measured anything.
    """
    held, untested = measured(draft.checks, record)
    if not held:
        most = max((check.tested for check in record.checks), default=0)
        few = f"that takes {TESTED} examples that a check changes, and {most} is the most of any; give it more data."
        reasons = record.message or (few if most else " ".join(untested))
        raise NothingCollected(f"the scan measured nothing that could hold a limit: {reasons}")
    head = _head(draft, record, run_it, command)
    if enough := that_decide(held, record):
        head.append(f"At these rates each limit is decided in {POWER:.0%} of cases with {enough}.".replace("%", " %"))
    return replace(draft, checks=held, left_out=[*draft.left_out, *untested], head=head)


def _plain(
    pair: ModelAndData, name: str, plugins: PluginOptions, options: RunOptions, *, examples: int, one_label: bool,
    suits: FirstSuite | None = None,
) -> tuple[Draft, int, str]:  # fmt: skip
    """A draft that tests random examples, how many are usable, and why there are no gradients, or nothing."""
    if pair.model is None or pair.data is None:
        missing = "--model use=NAME" if pair.model is None else "--data use=NAME"
        raise UsageError(f"a suite needs a model and data: {missing} is missing. 'robustfim plugins' lists the names.")
    manager, seed = pair.manager, options.seed or 0
    suits = suits or first_suite(manager)
    rows = sample(pair.data.make(), pair.data.use.use, ROWS, seed)
    if not rows:
        raise NothingCollected(f"data {pair.data.use.use!r} has no usable example.")
    limit = _data_limit(pair.data, rows, seed)
    usable = min(len(rows), limit or len(rows))
    without = _without_gradients(pair.model.make(), manager, rows[0])
    own = [Path(each).stem if each.endswith(".py") else each for each in plugins.load]
    checks, left_out = known_checks(manager, own, gradients=not without, suits=suits)
    if any(each.label is not None for each in rows):
        checks.insert(0, RIGHT)
    number = min(examples, usable)
    notes: dict[str, Sequence[str]] = {}
    if limit is not None:
        notes["data"] = [f"The first {limit:,} rows; without 'limit' all of them are read, predicted and scored."]
    if without:
        notes["checks"] = [
            "'order: guided', which tries the most harmful substitutes first, would need gradients, too."
        ]
    draft = Draft(
        name=name, seed=seed, plugins=plugins.load, model=pair.model, data_source=pair.data, data_limit=limit,
        scores=_scores(suits, manager, gradients=not without),
        select=None if number == usable else {"difficult": 0, "control": number}, checks=checks, notes=notes,
        one_label=one_label, left_out=left_out,
        reports=[each for each in (*suits.reports, "json") if each in manager.offers("reports")],
    )  # fmt: skip
    return draft, usable, without


def _selected(
    draft: Draft, number: int, usable: int, without: str, manager: PluginManager, pilot: Record | None
) -> Draft:
    """Choose the arms of a draft."""
    select, why = _selection(number, usable, without, manager, pilot)
    chosen = draft.scores if not without or (select or {}).get("by") else []
    return replace(draft, scores=chosen, select=select, notes={**draft.notes, "select": why})


def _data_limit(data: Named, rows: Sequence[Example], seed: int) -> int | None:
    """Bound what a suite reads of large data, unless its beginning lacks a label that it has elsewhere."""
    if (
        data.use.given is not None
        or len(rows) <= _READ
        or "limit" in data.use.options
        or "limit" not in options_model(data.cls, "").model_fields
    ):
        return None
    first = sample(data.make({**data.use.options, "limit": _READ}), data.use.use, _READ, seed)
    return _READ if {each.label for each in first} == {each.label for each in rows} else None


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


def _scores(suits: FirstSuite, manager: PluginManager, *, gradients: bool) -> list[str]:
    """The scores that suit a first suite, as far as the model allows them."""
    offered = manager.offers("scorers")
    known = [each for each in suits.scores if each in offered]
    return [each for each in known if gradients or not ScorerPart(offered[each].cls).contract.gradients]


def _pilot(draft: Draft, number: int, plugins: PluginOptions, options: RunOptions, console: Console) -> Record:
    """Run the checks on what will be the control arm, to see which score predicts their failures."""
    control = number - number // 2
    names = ", ".join(draft.scores)
    print_line(console, f"pilot: which of {names} predicts failures, on {control} random examples", "bold")
    record = run_draft(replace(draft, select={"difficult": 0, "control": control}), plugins, options, None)
    for each in _ranked(record):
        print_line(console, f"  {each.name:<14} AUROC {area_text(each.area) if each.area else ''}")
    return record


def _ranked(pilot: Record | None) -> list[ScoreRecord]:
    """The scores that were measured, the best first."""
    known = [] if pilot is None else [each for each in pilot.scores if each.area and each.area.auroc is not None]
    return sorted(known, key=lambda each: -(each.area.auroc or 0) if each.area else 0)


def _selection(
    number: int, usable: int, without: str, manager: PluginManager, pilot: Record | None
) -> tuple[Mapping[str, Any] | None, list[str]]:
    """Choose the arms, and say why."""
    by = default_score(manager)
    symbol = "their score" if by is None else ScorerPart(manager.get("scorers", by).cls).contract.symbol or by
    ranked = _ranked(pilot)
    measured_on = []
    if ranked and ranked[0].area is not None:
        area = ranked[0].area
        told = ", ".join(f"{each.name} {area_text(each.area)}" for each in ranked if each.area)
        measured_on = [
            f"AUROC on {area.examples} random examples, {area.failing} of which failed a check (0.5 is chance):",
            f"{told}.",
        ]
        above_chance = area.interval is not None and area.interval[0] > _CHANCE
        if not without or above_chance:
            best = ranked[0].name
            select = {"by": best, "difficult": number // 2, "control": number - number // 2}
            why = f"The hardest examples by {best}, which predicted this model's failures best, and others at random."
            return select, [why, *measured_on, "'by: best' learns it anew in every run."]
    if by is not None and not without and number >= 2 * _ARM:
        select = {"by": by, "difficult": number // 2, "control": number - number // 2}
        return select, [f"The hardest examples by {symbol}, and others drawn at random."]
    told_why = []
    if without:
        told_why += [f"Not the hardest examples by {symbol}: {without}", *first_suite(manager).without_gradients]
        told_why += [*measured_on, "None of them is surely better than chance."] if measured_on else []
    else:
        told_why.append(f"No difficult arm: {number} examples are too few for two.")
    return (None, told_why) if number == usable else ({"difficult": 0, "control": number}, told_why)


def _head(draft: Draft, record: Record, run_it: str, command: str) -> list[str]:
    """Say where the suite comes from and how its limits were made."""
    accuracy = ""
    if record.model.accuracy is not None:
        share = percent(record.model.accuracy, record.model.accuracy_interval)
        accuracy = f" Accuracy: {share} on {record.data.labelled:,} examples."
    subject = f"{draft.model.use.use} on {draft.data_source.use.use}"
    return [
        f"Written by 'robustfim {command}' on {datetime.date.today()} for {subject}.{accuracy}",
        run_it,
        "",
        "Each limit was measured: the smallest whole percentage above the 95 % interval of the rate, and so far above",
        "that this measurement passes beyond doubt among all limits here. Lower a limit when the model gets better.",
    ]
