"""The trial of one classifier: the commands that its owner would run, and their results."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks.real.subjects import ADAPTERS, DATA, Subject
from robustfim.judge import first_failures
from robustfim.record import Record

__all__ = ["Pair", "Step", "Trial", "lacking", "tried"]

_PAIRS = 20
"""Failing pairs that are kept for readers, of each classifier."""


@dataclass(frozen=True)
class Step:
    """A command and its result.

    Attributes:
        command: The command line.
        exit_code: The exit code.
        seconds: The duration of the command.
        says: One line of the output, without texts of the data.
        printed: The output without progress, and the error that ended the command.
    """

    command: str
    exit_code: int
    seconds: float
    says: str = ""
    printed: str = ""


@dataclass(frozen=True)
class Pair:
    """A failing pair: check, gold label, answers before and after, both texts, and whether it was right before."""

    check: str
    gold: str
    before: str
    after: str
    source: str
    changed: str
    right_before: bool | None = None


@dataclass(frozen=True)
class Trial:
    """The results for one classifier.

    Attributes:
        name: The classifier's name.
        version: The classifier's distribution with its version.
        skipped: The reason why the classifier was not tried; empty if it was tried.
        steps: The commands and their results, in order.
        outcomes: The number of checks of the suite with each outcome.
        pairs: The first failing pairs of the scan, as the scan's page shows them.
        right_before: The number of these pairs with a correct answer before the edit; None without gold labels.
    """

    name: str
    version: str
    skipped: str = ""
    steps: tuple[Step, ...] = ()
    outcomes: Mapping[str, int] | None = None
    pairs: tuple[Pair, ...] = ()
    right_before: int | None = None


def lacking(subject: Subject, data: Path) -> str:
    """Name the packages, data or parts of the system that a classifier needs and that are missing; empty if none."""
    for package in subject.packages:
        try:
            metadata.version(package)
        except metadata.PackageNotFoundError:
            return f"{package} is not installed"
    missing = [path for path in subject.needs if not (data / path).is_file()]
    if missing:
        return f"the data lacks {', '.join(missing)}"
    if (ADAPTERS / f"{subject.name}.py").is_file():
        loaded = subprocess.run([sys.executable, "-c", f"import {subject.name}"], cwd=ADAPTERS, capture_output=True)
        if loaded.returncode:
            return loaded.stderr.decode(errors="replace").strip().splitlines()[-1]
    return ""


def tried(subject: Subject, folder: Path, data: Path, earlier: Path | None, seconds: float, examples: int) -> Trial:
    """Scan a classifier, write a suite, run it, and compare it with its earlier release or its other forms.

    Args:
        subject: The classifier.
        folder: The folder in which the commands run and write their files.
        data: The folder of the public data sets.
        earlier: A folder that holds a folder for each earlier release, named by its requirement; None compares with no
            earlier release.
        seconds: The time limit of the scan.
        examples: The largest number of examples that each check tests.
    """
    version = f"{subject.packages[0]} {metadata.version(subject.packages[0])}"
    home = folder / subject.name
    home.mkdir(parents=True, exist_ok=True)
    if not (home / DATA).exists():
        (home / DATA).symlink_to(data.resolve())
    if (ADAPTERS / f"{subject.name}.py").is_file():
        shutil.copy(ADAPTERS / f"{subject.name}.py", home)
    if subject.prepare is not None and not (home / "prepared").exists():
        subject.prepare(home)
        (home / "prepared").touch()
    options = [word for key in ("model", "data") for each in getattr(subject, key) for word in (f"--{key}", each)]
    suite = f"{subject.name}.yaml"
    budget = ["--seconds", f"{seconds:g}", "--examples", str(examples)]
    for stale in (home / "reports" / subject.name / "results.json", home / suite):
        stale.unlink(missing_ok=True)
    scan = _step(home, ["scan", *options, *subject.scan, *budget, "--write", suite, "--force"])
    reports = home / "reports" / f"scan-{subject.name}"
    scanned = _record(reports)
    steps, pairs = [replace(scan, says=_first_finding(scanned) or _last_line(scan))], tuple(_pairs(reports))
    outcomes: Counter[str] = Counter()
    if (home / suite).is_file():
        run = _step(home, ["run", suite])
        ran = _record(home / "reports" / subject.name)
        outcomes.update({name: count for name, count in ran.get("summary", {}).items() if count})
        steps.append(replace(run, says=_last_line(run)))
        steps += _compared(subject, home, suite, earlier)
    known = [pair.right_before for pair in pairs if pair.right_before is not None]
    right = sum(known) if known else None
    return Trial(subject.name, version, "", tuple(steps), outcomes, pairs, right)


def _compared(subject: Subject, home: Path, suite: str, earlier: Path | None) -> Iterator[Step]:
    """Run the suite on other releases, and compare each record with that of the classifier as it is."""
    others: list[tuple[str, list[str], Path | None]] = [
        (name, ["--model", f"./{name}"], None) for name in subject.rivals
    ]
    if subject.earlier and earlier is not None and (earlier / subject.earlier).is_dir():
        others.append((subject.earlier, [], earlier / subject.earlier))
    for name, model, packages in others:
        reports = f"reports-{name.replace('==', '-')}"
        run = _step(home, ["run", suite, *model, "--reports", reports], packages)
        yield replace(run, says=f"{name}: {_last_line(run)}")
        new, old = f"reports/{subject.name}", f"{reports}/{subject.name}"
        compared = _step(home, ["compare", *((new, old) if model else (old, new))])
        answers = [line for line in compared.printed.splitlines() if line and not line.startswith("=")]
        yield replace(compared, says=" ".join(" ".join(answers[:2]).split()))


def _step(home: Path, words: list[str], packages: Path | None = None) -> Step:
    """Run a command in a folder, with other releases of packages before those that are installed."""
    path = {"PYTHONPATH": str(packages.resolve())} if packages is not None else {}
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | path
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "robustfim", *words], cwd=home, env=environment, capture_output=True, text=True
    )
    with (home / "printed.txt").open("a", encoding="utf-8") as log:
        printed = done.stdout + done.stderr
        log.write(f"$ {shlex.join(['robustfim', *words])}\n{printed}\nexit code {done.returncode}\n\n")
    errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
    printed = "\n".join([done.stdout, *errors])
    return Step(shlex.join(["robustfim", *words]), done.returncode, time.perf_counter() - began, printed=printed)


def _record(folder: Path) -> dict[str, Any]:
    path = folder / "results.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def _findings(record: Mapping[str, Any]) -> list[str]:
    return [line for section in record.get("sections", []) for line in section.get("findings", [])]


def _first_finding(record: Mapping[str, Any]) -> str:
    """Take the first finding about an edit, without the text that it quotes; that the model is weak goes before it."""
    weak = record.get("model", {}).get("association", {})
    if not weak.get("allowed") and weak.get("verdict") in ("negative", "inconclusive"):
        return next(iter(_findings(record)), "").partition(" (")[0]
    return next(("  ".join(row[:2]) for row in _rows(record)), next(iter(_findings(record)), ""))


def _rows(record: Mapping[str, Any]) -> list[list[str]]:
    """The lines of a scan, each of a change."""
    digest: dict[str, Any] = next(
        (section for section in record.get("sections", []) if section["name"] == "digest"), {}
    )
    return [row for table in digest.get("tables", [])[:1] for row in table["rows"]]


def _last_line(step: Step) -> str:
    lines = [line.strip("= ") for line in step.printed.splitlines() if line.strip("= ")]
    return lines[-1] if lines else ""


def _pairs(folder: Path) -> Iterator[Pair]:
    """List the failing pairs that reports show first, one a text, with the fewest edits that break; all have edits."""
    path = folder / "results.json"
    if not path.is_file():
        return
    read = Record.load(path)
    sources = {example.id: example for example in read.examples}
    for failure in first_failures(read, _PAIRS):
        source = sources[failure.example]
        text, changed = (" ".join(" ".join(fields.values()).split()) for fields in (source.fields, failure.fields))
        gold, before, after = (str(label) for label in (source.label, failure.before.label, failure.after.label))
        if failure.edits:
            yield Pair(failure.check, gold, before, after, text, changed, source.correct)
