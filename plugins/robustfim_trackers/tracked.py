"""The content that trackers get of a run: settings, numbers, and a table of failing texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from robustfim.commands import printable
from robustfim.outcome import ExitCode
from robustfim.record import Record

__all__ = ["COLUMNS", "Tracked", "run_file", "tracked"]

COLUMNS = ("check", "text", "perturbed", "label", "before", "after")
"""The columns of the table of failing texts."""
_ROWS = 200
"""The largest number of failing texts in the table."""


@dataclass(frozen=True)
class Tracked:
    """A run as settings, numbers and a table, for experiment trackers. Control characters in texts are escaped.

    Attributes:
        suite: The suite's name.
        name: The name of the run, which is the model's name.
        settings: The settings and the outcomes of checks, as texts.
        numbers: The results, by names whose parts are joined by ``/``: ``checks/synonyms/rate``.
        rows: The rows of the table of failing texts, with a text for each column of ``COLUMNS``.
    """

    suite: str
    name: str
    settings: dict[str, str]
    numbers: dict[str, float]
    rows: Sequence[tuple[str, ...]]


def tracked(record: Record) -> Tracked:
    """Convert a run record to settings, numbers and a table, as experiment trackers store them.

    Args:
        record: The finished record; failing texts are taken from each check in turn.
    """
    settings = {
        "suite": record.suite,
        "model": record.model.use,
        "model_fingerprint": record.model.fingerprint or "",
        "data": record.data.use,
        "seed": str(record.seed),
        "robustfim": record.environment.robustfim,
        "exit_code": ExitCode(record.exit_code).name.lower(),
        **{f"outcome/{check.name}": check.outcome.value for check in record.checks},
    }
    numbers: dict[str, float | None] = {
        "accuracy": record.model.accuracy.rate,
        "examples": record.data.examples,
        "model_calls": record.model_calls,
        "duration_s": record.duration_s,
        **{f"summary/{outcome}": number for outcome, number in record.summary.items()},
        **{f"auroc/{score.name}": score.area.auroc for score in record.scores if score.area is not None},
        **{f"reach/{reach.arm}": reach.rate.rate for reach in record.reach},
    }
    for check in record.checks:
        low, high = check.interval or (None, None)
        own = {"rate": check.rate, "low": low, "high": high, "failing": check.failing, "tested": check.tested}
        own |= {f"{arm}/rate": check_arm.rate for arm, check_arm in check.arms.items()}
        numbers |= {f"checks/{check.name}/{name}": value for name, value in own.items()}
    known = {name: float(value) for name, value in numbers.items() if value is not None}
    shown = {printable(key): printable(value) for key, value in settings.items()}
    return Tracked(
        printable(record.suite), printable(record.model.use), shown,
        {printable(key): value for key, value in known.items()}, _rows(record),
    )  # fmt: skip


def run_file(path: Path | None, folder: Path, name: str) -> Path:
    """Return the path of the file that gets the id of a tracker's run.

    Args:
        path: The file or folder in the suite. A path without a suffix is a folder; None is the report folder.
        folder: The report folder.
        name: The file's name if only a folder is given.
    """
    place = path or folder
    return place / name if place.is_dir() or not place.suffix else place


def _rows(record: Record) -> list[tuple[str, ...]]:
    """The first failing texts of each check, then the second ones, until there are enough."""
    names = {check.id: check.name for check in record.checks}
    examples = record.look_up({failure.example for failure in record.failures})
    turns: dict[str, int] = {}
    ranked = []
    for place, failure in enumerate(record.failures):
        turns[failure.check] = turn = turns.get(failure.check, -1) + 1
        ranked.append((turn, place, failure))
    rows = [
        (
            names[failure.check],
            "\n".join(examples[failure.example].fields.values()),
            "\n".join(failure.fields.values()),
            examples[failure.example].label or "",
            failure.before.label,
            failure.after.label,
        )
        for _, _, failure in sorted(ranked, key=lambda item: item[:2])[:_ROWS]
    ]
    return [tuple(map(printable, row)) for row in rows]
