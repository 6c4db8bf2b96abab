"""The subject of ``explore``: a run's record, and the models that its suite names."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.commands import Chosen
from robustfim.errors import RobustfimError, UsageError
from robustfim.example import Example
from robustfim.record import Record
from robustfim_explore.live import LiveModel

if TYPE_CHECKING:
    from robustfim.collect import ModelAndData
    from robustfim.plugin import PluginManager

__all__ = ["Subject", "open_subject"]

_SUITES = (".yaml", ".yml")


@dataclass(frozen=True)
class Subject:
    """A run's record with the suite, the plugins and the models.

    Attributes:
        record: The run.
        place: The path of the run's record.
        suite: The suite's file; None if it is missing.
        manager: The plugins.
        models: The models of the suite, not loaded yet.
        why: Why there is no model; empty if there is one.
        review: The file of people's answers about failures.
        who: The reviewer's name, if they wish to be named.
        paraphraser: The paraphraser of the user study.
    """

    record: Record
    place: Path
    suite: Path | None
    manager: PluginManager
    models: list[LiveModel] = field(default_factory=list)
    why: str = ""
    review: Path = Path("reviews")
    who: str | None = None
    paraphraser: str = "phrases"

    @property
    def fields(self) -> list[str]:
        """Return the names of the fields of the run's examples."""
        return list(dict.fromkeys(name for example in self.record.examples[:50] for name in example.fields))


def open_subject(
    path: Path, chosen: Chosen, *, model: bool = True, review: Path | None = None, who: str | None = None,
    paraphraser: str = "phrases",
) -> Subject:  # fmt: skip
    """Find a run's record, the suite of the run and the suite's models.

    Args:
        path: A record, the folder with a record, or a suite whose record is in the folder for reports.
        chosen: The options of the command; with ``--model`` this is the only model.
        model: Whether to look for the model.
        review: The review file; by default ``reviews/<suite>.json``.
        who: The reviewer's name.
        paraphraser: The paraphraser of the user study: a name, or a mapping with ``use`` in YAML's short form.

    Raises:
        UsageError: There is no record, or it cannot be read.
        PluginError: A plugin is broken.
    """
    if path.suffix in _SUITES:
        place = _place_of(path, chosen)
        suite: Path | None = path
        if not place.is_file():
            raise UsageError(f"the suite has no record yet: there is no {place}. 'robustfim run {path}' writes it.")
        record = Record.load(place)
    else:
        place = path / "results.json" if path.is_dir() else path
        record = Record.load(place)
        suite = Path(record.path) if record.path and Path(record.path).is_file() else None
    models, why = ([], "it was started with --no-model.") if not model else _models(record, suite, chosen)
    manager = models[0].part.manager if models else chosen.manager()
    review = review or Path("reviews") / f"{record.suite}.json"
    return Subject(record, place, suite, manager, models, why, review, who, paraphraser)


def _place_of(suite: Path, chosen: Chosen) -> Path:
    """Where the record of a suite is, or would be."""
    file = chosen.suite(suite)
    name = file.data.get("suite")
    if not isinstance(name, str) or not name:
        raise UsageError(f"{suite} has no name: 'suite: NAME' is missing.")
    variants = (
        [model_and_data.variant for model_and_data in chosen.model_and_data(suite)] if "models" in file.data else [""]
    )
    places = [chosen.reports / name / variant / "results.json" for variant in variants]
    ran = [place for place in places if place.is_file()]
    if len(ran) > 1:
        records = ", ".join(str(place.parent) for place in ran)
        raise UsageError(f"{suite} names several models, and has a record of each: name one of them, {records}.")
    return ran[0] if ran else places[0]


def _models(record: Record, suite: Path | None, chosen: Chosen) -> tuple[list[LiveModel], str]:
    """The models, and why there are none."""
    try:
        pairs = _recorded(record, chosen) if suite is None else chosen.model_and_data(suite)
    except (RobustfimError, OSError) as error:
        return [], str(error)
    examples = [Example(example.fields, example.label) for example in record.examples]
    seed = record.seed if chosen.seed is None else chosen.seed
    found = []
    for pair in pairs:
        if pair.model is not None:
            name = pair.variant or pair.model.use.use
            found.append(LiveModel(pair.model, name, examples, seed, chosen.offline))
    return found, "" if found else "no model is named."


def _recorded(record: Record, chosen: Chosen) -> list[ModelAndData]:
    """The model that the record names, where its suite is not there: relative paths start from here."""
    from robustfim.collect import model_and_data

    file = chosen.suite()
    if not chosen.model:
        file.data["model"] = {"use": record.model.use, **record.model.options}
    return model_and_data(file, plugins=chosen.plugin_options, offline=chosen.offline)
