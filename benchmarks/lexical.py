"""What a plugin of perturbations writes down of a language: lines, words literal in its code, entries that refuse.

``python -m benchmarks.lexical`` prints the three for ``robustfim_words``, and the words by module with ``--modules``. A
word literal in code is a word of the dictionary, or a function word, of two letters or more, inside a string of a
module, each once a module. Not counted is what readers of the code are told (docstrings, errors, sentences, formatted
strings but in patterns, ``__all__``, the plugin's face), nor the names that code gives to what it works with: members
of a ``Literal``, columns and kinds of tables, classes of words, options, perturbations, files, variables and tags.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import robustfim_words
from robustfim_words.text.inflection import is_word
from robustfim_words.text.stop_words import stop_words

__all__ = ["PLUGIN", "lines", "literal_words", "names", "refusing_entries"]

PLUGIN = Path(robustfim_words.__file__).parent
"""The folder of the plugin."""

_WORD = re.compile(r"(?<![A-Z])[A-Za-z]?[a-z]+(?:['’][a-z]+)?")
_FILE = re.compile(r"[\w./-]+\.(?:tsv|txt|json|cfg)|\w+_\w+")
"""A file, or the name of a variable."""
_GROUP = re.compile(r"\(\?P<\w+>")
_SENTENCE = re.compile(r"\w[.,:;]?\s+\w+[.,:;]?\s+\w")
"""Three words side by side, which somebody is told."""
_COMPARED = ("form", "persons", "swaps", "text", "things")
"""Folders whose modules look at the words of texts; the others name parts of models and files."""
_REFUSING = ("no_person", "thing")
"""Clues for which a name is left alone."""
_NAMING = ("Contract", "Groups", "read_pairs", "read_table", "at_least", "one_of", "some_of", "closed_class")
"""What is called with names: of tables, columns, classes of words, options, and what a check expects."""

_KINDS = "_known"
"""The table of what a perturbation changes, by the names that a suite gives to it."""


def lines(folder: Path = PLUGIN) -> int:
    """Count the lines of Python.

    Args:
        folder: The plugin's.
    """
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in folder.rglob("*.py"))


def refusing_entries(folder: Path = PLUGIN) -> int:
    """Count the entries of lexicons for which something is left alone.

    Args:
        folder: The plugin's.
    """
    rows = (folder / "lexicons" / "clues.tsv").read_text(encoding="utf-8").splitlines()
    return sum(row.partition("\t")[2] in _REFUSING for row in rows)


def literal_words(folder: Path = PLUGIN) -> dict[Path, set[str]]:
    """List the words that stand literally in each module.

    Args:
        folder: The plugin's.
    """
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))}
    known = names(trees)
    return {
        path: {
            word.lower()
            for text in _strings(tree)
            if text not in known and not _FILE.fullmatch(text)
            for word in _WORD.findall(_GROUP.sub("", text))
            if len(word) > 1 and (is_word(word) or word.lower() in stop_words())
        }
        for path, tree in trees.items()
        if path.name != "__init__.py" and path.parent.name in _COMPARED
    }


def names(trees: Mapping[Path, ast.Module]) -> frozenset[str]:
    """List the names that a plugin's code gives to what it works with.

    Args:
        trees: Its modules.
    """
    offered = robustfim_words.robustfim_offers()
    found = {name for kind in offered.values() for name in kind}
    assigned: dict[str, list[ast.expr]] = {}
    for node in (node for tree in trees.values() for node in ast.walk(tree)):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            assigned.setdefault(node.targets[0].id, []).append(node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            assigned.setdefault(node.target.id, []).append(node.value)
    for table in assigned.get(_KINDS, ()):
        found.update(_constants(*(key for key in getattr(table, "keys", ()) if key is not None)))
    for node in (node for tree in trees.values() for node in ast.walk(tree)):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Literal":
            found.update(_constants(node))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _NAMING:
            named = [
                name.id
                for given in (*node.args, *node.keywords)
                for name in ast.walk(given)
                if isinstance(name, ast.Name)
            ]
            for text in _constants(node, *(value for name in named for value in assigned.get(name, ()))):
                found |= {text, *re.split(r": |\|", text)}
    return frozenset(found)


def _constants(*nodes: ast.AST) -> Iterator[str]:
    for node in (inner for outer in nodes for inner in ast.walk(outer)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _strings(tree: ast.Module) -> Iterator[str]:
    """List the strings of a module that its readers are not told."""
    told, taken = set[int](), set[int]()
    for node in ast.walk(tree):
        skipped: list[ast.AST] = []
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith((".split", "re.compile")):
            taken.update(map(id, ast.walk(node)))
        elif (
            isinstance(node, ast.Raise | ast.JoinedStr)
            or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
            or (isinstance(node, ast.Assign) and "__all__" in map(ast.unparse, node.targets))
        ):
            skipped = [node]
        elif isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
            skipped = [node.annotation]
        told.update(id(inner) for outer in skipped for inner in ast.walk(outer))
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and (id(node) in taken or not (id(node) in told or _SENTENCE.search(text))):
            yield text


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--modules", action="store_true", help="print each module's words")
    given = parser.parse_args()
    words = literal_words()
    for path, those in words.items() if given.modules else ():
        if those:
            print(f"{path.relative_to(PLUGIN)} {len(those)}: {' '.join(sorted(those))}")
    print(
        f"{lines():,} lines of Python, {sum(map(len, words.values())):,} words literal in code, "
        f"{refusing_entries():,} entries that refuse"
    )


if __name__ == "__main__":
    _main()
