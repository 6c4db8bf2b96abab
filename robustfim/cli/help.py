"""Write help texts: commands in sections, options in groups, and the options common to all commands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import click

from robustfim.commands import Chosen, plugin_option

__all__ = ["SECTIONS", "first_sentence", "with_common_options", "write_commands", "write_options"]

SECTIONS: Mapping[str, str] = {
    "test": "Test a model",
    "look": "Look at texts and results",
    "mend": "Mine and mend",
    "study": "Study",
    "set up": "Set up",
    "": "Of plugins",
}
"""Key of a section to the title above its commands in the help."""

_BUILT_IN: Mapping[str, str] = {
    **dict.fromkeys(("run", "lock", "accept", "compare"), "test"),
    "report": "look",
    "list": "set up",
}

_GAP = 2


def first_sentence(text: str) -> str:
    """Return the first sentence of a help text, on one line."""
    paragraph = " ".join(text.strip().split("\n\n")[0].split())
    return re.split(r"(?<=[.?])\s+(?=[A-Z])", paragraph)[0]


def write_commands(ctx: click.Context, formatter: click.HelpFormatter, commands: Mapping[str, click.Command]) -> None:
    """Write commands by section, with their first sentences."""
    rows: dict[str, list[tuple[str, str]]] = {section: [] for section in SECTIONS}
    grouped = ctx.parent is None
    order = [*_BUILT_IN, *sorted(commands)]
    for name, command in sorted(commands.items(), key=lambda pair: order.index(pair[0])):
        section = _BUILT_IN.get(name) or str(getattr(command, "section", "")) if grouped else ""
        rows[section].append((name, first_sentence(command.short_help or command.help or "")))
    widest = max((len(name) for name in commands), default=0)
    for section, written in rows.items():
        if written:
            with formatter.section(SECTIONS[section] if grouped else "Commands"):
                formatter.write_dl([(f"{name:<{widest}}", text) for name, text in written], col_spacing=_GAP)


def write_options(
    ctx: click.Context, formatter: click.HelpFormatter, params: Sequence[click.Parameter],
    groups: Mapping[str, Sequence[str]], rest: str,
) -> None:  # fmt: skip
    """Write options under the titles of their groups."""
    left = {str(param.name): record for param in params if (record := param.get_help_record(ctx)) is not None}
    for title, names in groups.items():
        rows = [left.pop(name) for name in names if name in left]
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)
    if left:
        with formatter.section(rest):
            formatter.write_dl(list(left.values()))


def with_common_options(command: click.Command) -> click.Command:
    """Add the options ``-p`` and ``--color`` to a command and its subcommands, unless they declare these options."""
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            with_common_options(inner)
        return command
    spellings = {spelling for param in command.params for spelling in param.opts}

    @plugin_option
    @click.option(
        "--color",
        type=click.Choice(["auto", "yes", "no"]),
        default="auto",
        show_default=True,
        help="Colours: on a terminal, always, or never.",
    )
    def nothing() -> None:
        """Hold the options."""

    for option in reversed(getattr(nothing, "__click_params__")):  # noqa: B009  # where click keeps them
        if not spellings.intersection(option.opts):
            option.expose_value = False
            option.callback = _load if option.name == "plugins" else _color
            command.params.append(option)
    return command


def _load(ctx: click.Context, _: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Load the plugins that ``-p`` names, and let the command find them where those stand before its name."""
    root = ctx.find_root()
    if values:
        root.params["plugins"] = (*root.params.get("plugins", ()), *values)
        if not ctx.resilient_parsing:
            Chosen(plugins=root.params["plugins"]).manager()
    return values


def _color(ctx: click.Context, _: click.Parameter, value: Any) -> Any:
    """Let every console that is made without asking for colours do what ``--color`` says."""
    if value != "auto" and not ctx.resilient_parsing:
        from robustfim.terminal.console import choose_color

        ctx.call_on_close(choose_color(value))
    return value
