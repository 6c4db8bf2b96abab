"""What commands share, those of the core and those of plugins: their options, and the console.

A command names the options that it has, and is given one value that holds them::

    @click.command()
    @shared_options("model", "data", "plugins", "color")
    def command(chosen: Chosen) -> None:
        (found,) = chosen.model_and_data()

Light: what a method needs is imported when it is called.
"""

from __future__ import annotations

import functools
import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from robustfim.collect.model_and_data import ModelAndData, Part
    from robustfim.plugin.manager import PluginManager
    from robustfim.plugin.sources import PluginOptions
    from robustfim.suite.config import RunOptions
    from robustfim.suite.file import SuiteFile
    from robustfim.terminal.progress import ProgressBar

__all__ = [
    "Chosen",
    "gathered",
    "named_part",
    "plugin_option",
    "print_line",
    "print_rule",
    "print_table",
    "printable",
    "progress_bar",
    "progress_lines",
    "shared_options",
    "text_of_input",
]

plugin_option = click.option(
    "-p",
    "plugins",
    multiple=True,
    is_eager=True,  # so that 'robustfim -p shout --help' lists the commands of shout
    metavar="NAME",
    help="Load a plugin module or .py file; 'no:NAME' blocks one.",
)
"""The option ``-p``, before or after the command's name."""

_PATH = click.Path(path_type=Path)
_SHARED: dict[str, tuple[tuple[tuple[str, ...], dict[str, Any]], ...]] = {
    "model": ((("--model",), {"multiple": True, "metavar": "KEY=VALUE",
               "help": "Another model, or an option of it: --model ./my-model --model device=cuda."}),),
    "data": ((("--data",), {"multiple": True, "metavar": "KEY=VALUE",
              "help": "Other data, or an option of it: --data test.csv --data text=review."}),),
    "override": ((("-o", "override"), {"multiple": True, "metavar": "KEY=VALUE",
                  "help": "Any other key of the suite: -o select.difficult=50."}),),
    "seed": ((("--seed",), {"type": click.IntRange(-(2**63), 2**63 - 1), "help": "Another seed than the suite's."}),),
    "offline": ((("--offline",), {"is_flag": True, "help": "Fetch nothing from any hub."}),),
    "max_calls": ((("--max-calls",), {"type": click.IntRange(min=1), "metavar": "N",
                   "help": "Send at most N texts to the model."}),),
    "store": ((("--store",), {"type": _PATH, "default": Path(".robustfim/store.sqlite"), "show_default": True,
               "help": "File of the prediction store."}),
              (("--no-store",), {"is_flag": True, "help": "Keep nothing on disk between runs."})),
    "reports": ((("--reports",), {"type": _PATH, "default": Path("reports"),
                 "show_default": True, "help": "Folder for reports."}),),
    "color": ((("--color",), {"type": click.Choice(["auto", "yes", "no"]), "default": "auto", "show_default": True,
               "help": "Colours: on a terminal, always, or never."}),),
}  # fmt: skip
"""The options by name: their spellings, and what click is told of them."""


@dataclass(frozen=True)
class Chosen:
    """What the shared options of a command say; an option that the command has not keeps its default.

    Attributes:
        model: ``--model KEY=VALUE``.
        data: ``--data KEY=VALUE``.
        override: ``-o KEY=VALUE``.
        plugins: ``-p``, before and after the command's name.
        seed: ``--seed``.
        offline: Whether nothing may be fetched.
        max_calls: The most texts that may be sent to the model.
        store: The file of the prediction store; None with ``--no-store``.
        reports: The folder for reports.
        color: ``auto``, ``yes`` or ``no``.
    """

    model: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    override: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    seed: int | None = None
    offline: bool = False
    max_calls: int | None = None
    store: Path | None = None
    reports: Path = Path("reports")
    color: str = "auto"

    @classmethod
    def take(cls, given: dict[str, Any], names: Sequence[str] | None = None) -> Chosen:
        """Take the shared options out of all that click has parsed.

        Args:
            given: The parameters by name; those that are shared are taken out of it.
            names: Which are shared; all by default.
        """
        shared = [each.name for each in fields(cls) if names is None or each.name in names]
        if given.pop("no_store", False):
            given["store"] = None
        context = click.get_current_context(silent=True)
        root = None if context is None else context.find_root()
        before = () if root is None or root is context else root.params.get("plugins", ())
        own = {each: given.pop(each) for each in shared if each in given}
        return cls(**{**own, "plugins": (*before, *own.get("plugins", ()))})

    @property
    def words(self) -> tuple[str, ...]:
        """What changes the suite, as it was typed, for a command line that does the same again."""
        several = (("--model", self.model), ("--data", self.data), ("-o", self.override), ("-p", self.plugins))
        typed = [word for option, values in several for value in values for word in (option, value)]
        return (*typed, *(() if self.seed is None else ("--seed", str(self.seed))))

    @property
    def plugin_options(self) -> PluginOptions:
        """What ``-p`` loads and blocks."""
        from robustfim.plugin.sources import PluginOptions

        return PluginOptions.parse(self.plugins)

    @property
    def options(self) -> RunOptions:
        """The options of a run that writes no report and leaves no trace of itself but in the store."""
        from robustfim.suite.config import RunOptions

        return RunOptions(
            seed=self.seed, offline=self.offline, max_calls=self.max_calls, store=self.store, reports=None,
            remember=False,
        )  # fmt: skip

    def console(self) -> Console:
        """Make the console that ``--color`` asks for."""
        from robustfim.terminal.console import make_console

        return make_console(self.color)

    def manager(self) -> PluginManager:
        """Load the plugins.

        Raises:
            UsageError: A named plugin does not exist.
            PluginError: A plugin is broken.
        """
        from robustfim.plugin.sources import load_plugins

        return load_plugins(self.plugin_options)

    def suite(self, path: Path | None = None) -> SuiteFile:
        """Read a suite, and lay the command line over it.

        A file or folder that is named alone, ``--data test.csv``, is what a plugin reads it as.

        Args:
            path: The file; None for what the command line alone says.

        Raises:
            UsageError: It cannot be read, or an option is no ``KEY=VALUE`` or names no place in it.
        """
        from robustfim.suite.file import SuiteFile, read_suite_file
        from robustfim.suite.overlay import lay_over

        file = SuiteFile(Path("the command line"), {}) if path is None else read_suite_file(path)
        lay_over(file, self._placed("models", self.model), self._placed("data", self.data), self.override)
        return file

    def _placed(self, kind: str, values: Sequence[str]) -> list[str]:
        """Write a file or folder that stands alone as what reads it, and its path."""
        placed = []
        for value in values:
            spec = None
            if "=" not in value and (manager := self.manager()) and value not in manager.offers(kind):
                spec = manager.hook.robustfim_translate(kind=kind, value=Path(value))
            placed += [value] if spec is None else [f"{key}={_yaml(each)}" for key, each in spec.items()]
        return placed

    def model_and_data(self, path: Path | None = None) -> list[ModelAndData]:
        """Find the model and the data that a suite or the command line names.

        Args:
            path: The suite file; None for the command line alone.

        Returns:
            One; for a suite with ``models`` one for each.

        Raises:
            UsageError: The suite or an option is wrong.
            PluginError: A plugin is broken.
        """
        from robustfim.collect.model_and_data import model_and_data

        return model_and_data(self.suite(path), plugins=self.plugin_options, offline=self.offline)


def _yaml(value: Any) -> str:
    """Write a text as YAML reads it; a plain one as it is."""
    text = str(value)
    return text if re.fullmatch(r"[\w./-]+", text) and re.search(r"[A-Za-z]", text) else json.dumps(text)


def shared_options(*names: str, **changes: dict[str, Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command some of the options that commands share, in one value ``chosen``.

    Args:
        names: Which: fields of :class:`Chosen`.
        changes: What click is told otherwise of an option: ``data={"required": True}``.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        found = gathered("chosen", lambda given: Chosen.take(given, names))(function)
        for name in reversed(names):
            if name == "plugins":
                found = plugin_option(found)
                continue
            for spellings, told in reversed(_SHARED[name]):
                # An option that is changed is the first of its name; --no-store stays what it is.
                own = {**told, **changes.get(name, {})} if told is _SHARED[name][0][1] else told
                found = click.option(*spellings, **own)(found)
        return found

    return decorate


def gathered(
    name: str, take: Callable[[dict[str, Any]], Any]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # fmt: skip
    """Give a command one value in the place of several parameters.

    Args:
        name: The argument that holds it.
        take: Makes it of the parameters by name, and takes those out that it uses.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def command(*arguments: Any, **given: Any) -> Any:
            return function(*arguments, **{name: take(given)}, **given)

        return command

    return decorate


def text_of_input(command: str) -> str:
    """Read the one text that a command without ``--data`` is about from standard input.

    Args:
        command: How the command goes on, for the message: ``"score --model …"``.

    Raises:
        UsageError: There is none, or a person sits at it, who would wait for an answer as the command waits for a text.
    """
    from robustfim.errors import UsageError

    text = "" if sys.stdin.isatty() else sys.stdin.buffer.read().decode("utf-8", "replace").strip()
    if not text:
        raise UsageError(
            f"there is neither --data nor a text on standard input: echo 'a fine film' | robustfim {command}"
        )
    return text


def print_line(console: Console, text: str | Text, style: str = "none", *, indent: bool = False) -> None:
    """Print a line; it is broken at the edge of a terminal, and never in a pipe or a file.

    Args:
        console: The console.
        text: The line; a plain text is made printable.
        style: The style of a plain text.
        indent: Whether the line begins with four blanks, as those do into which it is broken.
    """
    from robustfim.terminal import console as terminal

    terminal.print_line(console, text, style, indent=indent)


def print_rule(console: Console, title: str) -> None:
    """Print a title in the middle of a ruled line.

    Args:
        console: The console.
        title: The title, made printable.
    """
    from robustfim.terminal import console as terminal

    terminal.print_rule(console, title)


def print_table(console: Console, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table of numbers; one that is wider than the terminal has a paragraph for each row, and no word is cut.

    Args:
        console: The console.
        heads: The heads of the columns, printable; the first names the row.
        rows: Their cells, printable.
    """
    from robustfim.terminal import tables

    tables.print_table(console, heads, rows, numbers=True, rule=True)


def progress_bar(console: Console) -> ProgressBar:
    """Follow what takes long: a bar on a terminal, elsewhere a line every ten seconds on standard error.

    ``with progress_bar(console) as progress: progress("train", 64, 1000)``; of a session that a command runs,
    ``session.manager.register(progress, "robustfim.progress_bar")``.

    Args:
        console: Where a bar is drawn, and where lines are printed meanwhile.
    """
    from robustfim.terminal import progress

    return progress.ProgressBar(console)


def progress_lines(tell: Callable[[str], None]) -> Callable[[str, int, int], None]:
    """Tell a line every ten seconds of what takes long.

    Args:
        tell: Called with the line.

    Returns:
        What is to be called with a stage, the examples that are done of it, and all of them.
    """
    from robustfim.terminal import progress

    return progress.ProgressLines(tell)


def printable(text: str) -> str:
    """Make text safe for a terminal: control and invisible characters are written as escapes.

    Args:
        text: Any text.
    """
    from robustfim.terminal import printable as terminal

    return terminal.printable(text)


def named_part(
    kind: str, named: str, manager: PluginManager, option: str, options: Sequence[str] = (), *, perturb: bool = False
) -> Part:
    """Read what one option of the command line names: a trainer, or a perturbation.

    Args:
        kind: What it is: ``"trainers"``, ``"perturbations"`` …
        named: Its name, or ``{use: NAME, …}`` in YAML's short form.
        manager: The plugins.
        option: The option, for messages: ``--trainer``.
        options: More options of it, each ``KEY=VALUE``, as ``-o`` gives them.
        perturb: Whether its mapping may hold what every ``perturb`` of a suite may.

    Raises:
        UsageError: It names nothing, or nothing that a plugin offers.
    """
    from robustfim.collect import model_and_data

    return model_and_data.named_part(kind, named, manager, option, options, perturb=perturb)
