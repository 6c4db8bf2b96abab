"""A file of rules: read with the line of every rule, and written so that people can edit it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from robustfim.errors import UsageError, suggestions
from robustfim.statistics import Rate
from robustfim.whole_file import write_whole, writing
from robustfim_sears.rule.rule import FORM, Rule

__all__ = ["VERSION", "entry", "read_rules", "write_rules"]

VERSION = 1
"""The version of the format that is written; older ones are read."""

_FILE_KEYS = ("version", "mined", "rules")
_RULE_KEYS = ("rule", "note", "flips", "support", "rate", "interval", "chosen by", "equivalent", "examples")
_HEAD = """\
# Rules that change a text and not its meaning: antecedent → consequent; '->' is an arrow, too.
# NOUN, VERB, NN, VBZ … stand for words by their part of speech; a tag on the right repeats the word it has matched.
# Edit freely: take rules out, write others, add a 'note'. Only 'rule' is read by a suite:
#     perturb: {use: rules, path: %s}
# support: texts that the rule changes, of those that did not choose it; flips: those whose label changes, and that
# still mean the same; rate and interval: flips / support, with its 95 %% Wilson interval, null where there is none;
# chosen by: [flips, support] of the texts that chose it; equivalent: [still mean the same, scored] of these.
"""


def read_rules(path: Path) -> tuple[Rule, ...]:
    """Read a file of rules.

    Args:
        path: A YAML list of rules, each a text or ``{rule: …, note: …}``; or a file that :func:`write_rules` wrote,
            with the list under ``rules``.

    Raises:
        UsageError: The file cannot be read, has another form, or a rule does not parse; the message has file and line.
    """
    try:
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UsageError(f"{path}:{line}: no YAML: {error.problem or error.context}") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise UsageError(f"{path}:{line}: not UTF-8 ({error.reason})") from error
    except (OSError, yaml.YAMLError) as error:
        raise UsageError(f"rules {str(path)!r} cannot be read: {error}") from error
    listed = _listed(root, path) if isinstance(root, yaml.MappingNode) else root
    if not isinstance(listed, yaml.SequenceNode) or not listed.value:
        raise UsageError(f"{path}: not a list of rules. Each item is {FORM}.")
    return tuple(_rules(listed.value, path))


def entry(rule: Rule, rate: Rate, examples: Iterable[tuple[str, str, str]], **more: list[int]) -> dict[str, Any]:
    """Return the entry of one rule in a file of rules.

    Args:
        rule: The rule.
        rate: The number of texts whose label the rule changes, of all texts that it changes.
        examples: For each example the text, the changed text, and both labels.
        more: Further counts, by key of the file, with ``_`` for a space.
    """
    return {
        "rule": rule.text,
        "flips": rate.count,
        "support": rate.tested,
        "rate": None if rate.rate is None else round(rate.rate, 4),
        "interval": None if rate.interval is None else [round(end, 4) for end in rate.interval],
        **{key.replace("_", " "): counts for key, counts in more.items()},
        "examples": [dict(zip(("before", "after", "labels"), example, strict=True)) for example in examples],
    }


def write_rules(path: Path, rules: Sequence[Mapping[str, Any]], provenance: Mapping[str, Any]) -> Path:
    """Write a file of rules.

    Args:
        path: The file; an existing file is replaced.
        rules: Results of :func:`entry`, in the order in which the rules are written.
        provenance: The origin of the rules: plain values, written under ``mined``.

    Raises:
        UsageError: The file cannot be written.
    """
    content = {"version": VERSION, "mined": dict(provenance), "rules": [*rules]}
    text = yaml.dump(content, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=10_000)
    with writing(path):
        return write_whole(path, (_HEAD % path.name + text).encode("utf-8"))


class _Dumper(yaml.SafeDumper):
    """Writes lists of numbers in one line, and no reference to what was written before."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _list(dumper: _Dumper, data: list[Any]) -> yaml.Node:
    plain = all(isinstance(each, int | float) for each in data)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=plain)


_Dumper.add_representer(list, _list)


def _listed(root: yaml.MappingNode, path: Path) -> yaml.Node | None:
    """The list of rules of a file that was written here."""
    cells = _cells(root, _FILE_KEYS, path)
    version = cells.get("version")
    number = version.value if isinstance(version, yaml.ScalarNode) else ""
    if not number.isdecimal():
        raise UsageError(f"{path}: a file of rules has 'version: {VERSION}', or is a list. Each item is {FORM}.")
    if int(number) > VERSION:
        raise UsageError(f"{path} has version {number}; this robustfim reads up to {VERSION}: upgrade it.")
    return cells.get("rules")


def _rules(nodes: Sequence[yaml.Node], path: Path) -> Iterator[Rule]:
    for node in nodes:
        try:
            yield Rule.parse(_rule_text(node, path))
        except UsageError as error:
            place = f"{path}:{node.start_mark.line + 1}: "
            raise UsageError(f"{place}{str(error).removeprefix(place)}") from None


def _rule_text(node: yaml.Node, path: Path) -> str:
    """Return the rule of a list item: the item itself, or what it calls ``rule``."""
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    if not isinstance(node, yaml.MappingNode):
        raise UsageError(f"a list is not a rule. The form is {FORM}.")
    rule = _cells(node, _RULE_KEYS, path).get("rule")
    if not isinstance(rule, yaml.ScalarNode):
        raise UsageError(f"the key 'rule' is missing. Its form is {FORM}.")
    return str(rule.value)


def _cells(node: yaml.MappingNode, known: Sequence[str], path: Path) -> dict[str, yaml.Node]:
    """The values of a mapping by their keys, which must be known."""
    cells: dict[str, yaml.Node] = {}
    for key, value in node.value:
        if key.value not in known:
            raise UsageError(
                f"{path}:{key.start_mark.line + 1}: unknown key {key.value!r}."
                f"{suggestions(str(key.value), known, 'Known')}"
            )
        cells[key.value] = value
    return cells
