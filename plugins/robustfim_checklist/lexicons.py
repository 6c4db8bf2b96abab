"""Lexicons: named lists of words for the slots of templates, written in the suite or read from files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from robustfim.errors import DataError
from robustfim.reading import read_text

__all__ = ["Lexicons", "read_lexicons", "read_yaml"]

Lexicons = Mapping[str, Sequence[str]]

_MAPPINGS, _LISTS = (".yaml", ".yml", ".json"), (".txt",)


def read_lexicons(path: Path | None, given: Mapping[str, Any] | None = None) -> Lexicons:
    """Read lexicons from a file or folder, and add or replace those given in the suite.

    Args:
        path: A YAML or JSON file that maps names to lists of words; a ``.txt`` file with one word on each line, named
            after the lexicon; a folder of such files; or None.
        given: The lexicons in the suite: lists of words by name.

    Returns:
        The words of each lexicon by its name, in order and without duplicates.

    Raises:
        DataError: The file is missing, unreadable or of another form, or a lexicon is empty or has a value that is not
            text.
    """
    found: dict[str, Sequence[str]] = {}
    if path is not None:
        files = sorted(each for each in path.iterdir() if _known(each)) if path.is_dir() else [path]
        if not files:
            raise DataError(f"the folder {path} holds no lexicon ({', '.join((*_MAPPINGS, *_LISTS))}).")
        for file in files:
            for name, words in _read(file).items():
                if name in found:
                    raise DataError(f"{file}: another file of {path} defines the lexicon {name!r}, too. Delete one.")
                found[name] = words
    found.update({name: _words(name, words, "the suite") for name, words in (given or {}).items()})
    return found


def _known(path: Path) -> bool:
    return path.suffix.lower() in (*_MAPPINGS, *_LISTS)


def _read(path: Path) -> Lexicons:
    if path.suffix.lower() in _LISTS:
        lines = [line.strip() for line in read_text(path).splitlines()]
        return {path.stem: _words(path.stem, [line for line in lines if line and not line.startswith("#")], str(path))}
    if path.suffix.lower() not in _MAPPINGS:
        raise DataError(
            f"{path}: lexicons are read from {', '.join((*_MAPPINGS, *_LISTS))} files, or a folder of them."
        )
    data = read_yaml(path)
    data = data.get("lexicons", data) if isinstance(data, dict) else data
    if not isinstance(data, dict) or not data:
        raise DataError(f"{path}: lexicons are a mapping of names to lists of words, 'adj: [good, great]'.")
    return {str(name): _words(str(name), words, str(path)) for name, words in data.items()}


def read_yaml(path: Path) -> Any:
    """Read a YAML or JSON file without running any code in it.

    Raises:
        DataError: The file is missing, unreadable or malformed. The message has the line.
    """
    import yaml

    text = read_text(path)
    try:
        return yaml.safe_load(text)  # JSON is YAML
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise DataError(f"{path}{line}: malformed YAML: {error.problem}.") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise DataError(f"{path} cannot be read as YAML: {error}.") from None


def _words(name: str, words: Any, place: str) -> Sequence[str]:
    if isinstance(words, str) or not isinstance(words, list | tuple) or not words:
        raise DataError(f"{place}: the lexicon {name!r} must be a list of words, not {words!r:.60}.")
    for word in words:
        if not isinstance(word, str):
            raise DataError(
                f"{place}: the lexicon {name!r} has the value {word!r}, which is not text. Put it in quotes."
            )
    return tuple(dict.fromkeys(words))
