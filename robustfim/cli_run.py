"""The command ``robustfim run``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from robustfim.command_group import plugin_option
from robustfim.error_line import tell
from robustfim.errors import RobustfimError, UsageError
from robustfim.outcome import ExitCode

if TYPE_CHECKING:
    from robustfim.config import RunOptions
    from robustfim.record import Record
    from robustfim.session import Session

__all__ = ["named_suites", "open_given", "run"]

_WORST_FIRST = (
    ExitCode.INTERRUPTED,
    ExitCode.INTERNAL_ERROR,
    ExitCode.USAGE,
    ExitCode.FAILED,
    ExitCode.NOTHING_COLLECTED,
    ExitCode.OK,
)
"""Which exit code several suites have together."""
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
@click.option("--seed", type=int, help="Another seed than the suite's.")
@click.option("--strict", is_flag=True, help="An inconclusive check fails the run.")
@click.option(
    "--baseline",
    type=click.Path(path_type=Path),
    help="Compare with this run record, or with <suite>.json in this folder ('robustfim accept' writes it).",
)
@click.option(
    "--lock",
    type=click.Path(path_type=Path),
    help="Test the examples and texts of this file ('robustfim lock' writes it), whatever the model or a lexicon says.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["regression", "new", "any"]),
    default="regression",
    show_default=True,
    help="With --baseline, fail when a check got worse beyond chance; also when any example is newly broken; "
    "or also when a check fails its own limit.",
)
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
        _refuse_one_file(given, f"{len(named)} suites")
    for path, only in named:
        try:
            codes.append(_run_one(path, only, given, names))
        except RobustfimError as error:
            codes.append(tell(error, given["color"]))
        if codes[-1] is ExitCode.INTERRUPTED:
            break
    sys.exit(min(codes, key=_WORST_FIRST.index))


def named_suites(names: Sequence[str]) -> list[tuple[Path, tuple[str, ...]]]:
    """Group ``suite.yaml::check`` by suite; a folder stands for the suites in it.

    Args:
        names: Arguments of the command line.

    Returns:
        Suite files in the order they were named, each with the names of its checks; none for all.

    Raises:
        UsageError: A folder holds no suite.
    """
    wanted: dict[Path, list[str]] = {}
    whole: set[Path] = set()
    for name in names:
        place, _, check = name.partition("::")
        path = Path(place)
        found = sorted(path.glob("*.y*ml")) if path.is_dir() else [path]
        if not found:
            raise UsageError(f"the folder {path} holds no suite (*.yaml).")
        for each in found:
            wanted.setdefault(each, [])
            if check:
                wanted[each].append(check)
            else:
                whole.add(each)
    return [(path, () if path in whole else tuple(checks)) for path, checks in wanted.items()]


def _run_one(path: Path, only: tuple[str, ...], given: dict[str, Any], names: dict[str, Path]) -> ExitCode:
    """Run one suite; ``names`` holds the suites that ran before it."""
    sessions = open_given(path, only, given)
    config = sessions[0].config
    name = config.suite.suite
    if names.setdefault(name, path) != path:
        raise UsageError(f"{path} and {names[name]} are both named {name!r}: one's reports would replace the other's.")
    if len(sessions) > 1:
        _refuse_one_file(given, f"{len(sessions)} models")
    if config.options.collect_only or len(sessions) == 1:
        return _run_session(sessions[0])[0]
    return _run_models(sessions)


def _refuse_one_file(given: Mapping[str, Any], number: str) -> None:
    """Refuse an option that names one file for the reports of several runs."""
    for name, option in (("html", "--html"), ("json", "--json"), ("junit", "--junit-xml")):
        if given[name] is not None:
            raise UsageError(
                f"{option} names one file, and each of {number} would replace what the one before wrote. Leave it out "
                f"and list the report in the suite: each has a folder of its own in {given['reports']}."
            )


def open_given(path: Path, only: tuple[str, ...], given: Mapping[str, Any]) -> list[Session]:
    """Open a suite with the options of ``robustfim run``.

    Args:
        path: The suite file.
        only: Names of its checks; empty for all.
        given: The command's parameters, as click has parsed them.

    Returns:
        A session for each of its models.

    Raises:
        UsageError: The suite, an option or a name is wrong.
        PluginError: A plugin is broken.
        NothingCollected: No check is left.
    """
    from robustfim.loading import PluginOptions
    from robustfim.opening import open_sessions

    options = _run_options(only, given)
    return open_sessions(
        path,
        plugins=PluginOptions.parse(given["plugins"]),
        model=given["model"],
        data=given["data"],
        override=given["override"],
        reports={name: given[name] for name in ("html", "json", "junit") if given[name] is not None},
        ci=given["ci"],
        options=options,
    )


def _run_models(sessions: Sequence[Session]) -> ExitCode:
    """Test several models on the same texts, each after the first against the first."""
    first, *others = sessions
    first.configure()
    if first.config.options.lock is None and first.config.suite.lock is None:
        first.lock = first.write_lock()
    code, reference = _run_session(first, configured=True)
    if code in (ExitCode.INTERRUPTED, ExitCode.INTERNAL_ERROR) or reference is None or reference.message:
        return code
    codes = []
    for session in others:
        session.lock, session.baseline = first.lock, reference
        codes.append(_run_session(session)[0])
        if codes[-1] is ExitCode.INTERRUPTED:
            break
    return min(codes, key=_WORST_FIRST.index)


def _run_session(session: Session, *, configured: bool = False) -> tuple[ExitCode, Record | None]:
    from robustfim.console import make_console
    from robustfim.terminal import Terminal

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


def _run_options(only: tuple[str, ...], given: Mapping[str, Any]) -> RunOptions:
    from robustfim.config import RunOptions

    overrides: list[str] = []
    for option, key in (("--model", "model"), ("--data", "data"), ("-o", "override"), ("-p", "plugins")):
        for value in given[key]:
            overrides += [option, value]
    if given["seed"] is not None:
        overrides += ["--seed", str(given["seed"])]
    return RunOptions(
        keyword=given["keyword"],
        marks=given["marks"],
        only=only,
        examples=tuple(given["examples"]),
        last_failed=given["last_failed"],
        max_failures=1 if given["exit_first"] else given["maxfail"],
        collect_only=given["collect_only"],
        seed=given["seed"],
        strict=given["strict"],
        offline=given["offline"],
        max_calls=given["max_calls"],
        reports=given["reports"],
        store=None if given["no_store"] else given["store"],
        verbosity=-1 if given["quiet"] else given["verbose"],
        durations=given["durations"],
        color=given["color"],
        overrides=tuple(overrides),
        baseline=given["baseline"],
        lock=given["lock"],
        fail_on=given["fail_on"],
    )
