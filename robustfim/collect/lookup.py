"""Look up a model and data without checks, for commands that run no checks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from robustfim.blame import blame
from robustfim.collect.spool import BLOCK
from robustfim.errors import DataError, ModelError, PluginError, RobustfimError, UsageError, shown, shown_place
from robustfim.example import Example
from robustfim.parts import ModelPart, Part
from robustfim.plugin.factory import make_offered
from robustfim.plugin.manager import PluginManager
from robustfim.plugin.offer import KINDS
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.predict.context import RunContext
from robustfim.predict.decided import require_threshold
from robustfim.predict.labels import model_labels
from robustfim.predict.queue import PredictionQueue
from robustfim.predict.store import Store
from robustfim.prediction import Prediction
from robustfim.roles import DataSource, Model
from robustfim.seeds import random_for
from robustfim.suite.file import SuiteFile, parse_override, read_suite_file
from robustfim.suite.format import PerturbSpec, Use
from robustfim.suite.variants import one_suite_each

__all__ = [
    "ROWS",
    "ModelAndData",
    "Named",
    "context_of",
    "contradicts",
    "model_and_data",
    "named_part",
    "predict",
    "read_rows",
    "sample",
    "usable_examples",
]

ROWS = 20_000
"""The rows of the data from which a sample is drawn, so that a large hub dataset is not read whole."""


@dataclass(frozen=True)
class Named:
    """The name and options of a plugin's object, such as a model or data, before the object is constructed."""

    kind: str
    use: Use
    file: SuiteFile
    manager: PluginManager

    @classmethod
    def read(cls, kind: str, file: SuiteFile, manager: PluginManager) -> Named | None:
        """Read the entry of a suite for a kind of object, such as ``model``.

        Args:
            kind: A key of ``KINDS``; the key in the suite is its singular.
            file: The suite.
            manager: The plugins.

        Returns:
            The named object; None if the key is missing.

        Raises:
            UsageError: The value names no object.
        """
        key = kind.removesuffix("s")
        value = file.data.get(key)
        if value is None:
            return None
        if isinstance(value, dict) and value.get("use") is None:
            known = ", ".join(manager.offers(kind))
            raise file.error(f"{key!r} names nothing to use: write --{key} use=NAME. Known: {known}.", (key,))
        return cls(kind, Use.read(value), file, manager)

    @property
    def key(self) -> str:
        """The key of the object in a suite: ``model`` or ``data``."""
        return self.kind.removesuffix("s")

    @property
    def cls(self) -> type[Any]:
        """The class that a plugin offers under the name.

        Raises:
            UsageError: No plugin offers the name.
            PluginError: The class cannot be imported.
        """
        return self.manager.get(self.kind, self.use.use).cls

    def make(self, options: Mapping[str, Any] | None = None) -> Any:
        """Construct the object.

        Raises:
            UsageError: A name or an option is wrong.
            PluginError: The class cannot be imported or constructed.
        """
        return make_offered(self.manager, self.file, self.kind, self.use, (self.key,), options)[0]

    def opened(self, stack: ExitStack) -> Any:
        """Construct the object as :meth:`make` does; the exit stack closes it, unless a script made the object."""
        made = self.make()
        if self.use.given is None:
            stack.callback((made if isinstance(made, Part) else ModelPart(made, self.use.use)).close)
        return made


@dataclass(frozen=True)
class ModelAndData:
    """The model and the data that a suite or a command line names, without checks; one of the two may be missing.

    Attributes:
        manager: The loaded plugins.
        model: The model; None if none is named.
        data: The data; None if none is named.
        variant: The model's name in a suite with several; empty otherwise.
    """

    manager: PluginManager
    model: Named | None
    data: Named | None
    variant: str = ""


def model_and_data(
    suite: Path | SuiteFile, *, plugins: PluginOptions | PluginManager | None = None, offline: bool = False
) -> list[ModelAndData]:
    """Look up the model and the data that a suite names, even if it has no checks.

    Args:
        suite: A suite file, or a suite with all overrides applied.
        plugins: The plugins that ``-p`` loads and blocks; or a manager with loaded plugins.
        offline: Whether to forbid downloads.

    Returns:
        One pair; for a suite with ``models``, one pair per model.

    Raises:
        UsageError: The suite is wrong.
        PluginError: A plugin is broken.
    """
    if offline:
        os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"
    pairs = []
    for variant, file in one_suite_each(read_suite_file(suite) if isinstance(suite, Path) else suite):
        named = file.data.get("plugins") or []
        if isinstance(plugins, PluginManager):
            manager = plugins
        else:
            manager = load_plugins(plugins or PluginOptions(), named, file.folder)
        model, data = (Named.read(kind, file, manager) for kind in ("models", "data"))
        pairs.append(ModelAndData(manager, model, data, variant))
    return pairs


def named_part(
    kind: str, named: str, manager: PluginManager, option: str, options: Sequence[str] = (), *, perturb: bool = False
) -> Named:
    """Read the value of a command-line option that names a trainer or a perturbation.

    Args:
        kind: A key of ``KINDS``.
        named: The name of the object, or ``{use: NAME, …}`` in YAML's short form.
        manager: The plugins.
        option: The option, for messages: ``--trainer``.
        options: Further options of the object, each ``KEY=VALUE``, as ``-o`` gives them.
        perturb: Whether the mapping may hold the common keys of every ``perturb``.

    Raises:
        UsageError: The value names no object, or an object that no plugin offers.
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
        return Named(kind, (PerturbSpec if perturb else Use).model_validate(file.data[key]), file, manager)
    except ValidationError as error:
        problem = error.errors()[0]
        place = shown_place(problem["loc"])
        raise UsageError(f"{option} {named!r}: {place}: {problem['msg'].removeprefix('Value error, ')}.") from None


def context_of(
    model: Model | None, examples: Sequence[Example], manager: PluginManager, store: Store, *, seed: int,
    offline: bool = False, max_calls: int | None = None,
) -> RunContext:  # fmt: skip
    """Make the context that plugins get in a run, without running a suite."""
    queue = None if model is None else PredictionQueue(model, store, max_calls=max_calls)
    return RunContext(model, queue, None, seed=seed, store=store, offline=offline, services=manager, examples=examples)


def contradicts(one: Example, other: Example) -> bool:
    """Return whether two rows with equal texts have gold labels but no gold label in common."""
    return bool(one.gold and other.gold) and set(one.gold).isdisjoint(other.gold)


def sample(
    data: DataSource, use: str, number: int, seed: int, conflicts: dict[str, tuple[Example, Example]] | None = None
) -> list[Example]:
    """Draw a random sample of usable examples from a data source, without empty and repeated texts.

    Args:
        data: The data source; its first 20,000 rows are read.
        use: The name of the data source, for messages.
        number: The most examples to draw.
        seed: The seed of the draw.
        conflicts: Filled with the pairs of rows whose equal text has two gold labels, by example id.

    Returns:
        Examples in a random order that depends only on the seed and their content.

    Raises:
        DataError: The data cannot be read.
        PluginError: The data source raised, or returned something other than examples.
    """
    found = usable_examples(data, use, ROWS, conflicts)
    return sorted(found, key=lambda example: random_for(seed, "sample", example.id).random())[:number]


def usable_examples(
    data: DataSource, use: str, rows: int | None = None, conflicts: dict[str, tuple[Example, Example]] | None = None
) -> list[Example]:
    """Read the examples of a data source, without empty and repeated texts.

    Args:
        data: The data source.
        use: The name of the data source, for messages.
        rows: The most rows to read; None for all.
        conflicts: Filled with the pairs of rows whose equal text has two gold labels, by example id.

    Raises:
        DataError: The data cannot be read.
        PluginError: The data source raised, or returned something other than examples.
    """
    by_id: dict[str, Example] = {}
    for row in read_rows(data, use, f"data source {use!r}", rows):
        if any(text.strip() for text in row.fields.values()):
            before = by_id.setdefault(row.id, row)
            if conflicts is not None and contradicts(before, row):
                conflicts.setdefault(row.id, (before, row))
    return list(by_id.values())


def read_rows(data: DataSource, use: str, who: str, most: int | None = None) -> Iterator[Example]:
    """Read the rows of a data source, block by block.

    Raises:
        DataError: The data cannot be read.
        PluginError: The source raised, or returned something other than examples.
    """
    rows: Iterator[Any] | None = None
    block: list[Example] = []
    while rows is None or block:
        try:
            with blame(who):
                rows = islice(iter(data.load()), most) if rows is None else rows
                block = list(islice(rows, BLOCK))
                for row in block:
                    if not isinstance(row, Example):
                        raise PluginError(f"{who} returned {shown(row)}, which is not an Example.")
        except (DataError, PluginError):
            raise
        except RobustfimError as error:
            raise DataError(f"data {use!r}: {error}") from error
        yield from block


def predict(
    model: Model, examples: Sequence[Example], store: Path | None, max_calls: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[tuple[Example, Prediction]]:  # fmt: skip
    """Predict examples with a model, and leave out examples without finite probabilities.

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
    require_threshold(model)
    stored = Store(store)
    try:
        queue = PredictionQueue(model, stored, max_calls=max_calls)
        answers = RunContext(model, queue, None, seed=0, store=stored).queue.predict(examples, progress)
    finally:
        stored.close()
    pairs = [(example, answer) for example, answer in zip(examples, answers, strict=True) if answer is not None]
    if not pairs:
        raise ModelError(f"the model gave no finite probabilities for any of {len(examples)} examples.")
    return pairs
