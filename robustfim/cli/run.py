"""The command ``robustfim run``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from robustfim.cli.arguments import named_suites, refuse_one_file
from robustfim.cli.report_options import ReportCommand
from robustfim.commands import Chosen, shared_options
from robustfim.errors import RobustfimError, UsageError
from robustfim.outcome import ExitCode, worst
from robustfim.terminal.error_line import tell

__all__ = ["run"]

_GROUPS = {
    "What is tested": ("model", "data", "override", "keyword", "marks", "last_failed", "examples", "lock", "seed"),
    "What fails a run": (
        "inconclusive", "strict", "baselines", "margin", "fail_on", "exitfirst", "max_failures",
    ),
    "How it is computed": ("max_calls", "store", "no_store", "engine", "workers", "offline", "plugins"),
}  # fmt: skip
"""The options by their purpose."""


@click.command(
    cls=ReportCommand,
    groups=_GROUPS,
    epilog="Example: robustfim run suites/sentiment.yaml -k 'people or typos'",
)
@click.argument("suites", nargs=-1, required=True, metavar="SUITE[::CHECK]...")
@shared_options()
def run(suites: Sequence[str], chosen: Chosen) -> None:
    """Run suites of robustness checks against a model.

    A folder stands for the suites in it. '--shard 2/4' asks for one part of a run: 'run --shard 2/4 --help'. Exit
    codes: 0 everything that has a limit is proved, 1 something is proved to fail or broke, 6 inconclusive, 2
    interrupted, 3 internal error, 4 wrong usage, 5 nothing to run; of several suites the first of 2, 3, 4, 1, 5, 6,
    0 that occurs.
    """
    codes = []
    names: dict[str, Path] = {}
    named = named_suites(suites)
    if len(named) > 1:
        refuse_one_file(chosen, f"{len(named)} suites")
    for path, only in named:
        try:
            codes.append(_run_one(path, only, chosen, names))
        except RobustfimError as error:
            codes.append(tell(error, chosen.color))
        if codes[-1] is ExitCode.INTERRUPTED:
            break
    if len(codes) > 1 and not chosen.collect_only:
        click.echo(f"The stated error rates are those of each suite alone, not of all {len(codes)} together.")
    click.get_current_context().exit(worst(codes))


def _run_one(path: Path, only: tuple[str, ...], chosen: Chosen, names: dict[str, Path]) -> ExitCode:
    """Run one suite; ``names`` holds the suites that ran before it."""
    from robustfim.terminal.series import run_models

    sessions = chosen.sessions(path, only)
    name = sessions[0].config.suite.suite
    if names.setdefault(name, path) != path:
        raise UsageError(
            f"the suites {path} and {names[name]} have the same name, {name!r}, so that the reports of one "
            "would replace the reports of the other. Rename one with its key 'suite'."
        )
    if len(sessions) > 1:
        refuse_one_file(chosen, f"{len(sessions)} models")
    if chosen.collect_only:
        sessions[0].configure()
        checks = [check.id for check in sessions[0].collection.checks]
        click.echo("\n".join([*checks, f"\n{len(checks)} checks collected"]))
        return ExitCode.OK
    codes = [code for code, _ in run_models(sessions, chosen.console())]
    return worst(codes[1:] or codes)  # of several models the first is what the others are compared with
