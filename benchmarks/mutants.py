"""``python -m benchmarks.mutants``: change the code that decides verdicts, and count the changes that no test finds.

A mutant is one operator, comparison, constant, condition or word of SQL that is another. They are drawn from a seed
over the modules below, as many of each as it has places, and each is tested by its own module's tests alone, in a copy
of the tree. mutmut and cosmic-ray make every mutant of a tree and run one command for all of them: minutes for each
here, where the tests of one module take seconds. It is for the night, not for continuous integration.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]

TARGETS = {
    "statistics/*": ["statistics"],
    "judge/verdicts.py": ["judge/test_verdicts.py"],
    "predict/queue.py": ["predict/test_queue.py", "predict/test_answers.py"],
    "predict/answers.py": ["predict/test_queue.py", "predict/test_answers.py"],
    "predict/store.py": ["predict/test_store.py", "predict/test_answers.py"],
    "propose/proposal.py": ["propose", "session/test_check_run.py"],
    "session/failures.py": ["session/test_failures.py"],
}
"""Modules of ``robustfim``, and their tests in ``tests/robustfim``; those of a folder are its own."""

LIMIT = 240
"""Seconds for the tests of one mutant; one that takes longer is found."""

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.Pow: ast.Mult, ast.Mod: ast.Add,
}  # fmt: skip
_SQL = {"IMMEDIATE": "DEFERRED", "OR REPLACE": "OR IGNORE", "NOT NULL": "", "PRIMARY KEY": ""}


@dataclass(frozen=True)
class Mutant:
    """One change.

    Attributes:
        path: The module.
        index: Which node of its tree is changed, as ``ast.walk`` counts.
        way: Which of the ways in which it can be.
        line: Its line.
        what: What is changed into what.
    """

    path: Path
    index: int
    way: int
    line: int
    what: str

    @property
    def module(self) -> str:
        """The module, from ``robustfim/`` on."""
        return self.path.relative_to(ROOT / "robustfim").as_posix()

    @property
    def source(self) -> str:
        """The module's text with the change."""
        tree = ast.parse(self.path.read_text(encoding="utf-8"))
        _change(next(islice(ast.walk(tree), self.index, None)), self.way)
        return ast.unparse(ast.fix_missing_locations(tree))


def mutants_of(path: Path) -> Iterator[Mutant]:
    """List every mutant of a module.

    Args:
        path: The module.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    annotations = {id(inner) for each in ast.walk(tree) for part in _annotations(each) for inner in ast.walk(part)}
    hidden = docstrings | annotations | {id(part) for each in ast.walk(tree) for part in _assertions(each)}
    for index, node in enumerate(ast.walk(tree)):
        if id(node) not in hidden:
            for way, what in enumerate(_ways(node)):
                yield Mutant(path, index, way, getattr(node, "lineno", 0), what)


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    """What of a node only type checkers read."""
    for name in ("annotation", "returns"):
        part = getattr(node, name, None)
        if isinstance(part, ast.AST):
            yield part


def _assertions(node: ast.AST) -> Iterator[ast.AST]:
    """What of a node says what is so, and decides nothing: decorators' words, and that lengths are equal."""
    for decorator in getattr(node, "decorator_list", ()):
        yield from ast.walk(decorator)
    if isinstance(node, ast.keyword) and node.arg == "strict":
        yield node.value


def _ways(node: ast.AST) -> list[str]:
    """Say how a node can be changed."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in _COMPARISONS:
            return [f"{type(operator).__name__} → {_COMPARISONS[type(operator)].__name__}"]
        case ast.BinOp(op=operator) if type(operator) in _OPERATORS:
            return [f"{type(operator).__name__} → {_OPERATORS[type(operator)].__name__}"]
        case ast.BoolOp():
            return ["and ↔ or"]
        case ast.UnaryOp(op=ast.Not()):
            return ["not left out"]
        case ast.If():
            return ["the condition is always true", "the condition is never true"]
        case ast.Constant(value=bool()):
            return ["True ↔ False"]
        case ast.Constant(value=int() | float()):
            return ["a number is one more"]
        case ast.Constant(value=str() as text) if any(word in text for word in _SQL):
            return [f"{word} in SQL" for word in _SQL if word in text]
        case ast.Return(value=ast.expr()):
            return ["returns None"]
        case ast.Break() | ast.Continue():
            return ["goes on instead"]
    return []


def _change(node: ast.AST, way: int) -> None:
    """Change a node in place."""
    match node:
        case ast.Compare(ops=[operator]):
            node.ops = [_COMPARISONS[type(operator)]()]
        case ast.BinOp():
            node.op = _OPERATORS[type(node.op)]()
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.UnaryOp():  # not not x is x, as far as conditions go
            node.operand = ast.UnaryOp(op=ast.Not(), operand=node.operand)
        case ast.If():
            node.test = ast.Constant(value=way == 0)
        case ast.Constant(value=bool()):
            node.value = not node.value
        case ast.Constant(value=int() | float() as number):
            node.value = number + 1
        case ast.Constant(value=str() as text):
            word = [each for each in _SQL if each in text][way]
            node.value = text.replace(word, _SQL[word])
        case ast.Return():
            node.value = ast.Constant(value=None)
        case ast.Break() | ast.Continue():
            node.__class__ = ast.Pass  # type: ignore[assignment]  # a statement in the place of another


def draw(number: int, seed: int) -> list[tuple[Mutant, list[str]]]:
    """Draw mutants of all targets.

    Args:
        number: How many.
        seed: Where the draw comes from.

    Returns:
        Each with the tests that should find it.
    """
    everything = []
    for pattern, tests in TARGETS.items():
        for path in sorted((ROOT / "robustfim").glob(pattern)):
            if path.suffix != ".py" or path.name == "__init__.py":
                continue
            everything += [(mutant, _tests(path, tests)) for mutant in mutants_of(path)]
    rng = random.Random(seed)  # noqa: S311  # no secret
    return rng.sample(everything, min(number, len(everything)))


def _tests(path: Path, tests: list[str]) -> list[str]:
    """The tests of a module: its own file where the target names a folder that has one."""
    own = Path(path.parent.name) / f"test_{path.name}"
    if len(tests) == 1 and (ROOT / "tests" / "robustfim" / own).is_file():
        return [own.as_posix()]
    return tests


def is_found(mutant: Mutant, tests: list[str], tree: Path) -> bool:
    """Run the tests of a mutant.

    Args:
        mutant: The change.
        tests: The tests.
        tree: A copy of the repository.
    """
    path = tree / "robustfim" / mutant.module
    before = path.read_text(encoding="utf-8")
    path.write_text(mutant.source, encoding="utf-8")
    try:
        return not _pass(tests, tree)
    finally:
        path.write_text(before, encoding="utf-8")


def _pass(tests: list[str], tree: Path) -> bool:
    """Run tests in a fork of this process, which has imported the libraries, and nothing of what is changed."""
    here, there = multiprocessing.get_context("fork").Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_run_tests, args=(there, tests, tree))
    process.start()
    there.close()
    passed = False
    with contextlib.suppress(EOFError):  # it died
        passed = here.poll(LIMIT) and here.recv()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid or 0, signal.SIGKILL)
    process.join()
    return passed


def _run_tests(tell: Any, tests: list[str], tree: Path) -> None:
    import pytest

    os.setsid()  # what the tests start ends with them
    os.chdir(tree)
    sys.dont_write_bytecode = True
    sys.path[:0] = [str(tree), str(tree / "plugins")]
    os.environ["PYTHONPATH"] = f"{tree}{os.pathsep}{tree / 'plugins'}"
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:randomly"]
    tell.send(pytest.main([*options, *(f"tests/robustfim/{each}" for each in tests)]) == 0)


def _import_libraries() -> None:
    """Import what most tests need, once for all mutants."""
    for name in ("click", "hypothesis", "numpy", "pluggy", "pydantic", "pytest", "rich.console", "scipy.stats", "yaml"):
        importlib.import_module(name)


def main() -> None:
    """Test the mutants, and print those that no test finds."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=500, help="mutants to test (default 500)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--within", type=float, metavar="SECONDS", help="stop after this time")
    options = parser.parse_args()
    started, found, tried = time.monotonic(), 0, 0
    _import_libraries()
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name)
        for folder in ("robustfim", "tests", "plugins", "benchmarks", "docs", "suites"):
            shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", tree)
        drawn = draw(options.sample, options.seed)
        for several in {tuple(tests) for _, tests in drawn}:
            if not _pass(list(several), tree):
                print(f"left out: {', '.join(several)} fail without any change", flush=True)
                drawn = [each for each in drawn if tuple(each[1]) != several]
        for mutant, tests in drawn:
            if options.within is not None and time.monotonic() - started > options.within:
                break
            tried += 1
            if is_found(mutant, tests, tree):
                found += 1
            else:
                print(f"robustfim/{mutant.module}:{mutant.line}: {mutant.what}", flush=True)
    print(f"{found} of {tried} mutants found ({found / max(1, tried):.0%}) in {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
