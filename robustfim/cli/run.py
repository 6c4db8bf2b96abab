"""The command ``robustfim run``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from robustfim.cli.arguments import named_suites, open_given, refuse_one_file
from robustfim.cli.baseline import fail_on_option, margin_option
from robustfim.cli.group import plugin_option
from robustfim.cli.series import run_models, run_session, worst
from robustfim.errors import RobustfimError, UsageError
from robustfim.outcome import ExitCode
from robustfim.terminal.error_line import tell

__all__ = ["run"]

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("suites", nargs=-1, required=True, metavar="SUITE[::CHECK]...")
@click.option(
    "--model",
    multiple=True,
    metavar="KEY=VALUE",
    help="Another model, or an option of it: --model use=huggingface --model path=./my-model.",
)
@click.option(
    "--data",
    multiple=True,
    metavar="KEY=VALUE",
    help="Other data, or an option of it: --data use=csv --data path=test.csv.",
)
@click.option(
    "-o", "override", multiple=True, metavar="KEY=VALUE", help="Any other key of the suite: -o select.difficult=50."
)
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
@click.option("--maxfail", type=click.IntRange(min=1), metavar="N", help="Stop after N checks that fail.")
@click.option("--co", "--collect-only", "collect_only", is_flag=True, help="List the checks and stop.")
@click.option(
    "--example",
    "examples",
    multiple=True,
    metavar="ID",
    help="Test only this example (the beginning of its id is enough); writes no report.",
)
@click.option("--seed", type=click.IntRange(-(2**63), 2**63 - 1), help="Another seed than the suite's.")
@click.option("--strict", is_flag=True, help="What is inconclusive, or undecided against a baseline, fails the run.")
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
@click.option("--offline", is_flag=True, help="Fetch nothing from any hub.")
@click.option("--max-calls", type=click.IntRange(min=1), metavar="N", help="Send at most N texts to the model.")
@click.option(
    "--reports", type=click.Path(path_type=Path), default=Path("reports"), show_default=True, help="Folder for reports."
)
@click.option("--html", type=_FILE, help="Write the HTML report to this file.")
@click.option("--json", type=_FILE, help="Write the run record to this file.")
@click.option("--junit-xml", "--junitxml", "junit", type=_FILE, help="Write a JUnit report to this file.")
@click.option("--ci", is_flag=True, help="Also write the reports that suit the CI system that runs robustfim.")
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    default=Path(".robustfim/store.sqlite"),
    show_default=True,
    help="File of the prediction store.",
)
@click.option("--no-store", is_flag=True, help="Keep nothing on disk between runs.")
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
@click.option("--durations", type=click.IntRange(min=0), default=0, metavar="N", help="List the N slowest checks.")
@click.option("-v", "--verbose", count=True, help="More failures and messages; -vv shows all.")
@click.option("-q", "--quiet", is_flag=True, help="Less.")
@plugin_option
@click.option("--color", type=click.Choice(["auto", "yes", "no"]), default="auto", show_default=True)
@click.pass_context
def run(ctx: click.Context, /, suites: Sequence[str], **given: Any) -> None:
    """Run suites of robustness checks against a model.

    A folder stands for the suites in it. Exit codes: 0 all checks passed, 1 checks failed (robustfim worked
    and found failures), 2 interrupted, 3 internal error, 4 wrong usage, 5 nothing to run.
    """
    given["plugins"] = (*ctx.find_root().params.get("plugins", ()), *given["plugins"])
    codes = []
    names: dict[str, Path] = {}
    named = named_suites(suites)
    if len(named) > 1:
        refuse_one_file(given, f"{len(named)} suites")
    for path, only in named:
        try:
            if given["isolate"]:
                from robustfim.cli.isolated import run_isolated

                codes.append(run_isolated(_run_one, path, only, given, names))
            else:
                codes.append(_run_one(path, only, given, names))
        except RobustfimError as error:
            codes.append(tell(error, given["color"]))
        if codes[-1] is ExitCode.INTERRUPTED:
            break
    sys.exit(worst(codes))


def _run_one(
    path: Path, only: tuple[str, ...], given: dict[str, Any], names: dict[str, Path],
    opened: Callable[[], None] = lambda: None,
) -> ExitCode:  # fmt: skip
    """Run one suite; ``names`` holds the suites that ran before it, and ``opened`` is called when it is read."""
    sessions = open_given(path, only, given)
    for session in sessions:
        session.forget_partial()
    opened()
    config = sessions[0].config
    name = config.suite.suite
    if names.setdefault(name, path) != path:
        raise UsageError(f"{path} and {names[name]} are both named {name!r}: one's reports would replace the other's.")
    if len(sessions) > 1:
        refuse_one_file(given, f"{len(sessions)} models")
    if config.options.collect_only or len(sessions) == 1:
        return run_session(sessions[0])[0]
    return run_models(sessions)
