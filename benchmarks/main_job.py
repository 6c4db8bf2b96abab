"""The main job as a user pays it: ``robustfim run``, the same again, and ``robustfim --help``, each a new process."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.timing import Spread, interleave

__all__ = ["AIM", "AIM_HELP", "MainJob", "main_job", "robustfim"]

AIM = 30.0
AIM_HELP = 0.3
SUITE = Path(__file__).parents[1] / "suites" / "sentiment.yaml"


@dataclass(frozen=True)
class MainJob:
    """Times of the command line, in seconds.

    Attributes:
        suite: The suite's name.
        model: The model it ran on.
        examples: Examples that were tested, in both arms.
        cold: ``robustfim run`` with an empty store.
        again: The same command again.
        texts: Texts sent to the model in the first run.
        texts_again: Texts sent to the model in the second.
        help: ``robustfim --help``.
        python: ``python -c pass``.
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


def main_job(
    scratch: Path, *, repeats: int, suite: Path = SUITE, model: Sequence[str] = (), override: Sequence[str] = ()
) -> MainJob:
    """Time the command line.

    Args:
        scratch: A folder for stores and reports, one of each a repetition.
        repeats: Timings of each command.
        suite: The suite to run.
        model: Settings of another model than the suite's, each ``KEY=VALUE``.
        override: Other keys of the suite, each ``KEY=VALUE``.

    Returns:
        Times and counts.

    Raises:
        RuntimeError: A run ended with another exit code than 0 or 1, or two cold runs sent different numbers of texts.
    """
    options = [*itertools.chain.from_iterable(("--model", each) for each in model)]
    options += itertools.chain.from_iterable(("-o", each) for each in override)
    folders = (scratch / str(number) for number in itertools.count())
    folder = next(folders)
    records: dict[str, list[dict[str, Any]]] = {"cold": [], "again": []}

    def run(kind: str) -> None:
        where = ["--reports", str(folder), "--store", str(folder / "store.sqlite")]
        robustfim("run", str(suite), *options, *where, codes=(0, 1))
        (found,) = folder.glob("*/results.json")
        records[kind].append(json.loads(found.read_text(encoding="utf-8")))

    times: dict[str, list[float]] = {}
    for _ in range(repeats):
        # The order is fixed: only a second run can find what the first has stored.
        sides = {
            "python": lambda: _run([sys.executable, "-c", "pass"], (0,)),
            "help": lambda: robustfim("--help", codes=(0,)),
            "cold": lambda: run("cold"),
            "again": lambda: run("again"),
        }
        for side, (value,) in interleave(sides, 1).items():
            times.setdefault(side, []).append(value)
        folder = next(folders)
    sent = {kind: {int(record["model_calls"]) for record in found} for kind, found in records.items()}
    if len(sent["cold"]) > 1 or len(sent["again"]) > 1:
        raise RuntimeError(f"repetitions of one run sent different numbers of texts to the model: {sent}")
    first = records["cold"][0]
    return MainJob(
        suite=first["suite"],
        model=first["model"]["use"],
        examples=sum(example["arm"] is not None for example in first["examples"]),
        cold=Spread.of(times["cold"]),
        again=Spread.of(times["again"]),
        texts=sent["cold"].pop(),
        texts_again=sent["again"].pop(),
        help=Spread.of(times["help"]),
        python=Spread.of(times["python"]),
    )


def robustfim(*arguments: str, codes: Sequence[int]) -> None:
    """Run robustfim as its console script does.

    Args:
        arguments: The command line.
        codes: Exit codes that are no failure.

    Raises:
        RuntimeError: It ended with another.
    """
    _run([sys.executable, "-c", "from robustfim.cli import main; main()", *arguments], codes)


def _run(command: list[str], codes: Sequence[int]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in codes:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
