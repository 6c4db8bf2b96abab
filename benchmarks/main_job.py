"""Times the main commands in new processes: ``robustfim run``, the same command again, and ``robustfim --help``."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.timing import Spread, ratios
from robustfim.record import Record

__all__ = ["AIM", "AIM_HELP", "AIM_OF_BEFORE", "MainJob", "main_job", "robustfim"]

AIM = 30.0
AIM_HELP = 0.3
AIM_OF_BEFORE = (0.6, 0.4)
"""The share of the processor time before, of the first run and of the second."""
SUITE = Path(__file__).parents[1] / "suites" / "sentiment.yaml"


@dataclass(frozen=True)
class MainJob:
    """Times of the command line, in seconds from the call to the exit.

    Attributes:
        suite: The suite's name.
        model: The name of the model.
        examples: The number of tested examples, difficult and control examples together.
        cold: The time of ``robustfim run`` with an empty store.
        again: The time of the same command when it is repeated.
        texts: The number of texts sent to the model in the first run.
        texts_again: The number of texts sent to the model in the repeated run.
        help: The time of ``robustfim --help``.
        python: The time of ``python -c pass``.
        computed: Seconds of processor time of the first and of the repeated run.
        of_before: The processor time of the two runs divided by that of another checkout, for each repetition; None
            without another checkout.
    """

    suite: str
    model: str
    examples: int
    cold: Spread
    again: Spread
    texts: int
    texts_again: int
    help: Spread
    python: Spread
    computed: tuple[Spread, Spread]
    of_before: tuple[Spread, Spread] | None = None


def main_job(
    scratch: Path, *, repeats: int, suite: Path = SUITE, model: Sequence[str] = (), override: Sequence[str] = (),
    before: Path | None = None,
) -> MainJob:  # fmt: skip
    """Time the command line.

    Args:
        scratch: A folder for stores and reports, one store and one folder of reports for each repetition.
        repeats: The number of timings of each command.
        suite: The suite to run.
        model: Settings of a model that replaces the suite's model, each ``KEY=VALUE``.
        override: Other keys of the suite, each ``KEY=VALUE``.
        before: Another checkout, with an environment in its ``.venv``, that runs the suite in turn with this one.

    Returns:
        Times and counts.

    Raises:
        RuntimeError: A run ended with an exit code other than 0 or 1, or two cold runs sent different numbers of texts.
    """
    options = [*itertools.chain.from_iterable(("--model", each) for each in model)]
    options += itertools.chain.from_iterable(("-o", each) for each in override)
    folders = (scratch / str(number) for number in itertools.count())
    folder = next(folders)
    records: dict[str, list[dict[str, Any]]] = {"cold": [], "again": []}
    times: dict[str, list[tuple[float, float]]] = {}

    def run(kind: str, checkout: Path | None = None) -> tuple[float, float]:
        reports = folder / ("own" if checkout is None else "before")
        where = ["--reports", str(reports), "--store", str(reports / "store.sqlite")]
        taken = robustfim("run", str(suite), *options, *where, codes=(0, 1), checkout=checkout)
        (found,) = reports.glob("*/results.json")
        if checkout is None:
            tested = sum(each.arm is not None for each in Record.load(found).examples)
            records[kind].append(json.loads(found.read_text(encoding="utf-8")) | {"tested": tested})
        return taken

    for _ in range(repeats):
        # The order is fixed: only a second run can find what the first has stored.
        times.setdefault("python", []).append(_run([sys.executable, "-c", "pass"], (0,)))
        times.setdefault("help", []).append(robustfim("--help", codes=(0,)))
        for kind in ("cold", "again"):
            times.setdefault(kind, []).append(run(kind))
            if before is not None:
                times.setdefault(f"{kind} before", []).append(run(kind, before))
        folder = next(folders)
    seconds = {side: [each for each, _ in taken] for side, taken in times.items()}
    computed = {side: [each for _, each in taken] for side, taken in times.items()}
    sent = {kind: {int(record["model_calls"]) for record in found} for kind, found in records.items()}
    if len(sent["cold"]) > 1 or len(sent["again"]) > 1:
        raise RuntimeError(f"repetitions of one run sent different numbers of texts to the model: {sent}")
    first = records["cold"][0]
    return MainJob(
        suite=first["suite"],
        model=first["model"]["use"],
        examples=first["tested"],
        cold=Spread.of(seconds["cold"]),
        again=Spread.of(seconds["again"]),
        texts=sent["cold"].pop(),
        texts_again=sent["again"].pop(),
        help=Spread.of(seconds["help"]),
        python=Spread.of(seconds["python"]),
        computed=(Spread.of(computed["cold"]), Spread.of(computed["again"])),
        of_before=None
        if before is None
        else (
            ratios(computed["cold"], computed["cold before"]),
            ratios(computed["again"], computed["again before"]),
        ),
    )


def robustfim(*arguments: str, codes: Sequence[int], checkout: Path | None = None) -> tuple[float, float]:
    """Run robustfim as its console script does.

    Args:
        arguments: The command line.
        codes: The exit codes that do not count as failures.
        checkout: A checkout whose ``.venv`` runs the command; None for this interpreter.

    Returns:
        Seconds from the call to the exit, and seconds of processor time.

    Raises:
        RuntimeError: The command ended with an exit code that is not in ``codes``.
    """
    python = sys.executable if checkout is None else str(checkout / ".venv" / "bin" / "python")
    return _run([python, "-c", "from robustfim.cli import main; main()", *arguments], codes)


def _run(command: list[str], codes: Sequence[int]) -> tuple[float, float]:
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        # What is installed is compiled already, and a user does not pay for it again.
        compiled = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=said, stderr=said, env=compiled)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in codes:
            said.seek(0)
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{said.read()}")
    return seconds, used.ru_utime + used.ru_stime
