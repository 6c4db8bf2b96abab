"""The shared options of commands, for the core and for plugins, and the console.

A command lists the options that it takes, and gets one object with their values::

    @click.command()
    @shared_options("model", "data", "plugins", "color")
    def command(chosen: Chosen) -> None:
        (found,) = chosen.model_and_data()

This module is light: methods import their dependencies when they are called.
"""

from __future__ import annotations

import functools
import json
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import click

from robustfim.errors import UsageError
from robustfim.printable import printable
from robustfim.run_options import RunOptions, declared, option

if TYPE_CHECKING:
    from rich.console import Console

    from robustfim.collect.lookup import ModelAndData
    from robustfim.plugin.manager import PluginManager
    from robustfim.plugin.sources import PluginOptions
    from robustfim.session.session import Session
    from robustfim.suite.file import SuiteFile
    from robustfim.terminal.console import print_command, print_line, print_rule
    from robustfim.terminal.progress import ProgressBar
    from robustfim.terminal.tables import print_table

__all__ = [
    "COUNT",
    "FRACTION",
    "INPUT",
    "INPUT_FILE",
    "NUMBER",
    "OUTPUT",
    "OUTPUT_FILE",
    "OUTPUT_FOLDER",
    "POSITIVE",
    "Chosen",
    "plugin_option",
    "print_command",
    "print_line",
    "print_rule",
    "print_table",
    "printable",
    "progress_bar",
    "progress_lines",
    "shared_options",
    "text_of_input",
]

_PRINTING = {**dict.fromkeys(("print_command", "print_line", "print_rule"), "console"), "print_table": "tables"}
"""The functions that print, by their module."""

INPUT = click.Path(path_type=Path)
"""A file or a folder that a command reads."""
INPUT_FILE = click.Path(path_type=Path, dir_okay=False)
"""A file that a command reads."""
COUNT = click.IntRange(min=1)
"""A number of at least 1."""
NUMBER = click.IntRange(min=0)
"""A number of at least 0."""
FRACTION = click.FloatRange(0, 1, min_open=True, max_open=True)
"""A number between 0 and 1, neither of them."""
POSITIVE = click.FloatRange(min=0, min_open=True)
"""A number above 0."""


class _OutputPath(click.Path):
    """A file or folder that a command writes at its end; if it cannot be written, the command refuses at once."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See :meth:`click.Path.convert`; the nearest existing folder must also be writable."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        folder = next(parent for parent in path.absolute().parents if parent.exists())
        if not folder.is_dir():
            self.fail(f"{path} cannot be written: {folder} is a file.", param, ctx)
        if not os.access(folder, os.W_OK):
            self.fail(f"{path} cannot be written: permission denied in {folder}.", param, ctx)
        return path


OUTPUT = _OutputPath(path_type=Path)
"""A file or a folder that a command writes."""
OUTPUT_FILE = _OutputPath(path_type=Path, dir_okay=False)
"""A file that a command writes."""
OUTPUT_FOLDER = _OutputPath(path_type=Path, file_okay=False)
"""A folder that a command writes."""


@dataclass(frozen=True)
class Chosen(RunOptions):
    """The values of the options that commands share; the default for an option that a command does not have.

    Attributes:
        files: Maps an option, such as ``--html``, to the report and the file to write it to.
    """

    model: tuple[str, ...] = option(
        (), "--model", multiple=True, metavar="KEY=VALUE",
        help="Another model, or an option of it: --model ./my-model --model device=cuda.",
    )  # fmt: skip
    data: tuple[str, ...] = option(
        (), "--data", multiple=True, metavar="KEY=VALUE",
        help="Other data, or an option of it: --data test.csv --data text=review.",
    )  # fmt: skip
    override: tuple[str, ...] = option(
        (), "-o", multiple=True, metavar="KEY=VALUE", help="Any other key of the suite: -o select.difficult=50."
    )
    engine: str | None = option(
        None, "--engine", metavar="NAME",
        help="Where predictions and gradients are computed: inline, processes, ray.",
    )  # fmt: skip
    workers: int | None = option(
        None, "-n", "--workers", takes=(1, None), metavar="N",
        help="So many workers; without --engine, processes on this machine.",
    )  # fmt: skip
    plugins: tuple[str, ...] = option(
        (), "-p", multiple=True, metavar="NAME", is_eager=True,  # so that '-p shout --help' lists the commands of shout
        help="Load a plugin module or .py file; 'no:NAME' blocks one.",
    )  # fmt: skip
    repeat: int | None = option(
        None, "--repeat", takes=(0, 100), metavar="N",
        help="Ask about each text N times more, unchanged, and hold checks against what fails then.",
    )  # fmt: skip
    color: str = option(
        "auto", "--color", takes=Literal["auto", "yes", "no"], show_default=True,
        help="Colours: on a terminal, always, or never.",
    )  # fmt: skip
    ci: bool = option(
        False, "--ci", is_flag=True, help="Also write the reports that suit the CI system that runs robustfim."
    )
    reports: Path = option(Path("reports"), "--reports", takes=Path, show_default=True, help="Folder for reports.")
    files: Mapping[str, tuple[str, Path]] = field(default_factory=dict)

    @classmethod
    def take(cls, given: dict[str, Any], names: Sequence[str] = ()) -> Chosen:
        """Take the shared options out of the parameters that click has parsed.

        Args:
            given: The parameters by name; the shared ones are removed from it.
            names: Names of the shared options; all by default.

        Raises:
            UsageError: Two options contradict each other.
        """
        shared = [each.name for each in fields(cls) if not names or each.name in names]
        if given.get("strict") and given["inconclusive"] == "pass":
            raise UsageError(
                "'--strict' is '--inconclusive fail', and '--inconclusive pass' contradicts it. Leave one out."
            )
        for each in declared(cls, names):
            flag = each.metadata["flag"]
            if flag is not None and given.pop(flag.name, False):
                given[each.name] = flag.value
        context = click.get_current_context(silent=True)
        root = None if context is None else context.find_root()
        before = () if root is None or root is context else root.params.get("plugins", ())
        own = {each: given.pop(each) for each in shared if each in given}
        return cls(**{**own, "plugins": (*before, *own.get("plugins", ()))})

    @property
    def words(self) -> tuple[str, ...]:
        """The options that change the suite, as typed, for a command line that repeats the run."""
        several = (("--model", self.model), ("--data", self.data), ("-o", self.override), ("-p", self.plugins))
        typed = [word for option, values in several for value in values for word in (option, value)]
        return (*typed, *(() if self.seed is None else ("--seed", str(self.seed))))

    @property
    def plugin_options(self) -> PluginOptions:
        """The plugins that ``-p`` loads and blocks."""
        from robustfim.plugin.sources import PluginOptions

        return PluginOptions.parse(self.plugins)

    @property
    def options(self) -> RunOptions:
        """The options of a run that writes no report, and no other file except the stored answers of the model."""
        wanted = {each.name: getattr(self, each.name) for each in fields(RunOptions)}
        return RunOptions(**{**wanted, "reports": None, "remember": False})

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
        """Read a suite, and apply the command line to it.

        If ``--model`` or ``--data`` is just a file or folder, such as ``--data test.csv``, a plugin decides how to read
        it.

        Args:
            path: The file; None to use the command line only.

        Raises:
            UsageError: The suite cannot be read, or an option is not ``KEY=VALUE`` or names no key of the suite.
        """
        from robustfim.suite.file import SuiteFile, read_suite_file
        from robustfim.suite.overlay import lay_over

        file = SuiteFile(Path("the command line"), {}) if path is None else read_suite_file(path)
        lay_over(file, self._placed("models", self.model), self._placed("data", self.data), self.override)
        if self.engine is not None:
            file.override(("engine",), {"use": self.engine}, f"--engine {self.engine}")
        if self.workers is not None:
            written = file.data.get("engine")
            plain = written is None or "inline" in (written, isinstance(written, dict) and written.get("use"))
            if plain and self.engine is None:
                file.override(("engine",), {"use": "processes"}, f"-n {self.workers}")
            file.override(("engine", "workers"), self.workers, f"-n {self.workers}")
        if self.repeat is not None:
            file.override(("repeat",), self.repeat, f"--repeat {self.repeat}")
        return file

    def sessions(self, path: Path, only: tuple[str, ...]) -> list[Session]:
        """Open a suite with the options of ``robustfim run``: a session for each model.

        Args:
            path: The suite file.
            only: Names of the checks to run; empty for all.

        Raises:
            UsageError: The suite, an option or a name is wrong.
            PluginError: A plugin is broken.
            NothingCollected: No check is left.
        """
        from robustfim.session.open import open_sessions

        options = replace(self.options, only=only, overrides=self.words, reports=self.reports, remember=True)
        return open_sessions(
            self.suite(path), plugins=self.plugin_options, options=options, reports=self.files, ci=self.ci
        )

    def _placed(self, kind: str, values: Sequence[str]) -> list[str]:
        """Write a file or folder that stands alone as what reads it, and its path."""
        placed = []
        for value in values:
            spec = None
            if "=" not in value and (manager := self.manager()) and manager.find(kind, value) is None:
                spec = manager.hook.robustfim_translate(kind=kind, value=Path(value))
            placed += [value] if spec is None else [f"{key}={_yaml(each)}" for key, each in spec.items()]
        return placed

    def model_and_data(self, path: Path | None = None) -> list[ModelAndData]:
        """Look up the model and the data that a suite or the command line names.

        Args:
            path: The suite file; None to use the command line only.

        Returns:
            One pair; for a suite with ``models``, one pair per model.

        Raises:
            UsageError: The suite or an option is wrong.
            PluginError: A plugin is broken.
        """
        from robustfim.collect.lookup import model_and_data

        return model_and_data(self.suite(path), plugins=self.plugin_options, offline=self.offline)

    def one_model_and_data(self, path: Path) -> ModelAndData:
        """Look up the model and the data as :meth:`model_and_data` does, for a suite with one model.

        Args:
            path: As for :meth:`model_and_data`, with the same errors; several models are a UsageError.
        """
        from robustfim.suite.variants import several_models

        pair, *others = self.model_and_data(path)
        if others:
            raise several_models(
                str(path), [model_and_data.model.use.use for model_and_data in (pair, *others) if model_and_data.model]
            )
        return pair


def _yaml(value: Any) -> str:
    """Write a text as YAML reads it; a plain one as it is."""
    text = str(value)
    return text if re.fullmatch(r"[\w./-]+", text) and re.search(r"[A-Za-z]", text) else json.dumps(text)


def shared_options(*names: str, **changes: dict[str, Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command some of the shared options, in one argument ``chosen``.

    Args:
        names: Fields of :class:`Chosen`; all by default.
        changes: Arguments of an option for click that differ from the default: ``data={"required": True}``.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def command(*arguments: Any, **given: Any) -> Any:
            return function(*arguments, chosen=Chosen.take(given, names), **given)

        for setting in reversed([*declared(Chosen, names)]):
            said = {**_taken(setting.metadata["takes"]), **setting.metadata["said"], **changes.get(setting.name, {})}
            if setting.default is not MISSING:
                said.setdefault("default", setting.default)
            if (flag := setting.metadata["flag"]) is not None:
                command = click.option(*flag.spellings, flag.name, is_flag=True, help=flag.help)(command)
            command = click.option(*setting.metadata["spellings"], setting.name, **said)(command)
        return command

    return decorate


def _taken(takes: Any) -> dict[str, Any]:
    """Tell click what an option takes, as it is declared."""
    if isinstance(takes, tuple):
        range_of = (click.FloatRange if isinstance(takes[0], float) else click.IntRange)(*takes)
        range_of.name = range_of.name.removesuffix(" range")  # 'abc' is not a valid integer
        return {"type": range_of}
    if takes is None:
        return {}
    return {"type": INPUT if takes is Path else click.Choice(get_args(takes))}


plugin_option = click.option("-p", "plugins", **next(declared(Chosen, ("plugins",))).metadata["said"])
"""The option ``-p``, before or after the command's name."""


def text_of_input(command: str) -> str:
    """Read a single text from standard input, for a command without ``--data``.

    Args:
        command: The rest of the command line, for the message: ``"score --model …"``.

    Raises:
        UsageError: Standard input is empty, or is a terminal at which a person would not know that a text is expected.
    """
    text = "" if sys.stdin.isatty() else sys.stdin.buffer.read().decode("utf-8", "replace").strip()
    if not text:
        raise UsageError(f"give --data, or a text on standard input: echo 'a fine film' | robustfim {command}")
    return text


def __getattr__(name: str) -> object:
    """Import what prints when it is first asked for, since it needs rich."""
    if name not in _PRINTING:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"robustfim.terminal.{_PRINTING[name]}"), name)


def progress_bar(console: Console) -> ProgressBar:
    """Show the progress of a long task: a bar on a terminal, otherwise a line every ten seconds on standard error.

    ``with progress_bar(console) as progress: progress("train", 64, 1000)``; for a session that a command runs,
    ``session.manager.register(progress, "robustfim.progress_bar")``.

    Args:
        console: The console of the bar, and of lines printed meanwhile.
    """
    from robustfim.terminal import progress

    return progress.ProgressBar(console)


def progress_lines(tell: Callable[[str], None]) -> Callable[[str, int, int], None]:
    """Report the progress of a long task in a line every ten seconds.

    Returns:
        A function to call with a stage, the examples done in it, and all examples.
    """
    from robustfim.terminal import progress

    return progress.ProgressLines(tell)
