"""A subject: a model and its data, looked at without any check."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from robustfim.blame import blame
from robustfim.errors import DataError, ModelError, PluginError, RobustfimError, UsageError
from robustfim.example import Example
from robustfim.plugin.factory import make_offered
from robustfim.plugin.loading import PluginOptions, load_plugins
from robustfim.plugin.manager import PluginManager
from robustfim.plugin.offer import KINDS
from robustfim.predict.labels import model_labels
from robustfim.predict.queue import PredictionQueue
from robustfim.predict.store import Store
from robustfim.prediction import Prediction
from robustfim.roles import DataSource, Model
from robustfim.seeds import random_for
from robustfim.suite.file import SuiteFile, parse_override, read_suite_file
from robustfim.suite.format import Use
from robustfim.suite.overlay import lay_over
from robustfim.suite.variants import one_suite_each

__all__ = ["ROWS", "Part", "Subject", "named_part", "open_subject", "predict", "read_rows", "sample"]

ROWS = 20_000
"""Rows of the data from which a sample is drawn: a whole hub dataset need not be read."""


@dataclass(frozen=True)
class Part:
    """The model or the data of a subject, or another of the things that plugins offer.

    Attributes:
        kind: ``models`` or ``data``, or another kind of offer.
        use: Its name and options.
        file: Where they were written.
        manager: The plugins.
    """

    kind: str
    use: Use
    file: SuiteFile
    manager: PluginManager

    @property
    def key(self) -> str:
        """Its key in a suite: ``model`` or ``data``."""
        return self.kind.removesuffix("s")

    @property
    def cls(self) -> type[Any]:
        """The class that stands behind its name.

        Raises:
            UsageError: No plugin offers it.
            PluginError: It cannot be imported.
        """
        return self.manager.get(self.kind, self.use.use).cls

    def make(self, options: Mapping[str, Any] | None = None) -> Any:
        """Construct it.

        Args:
            options: Other options than its own.

        Raises:
            UsageError: A name or an option is wrong.
            PluginError: It cannot be imported or constructed.
        """
        return make_offered(self.manager, self.file, self.kind, self.use, (self.key,), options)[0]


@dataclass(frozen=True)
class Subject:
    """A model, its data, or both.

    Attributes:
        manager: The loaded plugins.
        model: The model; None where none is named.
        data: The data; None where none is named.
        variant: Which of a suite's several models it is; empty for the only one.
    """

    manager: PluginManager
    model: Part | None
    data: Part | None
    variant: str = ""


def open_subject(
    path: Path | None,
    *,
    plugins: PluginOptions | None = None,
    model: Sequence[str] = (),
    data: Sequence[str] = (),
    override: Sequence[str] = (),
    offline: bool = False,
) -> list[Subject]:
    """Find the model and the data that a suite or the command line names.

    Args:
        path: A suite file, or None.
        plugins: ``-p``.
        model: ``--model KEY=VALUE``.
        data: ``--data KEY=VALUE``.
        override: ``-o KEY=VALUE``.
        offline: Whether nothing may be fetched.

    Returns:
        One subject; for a suite with ``models`` one for each.

    Raises:
        UsageError: The suite or an option is wrong.
        PluginError: A plugin is broken.
    """
    if offline:
        os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"
    file = SuiteFile(Path("the command line"), {}) if path is None else read_suite_file(path)
    lay_over(file, model, data, override)
    subjects = []
    for variant, each in one_suite_each(file):
        named = each.data.get("plugins") or []
        manager = load_plugins(plugins or PluginOptions(), named, each.folder)
        model_part, data_part = (_part(kind, each, manager) for kind in ("models", "data"))
        subjects.append(Subject(manager, model_part, data_part, variant))
    return subjects


def _part(kind: str, file: SuiteFile, manager: PluginManager) -> Part | None:
    key = kind.removesuffix("s")
    value = file.data.get(key)
    if value is None:
        return None
    if isinstance(value, dict) and not isinstance(value.get("use"), str):
        known = ", ".join(manager.offers(kind))
        raise file.error(f"{key!r} does not say which to use: --{key} use=NAME. Known: {known}.", (key,))
    return Part(kind, Use(use=value) if isinstance(value, str) else Use.model_validate(value), file, manager)


def named_part(
    kind: str, named: str, manager: PluginManager, option: str, options: Sequence[str] = (), *, spec: type[Use] = Use
) -> Part:
    """Read what one option of the command line names: a trainer, or a perturbation.

    Args:
        kind: A key of ``KINDS``.
        named: Its name, or ``{use: NAME, …}`` in YAML's short form.
        manager: The plugins.
        option: The option, for messages: ``--trainer``.
        options: More options of it, each ``KEY=VALUE``, as ``-o`` gives them.
        spec: What else its mapping may hold.

    Raises:
        UsageError: It names nothing, or nothing that a plugin offers.
    """
    try:
        value: Any = yaml.safe_load(named)
    except yaml.YAMLError:
        value = None
    value = {"use": value} if isinstance(value, str) else value
    if not isinstance(value, dict) or not isinstance(value.get("use"), str):
        raise UsageError(f"{option} {named!r} is no {KINDS[kind]}: give a name, or '{{use: NAME, …}}'.")
    key = kind.removesuffix("s")
    file = SuiteFile(Path("the command line"), {})
    file.override((key,), value, option)
    for text in options:
        location, each = parse_override(text, "-o")
        file.override((key, *location), each, f"-o {text}")
    manager.get(kind, value["use"])
    try:
        return Part(kind, spec.model_validate(file.data[key]), file, manager)
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(map(str, problem["loc"]))
        raise UsageError(f"{option} {named!r}: {place}: {problem['msg'].removeprefix('Value error, ')}.") from None


def sample(data: DataSource, use: str, number: int, seed: int) -> list[Example]:
    """Draw a random sample of usable examples: no empty text, no text twice.

    Args:
        data: Where they come from; of its rows the first 20,000 are read.
        use: Its name, for messages.
        number: The most examples.
        seed: The seed of the draw.

    Returns:
        Examples in a random order that depends on the seed and their content alone.

    Raises:
        DataError: The data cannot be read.
        PluginError: The data source raised, or returned something else than examples.
    """
    found: dict[str, Example] = {}
    for row in read_rows(data, use, f"data source {use!r}", ROWS):
        if any(text.strip() for text in row.fields.values()):
            found.setdefault(row.id, row)
    return sorted(found.values(), key=lambda each: random_for(seed, "sample", each.id).random())[:number]


def read_rows(data: DataSource, use: str, who: str, most: int | None = None) -> Iterator[Example]:
    """Read the rows of a data source.

    Args:
        data: The source.
        use: Its name, for messages.
        who: How an error names it.
        most: Rows to read; None for all.

    Raises:
        DataError: The data cannot be read.
        PluginError: The source raised, or returned something else than examples.
    """
    try:
        with blame(who):
            rows = list(islice(iter(data.load()), most))
    except (DataError, PluginError):
        raise
    except RobustfimError as error:
        raise DataError(f"data {use!r}: {error}") from error
    for row in rows:
        if not isinstance(row, Example):
            raise PluginError(f"{who} returned {row!r}, which is not an Example.")
        yield row


def predict(
    model: Model, examples: Sequence[Example], store: Path | None, max_calls: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[tuple[Example, Prediction]]:  # fmt: skip
    """Predict examples through the queue, and leave out those without finite numbers.

    Args:
        model: The model.
        examples: The examples.
        store: The file of the prediction store; None keeps nothing.
        max_calls: The most texts that may be sent.
        progress: Called with (done, total).

    Raises:
        ModelError: The model cannot be loaded, or gives no usable answer.
        CallLimitReached: ``max_calls`` would be exceeded.
    """
    model_labels(model)
    kept = Store(store)
    try:
        answers = PredictionQueue(model, kept, max_calls=max_calls).predict(examples, progress)
    finally:
        kept.close()
    pairs = [(example, answer) for example, answer in zip(examples, answers, strict=True) if answer is not None]
    if not pairs:
        raise ModelError(f"the model gave no finite probabilities for any of {len(examples)} examples.")
    return pairs
