"""The groups of commands, which contain built-in commands and commands of plugins."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import click

from robustfim.blame import imported, told
from robustfim.cli.help import with_common_options, write_commands
from robustfim.commands import Chosen
from robustfim.errors import PluginError, PluginLoadError, RobustfimError, did_you_mean
from robustfim.terminal.error_line import print_error

__all__ = ["CommandGroup", "PluginCommand"]


class PluginCommand(click.Command):
    """A command of a plugin, which is imported only when a user runs it or asks for its help.

    Args:
        name: The name of the command.
        owner: The plugin that offers the command.
        target: The place of a click command, ``"package.module:command"``.
        help_text: One line for the list of commands.
        section: The section in the help: a key of :data:`robustfim.cli.help.SECTIONS`.
    """

    def __init__(self, name: str, owner: str, target: str, help_text: str, section: str = "") -> None:
        super().__init__(name, help=help_text, short_help=help_text, add_help_option=False)
        self._owner, self._target, self.section = owner, target, section

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Import the plugin's command and let it parse its arguments.

        Raises:
            PluginError: The command cannot be imported, is not a click command, or raised.
        """
        self._command = with_common_options(self.load())
        with self._blamed():
            context = self._command.make_context(info_name, args, parent, **extra)
        context.command = self
        return context

    def load(self) -> click.Command:
        """Import the command.

        Raises:
            PluginError: The command cannot be imported, or is not a click command.
        """
        found = imported(self._target, self._who)
        if not isinstance(found, click.Command):
            raise PluginLoadError(f"{self._who}: {self._target} is not a click command.")
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command.

        Raises:
            PluginError: The command raised; its traceback was printed for its author.
        """
        ctx.command = self._command
        with self._blamed():
            return self._command.invoke(ctx)

    @property
    def _who(self) -> str:
        return f"plugin {self._owner!r}: command {self.name!r}"

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        """Let click's own ways to end pass, and blame the plugin for all else: ``ctx.exit()`` ends a command well."""
        try:
            yield
        except (RobustfimError, click.ClickException, click.exceptions.Exit, click.Abort, OSError):
            raise
        except (Exception, SystemExit) as error:  # a plugin's command may raise anything
            traceback.print_exc()
            raise PluginError(f"{self._who} raised {told(error)}") from error


class CommandGroup(click.Group):
    """A group of built-in commands and commands of plugins."""

    kind: Literal["commands", "studies"] = "commands"
    made: type[PluginCommand] = PluginCommand

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command, and give it the common options."""
        super().add_command(with_common_options(cmd), name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help's list of commands by section, each with its whole first sentence."""
        names = [name for name in self.list_commands(ctx) if " " not in name]  # a flag stands in its command's help
        write_commands(ctx, formatter, {name: found for name in names if (found := self.get_command(ctx, name))})

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names of all commands; if a plugin is broken, list the built-in commands and print the error."""
        try:
            offered = self._offered(ctx)
        except RobustfimError as error:
            print_error(str(error))
            ctx.meta[self._place] = offered = {}
        return sorted({*super().list_commands(ctx), *offered})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Find a command by name; a built-in command takes precedence over a command of a plugin."""
        return super().get_command(ctx, cmd_name) or self._offered(ctx).get(cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that the user named.

        Raises:
            PluginError: Code in the command called ``sys.exit()``, which would look like success.
        """
        try:
            return super().invoke(ctx)
        except (Exception, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise PluginError(f"something that the command called raised {told(error)}") from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command with which the arguments begin.

        A plugin's command may have the name of another command and a flag, such as ``run --shard``. It is chosen if the
        user gives the flag. The flag is passed on if it is an option of the plugin's command.

        Raises:
            click.UsageError: No command has this name; the message suggests the nearest name.
        """
        built_in = super().get_command(ctx, args[0])
        if built_in is None or _strange_flags(ctx, built_in, args[1:]):
            for name, command in self._offered(ctx).items():
                base, _, flag = name.partition(" ")
                if base == args[0] and flag in (each.partition("=")[0] for each in args):
                    takes = any(flag in param.opts for param in command.load().params)
                    return name, command, [each for each in args[1:] if takes or each != flag]
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            first = " 'robustfim scan --write FILE' writes a first suite." if args[0] == "init" else ""
            near = first or did_you_mean(args[0], self.list_commands(ctx)) or self._about(ctx, args[0])
            raise click.UsageError(f"there is no command {args[0]!r}.{near}", ctx) from error

    def _about(self, ctx: click.Context, word: str) -> str:
        """Name the commands whose sentence has a word; "" where none has."""
        related = [
            name
            for name in self.list_commands(ctx)
            if (command := self.get_command(ctx, name)) is not None
            and word.casefold() in re.findall(r"\w+", command.get_short_help_str(limit=500).casefold())
        ]
        return f" What has to do with it: {', '.join(related)}." if related else ""

    def _offered(self, ctx: click.Context) -> dict[str, PluginCommand]:
        """The plugins' commands, asked for once."""
        if self._place not in ctx.meta:
            offered = Chosen(plugins=ctx.find_root().params.get("plugins", ())).manager().commands(self.kind)
            ctx.meta[self._place] = {name: self.made(name, *each) for name, each in offered.items()}
        found: dict[str, PluginCommand] = ctx.meta[self._place]
        return found

    @property
    def _place(self) -> str:
        """Where click keeps what was asked for: groups within groups share one mapping."""
        return f"{__name__}.{self.kind}"


def _strange_flags(ctx: click.Context, command: click.Command, args: list[str]) -> bool:
    """Whether a built-in command is given a flag that it has not."""
    known = {*ctx.help_option_names}.union(*((*param.opts, *param.secondary_opts) for param in command.params))
    return any(each.startswith("--") and each.partition("=")[0] not in known for each in args)
