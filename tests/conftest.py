"""Fixtures of all tests."""

from __future__ import annotations

import compileall
import gc
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

if TYPE_CHECKING:
    from playwright.sync_api import Browser

settings.register_profile("thorough", derandomize=True, deadline=None, max_examples=60)
settings.register_profile("fast", settings.get_profile("thorough"), max_examples=20)
# Else Hypothesis reads every module that is imported for constants to draw: seconds, and what a test draws would follow
# from the tests that ran before it in the same worker.
setattr(providers, "is_local_module_file", lambda _: False)  # noqa: B010  # it has no name that is public


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--late``: see ``browser``; ``--ratchet`` and ``--because``: see ``tests/house/ratchet.py``."""
    parser.addoption("--late", action="store_true", help="what pages do in tasks of their own comes half a second late")
    parser.addoption("--ratchet", action="store_true", help="write today's sizes into tests/house/ratchet.toml")
    parser.addoption("--because", action="append", default=[], metavar="ENTRY=REASON", help="why an entry got worse")


def pytest_configure(config: pytest.Config) -> None:
    """Give each process one thread, draw fewer examples without the slow tests, and compile the project once for all.

    Threads of several workers that share the cores wait for one another, at twice the cost. Where Python writes no
    bytecode, every process that a test starts would compile the project again.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch or NumPy is imported
    sys.dont_write_bytecode = False  # else each process rewrites the assertions of all tests, in every run
    settings.load_profile("fast" if config.option.markexpr == "not slow" else "thorough")
    if not hasattr(config, "workerinput"):
        for folder in ("robustfim", "plugins"):
            compileall.compile_dir(Path(__file__).parents[1] / folder, quiet=2)


@pytest.hookimpl(tryfirst=True)  # before pytest leaves out by marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What needs a browser, or all pages of the site, is slow."""
    for item in items:
        if {"browser", "built"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("slow")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Let the collector of garbage pass over libraries and tests, which stay until the end, and rarely over all else.

    What tests share lives long, too: to look through it again and again took a tenth of the time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20, 50)
        gc.enable()


@pytest.fixture(autouse=True)
def no_line_of_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command shows does not depend on how long a busy machine takes for it."""
    monkeypatch.setattr("robustfim.terminal.progress._SECONDS", 1e6)


@pytest.fixture(autouse=True)
def forget_what_was_imported_from_a_test_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A module that a test wrote and imported is no other test's module of that name."""
    path, last = sys.path[:], next(reversed(sys.modules))
    yield
    sys.path[:] = path
    base = str(tmp_path_factory.getbasetemp())
    for name in list(takewhile(lambda name: name != last, reversed(sys.modules))):
        if str(getattr(sys.modules[name], "__file__", None)).startswith(base):
            del sys.modules[name]


@pytest.fixture(scope="session")
def browser(pytestconfig: pytest.Config) -> Iterator[Browser]:
    """The system's Chromium: one for all tests, since a process can drive but one.

    With ``--late`` its pages follow what is done to them half a second later, as on a busy machine: a test that looks
    before they have fails each time.
    """
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("no Chromium on this machine's path")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as started:
        running = started.chromium.launch(executable_path=found, args=["--disable-gpu"])
        if pytestconfig.option.late:
            late = (Path(__file__).parent / "late.js").read_text(encoding="utf-8")
            for name in ("new_context", "new_page"):
                setattr(running, name, _late(getattr(running, name), late))
        yield running
        running.close()


def _late(make: Callable[..., Any], script: str) -> Callable[..., Any]:
    """Open contexts or pages in which a script runs first."""

    def opened(**given: Any) -> Any:
        made = make(**given)
        made.add_init_script(script)
        return made

    return opened
