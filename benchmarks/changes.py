"""Random changes that break valid input for ``benchmarks.faults``: suites as texts or trees, files as bytes."""

# ruff: noqa: E501  # tables of odd words, as wide as they are

from __future__ import annotations

import copy
import datetime
import random
from collections.abc import Iterator
from typing import Any

import yaml

__all__ = ["mutate_bytes", "mutate_suite"]

_WORDS = [
    "!!bool x", "!!timestamp x", "!!python/object:os.system x", "&a [*a]", "*b", "<<: {a: 1}", ".nan", ".inf", "-1", "0",
    "9" * 5000, "x" * 5000, "[[[[[[", "{{{{", "null", "true", "2024-99-99", "'", '"', "\x00", "\ufeff", "\ud83d", "\u2028",
    "é", "::error::", "##vso[x]y", "../../../etc/passwd", "/", "~", "%", "[]", "{}", "- -", "? x", "|", ">", "1e400", "0x",
]  # fmt: skip
"""What a careless or hostile author may write anywhere."""

_BYTES = [
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b'"', b"'", b",", b"\n", b"\r", b"\t", b"{", b"}", b"[", b"]",
    b"NaN", b"null", b"1e999", b"-1", b"9" * 400, b"<!ENTITY a 'b'>", b"&a;", b"<x>", b"\\ud800", b"x" * 3000, b"[" * 1500,
]  # fmt: skip
"""What does not belong into a data file."""

_VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 10**30, 0.5, -0.5, 1e400, "", "x", "0", "no", "invariant", "film", "a" * 300, "\u2028",
    "../x", [], {}, [[]], [None], {"use": "x"}, {"use": 5}, {"a": 1}, ["json", "json"], datetime.date(2024, 1, 1),
]  # fmt: skip
"""What may stand where another kind of value was meant."""

_KEYS = [
    "suite", "seed", "cluster", "correct", "plugins", "model", "data", "scores", "select", "lock", "baseline", "longest",
    "budget", "engine", "review", "one_label", "attribution", "slices", "checks", "reports", "use", "fields", "words",
    "candidates", "order", "by", "difficult", "control", "reason", "until", "margin", "perturb", "constrain", "expect",
    "limit", "marks", "xfail", "timeout", "skip", "capability", "type", "table", "labels", "seconds", "batch_size", "x",
]  # fmt: skip
"""Keys of suites and of the toys, and one that is none."""


_NAMES = [
    "wordsum", "films", "long", "rename", "accept", "json", "html", "junit", "markdown", "itself", "invariant", "changes",
    "correct", "equals", "directional", "entropy", "margin", "inline", "guided", "random", "toy.py", "MFT",
]  # fmt: skip
"""Names that a suite may use, some of them in this place."""


def mutate_suite(text: str, rng: random.Random) -> bytes:
    """Change a suite at random: its words and lines, like typing errors, or its keys and values, like mistakes.

    Args:
        text: The suite, as YAML.
        rng: The random source.
    """
    return _mutate_tree(text, rng) if rng.random() < 0.5 else _mutate_lines(text, rng)


def _mutate_tree(text: str, rng: random.Random) -> bytes:
    """Change one to three values or keys; what comes out is YAML, and often a suite that can run."""
    tree = yaml.safe_load(text)
    for _ in range(rng.choice([1, 1, 2, 3])):
        places = list(_places(tree))
        holder, key = rng.choice(places)
        way = rng.randrange(6)
        if way == 0:
            del holder[key]
        elif way == 1 and isinstance(holder, dict):
            holder[rng.choice(_KEYS)] = holder.pop(key)
        elif way == 2 and isinstance(holder, dict):
            holder[rng.choice(_KEYS)] = rng.choice(_VALUES)
        elif way == 3:
            other, there = rng.choice(places)
            holder[key] = copy.deepcopy(other[there]) if _has(other, there) else None
        else:
            holder[key] = _other(holder[key], rng)
    return yaml.safe_dump(tree, sort_keys=False, allow_unicode=rng.random() < 0.5).encode("utf-8", "surrogatepass")


def _other(value: Any, rng: random.Random) -> Any:
    """Choose another value, of the same kind as often as not."""
    if rng.random() < 0.5:
        return rng.choice(_VALUES)
    return rng.choice(_NAMES) if isinstance(value, str) else rng.choice([0, 1, 2, 3, 5, 28, 100, 0.0, 0.1, 0.5, 1.0])


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a tree, as what holds it and its key or number there."""
    inside = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in list(inside):
        yield tree, key
        yield from _places(value)


def _has(holder: Any, key: Any) -> bool:
    return key in holder if isinstance(holder, dict) else key < len(holder)


def _mutate_lines(text: str, rng: random.Random) -> bytes:
    """Change one to four words, lines or runs of bytes."""
    lines = text.splitlines()
    for _ in range(rng.choice([1, 1, 2, 4])):
        place = rng.randrange(len(lines)) if lines else 0
        way = rng.randrange(6)
        if not lines or way == 0:
            lines.insert(place, rng.choice(["x: ", "  ", "checks: ", "- "]) + rng.choice(_WORDS))
        elif way == 1:
            del lines[place]
        elif way == 2:
            lines.insert(rng.randrange(len(lines)), lines[place])
        elif way == 3:
            key, colon, _ = lines[place].partition(":")
            lines[place] = f"{key}{colon} {rng.choice(_WORDS)}"
        elif way == 4:
            words = lines[place].split(" ")
            words[rng.randrange(len(words))] = rng.choice(_WORDS)
            lines[place] = " ".join(words)
        else:
            return mutate_bytes("\n".join(lines).encode("utf-8", "surrogatepass"), rng)
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def mutate_bytes(content: bytes, rng: random.Random) -> bytes:
    """Change some bytes of a file at random: cut, repeat, flip, or insert bytes that do not belong there.

    Args:
        content: The contents of the file.
        rng: The random source.
    """
    raw = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 4])):
        start = rng.randrange(len(raw) + 1)
        end = min(len(raw), start + rng.choice([1, 2, 8, 64, 1000]))
        way = rng.randrange(5)
        if way == 0:
            del raw[start:end]
        elif way == 1:
            raw[start:start] = raw[start:end]
        elif way == 2:
            raw[start:end] = bytes(rng.randrange(256) for _ in range(start, end))
        elif way == 3:
            raw[start:start] = rng.choice(_BYTES)
        elif rng.random() < 0.3:
            del raw[start:]
    return bytes(raw)
