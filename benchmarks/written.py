"""Random suites from a grammar, for ``benchmarks.faults``: each value is valid, or deliberately wrong."""

# ruff: noqa: E501  # tables of odd things, as wide as they are

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

__all__ = ["write_suite"]

_Rule = Callable[[random.Random], Any]
_SHARE_WRONG = 0.02
"""Of the places of a suite those that go wrong before it is spoiled."""


def _one(*values: Any) -> _Rule:
    return lambda rng: copy.deepcopy(rng.choice(values))  # a suite is spoilt in place


def _some(rule: _Rule, most: int) -> _Rule:
    return lambda rng: [rule(rng) for _ in range(rng.randint(0, most))]


_NUMBER = _one(0, 1, 2, 7, 100, 10**6)
_SHARE = _one(0, 0.05, 0.5, 0.9, 1, 1.0)
_TEXT = _one("a", "films", "ß ‮ x", "a: b", "#x", "no", "1", "x" * 400, "{text}", "%s", "'", "\\d+(", "*", " ")
_NAME = _one(*"abcdefgh", "check_1", "x.y", "1", "films-2", "no", "a: b", "ß", "x" * 400)
_BARE = _one(
    "itself", "typos", "case", "spaces", "contractions", "punctuation", "rename", "regex", "replace", "no_such"
)
_PERTURB = {
    "use": _BARE, "fields": _some(_one("text", "title"), 2), "words": _one(1, 0.3, "important", {"important": 0.5}, 3),
    "candidates": _one(1, 2, 8), "order": _one("random", "guided", {"use": "random"}),
    "search": _one("greedy", {"use": "beam", "queries": 5}, {"use": "greedy"}), "table": _one({"film": "movie"}, {}),
}  # fmt: skip
_EXPECT = _one(
    "invariant", "correct", "changes", {"use": "directional", "label": "positive", "change": "up"}, {"use": "equals"},
    {"use": "directional", "label": "none"}, {"use": "equals", "label": "positive"}, {"all": ["invariant", "correct"]},
)  # fmt: skip
_LIMIT = _one(0, 0.1, 1, {"difficult": 0.9}, {"difficult": 0.9, "control": 0.9}, {"valid": 0.5}, 0.999)
_CHECK: dict[str, Any] = {
    "perturb": _PERTURB,
    "constrain": _some(_one("accept", {"max_changed": 0.5}, {"use": "accept"}, "same_part_of_speech"), 2),
    "expect": _EXPECT, "limit": _LIMIT, "of": _one("population", "file"), "marks": _some(_TEXT, 3),
    "budget": _one(5, 20, 10**9), "timeout": _one(5, 60.5, 1e9), "skip": _TEXT,
    "xfail": {"reason": _TEXT, "until": _one("2024-02-30", "2027-01-31", "2001-01-01")}, "capability": _TEXT,
    "type": _one("MFT", "INV", "DIR"),
}  # fmt: skip
_SLICE = {
    "words": _one([1, 3], [None, 4], [5, None], [9, 2]), "characters": _one([0, 20], [None, None]),
    "contains": _some(_one("film", "plot", ""), 2), "field": _one({"source": ["web"]}, {"text": "x"}), "label": _TEXT,
}  # fmt: skip
_SUITE: dict[str, Any] = {
    "seed": _one(0, 7, -1, 2**63 - 1), "cluster": _one("source", "text", "none"),
    "of": _one("population", "file"), "scores": _some(_one("long", "entropy", {"use": "margin"}), 3),
    "select": {"by": _one("long", "best", "entropy"), "difficult": _one(0, 3, 8, 100), "control": _one(0, 8, 100),
               "testable": _one(1, 10), "pilot": _one(20, 25)},
    "baseline": {"margin": _SHARE}, "longest": _one(3, 20, 50_000), "most": _one(5, 10**7),
    "on_conflict": _one("first", "drop", "refuse"), "budget": _one(3, 50), "engine": _one("inline", {"use": "inline"}),
    "allow_weak": _one(True, False), "one_label": _one(True, False), "fallbacks": _one(True, False),
    "attribution": _one(True, False), "slices": _one("SLICES"), "reports": _some(_one("json", "junit", "markdown"), 3),
}  # fmt: skip
_WRONG = _one(
    None, True, -1, 10**40, 0.1 + 0.2, float("nan"), float("inf"), "", "\x07", [], {}, [[]], [None, 1], {"use": None},
    {"use": ["x"]}, {1: 2}, {"": ""}, {None: None}, {True: False}, "9" * 5000, [{"use": {"use": {"use": "x"}}}], -0.0,
)  # fmt: skip


def write_suite(rng: random.Random) -> tuple[str, str]:
    """Write a suite that uses the plugin of ``benchmarks.broken``, valid or with some wrong values.

    Args:
        rng: The random source.

    Returns:
        The suite, and the reason why robustfim must reject it: an unknown or repeated key; "" without a reason.
    """
    suite: dict[str, Any] = {"suite": "toy", "plugins": ["toy.py"], "model": "wordsum", "data": "films"}
    suite.update(_mapping(_SUITE, rng, rng.choice([0, 1, 3])))
    if suite.get("slices") == "SLICES":
        suite["slices"] = {_NAME(rng): _mapping(_SLICE, rng, 2) for _ in range(rng.randint(0, 2))}
    suite["checks"] = {
        _NAME(rng): {"perturb": "typos", "limit": 0.9, **_mapping(_CHECK, rng, rng.choice([0, 1, 2]))}
        for _ in range(rng.randint(1, 3))
    }
    wrong = _spoil(suite, rng) if rng.random() < 0.35 else ""
    items = list(suite.items())
    rng.shuffle(items)
    if rng.random() < 0.04:  # a key that stands twice
        items.append(rng.choice(items))
        wrong = f"the key {items[-1][0]!r} twice"
    lines = "\n".join(f"{_scalar(key, rng)}: {_flow(value, rng)}" for key, value in items)
    return f"{lines}\n---\n{lines}" if rng.random() < 0.01 else f"{lines}\n", wrong


def _mapping(rules: dict[str, Any], rng: random.Random, most: int) -> dict[str, Any]:
    """Choose some keys of a mapping and a value for each."""
    chosen = rng.sample(sorted(rules), min(len(rules), rng.randint(0, most)))
    chosen += [key for key in ("use", "reason") if key in rules and key not in chosen]
    return {key: _value(rules[key], rng) for key in chosen}


def _value(rule: Any, rng: random.Random) -> Any:
    if rng.random() < _SHARE_WRONG:
        return _WRONG(rng)
    return _mapping(rule, rng, 3) if isinstance(rule, dict) else rule(rng)


def _spoil(tree: Any, rng: random.Random) -> str:
    """Walk down to some place, and wrap, misspell, move or replace what is there; return a misspelt key of the format."""
    place: list[Any] = []
    while True:
        keys = list(tree) if isinstance(tree, dict) else list(range(len(tree)))
        if not keys:
            return ""
        key = rng.choice(keys)
        if not isinstance(tree[key], dict | list) or rng.random() < 0.3:
            break
        tree = tree[key]
        place.append(key)
    way = rng.randrange(5)
    if way == 0:
        for _ in range(rng.choice([1, 1, 5, 300])):
            tree[key] = [tree[key]] if rng.random() < 0.5 else {"use": tree[key]}
    elif way == 1 and isinstance(tree, dict):
        letters = list(str(key))
        letters.insert(rng.randrange(len(letters) + 1), rng.choice("eé_-A "))
        tree["".join(letters)] = tree.pop(key)
        if not place or (place[0] == "checks" and len(place) == 2):  # elsewhere a key may be a name of the author's
            return f"the key {''.join(letters)!r}"
    elif way == 2 and isinstance(tree, dict):
        rules = {**_SUITE, **_CHECK, **_PERTURB, **_SLICE}
        other = rng.choice(sorted(rules))
        tree[other] = _value(rules[other], rng)
    elif way == 3:
        tree[key] = f"{tree[key]}"
    else:
        tree[key] = _WRONG(rng)
    return ""


def _scalar(value: Any, rng: random.Random) -> str:
    """Write a scalar as JSON does, or bare, as an author might."""
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5).replace("NaN", ".nan").replace("Infinity", ".inf")
    return str(value) if isinstance(value, str) and value.isidentifier() and rng.random() < 0.99 else text


def _flow(value: Any, rng: random.Random) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(key, rng)}: {_flow(item, rng)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(item, rng) for item in value) + "]"
    return _scalar(value, rng)
