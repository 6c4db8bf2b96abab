"""One job in three tools: robustfim, LangTest and Giskard change the same texts and ask the same kind of model."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from benchmarks.csv_files import write_rows
from benchmarks.rivals.fitted import TEXTS
from benchmarks.sections import table
from robustfim_reference.bundled import Reviews

__all__ = ["RIVALS", "Job", "as_markdown", "environment", "rivals"]

RIVALS = {
    # LangTest imports what it does not require.
    "langtest": ("langtest==2.7.0", "openai", "psutil", "scikit-learn==1.9.1"),
    "giskard": ("giskard==2.19.2", "scikit-learn==1.9.1"),
}
"""What the environment of each other tool has."""

AIMS = {"robustfim, first run": 4.0, "robustfim, again": 2.0}
"""The aims: seconds of processor time of the first run, and of a run that finds all answers in the store."""

_HERE = Path(__file__).parent
_CHECKS = {
    "uppercase": {"use": "case", "kinds": ["upper"]},
    "lowercase": {"use": "case", "kinds": ["lower"]},
    "titlecase": {"use": "case", "kinds": ["title"]},
    "typos": {"use": "typos", "words": 1, "candidates": 1},
    "punctuation": {"use": "punctuation", "kinds": ["stripped"]},
}
_MODEL = "from fitted import fitted\nfitted().predict(['a text'])"


@dataclass(frozen=True)
class Job:
    """The cost of the job in one tool, run as a separate process. Times are the smallest of the repetitions.

    Attributes:
        tool: The tool's name and version, or the command that was run.
        cases: The number of changed texts that were judged; None if no texts are judged.
        seconds: Seconds from the call to the exit.
        computed: Seconds of processor time, of the user and the system.
    """

    tool: str
    cases: int | None
    seconds: float
    computed: float


def rivals(scratch: Path, environments: Path, *, repeats: int) -> Iterator[Job]:
    """Run the job with each tool.

    Args:
        scratch: An empty folder for data, stores and reports.
        environments: A folder with a virtual environment for each tool. A missing environment is made with pip.
        repeats: The number of runs of each tool.

    Yields:
        The costs of fitting the model alone, of robustfim's first run, of the same run again, and of the other tools.

    Raises:
        RuntimeError: A tool failed.
    """
    shutil.copy(_HERE / "fitted.py", scratch)
    write_rows(scratch / TEXTS, ["text", "label"], ([each.text, each.label or ""] for each in Reviews().load()))
    suite = {
        "suite": "job", "model": {"use": "sklearn", "call": "fitted:fitted"}, "data": {"use": "csv", "path": TEXTS},
        "checks": {name: {"perturb": perturb, "limit": 1} for name, perturb in _CHECKS.items()}, "reports": ["json"],
    }  # fmt: skip
    (scratch / "job.yaml").write_text(yaml.safe_dump(suite), encoding="utf-8")
    yield _least("the model alone", None, [_timed([sys.executable, "-c", _MODEL], scratch) for _ in range(repeats)])
    run = [sys.executable, "-m", "robustfim", "run", "job.yaml", "-q", "--reports", "reports", "--store"]
    first = [_timed([*run, f"store-{number}"], scratch) for number in range(repeats)]
    record = json.loads((scratch / "reports" / "job" / "results.json").read_text(encoding="utf-8"))
    cases = sum(check["candidates"]["tested"] for check in record["checks"])
    yield _least("robustfim, first run", cases, first)
    yield _least("robustfim, again", cases, [_timed([*run, "store-0"], scratch) for _ in range(repeats)])
    for name, requirements in RIVALS.items():
        command = [str(environment(environments / name, requirements)), str(_HERE / f"{name}_job.py")]
        found = [_timed(command, scratch) for _ in range(repeats)]
        cases = int((scratch / f"{name}.txt").read_text(encoding="utf-8"))
        yield _least(requirements[0].replace("==", " "), cases, found)


def environment(folder: Path, requirements: tuple[str, ...]) -> Path:
    """Return the interpreter of a virtual environment, which is made if it is missing."""
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *requirements], check=True)
    return python


def _timed(command: list[str], folder: Path) -> tuple[float, float]:
    """Seconds and seconds of processor time of a process; Giskard tells its makers nothing of it."""
    quiet = {"GSK_DISABLE_ANALYTICS": "1", "GSK_DISABLE_SENTRY": "1", "PYTHONPATH": str(folder)}
    # What is installed is compiled already, and a user does not pay for it again.
    compiled = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    with (folder / "output.txt").open("w", encoding="utf-8") as output:
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=compiled | quiet, stdout=output, stderr=output)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        said = (folder / "output.txt").read_text(encoding="utf-8", errors="replace")
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{said[-2000:]}")
    return seconds, used.ru_utime + used.ru_stime


def _least(tool: str, cases: int | None, found: list[tuple[float, float]]) -> Job:
    """The least of the repetitions: what else a machine does adds to a time and never takes from it."""
    return Job(tool, cases, *map(min, zip(*found, strict=True)))


def as_markdown(found: Sequence[Job]) -> str:
    """Write the results as a section of Markdown."""
    rows = []
    for each in found:
        aim = AIMS.get(each.tool)
        told = ["", ""] if aim is None else [f"≤ {aim:g} s of processor", each.computed <= aim]
        cases = "" if each.cases is None else f"{each.cases:,}"
        rows.append([each.tool, cases, f"{each.seconds:.1f}", f"{each.computed:.1f}", *told])
    about = (
        "480 bundled reviews, each in capitals, in small letters, as a headline, with a typo and without punctuation; "
        "TF-IDF and a logistic regression, which each tool fits in an environment of its own. Giskard also writes "
        "numbers as words and drops accents. Each is a process of its own; the least of its runs."
    )
    return f"{about}\n\n{table(['tool', 'changed texts', 'seconds', 'processor s', 'aim', ''], rows)}"
