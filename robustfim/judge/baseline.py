"""The baseline: the run record of the model in use, with which new models are compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from robustfim.errors import UsageError
from robustfim.outcome import Outcome
from robustfim.record import Record
from robustfim.record.accepted import note_accepted
from robustfim.whole_file import writing

__all__ = ["accept", "load_baseline", "require_common_checks"]


def load_baseline(path: Path, suite: str) -> Record:
    """Read the baseline of a suite: the record of the earlier run with which new runs are compared.

    Args:
        path: A run record, or a folder that holds ``<suite>.json``.
        suite: The suite's name.

    Raises:
        UsageError: The file is missing, cannot be read, or belongs to another suite.
    """
    file = path / f"{suite}.json" if path.is_dir() else path
    if not file.exists():
        raise UsageError(
            f"no baseline at {file}. 'robustfim accept reports/{suite}/results.json' makes the last run the baseline."
        )
    record = Record.load(file)
    if record.suite != suite:
        raise UsageError(f"the baseline {file} is of suite {record.suite!r}, not of {suite!r}.")
    return record


def require_common_checks(names: Sequence[str], baseline: Record) -> None:
    """Raise an error if a baseline (earlier run) has no check in common with the run to be started.

    Raises:
        UsageError: The baseline holds none of the checks.
    """
    known = [check.name for check in baseline.checks]
    if not set(names) & set(known):
        raise UsageError(
            f"the two records of suite {baseline.suite!r} have no check in common: the baseline holds "
            f"{', '.join(known[:5])}{', …' * (len(known) > 5)}, and this run {', '.join(names[:5])}"
            f"{', …' * (len(names) > 5)}."
        )


def accept(record: Record, path: Path) -> Path:
    """Make a run the baseline for later runs, and list it as accepted (:mod:`robustfim.record.accepted`).

    Raises:
        UsageError: The run was interrupted, ended with an error or left checks out; or the file cannot be written.
    """
    errors = [check.id for check in record.checks if check.outcome is Outcome.ERROR]
    if record.interrupted or not record.checks:
        raise UsageError(f"the run of suite {record.suite!r} was not finished; run it again before you accept it.")
    if record.deselected:
        raise UsageError(
            f"the run of suite {record.suite!r} left out {len(record.deselected)} of its checks. A baseline "
            "needs the results of every check: run the whole suite, and accept that run."
        )
    if errors:
        raise UsageError(
            f"{errors[0]} ended with an error in this run. Mend the check and run the suite again before you "
            "accept the run."
        )
    with writing(f"the baseline {path}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        note_accepted(path, record)
        return record.dump_text(path)
