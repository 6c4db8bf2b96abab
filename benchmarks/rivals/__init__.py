"""One job in three tools: robustfim, LangTest and Giskard change the same texts and ask the same kind of model."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from benchmarks.rivals.fitted import TEXTS
from robustfim_reference.bundled import Reviews

__all__ = ["RIVALS", "Job", "as_markdown", "environment", "rivals"]

RIVALS = {
    # LangTest imports what it does not require.
    "langtest": ("langtest==2.7.0", "openai", "psutil", "scikit-learn==1.9.1"),
    "giskard": ("giskard==2.19.2", "scikit-learn==1.9.1"),
}
"""What the environment of each other tool has."""

AIM = 4.0
AIM_AGAIN = 2.0
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
        scratch: A folder for data, stores and reports, which is emptied first.
        environments: A folder with a virtual environment for each tool. A missing environment is made with pip.
        repeats: The number of runs of each tool.

    Yields:
        The costs of fitting the model alone, of robustfim's first run, of the same run again, and of the other tools.

    Raises:
        RuntimeError: A tool failed.
    """
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    shutil.copy(_HERE / "fitted.py", scratch)
    with (scratch / TEXTS).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["text", "label"], *([each.text, each.label or ""] for each in Reviews().load())])
    checks = {name: {"perturb": perturb, "limit": 1} for name, perturb in _CHECKS.items()}
    suite = {
        "suite": "job", "model": {"use": "sklearn", "call": "fitted:fitted"}, "data": {"use": "csv", "path": TEXTS},
        "checks": checks, "reports": ["json"],
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
        python = environment(environments / name, requirements)
        command = [str(python), str(_HERE / f"{name}_job.py")]
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
    seconds, computed = map(min, zip(*found, strict=True))
    return Job(tool, cases, seconds, computed)


def as_markdown(found: list[Job] | str) -> str:
    """Write the results as a section of Markdown.

    Args:
        found: The costs, or a string with the reason why there are none.
    """
    if isinstance(found, str):
        return f"Not measured: {found}."
    aims = {"robustfim, first run": AIM, "robustfim, again": AIM_AGAIN}
    lines = ["| tool | changed texts | seconds | processor s | beside the model alone, s | aim |  |"]
    lines.append("| --- | ---: | ---: | ---: | ---: | --- | --- |")
    for each in found:
        aim = aims.get(each.tool)
        verdict = "" if aim is None else "met" if each.computed <= aim else "missed"
        cases = "" if each.cases is None else f"{each.cases:,}"
        bound = "" if aim is None else f"≤ {aim:g} s of processor"
        beside = "" if each is found[0] else f"{each.computed - found[0].computed:.1f}"
        lines.append(
            f"| {each.tool} | {cases} | {each.seconds:.1f} | {each.computed:.1f} | {beside} | {bound} | {verdict} |"
        )
    about = (
        "480 bundled reviews, each in capitals, in small letters, as a headline, with a typo and without punctuation; "
        "TF-IDF and a logistic regression, which each tool fits in an environment of its own, each time it starts. "
        "Giskard also writes numbers as words and drops accents. Each is a process of its own; the least of its runs."
    )
    return f"{about}\n\n" + "\n".join(lines)
