"""A recorded suite: drafted from the record of a run, with limits from the rates that the run measured."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from robustfim.collect import Named, written_use
from robustfim.errors import UsageError
from robustfim.plugin import PluginOptions, load_plugins
from robustfim.record import CheckRecord, Record
from robustfim.suite import SuiteFile
from robustfim_doctor.draft import Draft, DraftCheck
from robustfim_doctor.first_suite import first_suite
from robustfim_doctor.measured_suite import with_limits

__all__ = ["recorded_suite"]


def recorded_suite(record: Record, out: Path, plugins: PluginOptions, command: str) -> Draft:
    """Draft a suite from a run: its model, data and checks, each check with the limit that its measured rate allows.

    Raises:
        UsageError: The model or the data came from a script, or no plugin offers them.
        NothingCollected: No check of the run can have a limit.
    """
    if record.selection.strata:
        raise UsageError(
            f"{record.suite} drew its examples from strata, so no suite can be written from its record. "
            "Copy the old suite, or write one with "
            "'robustfim scan --model … --data … --write FILE'."
        )
    if any(check.clusters is not None for check in record.checks):
        raise UsageError(
            f"the examples of {record.suite} lie in clusters, and its record does not name the field of the "
            "clusters. Copy the old suite, or write one with 'robustfim scan --model … --data … --write FILE'."
        )
    words = {kind: {"use": each.use, **each.options} for kind, each in _named(record)}
    file = SuiteFile(Path(record.path or record.suite), words)
    manager = load_plugins(plugins, (), file.folder)
    parts = {}
    for kind, named in _named(record):
        plural = "models" if kind == "model" else kind
        part = Named.read(plural, file, manager)
        if part is None or named.use not in manager.offers(plural):
            raise UsageError(
                f"no plugin offers the {kind} {named.use!r} of {record.suite}: name the plugin with -p, or write a "
                "suite with 'robustfim scan --model … --data … --write FILE'."
            )
        parts[kind] = part
    checks, left_out = [], [f"slice {record_slice.name}: slices are not drafted." for record_slice in record.slices]
    for check in record.checks:
        if check.perturbation.get("use") not in manager.offers("perturbations"):
            left_out.append(f"{check.name}: its texts come from no perturbation.")
        elif not check.estimand.counts:
            left_out.append(f"{check.name}: its limit is not for a share of examples.")
        elif check.limit_of_valid:
            left_out.append(f"{check.name}: its limit is for failures that people call valid, which a review tells.")
        elif any(error.weighted for name in _errors(check) for error in check.errors_of(name).values()):
            left_out.append(f"{check.name}: its errors are weighed by what two arms stand for.")
        else:
            checks.append(_check(check))
    selected = record.selection
    difficult, control = selected.difficult, selected.control
    by = "best" if selected.pilot is not None else selected.by
    chosen: dict[str, object] = {"by": by} if by is not None and (difficult or selected.easiest) else {}
    chosen |= {"easiest": selected.easiest} if selected.easiest else {}
    draft = Draft(
        name=out.stem, seed=record.seed, plugins=plugins.load, model=parts["model"], data_source=parts["data"],
        scores=[score.name for score in record.scores],
        select={**chosen, "difficult": difficult, "control": control} if difficult or control else None,
        checks=checks, left_out=left_out,
        reports=[report for report in (*first_suite(manager).reports, "json") if report in manager.offers("reports")],
    )  # fmt: skip
    return with_limits(draft, record, out, command)


def _named(record: Record) -> Iterator[tuple[str, Any]]:
    """The model and the data of a run."""
    yield from (("model", record.model), ("data", record.data))


def _check(check: CheckRecord) -> DraftCheck:
    """A check as the suite had it, without its limit."""
    fails = written_use(check.fails)
    return DraftCheck(
        check.name, check.perturbation, [written_use(constraint) for constraint in check.constraints], check.marks,
        written_use(check.expectation), "" if fails == "any" else fails, errors=_errors(check),
    )  # fmt: skip


def _errors(check: CheckRecord) -> list[str]:
    """The kinds of error that a check has limits for."""
    return [part for part in check.limit if check.errors_of(part)] if isinstance(check.limit, dict) else []
