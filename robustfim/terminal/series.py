"""Sessions that are shown as they run: of one model, or of several models that are compared with the first."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from robustfim.outcome import ExitCode
from robustfim.record import Record
from robustfim.session.session import Session
from robustfim.terminal.progress import ProgressBar

__all__ = ["run_models", "run_session"]


def run_models(sessions: Sequence[Session], console: Console) -> list[tuple[ExitCode, Record]]:
    """Run a suite with several models on the same texts, and compare each model with the first.

    Args:
        sessions: One session per model, none of them configured.
        console: The console.

    Returns:
        Exit code and record of each session; of the first session only, if it could not be finished.
    """
    first, *others = sessions
    locked = first.config.options.lock is not None or first.config.suite.lock is not None
    runs = [run_session(first, console, share=bool(others) and not locked)]
    code, reference = runs[0]
    if not others or code in (ExitCode.INTERRUPTED, ExitCode.INTERNAL_ERROR) or reference.message:
        return runs
    for session in others:
        session.lock, session.baselines = first.lock, {"": reference}
        runs.append(run_session(session, console))
        if runs[-1][0] is ExitCode.INTERRUPTED:
            break
    return runs


def run_session(
    session: Session, console: Console, *, report: bool = True, share: bool = False
) -> tuple[ExitCode, Record]:
    """Run one session, and show its progress and report.

    Args:
        session: The session, which must not be configured yet.
        console: The console.
        report: Whether to print a terminal report, not just a progress bar.
        share: Whether to write the session's texts to a lock file first, so that other models are tested on them.
    """
    bar = ProgressBar(console)
    if not report or (_prints(session, console) and session.config.options.verbosity >= 0):
        session.manager.register(bar, "robustfim.progress_bar")
    try:
        session.configure()
        record, code = session.run(share=share)
        return code, record
    finally:
        bar.close()


def _prints(session: Session, console: Console) -> bool:
    """Let a plugin print the session; False if no plugin does."""
    verbosity = session.config.options.verbosity
    printer = session.hook.robustfim_terminal(console=console, hook=session.hook, verbosity=verbosity)
    if printer is not None:
        session.manager.register(printer, "robustfim.terminal")
    return printer is not None
