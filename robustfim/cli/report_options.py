"""The options that plugins add to commands, each of which names the file of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from robustfim.cli.help import write_options
from robustfim.commands import OUTPUT_FILE, Chosen, plugin_option
from robustfim.errors import PluginLoadError

__all__ = ["Files", "ReportCommand"]

Files = Mapping[str, tuple[str, Path]]
"""Option, such as ``--html``, to a report and the file to write it to."""


class ReportCommand(click.Command):
    """A command to which plugins add options through the hook ``robustfim_options``.

    The options that a user typed are passed to the command's function as ``files``, a :data:`Files`.

    Args:
        groups: Title of a group in the help to its options, by the names of the function's arguments. All other
            options, including options of plugins, come last.
    """

    def __init__(
        self, *arguments: Any, groups: Mapping[str, Sequence[str]] = MappingProxyType({}), **given: Any
    ) -> None:
        super().__init__(*arguments, **given)
        self._groups = groups

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help's list of options by group."""
        rest = "What is written and shown" if self._groups else "Options"
        write_options(ctx, formatter, self.get_params(ctx), self._groups, rest)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read ``-p`` first, since the plugins that it loads may add options; then read all arguments."""
        before = () if parent is None else parent.find_root().params.get("plugins", ())
        self._added = self._options((*before, *_named_plugins(args)))
        ctx = super().make_context(info_name, args, parent, **extra)
        typed = {option: ctx.params.pop(str(option.name), None) for option in self._added}
        ctx.params["files"] = {
            option.opts[0]: (option.report, file) for option, file in typed.items() if file is not None
        }
        return ctx

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """List the parameters: first those of the command, then those of plugins, and last ``--help``."""
        *own, help_option = super().get_params(ctx)
        return [*own, *self._added, help_option]

    def _options(self, plugins: tuple[str, ...]) -> list[_ReportOption]:
        """Return the plugins' options; two options with the same meaning are spellings of one option.

        Raises:
            PluginError: An option has the spelling of one of the command's own.
        """
        own = {"--help", *(spelling for param in self.params for spelling in param.opts)}
        spellings: dict[tuple[str, str], list[str]] = {}
        for option, (owner, report, text) in Chosen(plugins=plugins).manager().report_options(str(self.name)).items():
            if option in own:
                raise PluginLoadError(
                    f"plugin {owner!r}: robustfim_options: {option} is an option of 'robustfim {self.name}' itself."
                )
            spellings.setdefault((report, text), []).append(option)
        return [
            _ReportOption(sorted(spelling, key=len, reverse=True), number, *meaning)
            for number, (meaning, spelling) in enumerate(spellings.items())
        ]


class _ReportOption(click.Option):
    """An option that names the file of a report."""

    def __init__(self, spellings: list[str], number: int, report: str, text: str) -> None:
        super().__init__([*spellings, f"file_{number}"], type=OUTPUT_FILE, help=text)
        self.report = report


def _named_plugins(args: list[str]) -> tuple[str, ...]:
    """What ``-p`` names among arguments of which nothing else is known yet."""
    anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    command = plugin_option(click.Command("any", context_settings=anything, add_help_option=False))
    context = command.make_context("any", list(args), resilient_parsing=True)
    found: tuple[str, ...] = context.params["plugins"]
    return found
