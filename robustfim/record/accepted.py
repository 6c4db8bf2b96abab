"""The history of a baseline: the runs that were accepted, one line of JSON per run, in a file beside the baseline."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from robustfim.errors import UsageError
from robustfim.record.format import Record
from robustfim.record.part import Part, RateField
from robustfim.whole_file import write_whole

__all__ = ["AcceptedRun", "accepted_runs", "note_accepted"]


class AcceptedRun(Part):
    """A run that was accepted as a baseline, as the list of accepted runs keeps it."""

    started: str
    """ISO 8601, UTC."""
    model: str
    """The model, as the suite names it."""
    accuracy: float | None = None
    broken: RateField | None = None
    """Tested examples that a changed text breaks, not counting the difficult arm; None if no example was tested."""

    @classmethod
    def of(cls, record: Record) -> AcceptedRun:
        """Summarize a run."""
        broken = next((reach.rate for reach in record.reach if reach.arm != "difficult"), None)
        return cls(started=record.started, model=record.model.use, accuracy=record.model.accuracy.rate, broken=broken)


def accepted_runs(baseline: Path) -> list[AcceptedRun]:
    """Read the list of accepted runs of a suite, the oldest first; empty if there is no file.

    Args:
        baseline: The file of the baseline, ``<suite>.json``; the list is in ``<suite>.history.jsonl`` beside it.

    Raises:
        UsageError: The file is malformed.
    """
    file = _history(baseline)
    if not file.is_file():
        return []
    try:
        return [AcceptedRun.model_validate_json(line) for line in file.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError, ValidationError) as error:
        raise UsageError(f"{file} is no list of accepted runs: {error}") from error


def note_accepted(baseline: Path, record: Record) -> None:
    """Add a run to the list of accepted runs beside a baseline, unless it is already the last run there.

    Raises:
        OSError: The file cannot be written.
    """
    runs, run = accepted_runs(baseline), AcceptedRun.of(record)
    if run not in runs[-1:]:
        lines = [accepted_run.model_dump_json() for accepted_run in (*runs, run)]
        write_whole(_history(baseline), "".join(f"{line}\n" for line in lines).encode())


def _history(baseline: Path) -> Path:
    return baseline.with_suffix(".history.jsonl")
