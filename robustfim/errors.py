"""Every error robustfim raises, and the sentence that shows the way out.

```
RobustfimError
├── UsageError            a mistake in the command line or what it names (exit code 4)
│   ├── SuiteError        … in a suite file; carries file and line
│   │   └── Mistakes      … several mistakes of a file, reported at once
│   └── DataError         … in the data: missing, empty, wrong column, unknown label
├── NothingCollected      no example or no check is left to run (exit code 5)
├── SkipCheck             a plugin asks that its check be skipped: a resource is missing
├── PluginError           a plugin broke its contract or raised (its check becomes an error)
│   └── PluginLoadError   … before anything ran: it cannot be imported or constructed (exit code 4)
└── ModelError            a model gave no usable answer (the checks that need it become errors)
```
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from pathlib import Path

__all__ = [
    "DataError",
    "Mistakes",
    "ModelError",
    "NothingCollected",
    "PluginError",
    "PluginLoadError",
    "RobustfimError",
    "SkipCheck",
    "SuiteError",
    "UsageError",
    "did_you_mean",
    "near_path",
    "shown",
    "shown_bare",
    "shown_names",
    "shown_path",
    "shown_place",
    "suggestions",
    "working_folder",
]


_LONGEST, _MOST = 40, 20
"""The most characters of a key, and the most names, in a message."""


class RobustfimError(Exception):
    """The base of every error that robustfim raises on purpose; its message has paths from the current folder."""

    def __init__(self, *args: object) -> None:
        super().__init__(*(shown_path(each) if isinstance(each, str) else each for each in args))


class UsageError(RobustfimError):
    """Something that the user named is missing, misspelled or malformed."""


class SuiteError(UsageError):
    """An error in a suite file.

    Args:
        message: The mistake, and how to correct it.
        path: The suite file as the user named it.
        line: The line, counted from 1; None if no single line is at fault.
    """

    def __init__(self, message: str, *, path: str | None = None, line: int | None = None) -> None:
        self.message, self.path, self.line = message, path, line
        place = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(f"{place}{message}")


class DataError(UsageError):
    """The data cannot be read, is empty, or does not fit the model."""


class Mistakes(SuiteError):
    """An error with several mistakes of a suite; the text has one per line, in the order of the file.

    Args:
        errors: The mistakes, two or more.
    """

    def __init__(self, errors: Iterable[UsageError]) -> None:
        self.errors = tuple(sorted(errors, key=lambda error: getattr(error, "line", None) or 0))
        super().__init__("\n".join(map(str, self.errors)))


class NothingCollected(RobustfimError):
    """Nothing is left to run after collection."""


class SkipCheck(RobustfimError):
    """An error if a check cannot run since a resource is missing; the message says how to get the resource."""


class PluginError(RobustfimError):
    """A plugin raised, or returned something that its role does not allow."""


class PluginLoadError(PluginError):
    """An error if a plugin or its class cannot be imported or constructed, or does not fit its role."""


class ModelError(RobustfimError):
    """A model raised, or returned something that cannot be read as probabilities."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Suggest the nearest known word, ignoring case.

    Returns:
        ``" Did you mean 'synonyms'?"`` with its leading space, or ``""`` if no word is near.

    >>> did_you_mean("synonym", ["people", "synonyms"])
    " Did you mean 'synonyms'?"
    """
    written = {each.casefold(): each for each in known}
    near = difflib.get_close_matches(word.casefold(), list(written), n=1, cutoff=0.6)
    return f" Did you mean {written[near[0]]!r}?" if near else ""


def near_path(path: Path) -> str:
    """Suggest the name in a path's folder that is nearest to the path's own, as :func:`did_you_mean` does."""
    siblings = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
    return did_you_mean(path.name, siblings)


def suggestions(word: str, known: Iterable[str], lead: str = "It has") -> str:
    """Suggest the nearest known word, and list the known words, at the end of a message about an unknown one.

    Args:
        word: The unknown word.
        known: The known words.
        lead: How the list begins.

    >>> suggestions("synonym", ["people", "synonyms"])
    " Did you mean 'synonyms'? It has: people, synonyms."
    """
    words = list(known)
    return f"{did_you_mean(word, words)} {lead}: {', '.join(words) or 'none'}."


def shown(value: object, longest: int = 120) -> str:
    """Write a value for a message, cut to the length that a reader needs to recognise it.

    Args:
        value: The value.
        longest: The most characters.

    >>> shown("a" * 1000, 10)
    "'aaaaaaaa…"
    """
    try:
        text = repr(value)
    except Exception:  # Python writes no number of more than 4,300 digits, and a stranger's __repr__ may raise
        return f"a {type(value).__name__} that cannot be written"
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def shown_bare(value: object) -> str:
    """Write a wrong value in place of a text, and explain why YAML did not read it as text.

    >>> shown_bare(False)
    'False: YAML reads a bare no, off, yes or on as a boolean; put it in quotes'
    """
    why = ": YAML reads a bare no, off, yes or on as a boolean; put it in quotes"
    return f"{shown(value)}{why * isinstance(value, bool)}"


def shown_place(parts: Iterable[str | int]) -> str:
    """Write the path of keys that leads to a value in a suite, with long names shortened.

    Args:
        parts: Keys and numbers of list items.

    >>> shown_place(["checks", "typos", "marks", 0])
    'checks.typos.marks.0'
    """
    written = map(str, parts)
    return ".".join(part if len(part) <= _LONGEST else f"{part[: _LONGEST - 1]}…" for part in written)


def shown_names(names: Iterable[object]) -> str:
    """List names for a message, each shortened, and only as many as a reader can look through.

    >>> shown_names(range(23))
    '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 and 3 more'
    """
    known = list(names)
    more = f" and {len(known) - _MOST:,} more" if len(known) > _MOST else ""
    return ", ".join(shown_place([str(name)]) for name in known[:_MOST]) + more


def shown_path(text: str | Path, here: Path | None = None) -> str:
    """Write a path, or the paths in a text, relative to the current folder.

    A suite's paths are absolute, so that they stay valid if a model changes the current folder.

    Args:
        text: A path, or a text with paths in it.
        here: The folder that paths are relative to; by default the current one.

    Returns:
        The text without that folder's path in front of its files; other paths are unchanged.

    >>> shown_path("no file /srv/me/data/a.csv", Path("/srv/me"))
    'no file data/a.csv'
    """
    folder = str(working_folder() if here is None else here)
    written = text.as_posix() if isinstance(text, Path) else text
    if folder not in written or folder == "/":
        return written
    return re.sub(rf"(?<![\w./~-]){re.escape(folder)}/(?=[^\s/])", "", written)


def working_folder() -> Path:
    """The current folder; the root if a model has deleted the current folder."""
    try:
        return Path.cwd()
    except OSError:
        return Path("/")
