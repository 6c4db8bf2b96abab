"""Suites with several models, which are split into one suite for each model, tested on the same texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from robustfim.errors import UsageError
from robustfim.suite.file import Location, SuiteFile

__all__ = ["one_suite_each", "several_models"]

_KEY = "models"


def one_suite_each(file: SuiteFile) -> list[tuple[str, SuiteFile]]:
    """Split a suite with ``models: [first, second]`` into suites with one ``model`` each.

    With ``--model``, a run has only that model, whatever the suite lists.

    Returns:
        A mapping with a suite for each model, by a name that is valid in a path. For a suite without ``models``, the
        suite itself by the name "".

    Raises:
        SuiteError: ``models`` is not a list of at least two models, or stands beside ``model``.
    """
    if _KEY not in file.data:
        return [("", file)]
    if "model" in file.data:
        if ("model",) in file.overridden:
            return [("", _with(file, file.data["model"], ("model",)))]
        raise file.error("'model' and 'models' exclude each other: write the one or the other.", (_KEY,))
    models = file.data[_KEY]
    if not isinstance(models, list) or len(models) < 2:
        raise file.error("models must be a list of at least two models; a single one is written as 'model'.", (_KEY,))
    variants: dict[str, SuiteFile] = {}
    for index, model in enumerate(models):
        use = model if isinstance(model, str) else model.get("use") if isinstance(model, dict) else None
        base = re.sub(r"[^A-Za-z0-9_.\-]+", "-", str(use or index)).strip(".-") or str(index)
        name, number = base, 2
        while name in variants:
            name, number = f"{base}-{number}", number + 1
        variants[name] = _with(file, model, (_KEY, index))
    return list(variants.items())


def several_models(suite: str, models: Sequence[str]) -> UsageError:
    """Return the error for a command that takes one model and got several, which says how to choose one."""
    return UsageError(f"{suite} names several models, {', '.join(models)}, and one is asked here: add --model NAME.")


def _with(file: SuiteFile, model: Any, location: Location) -> SuiteFile:
    """The suite with one model, whose lines are those of its place in the list."""
    lines = dict(file.lines)
    for place, line in file.lines.items():
        if place[: len(location)] == location:
            lines["model", *place[len(location) :]] = line
    data = {"model" if key == _KEY else key: value for key, value in file.data.items() if key != "model"}
    return replace(file, data={**data, "model": model}, lines=lines, overridden=dict(file.overridden))
