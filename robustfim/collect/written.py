"""Write parts of a suite: values on one line, reasons as comments, and paths relative to the suite's folder."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from robustfim.collect.lookup import Named
from robustfim.plugin.options import options_model, resolve
from robustfim.printable import printable

__all__ = ["check_lines", "comments", "flow", "placed_options", "relative_path", "written_use"]


def comments(lines: Sequence[str]) -> list[str]:
    """Write lines as comments of YAML, made printable."""
    return [f"# {printable(line)}".rstrip() for line in lines]


def check_lines(checks: Mapping[str, Mapping[str, Any]], notes: Mapping[str, Sequence[str]]) -> list[str]:
    """Write the checks of a suite, each below its notes and above an empty line."""
    lines = []
    for name, check in checks.items():
        lines += [f"  {line}" for line in comments(notes[name])]
        lines += [f"  {name}:", *(f"    {key}: {flow(value)}" for key, value in check.items()), ""]
    return lines


def written_use(use: Mapping[str, Any]) -> Any:
    """Return what a check uses as a suite names it: a name where there are no options."""
    return dict(use) if len(use) > 1 else use["use"]


def flow(value: Any) -> str:
    """Write a value on one line of YAML."""
    text = yaml.safe_dump([value], default_flow_style=True, width=10**9, sort_keys=False, allow_unicode=True)
    return text.strip()[1:-1]


def placed_options(part: Named, folder: Path) -> dict[str, Any]:
    """Return the name and options of a model or data source, with paths relative to another folder."""
    if part.use.given is not None:
        return {"use": part.use.given, **part.use.options}
    fields = options_model(part.cls, part.use.use).model_fields
    placed: dict[str, Any] = {"use": part.use.use}
    for key, value in part.use.options.items():
        annotation = fields[key].annotation if key in fields else None
        base = part.file.base((part.key, key))
        placed[key] = _placed(value, resolve(value, annotation, base), base, folder)
    return placed


def _placed(value: Any, resolved: Any, base: Path, folder: Path) -> Any:
    if isinstance(value, list) and isinstance(resolved, list):
        return [_placed(each, path, base, folder) for each, path in zip(value, resolved, strict=True)]
    return relative_path(Path(value), folder, base) if isinstance(resolved, Path) else value


def relative_path(path: Path, folder: Path, base: Path = Path()) -> str:  # immutable
    """Write a path relative to a suite, with forward slashes.

    Args:
        path: The path; an absolute path, or one from the home folder, is unchanged.
        folder: The folder of the suite.
        base: The folder to which a relative path refers.
    """
    if path.expanduser().is_absolute():
        return path.as_posix()
    return Path(os.path.relpath((base / path).absolute(), folder.absolute())).as_posix()
