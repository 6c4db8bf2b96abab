"""Compute the difficulty of all examples of a suite, without running its checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from robustfim.collect import Collection
from robustfim.commands import Chosen, progress_bar
from robustfim.errors import DataError, ModelError, UsageError, did_you_mean, shown
from robustfim.example import Example
from robustfim.exhibit import Section
from robustfim.hookspecs import hookimpl
from robustfim.record import Record
from robustfim.roles import Context
from robustfim.session import open_sessions
from robustfim_study.association import Array
from robustfim_study.sample_run import clusters_of

__all__ = ["Scored", "named_apart", "named_model", "require_columns", "score_suite"]


@dataclass(frozen=True)
class Scored:
    """The examples of a suite, scored under one model.

    Attributes:
        name: The model's display name.
        record: The run record, without checks.
        examples: The usable examples, with the further columns of their rows.
        values: The score, ``[examples]``; NaN if undefined.
        clusters: The cluster of each example, ``[examples]``; an example without a cluster is a separate cluster.
        hardest: The difficult end of the score's scale: 1 if high scores are difficult, −1 if low scores are.
    """

    name: str
    record: Record
    examples: tuple[Example, ...]
    values: Array
    clusters: tuple[Hashable, ...]
    hardest: int


class _Watch:
    """Keeps the examples of a run, which the record has without what their rows say besides."""

    def __init__(self, look: Callable[[Sequence[Example]], object]) -> None:
        self.examples: dict[str, Example] = {}
        self._look = look
        self.context: Context

    @hookimpl
    def robustfim_run_start(self, collection: Collection) -> None:
        """Store the examples, and let the study refuse them before the model is asked."""
        self.examples = {example.id: example for example in collection.examples}
        self._look(list(self.examples.values()))

    @hookimpl
    def robustfim_sections(self, context: Context) -> list[Section]:
        """Store the context of the run, which later gives predictions and importances."""
        self.context = context
        return []


def named_model(text: str) -> dict[str, Any]:
    """Parse a model given by ``--against`` into the mapping that a suite file would have.

    Args:
        text: A name, or a mapping with ``use`` in YAML's short form.

    Raises:
        UsageError: The text has another form.
    """
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        value = None
    if isinstance(value, str):
        value = {"use": value}
    if not isinstance(value, dict) or not isinstance(value.get("use"), str):
        raise UsageError(f"--against {text!r} is not a model: give a name, or '{{use: NAME, path: FOLDER}}'.")
    return value


def named_apart(scored: Sequence[Scored]) -> list[Scored]:
    """Number models of the same name, so that each has a unique name."""
    seen: Counter[str] = Counter()
    named = []
    for each in scored:
        seen[each.name] += 1
        named.append(each if seen[each.name] == 1 else replace(each, name=f"{each.name} ({seen[each.name]})"))
    return named


def score_suite(
    chosen: Chosen,
    path: Path,
    *,
    score: str,
    more: Sequence[str] = (),
    others: Sequence[Mapping[str, Any]] = (),
    look: Callable[[Sequence[Example]], object] = lambda examples: None,
) -> list[Scored]:
    """Score all examples of a suite under each of its models.

    Args:
        chosen: The options of the command; the run writes no reports.
        path: The suite file.
        score: The name of the score.
        more: Further scores for the record, computed if the model allows them.
        others: Models besides those of the suite or the command line.
        look: Checks the examples before a model is asked, and raises if they do not suit.

    Raises:
        UsageError: The suite is wrong, no plugin offers the score, or a model does not allow it; raised before data
            are read.
        ModelError: A model gave no usable answer, or the score cannot be computed for it.
    """
    sessions = []
    for model in (None, *others):
        suite = chosen.suite(path)
        changes: dict[str, Any] = {"scores": [score, *more], "reports": [], "lock": None, "budget": None}
        # No check is run, but the limits of some are for arms that must not be empty.
        changes["select"] = {"by": score, "difficult": 1, "control": 1}
        for key, value in (changes | ({} if model is None else {"model": dict(model)})).items():
            suite.override((key,), value, "--against" if key == "model" else f"--score {score}")
        sessions += open_sessions(suite, plugins=chosen.plugin_options, options=chosen.options)
    for session in sessions:
        session.require_scores([score], f"model {session.config.suite.model.use!r}: the study")
    found = []
    for session in sessions:
        watch = _Watch(look)
        session.manager.register(watch, "robustfim.scoring")
        session.collection = replace(session.collection, checks=())
        with progress_bar(chosen.console()) as progress:
            session.manager.register(progress, "robustfim.progress_bar")
            record, _ = session.run()
        if record.message:
            raise ModelError(record.message)
        made = next(record_score for record_score in record.scores if record_score.name == score)
        if made.message:
            raise ModelError(f"model {record.model.use!r}: the score {score!r} {made.message}")
        column = f"scores.{score}"
        rows = [row for row in record.table.rows(["id", column, "cluster"]) if row[0] in watch.examples]
        kept = tuple(watch.examples[id] for id, _, _ in rows)
        values = np.array([np.nan if value is None else value for _, value, _ in rows], dtype=np.float64)
        clusters = tuple(clusters_of([id for id, _, _ in rows], {id: cluster for id, _, cluster in rows}))
        name = session.config.options.variant or record.model.use
        hardest = 1 if made.hardest == "highest" else -1
        found.append(Scored(name, record, kept, values, clusters, hardest))
    return found


def require_columns(examples: Sequence[Example], names: Iterable[str]) -> None:
    """Check that the rows of examples have columns, besides text and label.

    Raises:
        DataError: No row has a column of this name.
    """
    columns = sorted({key for example in examples for key in example.meta})
    known = f"They have {', '.join(columns)}." if columns else "They have text and label only."
    for name in names:
        if name not in columns:
            raise DataError(f"the rows of the data have no column {shown(name)}.{did_you_mean(name, columns)} {known}")
