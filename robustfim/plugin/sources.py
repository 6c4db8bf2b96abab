"""The sources of a run's plugins: built-in, installed, from the command line and from the suite."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from robustfim.builtin import offers
from robustfim.plugin.hooks import BUILT_IN
from robustfim.plugin.manager import PluginManager

__all__ = ["PluginOptions", "load_plugins"]


@dataclass(frozen=True)
class PluginOptions:
    """The plugins on the command line: ``-p NAME`` and ``-p no:NAME``."""

    load: tuple[str, ...] = ()
    block: tuple[str, ...] = ()

    @classmethod
    def parse(cls, values: Iterable[str]) -> PluginOptions:
        """Split ``["shout", "no:html"]`` into plugins to load and plugins to block."""
        values = tuple(values)
        blocked = tuple(value.removeprefix("no:") for value in values if value.startswith("no:"))
        return cls(tuple(value for value in values if not value.startswith("no:")), blocked)


def load_plugins(options: PluginOptions, suite_plugins: Sequence[str] = (), folder: Path = Path()) -> PluginManager:
    """Load all plugins of a run: built-in, installed, from the command line and from the suite.

    A module is searched among the installed packages first, then in the current folder.

    Args:
        options: The plugins of the command line (``-p``).
        suite_plugins: The suite's ``plugins``: files relative to ``folder``, or modules.
        folder: The suite's folder.

    Raises:
        UsageError: A named plugin does not exist.
        PluginError: A plugin is broken.
    """
    manager = PluginManager(options.block)
    manager.register(offers, f"{BUILT_IN}builtin")
    manager.load_entry_points()
    for name in options.load:
        _load(manager, name, Path())
    for name in suite_plugins:
        _load(manager, name, folder)
    manager.check_blocked()
    return manager


def _load(manager: PluginManager, name: str, folder: Path) -> None:
    if name.endswith(".py"):
        manager.load_file(folder / name)
        return
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # last, so that no file of the current folder hides an installed module
    manager.load_module(name)
