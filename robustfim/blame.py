"""Blame: what a plugin or a model raises becomes an error that names it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from robustfim.errors import NothingCollected, PluginError, RobustfimError, SkipCheck, SuiteError

__all__ = ["at_work", "blame", "blame_at_work", "part_name", "told"]

_AT_WORK: dict[object, str] = {}
"""Who is called at present, the innermost last."""


def at_work() -> str:
    """Name the plugin or the model that is called at present; "" where robustfim itself is at work."""
    return next(reversed(list(_AT_WORK.values())), "")


class blame:  # as contextlib's own; a class, since it stands around every call of a part
    """Let robustfim's own errors and Ctrl-C pass, and turn whatever else is raised into an error that names who did it.

    ``sys.exit()`` is one of these: a plugin does not decide how a run ends.

    Args:
        who: Whose code runs inside; see :func:`part_name`.
        kind: The error that it becomes.
        did: What it did: ``WHO DID TYPE: MESSAGE`` is the message.

    Raises:
        RobustfimError: One of ``kind``, with the exception as its cause.
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
    """Blame for errors of robustfim's own, too: who answers neither judges the suite nor skips a check.

    A plain UsageError passes: a file of answers is not there yet, a variable with a token is not set.

    Raises:
        RobustfimError: One of ``kind``, with the exception as its cause.
    """
    try:
        with blame(who, kind):
            yield
    except (SuiteError, NothingCollected, SkipCheck) as error:
        raise kind(f"{who} raised {told(error)}") from error


def told(error: BaseException) -> str:
    """Write an exception as the last line of a traceback has it, even one that cannot be written."""
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:  # the exception's own __str__ is a stranger's code, too
        text = "(its message cannot be read)"
    return f"{name}: {text}"


def part_name(owner: str, word: str, name: str, part: object) -> str:
    """Name a part of a run in an error: ``plugin 'words', perturbation 'synonyms' (Synonyms)``.

    Args:
        owner: The plugin that offers it; empty for what no plugin offers.
        word: What it is: ``model``, ``perturbation``, …
        name: The name that the suite uses.
        part: The object.
    """
    return f"{f'plugin {owner!r}, ' if owner else ''}{word} {name!r} ({type(part).__name__})"
