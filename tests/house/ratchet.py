"""``pytest tests/house/test_ratchet.py --ratchet [--because "ENTRY=REASON" …]`` writes today's sizes into ratchet.toml.

An entry that got worse is refused unless the command gives its reason. Reasons in the table stay.
"""

from __future__ import annotations

import ast
import gc
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from pathlib import Path

from docs.reference import PAGES
from tests.house.tree import CORE, PLUGINS, ROOT, SHARED, plugin_folders, python_files, shown

__all__ = [
    "TABLE",
    "Entry",
    "Table",
    "difference",
    "features_of",
    "measure",
    "nodes_of",
    "prose_of",
    "rates_of",
    "read",
    "rewritten",
    "write",
]

TABLE = Path(__file__).with_name("ratchet.toml")
GENERATED = {*PAGES, "gallery.md"}
"""Pages that ``docs.reference`` and ``docs.gallery`` make of the code."""

MOST_FEATURES = 6
"""A function that touches more features has an entry of its own."""

SLACK = {"nodes": 25.0, "words": 25.0, "rates": 1.0}
"""How much an entry may improve unrecorded, if it is no more than 2 % either way."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DOCUMENTED = (ast.Module, ast.ClassDef, *_FUNCTIONS)
_NAMING: dict[type[ast.AST], str] = {
    **{ast.Name: "id", ast.Attribute: "attr", ast.arg: "arg", ast.keyword: "arg", ast.Constant: "value"},
    **{ast.FunctionDef: "name", ast.AsyncFunctionDef: "name", ast.ClassDef: "name", ast.alias: "name"},
}
"""Where nodes keep an identifier, or a string that could be one."""

_RATES = {
    "that, which, what, whose": {"that", "which", "what", "whose"},
    "tell, told, say": {"tell", "tells", "told", "telling", "say", "says", "said", "saying"},
    "you": {"you", "your", "yours", "yourself"},
}

Table = dict[str, dict[str, "Entry"]]


@dataclass(frozen=True)
class Entry:
    """One line of the table.

    Attributes:
        number: Syntax nodes, words, occurrences per 1,000 words, or features.
        reason: Why it got worse, or the step that removes the entry; empty if it never did.
    """

    number: float
    reason: str = ""


def nodes_of(tree: ast.AST) -> int:
    """The syntax nodes of a tree, as ``ast.walk`` visits them, without docstrings."""
    # The ``Expr`` and the ``Constant`` of a docstring do not count.
    return sum(-1 if type(node) in _DOCUMENTED and _docstring(node) is not None else 1 for node in _walk(tree))


def features_of(function: ast.AST, words: Mapping[str, tuple[str, ...]]) -> set[str]:
    """The features that a function touches.

    Args:
        function: Its syntax tree.
        words: For each feature the words that stand for it. A word matches a whole part of an identifier, or of a
            string that could be one: ``gap`` matches ``gap_of``, not ``gaps``.
    """
    names = _names(function)
    return {feature for feature, stems in words.items() if any(_holds(names, stem) for stem in stems)}


def rates_of(text: str) -> dict[str, float]:
    """How often the words stand in a text that STYLE.md's writing guide counts, per 1,000 words."""
    words = re.findall(r"[a-z]+", text.lower())
    return {
        name: round(1000 * sum(word in counted for word in words) / max(1, len(words)), 1)
        for name, counted in _RATES.items()
    }


def measure(words: Mapping[str, tuple[str, ...]]) -> dict[str, dict[str, float]]:
    """The sizes that the project has today, by the sections of the table."""
    nodes: dict[str, float] = {}
    functions: dict[str, float] = {}
    texts: dict[str, list[str]] = {"pages": [], "docstrings": [], "messages": []}
    collects = gc.isenabled()
    gc.disable()  # it would look through millions of nodes, and finds nothing among them
    for name, paths in _folders().items():
        nodes[name] = 0.0
        for path in paths:
            tree = ast.parse(path.read_bytes())
            nodes[name] += nodes_of(tree)
            if name not in ("benchmarks", "tests"):
                texts["docstrings"] += _public_docstrings(tree)
                texts["messages"] += _messages(tree)
                touched = {each: len(features_of(function, words)) for each, function in _functions(tree)}
                functions |= {f"{shown(path)}::{each}": float(n) for each, n in touched.items() if n > MOST_FEATURES}
    if collects:
        gc.enable()
    nodes["core"] = sum(number for name, number in nodes.items() if name.startswith("robustfim/"))
    nodes["plugins"] = sum(number for name, number in nodes.items() if name.startswith(f"{shown(PLUGINS)}/"))
    nodes["core + plugins + benchmarks"] = nodes["core"] + nodes["plugins"] + nodes["benchmarks"]
    pages = {shown(path): path.read_text(encoding="utf-8") for path in _pages()}
    texts["pages"] += map(prose_of, pages.values())
    return {
        "nodes": nodes,
        "words": {name: float(len(page.split())) for name, page in pages.items()},
        "rates": {
            f"{kind}: {name}": rate
            for kind, parts in texts.items()
            for name, rate in rates_of("\n".join(parts)).items()
        },
        "functions": functions,
    }


def difference(section: str, name: str, recorded: float, today: float) -> int:
    """How an entry moved: 1 if it got worse, -1 if it improved by so much that the table must have it, else 0."""
    gain = today - recorded if name.endswith(": you") else recorded - today
    if gain < 0:
        return 1
    if section == "functions":
        return -1 if gain else 0
    return -1 if gain > SLACK[section] and gain > 0.02 * recorded else 0


def read(text: str) -> tuple[Table, dict[str, tuple[str, ...]]]:
    """The entries of a table by section, and the words of each feature."""
    sections = tomllib.loads(text)
    features = {name: tuple(words.split()) for name, words in sections.pop("features").items()}
    return {
        section: {
            name: Entry(float(value[0]), value[1]) if isinstance(value, list) else Entry(float(value))
            for name, value in entries.items()
        }
        for section, entries in sections.items()
    }, features


def write(table: Table, features: Mapping[str, tuple[str, ...]]) -> str:
    """The text of a table: one sorted line an entry, so that two branches rarely change the same one."""
    lines = ["# Written by `pytest tests/house/test_ratchet.py --ratchet`; see CONTRIBUTING.md."]
    for section, entries in table.items():
        lines += ["", f"[{section}]"]
        for name, entry in sorted(entries.items()):
            number = f"{entry.number:.1f}" if section == "rates" else f"{entry.number:.0f}"
            value = f"[{number}, {json.dumps(entry.reason, ensure_ascii=False)}]" if entry.reason else number
            lines.append(f"{json.dumps(name)} = {value}")
    lines += ["", "# The words by which a function touches a feature: parts of identifiers.", "[features]"]
    lines += [f"{json.dumps(name)} = {json.dumps(' '.join(words))}" for name, words in sorted(features.items())]
    return "\n".join(lines) + "\n"


def rewritten(old: Table, today: Mapping[str, Mapping[str, float]], reasons: Mapping[str, str]) -> Table:
    """The table of today.

    Args:
        old: The table so far; its reasons stay.
        today: The sizes, by section and entry.
        reasons: Why entries got worse: by the name of one, or by a pattern such as ``robustfim/*``.

    Raises:
        ValueError: An entry got worse and has no reason in ``reasons``, or ``reasons`` names no entry.
    """
    entries = {name for numbers in today.values() for name in numbers}
    if unknown := [pattern for pattern in reasons if not any(fnmatchcase(name, pattern) for name in entries)]:
        raise ValueError(f"no entry {', '.join(unknown)}: {TABLE.name} lists them")
    table: Table = {}
    worse = []
    for section, numbers in today.items():
        table[section] = {}
        for name, number in numbers.items():
            before = old.get(section, {}).get(name, Entry(0))
            reason = before.reason
            if difference(section, name, before.number, number) > 0:
                reason = next((why for pattern, why in reasons.items() if fnmatchcase(name, pattern)), "")
                worse += [] if reason else [f"{name}: {before.number:g} -> {number:g}"]
            table[section][name] = Entry(number, reason)
    if worse:
        raise ValueError("\n  ".join(["worse: give --because 'ENTRY=REASON' for each", *worse]))
    return table


def _folders() -> dict[str, list[Path]]:
    """The Python files of each entry of ``nodes``."""
    subpackages = [path for path in CORE.iterdir() if path.is_dir() and any(path.rglob("*.py"))]
    return {
        "robustfim/*.py": sorted(CORE.glob("*.py")),
        **{shown(path): python_files(path) for path in (*subpackages, *SHARED, *plugin_folders())},
        **{name: python_files(ROOT / name) for name in ("benchmarks", "tests")},
    }


def _pages() -> list[Path]:
    pages = [path for path in sorted((ROOT / "docs").glob("*.md")) if path.name not in GENERATED]
    return [*pages, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def prose_of(page: str) -> str:
    """A page without blocks and pieces of code."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^ *(```|~~~).*?^ *\1", "", page, flags=re.DOTALL | re.MULTILINE))


def _docstring(node: ast.AST) -> str | None:
    body = getattr(node, "body", None)
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        value = body[0].value.value
        return value if isinstance(value, str) else None
    return None


def _public_docstrings(tree: ast.Module | ast.ClassDef) -> Iterator[str]:
    if text := _docstring(tree):
        yield text
    for node in tree.body:
        if isinstance(node, _DOCUMENTED) and not getattr(node, "name", "").startswith("_"):
            if isinstance(node, ast.ClassDef):
                yield from _public_docstrings(node)
            elif text := _docstring(node):
                yield text


def _messages(tree: ast.AST) -> Iterator[str]:
    """The sentences of a file that a user may see: literals of five words or more that are handed to a call."""
    for node in _walk(tree):
        if isinstance(node, ast.Call):
            for value in (*node.args, *(keyword.value for keyword in node.keywords)):
                text = _literal(value)
                if len(text.split()) >= 5:
                    yield text


def _literal(node: ast.AST) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_literal(value) for value in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _functions(tree: ast.Module | ast.ClassDef) -> Iterator[tuple[str, ast.AST]]:
    """The functions and methods by their names; a function that stands in another is part of it."""
    for node in tree.body:
        if isinstance(node, _FUNCTIONS):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{name}", function) for name, function in _functions(node))


def _names(function: ast.AST) -> str:
    """All identifiers of a function, their parts parted and ended by ``_``, one a line."""
    found = {
        value
        for node in _walk(function)
        if type(node) in _NAMING
        for value in [getattr(node, _NAMING[type(node)])]
        if isinstance(value, str) and value.isidentifier()
    }
    return "".join(f"_{_parts(name)}_ " for name in found)


@lru_cache(maxsize=1)
def _walk(tree: ast.AST) -> list[ast.AST]:
    """The nodes that ``ast.walk`` gives, in another order and in half the time."""
    nodes = [tree]
    for node in nodes:
        for value in node.__dict__.values():
            if isinstance(value, list):
                nodes += [each for each in value if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST):
                nodes.append(value)
    return nodes


@cache
def _parts(name: str) -> str:
    return "_".join(part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name))


def _holds(names: str, word: str) -> bool:
    return f"_{word}_" in names
