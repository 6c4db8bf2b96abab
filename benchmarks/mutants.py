"""``python -m benchmarks.mutants``: change the code that decides verdicts, and count the changes that no test finds.

Mutants are drawn from a seed over the modules below, as many of each as it has places, and each is tested by its own
module's fast tests alone, in a copy of the tree, the quick ones first; with ``--slow`` what they let pass is tried with
the slow ones. mutmut and cosmic-ray make every mutant of a tree and run one command for all of them: minutes for each
here, where the tests of one module take seconds. It is for the night, not for continuous integration; ``--workers``
shares it, ``--within`` and ``--keep`` do it in pieces.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import json
import math
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.mutant import ROOT, Mutant, mutants_of

TARGETS = {
    "statistics/estimand.py": ["judge/test_verdicts.py", "collect/test_repeat.py"],
    "statistics/*": ["statistics"],
    "judge/accuracy.py": ["judge/test_accuracy.py", "judge/test_comparison.py"],
    "judge/release_sentence.py": ["judge/test_release_sentence.py", "judge/test_comparison.py"],
    "judge/*": ["judge"],
    "predict/queue.py": ["predict/test_queue.py", "predict/test_answers.py"],
    "predict/answers.py": ["predict/test_queue.py", "predict/test_answers.py"],
    "predict/store.py": ["predict/test_store.py", "predict/test_answers.py"],
    "propose/proposal.py": ["propose", "session/test_check_run.py"],
    "session/failures.py": ["session/test_failures.py"],
}
"""Modules of ``robustfim``, by the first pattern that fits, and their tests in ``tests/robustfim``: :func:`_tests`."""

LIMIT = 60
"""Seconds for the tests of one mutant, beside five times what they take without it; one that takes longer is found."""

AIM = 0.9
"""The share of mutants that should be found."""

_LIBRARIES = (
    "_hypothesis_pytestplugin", "anyio.pytest_plugin", "click", "hypothesis", "numpy", "pluggy", "pydantic", "pytest",
    "rich.console", "scipy.integrate", "scipy.optimize", "scipy.stats", "statsmodels.stats.proportion", "xdist.plugin",
    "yaml",
)  # fmt: skip
"""What most tests need, imported once for all mutants; nothing of ``robustfim``, which is what is changed."""


def draw(number: int, seed: int, only: str = "") -> list[tuple[Mutant, list[str]]]:
    """Draw mutants of all targets.

    Args:
        number: The number of mutants.
        seed: The seed of the draw.
        only: A string; only modules whose path contains it are changed.

    Returns:
        The mutants, each with the tests that should detect it.
    """
    modules: dict[Path, list[str]] = {}
    for pattern, tests in TARGETS.items():
        for path in sorted((ROOT / "robustfim").glob(pattern)):
            if path.suffix == ".py" and path.name != "__init__.py" and only in path.as_posix():
                modules.setdefault(path, _tests(path, tests))
    everything = [(mutant, tests) for path, tests in modules.items() for mutant in mutants_of(path)]
    # Fewer are the first of more, and a change of one module leaves the draws of the others.
    return sorted(everything, key=lambda each: _lot(each[0], seed))[:number]


def _lot(mutant: Mutant, seed: int) -> bytes:
    """What a mutant draws."""
    return hashlib.sha256(f"{seed}/{mutant.module}/{mutant.index}/{mutant.way}".encode()).digest()


def _tests(path: Path, tests: list[str]) -> list[str]:
    """The tests of a module: its own file where the target names a folder that has one."""
    own = Path(path.parent.name) / f"test_{path.name}"
    if len(tests) == 1 and (ROOT / "tests" / "robustfim" / own).is_file():
        return [own.as_posix()]
    return tests


class Trial:
    """Tests mutants in a copy of the repository.

    Args:
        tree: An empty folder for the copy.
    """

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        for folder in ("robustfim", "tests", "plugins", "benchmarks", "docs", "suites"):
            shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", tree)

    def seconds(self, tests: Sequence[str], marks: str) -> dict[str, float] | None:
        """Measure the time of each test without a mutant, in seconds; None if a test fails.

        Args:
            tests: Files or folders of ``tests/robustfim``.
            marks: The marks of the tests to run, as for ``pytest -m``.
        """
        return self._run(tests, marks, {}, 10 * LIMIT)

    def finds(self, mutant: Mutant, tests: Sequence[str], seconds: Mapping[str, Mapping[str, float]]) -> bool:
        """Check whether a test fails with a mutant.

        Args:
            mutant: The mutant.
            tests: The tests, which pass without the mutant.
            seconds: For each expression of marks, the time of each test. The expressions are tried in their order.
        """
        path = self.tree / "robustfim" / mutant.module
        before = path.read_text(encoding="utf-8")
        path.write_text(mutant.source, encoding="utf-8")
        try:
            return any(
                self._run(tests, marks, known, LIMIT + 5 * sum(known.values())) is None
                for marks, known in seconds.items()
                if known
            )
        finally:
            path.write_text(before, encoding="utf-8")

    def _run(
        self, tests: Sequence[str], marks: str, known: Mapping[str, float], limit: float
    ) -> dict[str, float] | None:
        """Run tests in a fork of this process, which has imported the libraries, and nothing of what is changed.

        Returns:
            The seconds of each test; None where one fails.
        """
        here, there = multiprocessing.get_context("fork").Pipe(duplex=False)
        process = multiprocessing.get_context("fork").Process(
            target=_run_tests, args=(there, tests, marks, self.tree, known)
        )
        process.start()
        there.close()
        told = None
        with contextlib.suppress(EOFError):  # it died
            told = here.recv() if here.poll(limit) else None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid or 0, signal.SIGKILL)
        process.join()
        return told


class Workers:
    """Processes that test mutants, each in its own copy of the repository.

    Args:
        number: The number of processes.
        folder: An empty folder for the copies.
        marks: Expressions of marks, as for ``pytest -m``; the tests that they select are tried one after the other.
    """

    def __init__(self, number: int, folder: Path, marks: Sequence[str]) -> None:
        self._marks = marks
        for name in _LIBRARIES:
            importlib.import_module(name)
        context = multiprocessing.get_context("fork")
        self._pool = ProcessPoolExecutor(number, context, _begin, (folder,))

    def find(self, jobs: Sequence[tuple[Mutant, list[str]]], until: float) -> Iterator[tuple[Mutant, list[str], bool]]:
        """Test mutants, and yield each result as soon as it is known.

        Args:
            jobs: The mutants, each with its tests. A mutant whose tests fail without any change is left out with a
                message.
            until: The time, by ``time.monotonic``, after which no mutant is begun.
        """
        questions = [(tests, marks) for tests in sorted({tuple(tests) for _, tests in jobs}) for marks in self._marks]
        seconds: dict[tuple[str, ...], dict[str, dict[str, float]]] = {}
        for (tests, marks), known in zip(questions, self._pool.map(_seconds, questions), strict=True):
            if known is None:
                print(f"left out: {', '.join(tests)} ({marks}) fail without any change", flush=True)
            else:
                seconds.setdefault(tests, {})[marks] = known
        able = [job for job in jobs if len(seconds.get(tuple(job[1]), ())) == len(self._marks)]
        waiting = {self._pool.submit(_finds, *job, seconds[tuple(job[1])], until): job for job in able}
        for done in as_completed(waiting):
            if (found := done.result()) is not None:
                yield *waiting[done], found

    def close(self) -> None:
        """End the processes."""
        self._pool.shutdown(cancel_futures=True)


_TRIAL: list[Trial] = []
"""The trial of a worker process."""


def _begin(folder: Path) -> None:
    _TRIAL[:] = [Trial(Path(tempfile.mkdtemp(dir=folder)))]


def _seconds(question: tuple[Sequence[str], str]) -> dict[str, float] | None:
    return _TRIAL[0].seconds(*question)


def _finds(
    mutant: Mutant, tests: Sequence[str], seconds: Mapping[str, Mapping[str, float]], until: float
) -> bool | None:
    return None if time.monotonic() > until else _TRIAL[0].finds(mutant, tests, seconds)


class _QuickFirst:
    """A plugin of pytest that runs the quick tests first, and notes how long each takes."""

    def __init__(self, seconds: Mapping[str, float]) -> None:
        self._known, self.seconds = seconds, Counter[str]()

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items.sort(key=lambda item: self._known.get(item.nodeid, 0.0))

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.seconds[report.nodeid] += report.duration


def _run_tests(tell: Any, tests: Sequence[str], marks: str, tree: Path, seconds: Mapping[str, float]) -> None:
    import pytest

    os.setsid()  # what the tests start ends with them
    os.chdir(tree)
    sys.dont_write_bytecode = True
    sys.path[:0] = [str(tree), str(tree / "plugins")]
    os.environ["PYTHONPATH"] = f"{tree}{os.pathsep}{tree / 'plugins'}"
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    options = ["-q", "-x", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:randomly", "-m", marks]
    quick = _QuickFirst(seconds)
    code = pytest.main([*options, *(f"tests/robustfim/{test}" for test in tests)], plugins=[quick])
    passed = code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)  # not every module has slow ones
    tell.send(dict(quick.seconds) if passed else None)


@dataclass
class Counts:
    """The numbers of tested mutants, and the mutants that no test detects.

    Attributes:
        tried: The number of tested mutants of each module.
        missed: The mutants that no test detects.
    """

    tried: Counter[str] = field(default_factory=Counter)
    missed: list[Mutant] = field(default_factory=list)

    def count(self, mutant: Mutant, found: bool) -> None:
        """Count one tested mutant, and whether a test detects it."""
        self.tried[mutant.module] += 1
        if not found:
            self.missed.append(mutant)

    @property
    def told(self) -> str:
        """Return the counts as a line of text."""
        tried = self.tried.total()
        found = tried - len(self.missed)
        return f"{found} of {tried} mutants found ({found / max(1, tried):.1%})"


class Kept:
    """Results of earlier calls, found again by the source of the changed module and of its tests.

    Args:
        path: A file of JSON lines; None keeps no results.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path is not None and path.exists() else []
        self._known: dict[str, bool] = dict(json.loads(line) for line in lines)

    @staticmethod
    def key(mutant: Mutant, tests: Sequence[str], marks: Sequence[str] = ("not slow",)) -> str:
        """Return a hash of a mutant and its tests, the key of its result.

        Args:
            mutant: The mutant.
            tests: The tests.
            marks: The marks that select the tests.
        """
        digest = hashlib.sha256(f"{[*marks]}{mutant.source}".encode())
        for test in tests:
            place = ROOT / "tests" / "robustfim" / test
            for file in [place] if place.is_file() else sorted(place.rglob("*.py")):
                digest.update(file.read_bytes())
        return digest.hexdigest()

    def get(self, key: str) -> bool | None:
        """Return whether the mutant was detected; None if there is no result for the key."""
        return self._known.get(key)

    def put(self, key: str, found: bool) -> None:
        """Keep the result of a mutant."""
        self._known[key] = found
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps([key, found])}\n")


def render(counts: Counts, there: int, command: str, slow: bool = False) -> str:
    """Write the counts as a section of Markdown.

    Args:
        counts: The counts.
        there: The number of mutants from which the tested mutants were drawn.
        command: The command that made the counts.
        slow: Whether mutants that the fast tests do not detect were also tested with the slow tests.
    """
    from robustfim.statistics import wilson  # not before the forks, which import what is changed

    tried, missed = counts.tried.total(), Counter(each.module for each in counts.missed)
    found = tried - missed.total()
    low, high = wilson(found, tried) or (0.0, 1.0)
    rows = [
        *((f"`{module}`", number, number - missed[module]) for module, number in sorted(counts.tried.items())),
        ("all", tried, found),
    ]
    table = "\n".join(f"| {name} | {number} | {good} | {good / number:.0%} |" for name, number, good in rows)
    verdict = "met" if found / max(1, tried) >= AIM else "missed"
    return (
        f"## Mutants\n\nMeasured by `{command}`.\n\n"
        "One operator, comparison, constant, condition, result or word of SQL of the modules that decide verdicts is "
        f"another; it is found when a fast test of its module fails{', or else a slow one' * slow}, or they take five "
        f"times as long and a minute. {tried} were drawn at random of the {there:,} that there are; a mutant that is "
        f"equal to what it changes counts as not found. {found / max(1, tried):.1%} [{low:.1%}, {high:.1%}] were "
        f"found; the aim of {AIM:.0%} of 500 is {verdict}.\n\n"
        f"| module | mutants | found |  |\n| --- | --- | --- | --- |\n{table}"
    )


def main() -> None:
    """Test the mutants, and print the mutants that no test detects."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=500, help="mutants to test (default 500)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", metavar="MODULE", help="draw from modules whose path holds this")
    parser.add_argument("--slow", action="store_true", help="try what fast tests let pass with the slow ones")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes that share them (default 1)")
    parser.add_argument("--within", type=float, metavar="SECONDS", help="stop after this time")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keeps what is found out; the next command goes on")
    parser.add_argument("--update", action="store_true", help="write the counts into benchmarks/results")
    options = parser.parse_args()
    started, counts, kept = time.monotonic(), Counts(), Kept(options.keep)
    marks = ["not slow", "slow"] if options.slow else ["not slow"]
    drawn = draw(options.sample, options.seed, options.only or "")
    waiting = []
    for mutant, tests in drawn:
        if (known := kept.get(kept.key(mutant, tests, marks))) is None:
            waiting.append((mutant, tests))
        else:
            counts.count(mutant, known)
    until = math.inf if options.within is None else started + options.within
    with (
        tempfile.TemporaryDirectory() as name,
        contextlib.closing(Workers(options.workers, Path(name), marks)) as workers,
    ):
        for mutant, tests, found in workers.find(waiting, until):
            kept.put(kept.key(mutant, tests, marks), found)
            counts.count(mutant, found)
    for mutant in sorted(counts.missed, key=lambda each: (each.module, each.line)):
        print(f"robustfim/{mutant.module}:{mutant.line}: {mutant.what}")
    print(f"{counts.told} in {time.monotonic() - started:.0f} s")
    if options.update:
        if counts.tried.total() < len(drawn):
            parser.error("not all were tried, so that the result stays as it is")
        from benchmarks.sections import write_results

        only = f"--only {options.only} " if options.only else ""
        command = f"python -m benchmarks.mutants {only}--sample {options.sample} --seed {options.seed}"
        command += " --slow" * options.slow
        there = len(draw(sys.maxsize, options.seed, options.only or ""))
        write_results(render(counts, there, command, options.slow))


if __name__ == "__main__":
    main()
