"""robustfim inside pytest: ``pytest suites/`` collects suite files, one item for each check.

Since pytest imports this module in every run, the rest of robustfim is imported only when a suite is found.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import sqlite3
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from robustfim.outcome import Inconclusive
    from robustfim.record import CheckRecord, Record
    from robustfim.session import Session

__all__ = ["CheckItem", "SuiteCollector", "pytest_addoption", "pytest_collect_file", "pytest_runtest_makereport"]

_KEYS = (re.compile(rb"^suite\s*:", re.MULTILINE), re.compile(rb"^checks\s*:", re.MULTILINE))
"""The two top-level keys that make a YAML file a suite."""


class _CheckFailed(Exception):
    """A check that did not pass; pytest shows its text."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option ``--robustfim`` to pytest."""
    parser.getgroup("robustfim").addoption(
        "--robustfim",
        default="",
        metavar="OPTIONS",
        help="Options of 'robustfim run' for suite files: --robustfim='--strict --model use=reference/lstm'.",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SuiteCollector | None:
    """Collect YAML files that have both a ``suite`` and ``checks``."""
    if file_path.suffix not in (".yaml", ".yml"):
        return None
    try:
        content = file_path.read_bytes()
    except OSError:
        return None
    if not all(key.search(content) for key in _KEYS):
        return None
    collector: SuiteCollector = SuiteCollector.from_parent(parent, path=file_path)
    return collector


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Report the duration of a check alone, since pytest's first item of a suite runs all checks."""
    report = yield
    if isinstance(item, CheckItem) and report.when == "call" and item.check is not None:
        report.duration = item.check.duration_s
    return report


class SuiteCollector(pytest.File):
    """A suite file."""

    _record: Record | None = None

    def collect(self) -> Iterator[CheckItem]:
        """Make an item for each check, with the suite's marks."""
        for check in self._session().collection.checks:
            item: CheckItem = CheckItem.from_parent(self, name=check.name)
            item.line = check.line
            for mark in check.spec.marks:
                self.config.addinivalue_line("markers", f"{mark}: a mark of the suite {self.path.name}")
                item.add_marker(mark)
            yield item

    def result(self, name: str) -> CheckRecord:
        """Return the result of a check; the first call runs all checks that pytest selected.

        Raises:
            robustfim.errors.RobustfimError: The suite cannot be run.
        """
        if self._record is None:
            items = [item.name for item in self.session.items if item.parent is self]
            self._record = self._once(tuple(items))
        found = {check.name: check for check in self._record.checks}
        if name not in found:
            raise _CheckFailed(self._record.message or "the check did not run.")
        return found[name]

    @property
    def inconclusive(self) -> Inconclusive | None:
        """The value of ``--inconclusive``: how an inconclusive check counts. None before the run, and by default."""
        return None if self._record is None else self._record.inconclusive

    def shown(self, check: CheckRecord) -> str:
        """Write the failing examples as ``robustfim run`` does."""
        import io

        from rich.console import Console

        from robustfim.judge import failures_by_check
        from robustfim_terminal.summary import print_first

        assert self._record is not None  # noqa: S101  # a check has ended
        output = io.StringIO()
        console = Console(file=output, width=110, highlight=False, markup=False, emoji=False)
        failures = failures_by_check(self._record)[check.id]
        shown = 3 if self.config.get_verbosity() < 1 else len(failures)
        examples = self._record.example_by_id
        pairs = [(failure, examples[failure.example]) for failure in failures[:shown]]
        print_first(console, pairs, self._record.symbols, len(failures) - shown, "'-v' shows all")
        return f"{check.message}\n{output.getvalue()}{check.traceback}"

    def _session(self, only: tuple[str, ...] = ()) -> Session:
        import click

        from robustfim.cli.run import run
        from robustfim.commands import Chosen
        from robustfim.errors import RobustfimError

        try:
            words = shlex.split(self.config.getoption("--robustfim"))
            given = run.make_context("run", [str(self.path), *words]).params
            sessions = Chosen.take(given).sessions(self.path, only)
        except click.ClickException as error:
            raise self.CollectError(f"--robustfim: {error.format_message()}") from None
        except RobustfimError as error:
            raise self.CollectError(str(error)) from error
        if len(sessions) > 1:
            raise self.CollectError(f"{self.path.name} has several models: run it with 'robustfim run'.")
        return sessions[0]

    def _once(self, names: tuple[str, ...]) -> Record:
        """Run the suite, or wait for the worker of pytest-xdist that runs it: one copy of the model for all."""
        from robustfim.record import Record

        worker = getattr(self.config, "workerinput", None)
        if worker is None:
            return self._run(names)
        key = hashlib.blake2b("\n".join([worker["testrunuid"], self.nodeid, *names]).encode(), digest_size=12)
        place = Path(tempfile.gettempdir()) / f"robustfim-{key.hexdigest()}"
        # SQLite's lock is released when its process dies, on every system.
        turn = sqlite3.connect(place.with_suffix(".lock"), timeout=7 * 24 * 3600, isolation_level=None)
        try:
            turn.execute("BEGIN EXCLUSIVE")
            if not place.exists():
                self._run(names).dump_text(place)
            return Record.load(place)
        finally:
            turn.close()

    def _run(self, names: tuple[str, ...]) -> Record:
        session = self._session(names)
        session.configure()
        return session.run()[0]


class CheckItem(pytest.Item):
    """One check of a suite, as a test item of pytest.

    Attributes:
        check: The check's record; None before it ran.
        line: The line of the check in the suite.
    """

    check: CheckRecord | None = None
    line: int | None = None

    def runtest(self) -> None:
        """Turn the check's outcome into pytest's."""
        from robustfim.outcome import Outcome

        suite = self.parent
        assert isinstance(suite, SuiteCollector)  # noqa: S101  # it made this item
        check = self.check = suite.result(self.name)
        self.user_properties += [
            (key, value)
            for key, value in (("rate", check.rate), ("interval", check.interval), ("limit", check.limit))
            if value is not None
        ]
        if check.outcome is Outcome.SKIPPED:
            pytest.skip(check.message)
        if check.outcome is Outcome.MEASURED:
            pytest.skip(f"measured: {check.message}")
        if check.outcome is Outcome.XFAILED:
            pytest.xfail(check.message)
        let_pass = check.outcome is Outcome.INCONCLUSIVE and suite.inconclusive == "pass"
        if check.outcome is not Outcome.PASSED and not let_pass:  # one that is skipped ends with 0, as if proved
            raise _CheckFailed(f"{check.outcome.value}: {suite.shown(check)}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the failure, with a traceback only for errors that robustfim did not expect."""
        from robustfim.errors import RobustfimError

        if isinstance(excinfo.value, _CheckFailed | RobustfimError | pytest.Collector.CollectError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Name the check and its line."""
        return self.path, None if self.line is None else self.line - 1, self.name
