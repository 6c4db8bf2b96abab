"""The command ``robustfim run``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from robustfim.cli.arguments import RunFlags, named_suites, open_suite
from robustfim.cli.baseline import fail_on_option, margin_option
from robustfim.cli.failures import failures_option
from robustfim.cli.report_options import ReportCommand
from robustfim.cli.undecided import strict_option, undecided_option
from robustfim.commands import Chosen, gathered, shared_options
from robustfim.errors import RobustfimError, UsageError
from robustfim.outcome import ExitCode, worst
from robustfim.terminal.error_line import tell

__all__ = ["run"]

_GROUPS = {
    "What is tested": ("model", "data", "override", "keyword", "marks", "last_failed", "examples", "lock", "seed"),
    "What fails a run": (
        "undecided", "strict", "baselines", "margin", "fail_on", "verify", "exit_first", "max_failures",
    ),
    "How it is computed": ("max_calls", "store", "no_store", "engine", "workers", "isolate", "offline", "plugins"),
}  # fmt: skip
"""The options by what they are for."""


@click.command(
    cls=ReportCommand,
    groups=_GROUPS,
    epilog="Example: robustfim run suites/sentiment.yaml -k 'people or typos'",
)
@click.argument("suites", nargs=-1, required=True, metavar="SUITE[::CHECK]...")
@shared_options(
    "model", "data", "override", "seed", "offline", "max_calls", "store", "reports", "plugins", "color"
)  # fmt: skip
@click.option(
    "-k", "keyword", default="", metavar="EXPRESSION", help="Only checks whose name matches: -k 'synonyms or typos'."
)
@click.option(
    "-m", "marks", default="", metavar="EXPRESSION", help="Only checks with these marks: -m 'lexical and not slow'."
)
@click.option(
    "--lf",
    "--last-failed",
    "last_failed",
    is_flag=True,
    help="Only checks that did not pass the last time; all of them if none failed.",
)
@click.option("-x", "--exitfirst", "exit_first", is_flag=True, help="Stop at the first check that fails.")
@click.option(
    "--maxfail", "max_failures", type=click.IntRange(min=1), metavar="N", help="Stop after N checks that fail."
)
@click.option("--co", "--collect-only", "collect_only", is_flag=True, help="List the checks and stop.")
@click.option(
    "--example",
    "examples",
    multiple=True,
    metavar="ID",
    help="Test only this example (the beginning of its id is enough); writes no report.",
)
@undecided_option
@strict_option
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="[NAME=]PATH",
    help="Compare with this run record, or with <suite>.json in this folder ('robustfim accept' writes it); "
    "may be repeated: --baseline last=baselines --baseline best=best.",
)
@margin_option
@click.option(
    "--lock",
    type=click.Path(path_type=Path),
    help="Test the examples and texts of this file ('robustfim lock' writes it), whatever the model or a lexicon says.",
)
@fail_on_option
@click.option("--ci", is_flag=True, help="Also write the reports that suit the CI system that runs robustfim.")
@click.option(
    "--verify",
    type=click.IntRange(min=1),
    metavar="N",
    help="Ask the model again for N answers, at random; another answer than the store's, or than before, fails.",
)
@click.option(
    "--isolate",
    is_flag=True,
    help="Run each suite in a process of its own: whatever kills that process, what was found is reported.",
)
@failures_option
@click.option("--engine", metavar="NAME", help="Where predictions and gradients are computed: inline, processes, ray.")
@click.option("-n", "--workers", type=click.IntRange(min=1), metavar="N",
              help="So many workers; without --engine, processes on this machine.")  # fmt: skip
@click.option("--durations", type=click.IntRange(min=0), default=0, metavar="N", help="List the N slowest checks.")
@click.option("-v", "--verbose", count=True, help="More failures and messages; -vv shows all.")
@click.option("-q", "--quiet", is_flag=True, help="Less.")
@gathered("flags", RunFlags.take)
def run(suites: Sequence[str], chosen: Chosen, flags: RunFlags, isolate: bool) -> None:
    """Run suites of robustness checks against a model.

    A folder stands for the suites in it. Exit codes: 0 everything that has a limit is proved, 1 something is
    proved to fail or broke, 6 undecided, 2 interrupted, 3 internal error, 4 wrong usage, 5 nothing to run; of
    several suites the first of 2, 3, 4, 1, 5, 6, 0 that occurs.
    """
    codes = []
    names: dict[str, Path] = {}
    named = named_suites(suites)
    if len(named) > 1:
        flags.refuse_one_file(f"{len(named)} suites", chosen.reports)
        if flags.tests_from_failures is not None:
            raise UsageError(f"--tests-from-failures names one suite, and there are {len(named)}: run them one by one.")
    if flags.tests_from_failures is not None:
        from robustfim.doctor.regression_suite import require_free

        require_free(flags.tests_from_failures)
    for path, only in named:
        try:
            if isolate:
                from robustfim.cli.isolated import run_isolated

                codes.append(run_isolated(_run_one, path, only, chosen, flags, names))
            else:
                codes.append(_run_one(path, only, chosen, flags, names))
        except RobustfimError as error:
            codes.append(tell(error, chosen.color))
        if codes[-1] is ExitCode.INTERRUPTED:
            break
    if len(codes) > 1 and not flags.collect_only:
        click.echo(f"The stated error rates are those of each suite alone, not of all {len(codes)} together.")
    click.get_current_context().exit(worst(codes))


def _run_one(
    path: Path, only: tuple[str, ...], chosen: Chosen, flags: RunFlags, names: dict[str, Path],
    opened: Callable[[], None] = lambda: None,
) -> ExitCode:  # fmt: skip
    """Run one suite; ``names`` holds the suites that ran before it, and ``opened`` is called when it is read."""
    from robustfim.terminal.series import run_models

    sessions = open_suite(path, only, chosen, flags)
    for session in sessions:
        session.forget_partial()
    opened()
    name = sessions[0].config.suite.suite
    if names.setdefault(name, path) != path:
        raise UsageError(f"{path} and {names[name]} are both named {name!r}: one's reports would replace the other's.")
    if len(sessions) > 1:
        flags.refuse_one_file(f"{len(sessions)} models", chosen.reports)
    if flags.collect_only:
        sessions[0].configure()
        checks = [check.id for check in sessions[0].collection.checks]
        click.echo("\n".join([*checks, f"\n{len(checks)} checks collected"]))
        return ExitCode.OK
    runs = run_models(sessions, chosen.console())
    flags.write_failures(sessions, [record for _, record in runs], chosen)
    codes = [code for code, _ in runs]
    return worst(codes[1:] or codes)  # of several models the first is what the others are compared with
