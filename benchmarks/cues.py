"""Superficial cues: the experiment of Balanced COPA, on the bag of words and on MiniLM (Kavumba et al. 2019)."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.sections import measured, table
from benchmarks.transformer import minilm_folder
from robustfim.collect import Named
from robustfim.commands import Chosen
from robustfim.record import Study
from robustfim.statistics import Rate
from robustfim.suite import SuiteFile, Use
from robustfim_cues.study.accuracy import MEASURES
from robustfim_cues.study.folds import REGIMES
from robustfim_cues.study.study import cues_study

__all__ = ["MINILM", "RELEASED", "Experiment", "as_markdown", "experiment", "experiments"]

RELEASED = Path("balanced_copa") / "balanced-copa-dev-1-400.xml"
"""Where the released data is in the folder of data."""

MINILM = {
    "words": {"cause": "What was the cause?", "effect": "What happened?"},
    "epochs": 3,
    "batch_size": 8,
    "learning_rate": 1e-4,
    "max_length": 48,
    "device": "cpu",
}
"""How MiniLM is fine-tuned."""


@dataclass(frozen=True)
class Experiment:
    """The results of the models of one trainer.

    Attributes:
        name: The name of the model that was trained.
        how: The settings of the training, in words.
        folds: The number of folds.
        pairs: The number of pairs of an instance and its mirrored instance.
        accuracy: For each regime and measure, the numbers of correct and of tested instances.
        p_values: For each two regimes and measure, the corrected p-value of McNemar's test.
        correlation: For each regime, Spearman's ρ of sensitivity and productivity and its p-value; empty for a model
            without gradients.
        minutes: The duration in minutes; None if models of an earlier call were used.
    """

    name: str
    how: str
    folds: int
    pairs: int
    accuracy: Mapping[tuple[str, str], tuple[int, int]]
    p_values: Mapping[tuple[str, str, str], float]
    correlation: Mapping[str, tuple[float, float] | None]
    minutes: float | None


def experiments(
    data: Path, scratch: Path, *, folds: int = 3, regimes: Sequence[str] = ("original", "balanced")
) -> Iterator[Experiment | tuple[str, str]]:
    """Run the experiment with each trainer.

    Args:
        data: A folder that holds ``RELEASED``.
        scratch: A folder for the models. Models of the same experiment in this folder are not trained again.
        folds: The number of folds for MiniLM; the bag of words has 10.
        regimes: The training sets for MiniLM.

    Yields:
        The results of each trainer, or the name of a trainer that cannot be run and the reason.
    """
    path = data / RELEASED
    yield experiment("cues/bag-of-words", "10 folds", {"use": "cues/bag-of-words"}, path, scratch / "bag", folds=10)
    base = minilm_folder()
    if base is None:
        yield "all-MiniLM-L6-v2", "its package is not installed"
        return
    how = (
        f"fine-tuned by `huggingface/choice`, {folds} folds, at most {MINILM['epochs']} epochs, batches of "
        f"{MINILM['batch_size']}, learning rate {MINILM['learning_rate']:g}, {MINILM['max_length']} tokens at most"
    )
    trainer = {"use": "huggingface/choice", "path": str(base), **MINILM}
    yield experiment("all-MiniLM-L6-v2", how, trainer, path, scratch / "minilm", folds=folds, regimes=regimes)


def experiment(
    name: str, how: str, trainer: Mapping[str, Any], path: Path | None, folder: Path, *, folds: int,
    regimes: Sequence[str] = tuple(REGIMES),
) -> Experiment:  # fmt: skip
    """Run the experiment with one trainer.

    Args:
        name: The name of the model that is trained.
        how: The settings of the training, in words.
        trainer: The trainer, as ``robustfim study cues`` takes it.
        path: The data file; None for the shipped instances.
        folder: A folder for the models.
        folds: The number of folds.
        regimes: The training sets.
    """
    begun = time.monotonic()
    resumed = folder.is_dir()
    own = [] if path is None else [f"path={path}"]
    (subject,) = Chosen(data=("use=copa", *own), offline=True).model_and_data()
    assert subject.data is not None
    file = SuiteFile(Path("the benchmark"), {"trainer": dict(trainer)})
    study = cues_study(
        subject.data, Named("trainers", Use.model_validate(dict(trainer)), file, subject.manager), regimes,
        folds=folds, dev=0.1, seed=0, minimum=5, folder=folder,
        report=lambda line: print(line, file=sys.stderr, flush=True),
    )  # fmt: skip
    taken = None if resumed else (time.monotonic() - begun) / 60
    return _read(study, name, how, folds, taken)


def _read(study: Study, name: str, how: str, folds: int, minutes: float | None) -> Experiment:
    found = study.results
    return Experiment(
        name,
        how,
        folds,
        len(found["instances"]) // 2,
        {(each["regime"], each["measure"]): (each["right"], each["tested"]) for each in found["accuracy"]},
        {
            (*comparison["regimes"], comparison["measure"]): comparison["adjusted"]
            for comparison in found["comparisons"]
        },
        {regime: each["correlation"] for regime, each in found["sensitivity"].items()},
        minutes,
    )


def as_markdown(found: Sequence[Experiment | tuple[str, str]]) -> str:
    """Write the results that :func:`experiments` yielded as a section of Markdown."""
    parts = [
        "The experiment of Balanced COPA, cross-validated, an instance and its mirror in one fold, each number the "
        "share that is right with its 95 % Wilson interval; p is McNemar's exact, corrected by Holm for the five rows. "
        "Easy is what a linear model solves without the premise, so that a bag of words differs there by construction. "
        "Chance is 50 %, of pairs 25 %."
    ]
    experiments, absent = measured(found)
    for each in experiments:
        took = "" if each.minutes is None else f", {each.minutes:.1f} minutes"
        parts += [f"{each.name}: {each.how}; {each.pairs} pairs{took}.", table(*_rows(each))]
        if each.correlation:
            lines = (
                f"- trained on {regime}: " + ("undefined." if rho is None else "{:.2f}, p = {:.2g}.".format(*rho))
                for regime, rho in each.correlation.items()
            )
            parts += ["Rank correlation of sensitivity with productivity, over cues:", "\n".join(lines)]
    return "\n\n".join([*parts, *absent])


def _rows(found: Experiment) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a table of an experiment's results, one row for each measure."""
    regimes = list(dict.fromkeys(regime for regime, _ in found.accuracy))
    pairs = list(dict.fromkeys((first, second) for first, second, _ in found.p_values))
    head = ["right", *(f"trained on {regime}" for regime in regimes), *(f"p, {a} / {b}" for a, b in pairs)]
    return head, [
        [
            measure,
            *(str(Rate(*found.accuracy[regime, measure])) for regime in regimes),
            *(f"{found.p_values[a, b, measure]:.2g}" for a, b in pairs),
        ]
        for measure in MEASURES
    ]
