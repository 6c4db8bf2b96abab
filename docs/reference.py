"""``python -m docs.reference``: the pages that are made of the code, docs/suite.md, docs/record.md and docs/api.md."""

from __future__ import annotations

import importlib
import inspect
import re
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

import docstring_parser
import yaml
from pydantic import BaseModel

from robustfim.collect.supports import FEATURES
from robustfim.record import format as record_format
from robustfim.statistics import Rate
from robustfim.suite.format import Suite

__all__ = ["EXAMPLES", "PAGES", "SMALL", "main"]

HERE = Path(__file__).parent

SECTIONS = {
    "Suite": "The whole file",
    "SelectSpec": "`select`",
    "CheckSpec": "A check",
    "PerturbSpec": "`perturb`",
    "Xfail": "`xfail`",
    "BaselineSpec": "`baseline`",
    "SliceSpec": "A slice",
}
"""The models of a suite whose keys a reader writes, in the order of the page."""

EXAMPLES: dict[str, dict[str, Any]] = {
    "Suite": {
        "suite": "reviews",
        "seed": 7,
        "cluster": "template",
        "of": "file",
        "plugins": ["drawl.py"],
        "model": {"use": "huggingface", "path": "./my-model"},
        "models": ["reference/fasttext", {"use": "huggingface", "path": "./my-model"}],
        "data": {"use": "csv", "path": "test.csv", "text": "review", "label": "stars"},
        "scores": ["fisher", {"use": "boundary"}],
        "select": {"by": "fisher", "difficult": 100, "control": 100},
        "lock": "reviews.lock.json",
        "baseline": {"margin": 0.02},
        "longest": 20_000,
        "budget": 500,
        "engine": {"use": "processes", "workers": 2},
        "review": "reviews.review.json",
        "natural": 1,
        "cards": "cards.json",
        "allow_weak": True,
        "one_label": True,
        "fallbacks": False,
        "most": 200_000,
        "on_conflict": "drop",
        "repeat": 3,
        "attribution": True,
        "slices": {"short": {"words": [1, 10]}},
        "checks": {"typos": {"perturb": "typos", "limit": 0.1}},
        "reports": ["html", "json", {"use": "junit", "path": "out/junit.xml"}],
    },
    "SelectSpec": {
        "by": "margin",
        "difficult": 50,
        "easiest": 10,
        "control": 200,
        "testable": 150,
        "pilot": 150,
        "examples": 300,
    },
    "CheckSpec": {
        "perturb": {"use": "synonyms", "candidates": 4},
        "constrain": ["same_part_of_speech", {"max_changed": 0.2}],
        "expect": {"use": "directional", "label": "positive", "change": "up"},
        "fails": {"at_most": 1},
        "limit": {"difficult": 0.3, "control": 0.05},
        "marks": ["names", "slow"],
        "budget": 200,
        "of": "file",
        "xfail": {"reason": "names are known to matter", "until": "2027-01-31"},
        "timeout": 600,
        "skip": "the word lists are being read",
        "capability": "Robustness",
        "type": "INV",
    },
    "PerturbSpec": {
        "use": "synonyms",
        "fields": ["premise"],
        "words": {"important": 0.3},
        "candidates": 16,
        "order": "guided",
        "search": {"use": "beam", "queries": 100},
    },
    "Xfail": {"reason": "names are known to matter", "until": "2027-01-31"},
    "BaselineSpec": {"margin": 0.02, "churn": 0.04},
    "SliceSpec": {
        "words": [1, 10],
        "characters": [None, 280],
        "contains": ["film", "movie"],
        "field": {"source": ["web", "mail"]},
        "label": "positive",
        "prediction": ["negative"],
        "score": {"fisher": [0.1, None]},
        "confidence": [0.5, 0.7],
        "range": {"year": [2020, None]},
        "within": ["short"],
        "limit": 0.2,
    },
}
"""What a key may say, for each; the tests lay every one into a suite and read it."""

SMALL: dict[str, Any] = {
    "suite": "reviews",
    "model": {"use": "huggingface", "path": "./my-model"},
    "data": {"use": "csv", "path": "test.csv"},
    "checks": {"typos": {"perturb": "typos", "limit": 0.1}},
}
"""A small suite."""

MODULES = (
    "robustfim",
    "robustfim.contract",
    "robustfim.roles",
    "robustfim.members",
    "robustfim.parts",
    "robustfim.hookspecs",
    "robustfim_testing",
    "robustfim.exhibit",
    "robustfim.importance",
    "robustfim.commands",
    "robustfim.words",
    "robustfim.seeds",
    "robustfim.errors",
)
"""What a script and a plugin may import, in the order of the page; a name stands where it is offered first."""

WRITTEN = "`python -m docs.reference` writes this page from the code."


def suite_page() -> str:
    """Every key of a suite, with its values, its default and an example."""
    models = _models(Suite)
    lines = [
        "# The suite file",
        "",
        "A suite is a YAML file with your model, your data and your checks:",
        "",
        "```yaml",
        _written(SMALL, block=True),
        "```",
        "",
        f"This page lists every key of a suite. {WRITTEN} `robustfim schema` prints a JSON Schema, so that your editor "
        "completes the keys.",
        "",
        "In the tables, *plugin* means the name of a plugin, such as `typos`, or its name and options, such as "
        "`{use: typos, candidates: 4}`. `robustfim plugins typos` lists the options of `typos`.",
    ]
    for name, title in SECTIONS.items():
        schema = models[name].model_json_schema()
        lines += ["", f"## {title}", "", _first(models[name].__doc__), ""]
        lines += ["| key | meaning | value | example |", "| --- | --- | --- | --- |"]
        required = set(schema.get("required", ()))
        for key, each in schema["properties"].items():
            if key == "checks of a source":
                continue
            meaning = _code(each.get("description") or _KNOWN_KEYS[name, key]).rstrip(".")
            value = _kind(each, schema)
            if key in required or (name, key) in {("Suite", "data"), ("Suite", "checks")}:
                value += "; required"
            elif each.get("default") not in (None, [], {}):
                value += f"; default `{_written(each['default'])}`"
            lines.append(f"| `{key}` | {meaning} | {value} | `{key}: {_written(EXAMPLES[name][key])}` |")
            if (name, key) == ("Suite", "model"):
                several = f"`models: {_written(EXAMPLES[name]['models'])}`"
                lines.append(
                    f"| `models` | In place of `model`: the run tests each of these | list of plugins | {several} |"
                )
    lines += [
        "",
        "## What goes together",
        "",
        "robustfim refuses a check that has a feature of the left column and one on the same line.",
        "",
    ]
    lines += ["| feature | does not support |", "| --- | --- |"]
    for feature in FEATURES.values():
        if feature.lacks:
            first, *others = (
                _code(one.what or one.name) for one in (feature, *map(FEATURES.__getitem__, feature.lacks))
            )
            lines.append(f"| {first} | {'; '.join(others)} |")
    return "\n".join(lines) + "\n"


def record_page() -> str:
    """Every field of ``results.json``."""
    lines = [
        "# The record",
        "",
        f"`results.json` and its database, format {record_format.SCHEMA}: everything a run found. {WRITTEN} A number "
        "that is not defined is `null`; `?` marks the type of a field that may be `null`. Rates lie in [0, 1]; "
        "intervals are 95 % unless a field says otherwise.",
    ]
    models: list[type[BaseModel]] = [record_format.Record]
    for model in models:  # it grows
        inner = [each for field in model.model_fields.values() for each in _inner(field.annotation)]
        models += [each for each in dict.fromkeys(inner) if each not in models]
    for model in models:
        lines += ["", f"## {model.__name__}", "", _paragraphs(model.__doc__), ""]
        (base,) = model.__bases__
        if base in models:
            lines += [f"It has all fields of {_type(base)}, and:", ""]
        lines += ["| field | type | meaning |", "|---|---|---|"]
        said, inherited = _attributes(model), base.model_fields if base in models else {}
        for name, field in model.model_fields.items():
            if name in inherited:
                continue
            lines.append(f"| `{field.alias or name}` | {_type(field.annotation)} | {_cell(said.get(name, ''))} |")
        for name, computed in model.model_computed_fields.items():
            lines.append(f"| `{name}` | {_type(computed.return_type)} | {_cell(_first(computed.description))} |")
    return "\n".join(lines) + "\n"


def api_page() -> str:
    """Every public name with its signature and what its docstring says."""
    lines = [
        "# The Python API",
        "",
        f"A script and a plugin may import these names. {WRITTEN} [From Python](python.md) has examples.",
    ]
    seen: set[int] = set()
    for name in MODULES:
        module = importlib.import_module(name)
        lines += ["", f"## {name}", "", _first(module.__doc__)]
        for each in module.__all__:
            value = getattr(module, each)
            if id(value) in seen or not (inspect.isclass(value) or inspect.isfunction(value)):
                continue
            seen.add(id(value))
            lines += ["", f"### {each}", "", "```python", _signature(each, value), "```", "", *_said(value)]
    return "\n".join(lines) + "\n"


PAGES: Mapping[str, Callable[[], str]] = {"suite.md": suite_page, "record.md": record_page, "api.md": api_page}
"""The pages, and what writes them."""


def main() -> None:
    """Write the pages."""
    for name, page in PAGES.items():
        (HERE / name).write_text(page(), encoding="utf-8")
        print(f"wrote docs/{name}")


_MANY = 10**9
"""A bound that no reader comes near."""

_KNOWN_KEYS = {
    ("Suite", "model"): "The model under test",
    ("Suite", "reports"): "Files to write when the run is over",
    ("CheckSpec", "perturb"): "The perturbation, which changes the examples",
}
"""What keys mean that the schema gives no description of, since their type is shared."""


def _models(root: type[BaseModel]) -> dict[str, type[BaseModel]]:
    found: dict[str, type[BaseModel]] = {}
    todo = [root]
    while todo:
        model = todo.pop()
        if model.__name__ not in found:
            found[model.__name__] = model
            todo += [inner for field in model.model_fields.values() for inner in _inner(field.annotation)]
    return found


def _inner(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models that a type is made of."""
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        yield annotation
    for part in typing.get_args(annotation):
        yield from _inner(part)


def _kind(schema: Mapping[str, Any], whole: Mapping[str, Any]) -> str:
    """Say in words what a JSON Schema allows."""
    kinds = [_plain(each, whole) for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]
    return " or ".join(dict.fromkeys(kinds))


def _plain(schema: Mapping[str, Any], whole: Mapping[str, Any]) -> str:
    if "$ref" in schema or "allOf" in schema:
        name = (schema.get("$ref") or schema["allOf"][0]["$ref"]).rpartition("/")[2]
        if name in {"Use", "PerturbSpec"}:
            return "plugin"
        return f"keys of [{SECTIONS[name]}](#{_anchor(SECTIONS[name])})" if name in SECTIONS else "mapping"
    if "enum" in schema or "const" in schema:
        return " or ".join(f"`{each}`" for each in schema.get("enum", [schema.get("const")]))
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_plain(each, whole) for each in schema["anyOf"] if each.get("type") != "null"))
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return "`[least, largest]`, `null` for no end"
        case "array":
            return f"list of {_plain(schema.get('items', {}), whole)}s"
        case "object":
            values = schema.get("additionalProperties")
            return f"names, each with {_plain(values, whole)}" if isinstance(values, dict) else "mapping"
        case "integer" | "number" as kind:
            return f"{'whole number' if kind == 'integer' else 'number'}{_bounds(schema)}"
        case "boolean":
            return "`true` or `false`"
        case "string":
            return "date" if schema.get("format") == "date" else "text"
    return "any value"


def _bounds(schema: Mapping[str, Any]) -> str:
    if "minimum" in schema and "maximum" in schema and schema["maximum"] < _MANY:
        return f" from {schema['minimum']:,} to {schema['maximum']:,}"
    signs = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    said = [f"{sign} {schema[key]:,}" for key, sign in signs.items() if key in schema and abs(schema[key]) < _MANY]
    return f" {' and '.join(said)}" if said else ""


def _written(value: Any, *, block: bool = False) -> str:
    """Write a value as a suite would."""
    if isinstance(value, dict) and set(value) == {"use"}:
        value = value["use"]
    flow = not block
    if block and isinstance(value, dict):
        return "\n".join(f"{key}: {_written(item)}" for key, item in value.items())
    text = yaml.safe_dump(value, default_flow_style=flow, sort_keys=False, width=10_000, allow_unicode=True)
    return text.strip().removesuffix("...").strip()


def _anchor(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _first(text: str | None) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join(_markdown(inspect.cleandoc(text or "")).split("\n\n")[0].split())


def _code(text: str) -> str:
    """A key's description as a cell: commands, keys and values in quotes or braces as code."""
    text = re.sub(r"(?<!\w)'([^']+)'(?!\w)", r"`\1`", _markdown(text))
    return re.sub(r"(?<!`)(\{[^{}]+\}|\[least, largest\])", r"`\1`", text)


def _paragraphs(text: str | None) -> str:
    return _markdown(inspect.cleandoc(text or ""))


def _markdown(text: str) -> str:
    """Turn a docstring's marks into Markdown's."""
    text = re.sub(r":\w+:`~?\.?([^`]+)`", r"`\1`", text)
    return re.sub(r"<(?=\w+>)", "&lt;", text.replace("``", "`")) if "`" not in text else text.replace("``", "`")


def _attributes(model: type) -> dict[str, str]:
    """What the texts below a class's fields say, its own after those of its bases."""
    said: dict[str, str] = {}
    for each in reversed(model.__mro__):
        if each.__module__.startswith("robustfim"):
            parsed = docstring_parser.parse_from_object(each)
            said |= {item.arg_name: _first(item.description) for item in parsed.params if item.description}
    return said


def _cell(text: str) -> str:
    return re.sub(r"\bNone\b", "`null`", text).replace("|", "\\|")


def _type(annotation: Any) -> str:
    """A field's type in the words of JSON, models as links."""
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        return f"[{annotation.__name__}](#{annotation.__name__.lower()})"
    origin, parts = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _type(parts[0])
    if origin is typing.Literal:
        return " or ".join(f"`{getattr(part, 'value', part)}`" for part in parts)
    if origin is dict:
        return f"names → {_type(parts[1])}"
    if origin is list:
        return f"list of {_type(parts[0])}"
    if origin is tuple:
        return f"[{', '.join(_type(part) for part in parts if part is not ...)}]"
    if parts:
        given = [_type(part) for part in parts if part is not type(None)]
        return f"{' or '.join(given)}{'?' * (type(None) in parts)}"
    plain = {str: "text", int: "integer", float: "number", bool: "boolean", type(None): "`null`"}
    if annotation is Rate:
        return "`{count, tested, rate, interval}`"
    if inspect.isclass(annotation) and issubclass(annotation, Enum):
        return " or ".join(f"`{each.value}`" for each in annotation)
    return plain.get(annotation, "any value")


def _signature(name: str, value: Any) -> str:
    if inspect.isclass(value) and issubclass(value, Enum | BaseException):
        return f"class {name}({value.__mro__[1].__name__})"
    text = str(inspect.signature(value))
    text = re.sub(r"\b(?:robustfim|collections|pathlib|typing)\.(?:\w+\.)*", "", text)
    text = re.sub(r"(?<=[:>] )'([^']*)'", r"\1", text)
    text = re.sub(r" at 0x[0-9a-f]+", "", text)
    kind = "class " if inspect.isclass(value) else ""
    if len(text) <= 90:
        return f"{kind}{name}{text}"
    inside, _, result = text[1:].rpartition(")")
    return f"{kind}{name}(\n" + "".join(f"    {each},\n" for each in _split(inside)) + f"){result}"


def _split(arguments: str) -> Iterator[str]:
    """The arguments of a signature, cut at the commas between them."""
    depth, here = 0, ""
    for letter in arguments:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            yield here.strip()
            here = ""
        else:
            here += letter
    if here.strip():
        yield here.strip()


def _said(value: Any) -> Iterator[str]:
    """The parts of a docstring as Markdown."""
    parsed = docstring_parser.parse(inspect.getdoc(value) or "")
    for text in (parsed.short_description, parsed.long_description):
        if text:
            yield from (_markdown(text), "")
    rows = [(param.arg_name, param.description) for param in parsed.params]
    yield from _listed("Arguments", rows)
    if parsed.returns and parsed.returns.description:
        kind = "Yields" if parsed.returns.is_generator else "Returns"
        yield from (f"{kind}: {_first(parsed.returns.description)}", "")
    yield from _listed("Raises", [(error.type_name or "", error.description) for error in parsed.raises])
    if inspect.isclass(value):
        methods = [
            (f"{name}{'' if isinstance(member, property) else '()'}", _first(member.__doc__))
            for name, member in vars(value).items()
            if not name.startswith("_")
            and (isinstance(member, property) or inspect.isfunction(member))
            and member.__doc__
        ]
        yield from _listed("Members", methods)


def _listed(title: str, rows: Sequence[tuple[str, str | None]]) -> Iterator[str]:
    if rows:
        yield from (f"{title}:", "")
        yield from (f"- `{name}`: {_first(said)}" for name, said in rows)
        yield ""


if __name__ == "__main__":
    main()
