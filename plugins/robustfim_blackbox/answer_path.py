"""The path to an answer inside a JSON document."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from robustfim.errors import ModelError, UsageError, did_you_mean, shown

__all__ = ["AnswerPath", "paths"]

_DEEPEST = 5
_MOST = 500


class AnswerPath:
    """A path into a JSON document: keys and positions joined by dots, such as ``outputs.0.scores``.

    The key ``*`` goes into every item of a list.

    Args:
        path: The path; ``""`` is the whole document.

    Raises:
        UsageError: A part of the path is empty.
    """

    def __init__(self, path: str) -> None:
        self.path, self._parts = path, path.split(".") if path else []
        if "" in self._parts:
            raise UsageError(f"answer={path!r} is not a path: write keys and positions with dots, 'outputs.0.scores'.")

    def find(self, document: Any) -> Any:
        """Return the value at this path in a JSON document.

        Returns:
            The value at this path; with ``*`` a list of the values of all items.

        Raises:
            ModelError: The document has no such path. The message names the keys that it has.
        """
        return self._follow(document, 0)

    def _follow(self, here: Any, done: int) -> Any:
        if done == len(self._parts):
            return here
        part = self._parts[done]
        if isinstance(here, dict) and part in here:
            return self._follow(here[part], done + 1)
        if isinstance(here, list) and part == "*":
            return [self._follow(each, done + 1) for each in here]
        if isinstance(here, list) and part.isdecimal() and int(part) < len(here):
            return self._follow(here[int(part)], done + 1)
        place = ".".join(self._parts[:done])
        where = f"at {place!r}" if place else "at its top"
        raise ModelError(
            f"the path answer={self.path!r} finds no {shown(part)} in the answer: {where} it has {_kind(here, part)}"
        )


def _kind(here: Any, part: str) -> str:
    if isinstance(here, dict):
        return f"the keys {', '.join(map(str, here)) or 'of an empty object'}.{did_you_mean(part, map(str, here))}"
    if isinstance(here, list):
        return f"a list of {len(here)}, whose items are 0, 1, … or '*' for all."
    return f"{here!r:.60}."


def paths(document: Any) -> Iterator[str]:
    """List the paths into a JSON document, the shortest first; ``*`` stands for all items of a list.

    Yields:
        At most 500 paths, each of at most five keys or positions. Only the first items of a list are searched.
    """
    waiting: deque[tuple[tuple[str, ...], Any]] = deque([((), document)])
    for _ in range(_MOST):
        if not waiting:
            return
        parts, here = waiting.popleft()
        yield ".".join(parts)
        inner = {key: value for key, value in here.items() if key and "." not in key} if isinstance(here, dict) else {}
        if isinstance(here, list) and here:
            inner = {"*": here[0], "0": here[0]}
        if len(parts) < _DEEPEST:
            waiting.extend(((*parts, key), value) for key, value in inner.items())
