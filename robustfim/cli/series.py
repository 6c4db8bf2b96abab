"""Running sessions for the command line: one model, or several against the first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from robustfim.outcome import ExitCode

if TYPE_CHECKING:
    from robustfim.record import Record
    from robustfim.session.session import Session

__all__ = ["run_models", "run_session", "tell_death", "worst"]

_WORST_FIRST = (
    ExitCode.INTERRUPTED,
    ExitCode.INTERNAL_ERROR,
    ExitCode.USAGE,
    ExitCode.FAILED,
    ExitCode.NOTHING_COLLECTED,
    ExitCode.OK,
)
"""Which exit code several suites have together."""


def worst(codes: Sequence[ExitCode]) -> ExitCode:
    """Return the exit code that several runs have together.

    Args:
        codes: At least one.
    """
    return min(codes, key=_WORST_FIRST.index)


def run_models(sessions: Sequence[Session]) -> ExitCode:
    """Test several models on the same texts, each after the first against the first.

    Args:
        sessions: One a model, of one suite, none of them configured.

    Returns:
        The worst exit code of those after the first, or that of the first where it could not be finished.
    """
    first, *others = sessions
    first.configure()
    if first.config.options.lock is None and first.config.suite.lock is None:
        first.lock = first.write_lock()
    code, reference = run_session(first, configured=True)
    if code in (ExitCode.INTERRUPTED, ExitCode.INTERNAL_ERROR) or reference is None or reference.message:
        return code
    codes = []
    for session in others:
        session.lock, session.baselines = first.lock, {"": reference}
        codes.append(run_session(session)[0])
        if codes[-1] is ExitCode.INTERRUPTED:
            break
    return worst(codes)


def run_session(session: Session, *, configured: bool = False) -> tuple[ExitCode, Record | None]:
    """Run one session with the terminal report.

    Args:
        session: The session.
        configured: Whether ``session.configure()`` was called.

    Returns:
        The exit code, and the record; None for ``--collect-only``.
    """
    from robustfim.terminal.console import make_console
    from robustfim.terminal.report import Terminal

    options = session.config.options
    terminal = Terminal(make_console(options.color), session.hook, options.verbosity)
    session.manager.register(terminal, "robustfim.terminal")
    try:
        if configured:
            terminal.robustfim_configure(config=session.config)
        else:
            session.configure()
        if options.collect_only:
            for check in session.collection.checks:
                click.echo(check.id)
            click.echo(f"\n{len(session.collection.checks)} checks collected")
            return ExitCode.OK, None
        record, code = session.run()
        return code, record
    finally:
        terminal.close()


def tell_death(session: Session, message: str) -> None:
    """Report what a session found whose process died, on the terminal and in its reports.

    Args:
        session: A session of the same suite and options.
        message: What killed the process.
    """
    from robustfim.terminal.console import make_console
    from robustfim.terminal.report import Terminal

    options = session.config.options
    terminal = Terminal(make_console(options.color), session.hook, options.verbosity)
    session.manager.register(terminal, "robustfim.terminal")
    try:
        session.report_death(message)
    finally:
        terminal.close()
