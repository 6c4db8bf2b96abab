"""The command line. Light: what a command needs is imported when it runs."""

from __future__ import annotations

import errno
import gc
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

import click

from robustfim.blame import at_work
from robustfim.cli.baseline import accept, compare
from robustfim.cli.group import CommandGroup
from robustfim.cli.lock import lock
from robustfim.cli.report import report
from robustfim.cli.run import run
from robustfim.cli.show import list_checks, list_plugins, schema
from robustfim.cli.signals import interrupting
from robustfim.commands import plugin_option
from robustfim.errors import RobustfimError
from robustfim.outcome import ExitCode
from robustfim.terminal.error_line import print_error, tell

__all__ = ["cli", "main"]


@click.group(
    cls=CommandGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@plugin_option
@click.version_option(package_name="robustfim", message="robustfim %(version)s")
def cli(plugins: Sequence[str]) -> None:
    """Find where a text classifier breaks, prove it, and gate releases on it."""


_COMMANDS = (
    accept, compare, lock, report, run, list_checks,
    list_plugins, schema,
)  # fmt: skip
for _command in _COMMANDS:
    cli.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; every way out has one of pytest's exit codes.

    Args:
        arguments: What follows ``robustfim``; those of the process where it is not given.

    Raises:
        SystemExit: Always, with the exit code.
    """
    if arguments is None:
        _spare_the_processor()
        _tell_who_leaves()
    try:
        sys.exit(_exit_code(arguments))
    finally:
        try:
            sys.stdout.flush()
        except (OSError, ValueError):  # the reader is gone; Python would end with its own exit code
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _spare_the_processor() -> None:
    """Let this process waste no processor time; only one that is robustfim's own."""
    # OpenMP's threads (torch's, scikit-learn's) wait for each other in a loop, which takes the time of a busy machine.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    # Counting references frees nearly all; looking for cycles as often as Python does is a tenth of a short run.
    gc.set_threshold(50_000, 20, 100)


def _tell_who_leaves() -> None:
    """Let ``os._exit`` in this process say who called it, and be a failure whatever its code; only in robustfim's."""
    own, leave = os.getpid(), os._exit

    def left(status: int) -> NoReturn:
        if os.getpid() != own:  # a fork leaves as it likes
            leave(status)
        try:
            who = at_work() or "something"
            print_error(f"{who} ended the process by os._exit({status}). '--isolate' reports what was found before.")
            sys.stdout.flush()
        finally:
            leave(ExitCode.FAILED)

    os._exit = left


def _exit_code(arguments: Sequence[str] | None) -> ExitCode | int:
    """Run a command."""
    try:
        with interrupting():
            result = cli.main(arguments, prog_name="robustfim", standalone_mode=False)
    except RobustfimError as error:
        return tell(error)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return ExitCode.INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())  # 'robustfim' alone is a question, and this its answer
        return ExitCode.USAGE
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        command = "robustfim" if context is None else context.command_path
        print_error(f"{_all_missing(error) or error.format_message()} See '{command} --help'.")
        return ExitCode.USAGE
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output is gone, as with '| head'
        return ExitCode.OK
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            return _defect()
        print_error(f"{str(error.filename)[:120]}… is no path: a name in it is longer than a file's may be.")
        return ExitCode.USAGE
    except Exception:  # the last resort: a defect of robustfim itself
        return _defect()
    # An int is what ctx.exit(code) of a command returns.
    return int(result) if isinstance(result, int) and not isinstance(result, bool) else ExitCode.OK


def _all_missing(error: click.ClickException) -> str:
    """Name all that a command line leaves out at once; "" where it is something else that is wrong, or one alone."""
    if not isinstance(error, click.MissingParameter) or error.ctx is None:
        return ""
    # What is given is read before what is missing, so that all without a value by now are missing.
    left = [each for each in error.ctx.command.params if each.required and each.name not in error.ctx.params]
    names = [each.get_error_hint(error.ctx) for each in left]
    return f"Missing {', '.join(names)}." if len(names) > 1 else ""


def _defect() -> ExitCode:
    """Tell the exception that nobody foresaw."""
    traceback.print_exc()
    print_error("this is a defect in robustfim, not in your suite. Please report it with the lines above.")
    return ExitCode.INTERNAL_ERROR
