"""Blame: an exception of a plugin or a model becomes an error that names the plugin or model."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from robustfim.errors import NothingCollected, PluginError, PluginLoadError, RobustfimError, SkipCheck, SuiteError

__all__ = ["PLUGIN_FILE", "at_work", "blame", "blame_at_work", "imported", "part_name", "told"]

PLUGIN_FILE = "robustfim_file_"
"""The beginning of the module name of a plugin file; the beginning of the file's hash and its name follow."""
_AT_WORK: dict[object, str] = {}
"""The plugins and models that are being called, the innermost last."""


def at_work() -> str:
    """Return the name of the plugin or model whose code is running; "" if robustfim's own code is running."""
    return next(reversed(list(_AT_WORK.values())), "")


class blame:  # as contextlib's own; a class, since it stands around every call of a part
    """A context manager that turns exceptions of a plugin's code into errors that name the plugin.

    ``sys.exit()`` is turned into an error, too, since a plugin must not decide how a run ends.

    Errors of robustfim and Ctrl-C pass unchanged.

    Args:
        who: The owner of the code that runs inside; see :func:`part_name`.
        kind: The class of the error.
        did: The verb of the message ``WHO DID TYPE: MESSAGE``.

    Raises:
        RobustfimError: An error of ``kind``, with the exception as its cause.
    """

    __slots__ = ("_did", "_kind", "_who")

    def __init__(self, who: str, kind: type[RobustfimError] = PluginError, *, did: str = "raised") -> None:
        self._who, self._kind, self._did = who, kind, did

    def __enter__(self) -> None:
        _AT_WORK[self] = self._who

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        del _AT_WORK[self]
        if error is not None and not isinstance(error, RobustfimError | KeyboardInterrupt | GeneratorExit):
            raise self._kind(f"{self._who} {self._did} {told(error)}") from error


@contextmanager
def blame_at_work(who: str, kind: type[RobustfimError] = PluginError) -> Iterator[None]:
    """A context manager that turns every exception, robustfim's own included, into an error that names its origin.

    Use it around the code of a model, which may neither blame the suite nor skip a check. A plain UsageError passes
    unchanged, such as one about a missing file of answers or an unset variable for a token.

    Raises:
        RobustfimError: An error of ``kind``, with the exception as its cause.
    """
    try:
        with blame(who, kind):
            yield
    except (SuiteError, NothingCollected, SkipCheck) as error:
        raise kind(f"{who} raised {told(error)}") from error


def imported(target: str, who: str) -> Any:
    """Import what a plugin names.

    Args:
        target: ``"package.module:name"``.
        who: The owner of the name, for the message.

    Raises:
        PluginLoadError: It cannot be imported.
    """
    module, _, attribute = target.partition(":")
    with blame(f"{who}: {target!r}", PluginLoadError, did="cannot be imported:"):
        return getattr(importlib.import_module(module), attribute)


def told(error: BaseException) -> str:
    """Return an exception as text, like the last line of a traceback, even if its ``__str__`` raises."""
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:  # the exception's own __str__ is a stranger's code, too
        text = "(its message cannot be read)"
    return f"{name}: {text}"


def part_name(owner: str, word: str, name: str, part: object) -> str:
    """Return the name of a plugin's object for an error: ``plugin 'words', perturbation 'synonyms' (Synonyms)``.

    Args:
        owner: The plugin that offers the object; empty if there is none.
        word: The role: ``model``, ``perturbation``, …
        name: The object's name in the suite.
        part: The object.
    """
    return f"{f'plugin {owner!r}, ' if owner else ''}{word} {name!r} ({type(part).__name__})"
