"""The command line. The module is light, since a command imports its libraries only when it runs."""

from __future__ import annotations

import errno
import sys
import traceback
from collections.abc import Sequence

import click

from robustfim.cli.baseline import accept, compare
from robustfim.cli.group import CommandGroup
from robustfim.cli.lock import lock
from robustfim.cli.report import report
from robustfim.cli.run import run
from robustfim.cli.show import list_checks
from robustfim.cli.signals import interrupting
from robustfim.commands import plugin_option
from robustfim.errors import RobustfimError
from robustfim.outcome import ExitCode
from robustfim.terminal.error_line import print_error, tell

__all__ = ["cli", "exit_code"]


@click.group(
    cls=CommandGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@plugin_option
@click.version_option(package_name="robustfim", message="robustfim %(version)s")
def cli(plugins: Sequence[str]) -> None:
    """Find where a text classifier breaks, prove it, and gate releases on it."""


for _command in (accept, compare, lock, report, run, list_checks):
    cli.add_command(_command)


def exit_code(arguments: Sequence[str] | None) -> int:
    """Run a command.

    Returns:
        The command's exit code, a member of :class:`robustfim.outcome.ExitCode`.
    """
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
    left = [param for param in error.ctx.command.params if param.required and param.name not in error.ctx.params]
    names = [parameter.get_error_hint(error.ctx) for parameter in left]
    return f"Missing {', '.join(names)}." if len(names) > 1 else ""


def _defect() -> ExitCode:
    """Tell the exception that nobody foresaw."""
    traceback.print_exc()
    print_error("this is a defect in robustfim, not in your suite. Please report it with the lines above.")
    return ExitCode.INTERNAL_ERROR
