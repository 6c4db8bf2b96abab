"""Train the models of ``study cues``, and ask each model about its test instances."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from robustfim.collect import Named, predict
from robustfim.roles import DifferentiableModel, Model, Trainer
from robustfim.seeds import random_for
from robustfim.suite import Use
from robustfim.whole_file import write_whole
from robustfim_cues.measures.measures import Cue
from robustfim_cues.models.trained import made_by
from robustfim_cues.sensitivity.measure import CueSensitivity, Sensitivities, sensitivities
from robustfim_cues.study.folds import Training

__all__ = ["Asked", "ask", "merged", "train_and_ask"]

_NOTE = "study.json"


@dataclass(frozen=True)
class Asked:
    """The answers of one trained model to its test instances.

    Attributes:
        training: The training of the model.
        answers: By instance id, the model's answer; an instance without finite probabilities is missing.
        sensitivity: The model's sensitivity to the cues of the test instances; None without gradients.
    """

    training: Training
    answers: Mapping[str, str]
    sensitivity: Sensitivities | None


def train_and_ask(
    trainer: Named,
    made: Trainer,
    training: Training,
    folder: Path,
    cues: Sequence[Cue],
    *,
    seed: int,
    report: Callable[[str], None],
) -> Asked:
    """Train a model, unless the folder already holds it, and ask it about its test instances.

    Raises:
        DataError: The trainer cannot learn from the instances.
        ModelError: A library is missing, or the model gives no usable answer.
    """
    key = _key(trainer.use, training, seed)
    spec = _noted(folder / _NOTE, key)
    if spec is None:
        own = random_for(seed, training.regime, str(training.fold)).getrandbits(31)
        spec = dict(made.train(training.train, training.dev, folder, seed=own, report=report))
        write_whole(folder / _NOTE, json.dumps({"key": key, "use": spec}).encode())
    return ask(made_by(trainer, Use.model_validate(spec)), training, cues)


def ask(model: Model, training: Training, cues: Sequence[Cue]) -> Asked:
    """Ask a trained model about its test instances.

    Args:
        model: The model.
        training: The training of the model, with the test instances.
        cues: The cues whose sensitivity is measured if the model has gradients.
    """
    answers = {example.id: answer.label for example, answer in predict(model, training.held, None)}
    found = sensitivities(model, training.held, cues) if isinstance(model, DifferentiableModel) else None
    return Asked(training, answers, found)


def merged(parts: Sequence[Sensitivities]) -> Sensitivities:
    """Merge the sensitivities of several folds: each cue's mean over all its places."""
    by_cue: dict[str, list[CueSensitivity]] = {}
    for sensitivity in (cue for part in parts for cue in part.cues):
        by_cue.setdefault(sensitivity.cue.text, []).append(sensitivity)
    cues = []
    for own in by_cue.values():
        places = sum(sensitivity.places for sensitivity in own)
        norm, relative = (
            sum(getattr(sensitivity, name) * sensitivity.places for sensitivity in own) / places
            for name in ("norm", "relative")
        )
        cues.append(CueSensitivity(own[0].cue, norm, relative, places))
    return Sensitivities(tuple(cues), sum(part.examples for part in parts))


def _key(use: Use, training: Training, seed: int) -> str:
    """Hash what decides the weights."""
    ids = [[example.id for example in part] for part in (training.train, training.dev)]
    return hashlib.sha256(json.dumps([use.use, use.options, ids, seed], default=str).encode()).hexdigest()


def _noted(path: Path, key: str) -> dict[str, Any] | None:
    """Read how to use the model of a finished training; None where there is none, or another."""
    try:
        note = json.loads(path.read_text(encoding="utf-8"))
        return dict(note["use"]) if note["key"] == key else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
