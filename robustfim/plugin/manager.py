"""The plugin manager: it finds plugins, refuses broken ones, and looks up their offers."""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib.machinery import SourceFileLoader
from importlib.metadata import Distribution, EntryPoint, entry_points
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pluggy

from robustfim import hookspecs
from robustfim.blame import PLUGIN_FILE, blame, told
from robustfim.errors import PluginLoadError, UsageError, did_you_mean, shown
from robustfim.plugin.hooks import BUILT_IN, Hooks
from robustfim.plugin.offer import (
    KINDS,
    Offer,
    Offered,
    State,
    check_offers,
    command_targets,
    offered_now,
    option_targets,
    resource_states,
)

if TYPE_CHECKING:
    from robustfim.record import Card, PluginRecord

__all__ = ["PluginManager"]


_KNOWN = sorted(name for name in vars(hookspecs) if name.startswith("robustfim_"))


class PluginManager:
    """The plugins of one run.

    Args:
        blocked: Names of plugins that must be neither loaded nor imported.

    Attributes:
        hook: The hooks, to be called by name.
    """

    def __init__(self, blocked: Iterable[str] = ()) -> None:
        self._pluggy = pluggy.PluginManager(hookspecs.PROJECT)
        self._pluggy.add_hookspecs(hookspecs)
        self._blocked = frozenset(blocked)
        self._kept_out: set[str] = set()
        self._hashes: dict[str, str] = {}
        self._versions: dict[str, str] = {}
        self._offers_of: dict[str, dict[str, Offer]] = {}
        self.hook = Hooks(self._pluggy.hook)

    # ---- loading --------------------------------------------------------------------------------------

    def load_entry_points(self) -> None:
        """Load every installed plugin of the entry-point group ``robustfim``, in the order of their names.

        Raises:
            PluginError: A plugin cannot be imported, misspells a hook or has no hook; or two plugins have the same
                name.
        """
        loaded: dict[str, EntryPoint] = {}
        for point in _installed():
            if self._is_blocked(point.name):
                continue
            other = loaded.setdefault(point.name, point)
            if other is not point:
                if other.value == point.value:  # one plugin, found twice on the path
                    continue
                raise PluginLoadError(
                    f"two installed plugins are named {point.name!r}: {other.value} of {_distribution(other)} and "
                    f"{point.value} of {_distribution(point)}; uninstall one, or leave both out with "
                    f"'-p no:{point.name}'."
                )
            try:
                with blame(f"plugin {point.name!r} ({point.value})", PluginLoadError, did="cannot be imported:"):
                    plugin = point.load()
            except PluginLoadError as error:
                way_out = f"Repair it, or leave it out with '-p no:{point.name}'."
                raise PluginLoadError(f"{error}. {way_out}") from error.__cause__
            self.register(plugin, point.name)
            if point.dist is not None:
                self._versions[point.name] = _version(point.dist)

    def load_module(self, name: str) -> None:
        """Load a plugin by its module's name, as ``-p NAME`` does.

        Raises:
            UsageError: There is no such module.
            PluginError: The module raises an error on import, misspells a hook, or has no hook.
        """
        if self._is_blocked(name) or self._pluggy.has_plugin(name):
            return
        if not all(part.isidentifier() for part in name.split(".")):
            raise UsageError(f"{shown(name)} is no plugin module: write package.module, or a file with its .py.")
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not (name == error.name or name.startswith(f"{error.name}.")):
                raise PluginLoadError(f"plugin {shown(name)} needs the missing module {shown(error.name)}.") from error
            raise UsageError(
                f"no plugin module {shown(name)} is installed or in the current folder; a file is named with its .py."
            ) from None
        except (Exception, SystemExit) as error:  # a stranger's module may raise anything on import
            raise PluginLoadError(f"plugin {shown(name)} cannot be imported: {told(error)}") from error
        if not any(module is plugin for plugin in self._pluggy.get_plugins()):
            self.register(module, name)

    def load_file(self, path: Path) -> None:
        """Load a plugin from a ``.py`` file; the plugin is named after the file, without ``.py``.

        Raises:
            UsageError: There is no such file.
            PluginError: The file raises an error when it is run, misspells a hook, or has no hook.
        """
        name = path.stem
        if self._is_blocked(name):
            return
        if not path.is_file():
            raise UsageError(f"no plugin file {path}.")
        source = path.read_bytes()
        digest = hashlib.sha256(source).hexdigest()
        if self._hashes.get(name) == digest:
            return
        module_name = f"{PLUGIN_FILE}{digest[:8]}_{name}"
        loader = _AsItStands(module_name, str(path))
        spec = importlib.util.spec_from_file_location(module_name, path, loader=loader)
        if spec is None or spec.loader is None:
            raise UsageError(f"{path} is not a Python file.")
        module = importlib.util.module_from_spec(spec)
        sys.modules[module_name] = module
        try:
            with blame(f"plugin file {path}", PluginLoadError, did="cannot be run:"):
                spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[module_name]
            raise
        self.register(module, name)
        self._hashes[name] = digest

    def register(self, plugin: object, name: str) -> None:
        """Register a plugin, after a check that its hooks exist.

        Args:
            plugin: A module or object with hook implementations.
            name: The plugin's name.

        Raises:
            PluginError: The name is taken, a hook is misspelled or has unknown arguments, or there is no hook.
        """
        if self._is_blocked(name):
            return
        if self._pluggy.has_plugin(name):
            raise PluginLoadError(f"two plugins are named {shown(name)}; rename one of them.")
        self._offers_of.clear()
        try:
            self._pluggy.register(plugin, name)
        except pluggy.PluginValidationError as error:
            raise PluginLoadError(f"plugin {shown(name)}: {' '.join(str(error).split())}") from error
        marks = {each: self._pluggy.parse_hookimpl_opts(plugin, each) for each in dir(plugin)}
        hooks = {opts.get("specname") or each for each, opts in marks.items() if opts is not None}
        for hook in sorted(hooks.difference(_KNOWN)):
            way = offered_now(hook) or did_you_mean(hook, _KNOWN)
            raise PluginLoadError(f"plugin {shown(name)}: there is no hook {hook!r}.{way}")
        for function in _KNOWN:
            if function in marks and marks[function] is None and callable(getattr(plugin, function, None)):
                raise PluginLoadError(f"plugin {shown(name)}: {function} is not decorated with @robustfim.hookimpl.")
        if not hooks:
            raise PluginLoadError(
                f"plugin {shown(name)} implements no hook. A hook is a function named robustfim_… under "
                "@robustfim.hookimpl."
            )

    def check_blocked(self) -> None:
        """Raise an error if a plugin to be blocked does not exist, since its name is probably misspelled.

        Raises:
            UsageError: No plugin has the blocked name.
        """
        known = {name.removeprefix(BUILT_IN) for name in self.names}
        for name in sorted(self._blocked - self._kept_out):
            raise UsageError(f"-p no:NAME: there is no plugin {shown(name)}.{did_you_mean(name, known)}")

    def _is_blocked(self, name: str) -> bool:
        """Whether ``-p no:`` keeps a plugin out; a built-in one is named without its prefix."""
        short = name.removeprefix(BUILT_IN)
        if short not in self._blocked:
            return False
        self._kept_out.add(short)
        return True

    # ---- asking ---------------------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """The names of the loaded plugins, sorted."""
        return sorted(name for name, plugin in self._pluggy.list_name_plugin() if plugin is not None)

    def offers(self, kind: str) -> Mapping[str, Offer]:
        """List the classes of one kind (such as perturbations) that plugins offer to suites, by name.

        Args:
            kind: The kind of object, such as ``perturbations``.

        Returns:
            The offers by name, sorted; a name that several plugins offer is listed for each, as ``plugin/name``.

        Raises:
            PluginError: A hook raised or returned something else.
        """
        if kind not in self._offers_of:
            offered = [
                (name, owner, target)
                for owner, answer in self._offers()
                for name, target in answer.get(kind, {}).items()
            ]
            times = Counter(name for name, *_ in offered)
            offers = (
                Offer(kind, f"{owner}/{name}" if times[name] > 1 else name, owner, target, times[name] > 1)
                for name, owner, target in offered
            )
            self._offers_of[kind] = {offer.name: offer for offer in sorted(offers, key=attrgetter("name"))}
        return self._offers_of[kind]

    def find(self, kind: str, name: str) -> Offer | None:
        """Find a class that a plugin offers, by name or ``plugin/name``; None if no plugin offers it.

        Raises:
            PluginError: Several plugins offer the bare name.
        """
        offers = self.offers(kind)
        owner, _, bare = name.partition("/")
        offer = offers.get(name) or (each if (each := offers.get(bare)) is not None and each.owner == owner else None)
        if offer is None and (
            owners := [each.owner for full, each in offers.items() if each.shared and full == f"{each.owner}/{name}"]
        ):
            listed = " and ".join(map(repr, owners))
            full = " or ".join(repr(f"{each}/{name}") for each in owners)
            blocks = " or ".join(repr(f"-p no:{each}") for each in owners)
            raise PluginLoadError(
                f"the {KINDS[kind]} {name!r} is offered by {len(owners)} plugins, {listed}: write {full}, or leave one "
                f"out with {blocks}."
            )
        return offer

    def commands(self, kind: Literal["commands", "studies"] = "commands") -> dict[str, tuple[str, str, str, str]]:
        """List the subcommands that plugins offer.

        Args:
            kind: The group of commands: of ``robustfim``, or of ``robustfim study``.

        Returns:
            Command name to plugin, ``"package.module:command"``, one line of help and help section, sorted by name.

        Raises:
            PluginError: Two plugins offer the same name, or a hook raised or returned something else.
        """
        word = {"commands": "command", "studies": "study"}[kind]
        return command_targets(self._named(f"robustfim_{kind}", word), word)

    def report_options(self, command: str) -> dict[str, tuple[str, str, str]]:
        """List the options that plugins add to a command.

        Args:
            command: ``"run"``, ``"report"`` or ``"compare"``.

        Returns:
            Option to plugin, the report whose file the option names, and help text, sorted by option.

        Raises:
            PluginError: Two plugins offer the same option, or a hook raised or returned something else.
        """
        return option_targets(self._named("robustfim_options", "option", command=command))

    def resources(self) -> dict[str, tuple[State, str]]:
        """List the resources that plugins use, such as word lists and models, with their state.

        Returns:
            Resource name to ``ok``, ``note`` or ``problem`` and one sentence, sorted.

        Raises:
            PluginError: Two plugins report the same name, or a hook raised or returned something else.
        """
        return resource_states(self._named("robustfim_resources", "resource"))

    def cards(self) -> dict[str, Card]:
        """List people's ratings of perturbed texts (cards), by name of the perturbation.

        Returns:
            The name of a perturbation to its card; the card belongs to the plugin that offers the perturbation.

        Raises:
            PluginError: Two plugins have a card for another plugin's perturbation, or a hook raised or returned
                something else.
        """
        from robustfim.record import Card  # only a run needs it, and it imports slowly

        offered = {offer.name: offer.owner for offer in self.offers("perturbations").values()}
        claims: list[tuple[str, Mapping[str, Any]]] = []
        for owner, answer in self._mappings("robustfim_cards"):
            named = {f"{owner}/{name}" if f"{owner}/{name}" in offered else name: card for name, card in answer.items()}
            claims.append((owner, named))
        own = {name for owner, named in claims for name in named if offered.get(name) == owner}
        dealt = _by_name(
            (
                (owner, {name: card for name, card in named.items() if name not in own or offered[name] == owner})
                for owner, named in claims
            ),
            "card of the perturbation",
        )
        for name, (owner, card) in dealt.items():
            if not isinstance(card, Card):
                raise PluginLoadError(f"plugin {owner!r}: the card of {name!r} must be a Card, not {shown(card)}.")
        return {name: card for name, (_, card) in dealt.items()}

    def get(self, kind: str, name: str) -> Offer:
        """Return a class that a plugin offers to suites, by name.

        Args:
            kind: The kind of object, such as ``perturbations``.
            name: The name in suites.

        Raises:
            UsageError: No plugin offers the name; the message suggests the nearest name.
            PluginError: Several plugins offer the name.
        """
        offers = self.offers(kind)
        if (offer := self.find(kind, name)) is None:
            calls = {"data": "", "models": " What no model reads, as a pickle, your function calls: 'module:name'."}
            path = kind in calls and bool({*"./"} & {*name})
            way = f" A file, a folder or a hub's id stands under 'path', beside 'use'.{calls[kind]}" if path else ""
            message = f"unknown {KINDS[kind]} {shown(name)}.{did_you_mean(name, offers)} See 'robustfim plugins'.{way}"
            raise UsageError(message)
        return offer

    def shared(self, kind: Literal["attribution", "geometry", "tagger"]) -> type[Any] | None:
        """Return the class of a service, such as gradients, that all plugins share; None if no plugin offers it.

        Raises:
            PluginError: The class cannot be imported, is not a class, or has a member that its role does not allow.
        """
        found = self._service(kind)
        return None if found is None else found.cls

    def sharer(self, kind: Literal["attribution", "geometry", "tagger"]) -> str:
        """Return how error messages name the class that :meth:`shared` returns: ``plugin 'fisher', geometry``."""
        found = self._service(kind)
        return f"the {kind}" if found is None else f"plugin {found.owner!r}, {kind}"

    def _service(self, kind: str) -> Offer | None:
        """The service of the plugin that was loaded last among those that offer it."""
        found = None
        for owner, offered in self._offers():
            if kind in (services := offered.get("services", {})):
                found = Offer(kind, kind, owner, services[kind])
        return found

    def records(self) -> list[PluginRecord]:
        """List the loaded plugins for the run record, by name, without the built-in ones."""
        from robustfim.record import PluginRecord  # only a run needs it, and it imports slowly

        return [
            PluginRecord(name=name, version=self._versions.get(name), sha256=self._hashes.get(name))
            for name in self.names
            if not name.startswith(BUILT_IN)
        ]

    def _offers(self) -> Iterator[tuple[str, Mapping[str, Mapping[str, Any]]]]:
        """Each plugin with what it offers by kind, in the order in which they were loaded."""
        for owner, answer in self._answers("robustfim_offers"):
            yield owner, check_offers(answer, owner)

    def _named(self, hook: str, word: str, **given: str) -> Offered:
        """Ask every plugin for a mapping of names: name to (plugin, target), sorted."""
        return _by_name(self._mappings(hook, **given), word)

    def _mappings(self, hook: str, **given: str) -> list[tuple[str, Mapping[str, Any]]]:
        """Each plugin that has a hook, with the mapping that that returns."""
        answers = list(self._answers(hook, **given))
        for owner, answer in answers:
            if not isinstance(answer, Mapping):
                raise PluginLoadError(f"plugin {owner!r}: {hook} must return a dict of names, not {answer!r}.")
        return answers

    def _answers(self, hook: str, **given: str) -> Iterator[tuple[str, Any]]:
        """Each plugin that has a hook, with what that returns."""
        for implementation in getattr(self._pluggy.hook, hook).get_hookimpls():
            owner = implementation.plugin_name
            with blame(f"plugin {owner!r}: {hook}", PluginLoadError):
                answer = implementation.function(*(given[argname] for argname in implementation.argnames))
            yield owner, answer


def _by_name(answers: Iterable[tuple[str, Mapping[str, Any]]], word: str) -> Offered:
    """Lay what plugins offer together: name to (plugin, target), sorted; each name has one plugin."""
    first: dict[str, tuple[str, Any]] = {}
    for owner, answer in answers:
        for name, target in answer.items():
            if name in first:
                raise PluginLoadError(
                    f"the {word} {name!r} is offered by two plugins, {first[name][0]!r} and {owner!r}; "
                    f"leave one out with '-p no:{first[name][0]}' or '-p no:{owner}'."
                )
            first[name] = (owner, target)
    return dict(sorted(first.items()))


class _AsItStands(SourceFileLoader):
    """Runs a file's source without cached bytecode, which may be of another source with the same size and time."""

    def path_stats(self, path: str) -> Mapping[str, Any]:
        """Return nothing, so that bytecode is neither read nor written."""
        raise OSError(path)


def _installed() -> tuple[EntryPoint, ...]:
    """The entry points of plugins by name; looked for again where the path, or what is installed on it, has changed."""
    folders = ((each, Path(each).absolute()) for each in sys.path)
    states = ((name, path, path.stat().st_mtime_ns if path.is_dir() else 0) for name, path in folders)
    return _entry_points(tuple((name, _distributions(path, state) if state else ()) for name, path, state in states))


@functools.lru_cache(maxsize=64)
def _distributions(folder: Path, _: int) -> tuple[tuple[str, int], ...]:
    """What is installed in a folder that was last changed then: a run that writes a file installs nothing."""
    found = (entry for entry in os.scandir(folder) if entry.name.endswith((".dist-info", ".egg-info")))
    return tuple(sorted((entry.name, entry.stat().st_mtime_ns) for entry in found))


@functools.lru_cache(maxsize=4)
def _entry_points(_: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]) -> tuple[EntryPoint, ...]:
    return tuple(sorted(entry_points(group=hookspecs.PROJECT), key=lambda point: (point.name, point.value)))


def _distribution(point: EntryPoint) -> str:
    return "an unnamed distribution" if point.dist is None else f"{point.dist.name} {point.dist.version}"


@functools.lru_cache(maxsize=64)
def _version(distribution: Distribution) -> str:
    """Read a version: its file is parsed each time, and one distribution has many plugins."""
    return distribution.version
