"""``python -m benchmarks.mutants``: change the code that decides verdicts, and count the changes that no test finds.

Mutants are drawn from a seed over the modules below, as many of each as it has places, and each is tested by its own
module's fast tests alone, in a copy of the tree. mutmut and cosmic-ray make every mutant of a tree and run one command
for all of them: minutes for each here, where the tests of one module take seconds. It is for the night, not for
continuous integration; ``--workers`` shares it.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from benchmarks.mutant import ROOT, Mutant, mutants_of
from benchmarks.sections import verdict, write_results
from robustfim.statistics import wilson

__all__ = ["TARGETS", "draw", "finds", "render"]

TARGETS = {
    "statistics/estimand.py": ["judge/test_verdicts.py", "collect/test_supports.py"],
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

LIMIT = 300
"""Seconds for the tests of one mutant; one that takes longer is found."""

AIM = 0.9
"""The share of mutants that should be found."""


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


def copy_tree(folder: Path) -> Path:
    """Copy what tests need of the repository to an empty folder, and return the folder."""
    for name in ("robustfim", "tests", "plugins", "benchmarks", "docs", "suites"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def finds(tree: Path, tests: Sequence[str], mutant: Mutant | None = None) -> bool:
    """Check whether a fast test fails with a mutant, or takes too long.

    Args:
        tree: A copy of the repository.
        tests: Files or folders of ``tests/robustfim``.
        mutant: The mutant; None for the code as it is.
    """
    path = None if mutant is None else tree / "robustfim" / mutant.module
    before = "" if path is None else path.read_text(encoding="utf-8")
    if path is not None and mutant is not None:
        path.write_text(mutant.source, encoding="utf-8")
    options = ["-q", "-x", "-n", "0", "--assert=plain", "-p", "no:cacheprovider", "-m", "not slow"]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *(f"tests/robustfim/{test}" for test in tests)], cwd=tree,
            env=os.environ | {"PYTHONPATH": f"{tree}{os.pathsep}{tree / 'plugins'}", "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True, timeout=LIMIT, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    finally:
        if path is not None:
            path.write_text(before, encoding="utf-8")
    return done.returncode != 0


def render(results: Sequence[tuple[Mutant, bool]], there: int, command: str) -> str:
    """Write the counts as a section of Markdown.

    Args:
        results: The tested mutants, each with whether a test finds it.
        there: The number of mutants from which the tested mutants were drawn.
        command: The command that tested them.
    """
    tried, good = (Counter(mutant.module for mutant, found in results if found in kept) for kept in ((0, 1), (1,)))
    number, found = tried.total(), good.total()
    low, high = wilson(found, number) or (0.0, 1.0)
    rows = [*((f"`{module}`", tried[module], good[module]) for module in sorted(tried)), ("all", number, found)]
    table = "\n".join(f"| {name} | {of} | {hit} | {hit / of:.0%} |" for name, of, hit in rows)
    return (
        f"## Mutants\n\nMeasured by `{command}`.\n\n"
        "One operator, comparison, constant, condition, result or word of SQL of the modules that decide verdicts is "
        f"another; it is found when a fast test of its module fails, or they take {LIMIT // 60} minutes. {number} were "
        f"drawn at random of the {there:,} that there are; a mutant that is equal to what it changes counts as not "
        f"found. {found / number:.1%} [{low:.1%}, {high:.1%}] were found; the aim of {AIM:.0%} of 500 is "
        f"{verdict(found / number >= AIM)}.\n\n"
        f"| module | mutants | found |  |\n| --- | --- | --- | --- |\n{table}"
    )


def main() -> None:
    """Test the mutants, and print the mutants that no test detects."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=500, help="mutants to test (default 500)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", metavar="MODULE", default="", help="draw from modules whose path holds this")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="threads that share them (default 1)")
    parser.add_argument("--update", action="store_true", help="write the counts into benchmarks/results")
    options = parser.parse_args()
    started, drawn = time.monotonic(), draw(options.sample, options.seed, options.only)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.workers) as pool:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(options.workers):
            trees.put(copy_tree(Path(folder) / str(number)))

        def found(job: tuple[Mutant | None, list[str]]) -> bool:
            tree = trees.get()
            try:
                return finds(tree, job[1], job[0])
            finally:
                trees.put(tree)

        whole = sorted({tuple(tests) for _, tests in drawn})
        for tests, fails in zip(whole, pool.map(found, [(None, [*tests]) for tests in whole]), strict=True):
            if fails:
                parser.error(f"{', '.join(tests)} fail without any change")
        results = [(mutant, hit) for (mutant, _), hit in zip(drawn, pool.map(found, drawn), strict=True)]
    for mutant in sorted((mutant for mutant, hit in results if not hit), key=lambda each: (each.module, each.line)):
        print(f"robustfim/{mutant.module}:{mutant.line}: {mutant.what}")
    print(f"{sum(hit for _, hit in results)} of {len(results)} mutants found in {time.monotonic() - started:.0f} s")
    if options.update:
        only = f"--only {options.only} " if options.only else ""
        command = f"python -m benchmarks.mutants {only}--sample {options.sample} --seed {options.seed}"
        write_results(render(results, len(draw(sys.maxsize, options.seed, options.only)), command))


if __name__ == "__main__":
    main()
