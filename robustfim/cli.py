"""The command line. Light: what a command needs is imported when it runs."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from robustfim.errors import NothingCollected, PluginError, RobustfimError, UsageError
from robustfim.outcome import ExitCode

if TYPE_CHECKING:
    from robustfim.config import RunOptions

__all__ = ["main"]

_plugin_option = click.option(
    "-p",
    "plugins",
    multiple=True,
    metavar="NAME",
    help="Load a plugin module or .py file; 'no:NAME' blocks one.",
)
_color_option = click.option("--color", type=click.Choice(["auto", "yes", "no"]), default="auto", show_default=True)


class _Commands(click.Group):
    """The built-in commands, and those that plugins offer."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *_plugin_commands()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        built_in = super().get_command(ctx, cmd_name)
        if built_in is not None:
            return built_in
        offered = _plugin_commands().get(cmd_name)
        if offered is None:
            return None
        target, help_text = offered
        return _Late(cmd_name, target, help_text)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from robustfim.errors import did_you_mean

            near = did_you_mean(args[0], self.list_commands(ctx))
            raise click.UsageError(f"there is no command {args[0]!r}.{near}", ctx) from error


class _Late(click.Command):
    """A plugin's command, imported when it is run."""

    def __init__(self, name: str, target: str, help_text: str) -> None:
        super().__init__(name, help=help_text, short_help=help_text, add_help_option=False)
        self._target = target
        self.ignore_unknown_options = True
        self.allow_extra_args = True

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        module, _, attribute = self._target.partition(":")
        try:
            command = getattr(importlib.import_module(module), attribute)
        except ImportError as error:
            raise PluginError(f"command {self.name!r}: {self._target} cannot be imported: {error}") from error
        context: click.Context = command.make_context(info_name, args, parent, **extra)
        return context

    def invoke(self, ctx: click.Context) -> Any:
        return ctx.command.invoke(ctx)


def _plugin_commands() -> dict[str, tuple[str, str]]:
    from robustfim.loading import PluginOptions, load_plugins

    manager = load_plugins(PluginOptions())
    return {name: offer.target for name, offer in manager.offers("commands").items()}  # type: ignore[misc]  # pairs, not classes


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="robustfim", message="robustfim %(version)s")
def cli() -> None:
    """Find where a text classifier breaks, prove it, and gate releases on it."""


@cli.command()
@click.argument("suites", nargs=-1, required=True, metavar="SUITE[::CHECK]...")
@click.option(
    "--model",
    "model",
    multiple=True,
    metavar="KEY=VALUE",
    help="Another model, or an option of it: --model use=huggingface --model path=./my-model.",
)
@click.option(
    "--data",
    "data",
    multiple=True,
    metavar="KEY=VALUE",
    help="Other data, or an option of it: --data use=csv --data path=test.csv.",
)
@click.option(
    "-o",
    "override",
    multiple=True,
    metavar="KEY=VALUE",
    help="Any other key of the suite: -o select.difficult=50.",
)
@click.option(
    "-k",
    "keyword",
    default="",
    metavar="EXPRESSION",
    help="Only checks whose name matches: -k 'synonyms or typos'.",
)
@click.option(
    "-m",
    "marks",
    default="",
    metavar="EXPRESSION",
    help="Only checks with these marks: -m 'lexical and not slow'.",
)
@click.option("--lf", "--last-failed", "last_failed", is_flag=True, help="Only checks that did not pass the last time.")
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
@click.option("--offline", is_flag=True, help="Fetch nothing from any hub.")
@click.option("--max-calls", type=click.IntRange(min=1), metavar="N", help="Send at most N texts to the model.")
@click.option(
    "--reports",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("reports"),
    show_default=True,
    help="Folder for reports.",
)
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write the HTML report to this file.")
@click.option(
    "--json",
    "json_path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the run record to this file.",
)
@click.option(
    "--store",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path(".robustfim/store.sqlite"),
    show_default=True,
    help="File of the prediction store.",
)
@click.option("--no-store", is_flag=True, help="Keep nothing on disk between runs.")
@click.option("--durations", type=click.IntRange(min=0), default=0, metavar="N", help="List the N slowest checks.")
@click.option("-v", "--verbose", count=True, help="More failures and messages; -vv shows all.")
@click.option("-q", "--quiet", is_flag=True, help="Less.")
@_plugin_option
@_color_option
def run(suites: Sequence[str], **given: Any) -> None:
    """Run suites of robustness checks against a model.

    Exit codes: 0 all checks passed, 1 checks failed (robustfim worked and found failures), 2 interrupted,
    3 internal error, 4 wrong usage, 5 nothing to run.
    """
    codes = []
    for path, only in _suites(suites):
        try:
            codes.append(_run_one(path, only, given))
        except RobustfimError as error:
            codes.append(_tell(error, given["color"]))
        if codes[-1] is ExitCode.INTERRUPTED:
            break
    order = [
        ExitCode.INTERRUPTED,
        ExitCode.INTERNAL_ERROR,
        ExitCode.USAGE,
        ExitCode.FAILED,
        ExitCode.NOTHING_COLLECTED,
        ExitCode.OK,
    ]
    sys.exit(min(codes, key=order.index))


def _suites(names: Sequence[str]) -> list[tuple[Path, tuple[str, ...]]]:
    """Group ``suite.yaml::check`` by suite; a folder stands for the suites in it."""
    wanted: dict[Path, list[str] | None] = {}
    for name in names:
        path_text, _, check = name.partition("::")
        path = Path(path_text)
        for each in sorted(path.glob("*.y*ml")) if path.is_dir() else [path]:
            if not check:
                wanted[each] = None
            elif wanted.get(each, []) is not None:
                wanted.setdefault(each, []).append(check)  # type: ignore[union-attr]  # None was excluded
        if path.is_dir() and not any(path.glob("*.y*ml")):
            raise click.UsageError(f"the folder {path} holds no suite (*.yaml).")
    return [(path, tuple(checks or ())) for path, checks in wanted.items()]


def _run_one(path: Path, only: tuple[str, ...], given: dict[str, Any]) -> ExitCode:
    from robustfim.loading import PluginOptions
    from robustfim.opening import open_session
    from robustfim.terminal import Terminal, make_console

    options = _run_options(only, given)
    reports = {"html": given["html"], "json": given["json_path"]}
    session = open_session(
        path,
        plugins=PluginOptions.parse(given["plugins"]),
        model=given["model"],
        data=given["data"],
        override=given["override"],
        reports={name: target for name, target in reports.items() if target is not None},
        options=options,
    )
    terminal = Terminal(make_console(options.color), session.hook, options.verbosity)
    session.manager.register(terminal, "terminal")
    session.configure()
    if options.collect_only:
        for check in session.collection.checks:
            click.echo(check.id)
        click.echo(f"\n{len(session.collection.checks)} checks collected")
        return ExitCode.OK
    record, code = session.run()
    if options.durations:
        terminal.durations(record, options.durations)
    return code


def _run_options(only: tuple[str, ...], given: dict[str, Any]) -> RunOptions:
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
    )


@cli.command("list")
@click.argument("suites", nargs=-1, required=True, metavar="SUITE...")
@_plugin_option
def list_checks(suites: Sequence[str], plugins: Sequence[str]) -> None:
    """List the checks of suites, with their perturbation, limit and marks."""
    from rich.table import Table

    from robustfim.config import RunOptions
    from robustfim.loading import PluginOptions
    from robustfim.opening import open_session
    from robustfim.terminal import make_console

    console = make_console()
    for path, only in _suites(suites):
        session = open_session(
            path, plugins=PluginOptions.parse(plugins), options=RunOptions(only=only, collect_only=True)
        )
        table = Table("check", "perturbation", "expectation", "limit", "marks", "note", box=None, pad_edge=False)
        for check in session.collection.checks:
            spec = check.spec
            limit = (
                spec.limit
                if isinstance(spec.limit, float)
                else ", ".join(f"{arm} {rate}" for arm, rate in spec.limit.items())
            )
            note = f"skip: {spec.skip}" if spec.skip else f"xfail: {spec.xfail}" if spec.xfail else ""
            table.add_row(check.id, spec.perturb.use, spec.expect.use, str(limit), ", ".join(spec.marks), note)
        console.print(table)


@cli.command("plugins")
@click.argument("name", required=False)
@_plugin_option
def list_plugins(name: str | None, plugins: Sequence[str]) -> None:
    """List what every plugin offers; with a NAME, its options."""
    from robustfim.catalogue import show_catalogue, show_offer
    from robustfim.loading import PluginOptions, load_plugins
    from robustfim.terminal import make_console

    options = PluginOptions.parse(plugins)
    manager = load_plugins(options)
    if name is None:
        show_catalogue(manager, make_console())
    else:
        show_offer(manager, name, make_console())


@cli.command()
@_plugin_option
def schema(plugins: Sequence[str]) -> None:
    """Print the JSON Schema of suites, for editors."""
    import json

    from robustfim.loading import PluginOptions, load_plugins
    from robustfim.schema import suite_schema

    click.echo(json.dumps(suite_schema(load_plugins(PluginOptions.parse(plugins))), indent=2, ensure_ascii=False))


def _tell(error: RobustfimError, color: str = "auto") -> ExitCode:
    """Print an error without a traceback and return its exit code."""
    from rich.text import Text

    from robustfim.terminal import make_console
    from robustfim.terminal_diff import printable

    make_console(color, stderr=True).print(
        Text("ERROR: ", style="bold red").append(printable(str(error)), style="none"), soft_wrap=True
    )
    if isinstance(error, UsageError):
        return ExitCode.USAGE
    return ExitCode.NOTHING_COLLECTED if isinstance(error, NothingCollected) else ExitCode.FAILED


def main() -> None:
    """Run the command line; every way out has one of pytest's exit codes."""
    _guard(lambda: cli.main(standalone_mode=False))


def _guard(command: Callable[[], Any]) -> None:
    try:
        command()
    except RobustfimError as error:
        sys.exit(_tell(error))
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        sys.exit(ExitCode.INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(ExitCode.USAGE)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output is gone, as with '| head'
        sys.exit(ExitCode.OK)
    except Exception:
        import traceback

        traceback.print_exc()
        click.echo(
            "\nThis is a defect in robustfim, not in your suite. Please report it with the lines above.",
            err=True,
        )
        sys.exit(ExitCode.INTERNAL_ERROR)
