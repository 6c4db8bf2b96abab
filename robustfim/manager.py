"""The plugin manager: finds plugins, refuses broken ones, and answers who offers what."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import pluggy

from robustfim import hookspecs
from robustfim.errors import PluginError, UsageError, did_you_mean
from robustfim.record import PluginRecord

__all__ = ["KINDS", "Offer", "PluginManager", "code_fingerprint"]

KINDS = {
    "models": "model",
    "data": "data source",
    "scorers": "score",
    "perturbations": "perturbation",
    "constraints": "constraint",
    "orders": "order",
    "expectations": "expectation",
    "reports": "report",
}
"""The offering hooks, without their prefix, and the word for one of what each offers."""


@dataclass(frozen=True)
class Offer:
    """One name a plugin offers.

    Attributes:
        kind: A key of ``KINDS``.
        name: The name suites use.
        owner: The plugin that offers it.
        target: ``"package.module:Class"`` or the class.
    """

    kind: str
    name: str
    owner: str
    target: str | type[Any]

    @cached_property
    def cls(self) -> type[Any]:
        """The class, imported on first use.

        Raises:
            PluginError: It cannot be imported, or is no class.
        """
        if not isinstance(self.target, str):
            return self.target
        return _import(self.target, self.owner)

    @property
    def summary(self) -> str:
        """The first line of the class's docstring."""
        return (inspect.getdoc(self.cls) or "").partition("\n")[0]


class PluginManager:
    """The plugins of one run.

    Args:
        blocked: Names of plugins that must not be loaded, nor imported.
    """

    def __init__(self, blocked: Iterable[str] = ()) -> None:
        self._pluggy = pluggy.PluginManager(hookspecs.PROJECT)
        self._pluggy.add_hookspecs(hookspecs)
        self._blocked = frozenset(blocked)
        self._hashes: dict[str, str] = {}
        self._versions: dict[str, str] = {}
        self.hook = self._pluggy.hook

    # ---- loading --------------------------------------------------------------------------------------

    def load_entry_points(self) -> None:
        """Load every installed plugin of the entry-point group ``robustfim``, in the order of their names.

        Raises:
            PluginError: A plugin cannot be imported, misspells a hook, or has none.
            UsageError: ``-p no:NAME`` names no installed plugin.
        """
        installed = sorted(entry_points(group=hookspecs.PROJECT), key=lambda each: each.name)
        for point in installed:
            if point.name in self._blocked or self._pluggy.has_plugin(point.name):
                continue
            try:
                plugin = point.load()
            except Exception as error:  # a stranger's module may raise anything on import
                raise PluginError(
                    f"plugin {point.name!r} ({point.value}) cannot be imported: {type(error).__name__}: {error}. "
                    f"Repair it, or leave it out with '-p no:{point.name}'."
                ) from error
            self.register(plugin, point.name)
            if point.dist is not None:
                self._versions[point.name] = point.dist.version

    def check_blocked(self) -> None:
        """Refuse a block that blocks nothing, which is a misspelling.

        Raises:
            UsageError: No plugin has the blocked name.
        """
        known = {point.name for point in entry_points(group=hookspecs.PROJECT)} | set(self.names) | {"terminal"}
        for name in sorted(self._blocked - known):
            raise UsageError(f"-p no:{name}: there is no plugin {name!r}.{did_you_mean(name, known)}")

    def load_module(self, name: str) -> None:
        """Load a plugin by its module's name, as ``-p NAME`` does.

        Raises:
            UsageError: There is no such module.
            PluginError: The module raises on import, misspells a hook, or has none.
        """
        if name in self._blocked or self._pluggy.has_plugin(name):
            return
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not (name == error.name or name.startswith(f"{error.name}.")):
                raise PluginError(f"plugin {name!r} needs the missing module {error.name!r}.") from error
            raise UsageError(
                f"no plugin module {name!r} can be imported from here; a file is named with its .py."
            ) from None
        except Exception as error:  # a stranger's module may raise anything on import
            raise PluginError(f"plugin {name!r} cannot be imported: {type(error).__name__}: {error}") from error
        if not any(module is each for each in self._pluggy.get_plugins()):
            self.register(module, name)

    def load_file(self, path: Path) -> None:
        """Load a plugin from a ``.py`` file.

        Raises:
            UsageError: There is no such file.
            PluginError: The file raises when it is run, misspells a hook, or has none.
        """
        name = path.stem
        if name in self._blocked:
            return
        if not path.is_file():
            raise UsageError(f"no plugin file {path}.")
        source = path.read_bytes()
        digest = hashlib.sha256(source).hexdigest()
        if self._hashes.get(name) == digest:
            return
        module_name = f"robustfim_file_{digest[:8]}_{name}"
        spec = importlib.util.spec_from_file_location(module_name, path)
        if spec is None or spec.loader is None:
            raise UsageError(f"{path} is not a Python file.")
        module = importlib.util.module_from_spec(spec)
        sys.modules[module_name] = module
        try:
            spec.loader.exec_module(module)
        except Exception as error:  # a stranger's file may raise anything when it is run
            del sys.modules[module_name]
            raise PluginError(f"plugin file {path}: {type(error).__name__}: {error}") from error
        self.register(module, name)
        self._hashes[name] = digest

    def register(self, plugin: object, name: str) -> None:
        """Register a plugin, and refuse one that could never be called.

        Args:
            plugin: A module or object with hook implementations.
            name: Its name.

        Raises:
            PluginError: The name is taken, a hook is misspelled or has unknown arguments, or there is no hook.
        """
        if name in self._blocked:
            return
        if self._pluggy.has_plugin(name):
            raise PluginError(f"two plugins are named {name!r}; leave one out with '-p no:{name}'.")
        try:
            self._pluggy.register(plugin, name)
        except pluggy.PluginValidationError as error:
            raise PluginError(f"plugin {name!r}: {' '.join(str(error).split())}") from error
        known = [each for each in vars(hookspecs) if each.startswith("robustfim_")]
        own = self._pluggy.get_hookcallers(plugin) or []
        for caller in own:
            if not caller.has_spec():
                raise PluginError(
                    f"plugin {name!r}: there is no hook {caller.name!r}.{did_you_mean(caller.name, known)}"
                )
        if not own:
            raise PluginError(
                f"plugin {name!r} implements no hook. A hook is a function named robustfim_… under @robustfim.hookimpl."
            )

    # ---- asking ---------------------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """The names of the loaded plugins, sorted."""
        return sorted(name for name, plugin in self._pluggy.list_name_plugin() if plugin is not None)

    def offers(self, kind: str) -> dict[str, Offer]:
        """List what plugins offer of one kind.

        Args:
            kind: A key of ``KINDS``, or ``"commands"``.

        Returns:
            Offers by name, sorted.

        Raises:
            PluginError: Two plugins offer one name, or a hook raised or returned no mapping.
        """
        found: dict[str, Offer] = {}
        for implementation in getattr(self.hook, f"robustfim_{kind}").get_hookimpls():
            owner = implementation.plugin_name
            try:
                offering = implementation.function()
            except Exception as error:  # a plugin's hook may raise anything
                raise PluginError(
                    f"plugin {owner!r}: robustfim_{kind} raised {type(error).__name__}: {error}"
                ) from error
            if not isinstance(offering, dict):
                raise PluginError(f"plugin {owner!r}: robustfim_{kind} must return a dict of names, not {offering!r}.")
            for name, target in offering.items():
                if name in found:
                    raise PluginError(
                        f"the {KINDS.get(kind, 'command')} {name!r} is offered by two plugins, "
                        f"{found[name].owner!r} and {owner!r}; leave one out with '-p no:{owner}'."
                    )
                found[name] = Offer(kind, name, owner, target)
        return dict(sorted(found.items()))

    def get(self, kind: str, name: str) -> Offer:
        """Find one offer.

        Args:
            kind: A key of ``KINDS``.
            name: The name a suite uses.

        Raises:
            UsageError: No plugin offers it; the message has the nearest name.
        """
        offers = self.offers(kind)
        if name not in offers:
            raise UsageError(f"unknown {KINDS[kind]} {name!r}.{did_you_mean(name, offers)} See 'robustfim plugins'.")
        return offers[name]

    def geometry(self) -> type[Any] | None:
        """Return the class that computes gradients, or None when no plugin has one."""
        target = self.hook.robustfim_geometry()
        return _import(target, "geometry") if isinstance(target, str) else target

    def records(self) -> list[PluginRecord]:
        """List the loaded plugins for the run record, by name, without the built-in ones."""
        return [
            PluginRecord(name=name, version=self._versions.get(name), sha256=self._hashes.get(name))
            for name in self.names
            if not name.startswith("robustfim.")
        ]


def _import(target: str, owner: str) -> type[Any]:
    """Import ``package.module:Class``."""
    module_name, _, attribute = target.partition(":")
    try:
        found = getattr(importlib.import_module(module_name), attribute)
    except Exception as error:  # a plugin's body may raise anything on import
        raise PluginError(f"plugin {owner!r}: {target} cannot be imported: {type(error).__name__}: {error}") from error
    if not inspect.isclass(found):
        raise PluginError(f"plugin {owner!r}: {target} is not a class.")
    return found


def code_fingerprint(cls: type[Any]) -> str:
    """Hash the source a class comes from: its whole package where it is in one, else its file.

    What was computed by other code is not taken from the store.

    Args:
        cls: A class a plugin offers.

    Returns:
        16 hexadecimal digits; the class's qualified name alone decides where there is no source.
    """
    digest = hashlib.blake2b(f"{cls.__module__}.{cls.__qualname__}".encode(), digest_size=8)
    for path in _source_files(cls):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _source_files(cls: type[Any]) -> list[Path]:
    top = sys.modules.get(cls.__module__.partition(".")[0])
    if isinstance(top, ModuleType) and getattr(top, "__path__", None) and top.__file__:
        return sorted(Path(top.__file__).parent.rglob("*.py"))
    try:
        return [Path(inspect.getfile(cls))]
    except (TypeError, OSError):
        return []
