"""Scoring alone: the difficulty of all the examples of a suite, without its checks."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import yaml

from robustfim.collect.collection import Collection
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.hookspecs import hookimpl
from robustfim.plugin.loading import PluginOptions
from robustfim.record import Record
from robustfim.session.opened import open_sessions
from robustfim.suite.config import RunOptions
from robustfim_study.association import Array

__all__ = ["Scored", "model_options", "named_apart", "score_suite"]


@dataclass(frozen=True)
class Scored:
    """The examples of a suite, scored under one model.

    Attributes:
        name: What the model is called.
        record: The run record, without checks.
        examples: The usable examples, with what their rows say besides.
        values: The score, ``[examples]``; NaN where it is undefined.
        hardest: Which end of the scale is the difficult one: 1 the highest, −1 the lowest.
    """

    name: str
    record: Record
    examples: tuple[Example, ...]
    values: Array
    hardest: int


class _Watch:
    """Keeps the examples of a run, which the record has without what their rows say besides."""

    def __init__(self) -> None:
        self.examples: dict[str, Example] = {}

    @hookimpl
    def robustfim_run_start(self, collection: Collection) -> None:
        """Keep the examples."""
        self.examples = {each.id: each for each in collection.examples}


def model_options(text: str) -> list[str]:
    """Read a model as ``--against`` names it, into what ``--model`` takes.

    Args:
        text: A name, or a mapping with ``use`` in YAML's short form.

    Raises:
        UsageError: It is neither.
    """
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        value = None
    if isinstance(value, str):
        value = {"use": value}
    if not isinstance(value, dict) or not isinstance(value.get("use"), str):
        raise UsageError(f"--against {text!r} is no model: give a name, or '{{use: NAME, path: FOLDER}}'.")
    return [f"{key}={json.dumps(each, default=str)}" for key, each in value.items()]


def named_apart(scored: Sequence[Scored]) -> list[Scored]:
    """Number the models of one name, so that each has its own.

    Args:
        scored: The results.
    """
    seen: Counter[str] = Counter()
    named = []
    for each in scored:
        seen[each.name] += 1
        named.append(each if seen[each.name] == 1 else replace(each, name=f"{each.name} ({seen[each.name]})"))
    return named


def score_suite(
    path: Path, *, score: str, plugins: PluginOptions, options: RunOptions, model: Sequence[str] = (),
    data: Sequence[str] = (), override: Sequence[str] = (),
) -> list[Scored]:  # fmt: skip
    """Score all examples of a suite under each of its models.

    Args:
        path: The suite file.
        score: The name of the score.
        plugins: ``-p``.
        options: The options of the run; no report and no trace of a last run is written.
        model: ``--model KEY=VALUE``; then the suite's other models are left out.
        data: ``--data KEY=VALUE``.
        override: ``-o KEY=VALUE``.

    Returns:
        One result a model, in the suite's order.

    Raises:
        UsageError: The suite is wrong, or no plugin offers the score.
        ModelError: The model gave no usable answer, or the score cannot be computed for it.
    """
    settings = [*override, f'scores=["{score}"]', "reports=[]", "lock=null", "budget=null"]
    # No check is run, but the limits of some are for arms that must not be empty.
    settings.append('select={"by": ' + json.dumps(score) + ', "difficult": 1, "control": 1}')
    found = []
    with tempfile.TemporaryDirectory() as place:
        quiet = replace(options, reports=Path(place), remember=False)
        for session in open_sessions(path, plugins=plugins, model=model, data=data, override=settings, options=quiet):
            watch = _Watch()
            session.manager.register(watch, "robustfim.scoring")
            session.collection = replace(session.collection, checks=())
            record, _ = session.run()
            if record.message:
                raise ModelError(record.message)
            made = record.scores[0]
            if made.message:
                raise ModelError(f"model {record.model.use!r}: the score {score!r} {made.message}")
            scores = {each.id: each.scores.get(score) for each in record.examples}
            kept = tuple(watch.examples[each] for each in scores if each in watch.examples)
            values = np.array(
                [np.nan if scores[each.id] is None else scores[each.id] for each in kept], dtype=np.float64
            )
            name = session.config.options.variant or record.model.use
            found.append(Scored(name, record, kept, values, 1 if made.hardest == "highest" else -1))
    return found
