"""Refitting: train a model, mine rules, and train again on training data with variants made by the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from robustfim.api import context
from robustfim.collect import Named
from robustfim.errors import DataError, NothingCollected
from robustfim.example import Example
from robustfim.roles import Model, Paraphraser, Trainer
from robustfim.seeds import random_for
from robustfim.suite import Use
from robustfim_sears.mining.mined import Mined
from robustfim_sears.mining.mining import mine
from robustfim_sears.remedy.augmentation import Augmented, augment, rules_part
from robustfim_sears.remedy.gating import Gating
from robustfim_sears.rule.rule import Rule

__all__ = ["Refit", "Split", "mine_model", "refit", "split"]


RULES = 16
"""The largest number of rules that are mined."""


@dataclass(frozen=True)
class Split:
    """Training data in two parts.

    Attributes:
        fit: The examples to train on.
        held: The held-out examples, which decide when a training stops and from which rules are mined.
        repeated: The number of rows left out because their text occurred before.
        validation: The number of rows left out because they are validation examples.
    """

    fit: tuple[Example, ...]
    held: tuple[Example, ...]
    repeated: int
    validation: int


@dataclass(frozen=True)
class Refit:
    """Two models trained with the same seed, before and after augmentation, with the rules and the augmented data."""

    before: Model
    after: Model
    rules: tuple[Rule, ...]
    mined: Mined | None
    augmented: Augmented


def split(train: Sequence[Example], gating: Gating, *, held: float, seed: int) -> Split:
    """Split training data into a part to train on and a held-out part.

    Args:
        train: The training data; repeated texts count once.
        gating: The validation examples, which are left out.
        held: The fraction that is held out, in (0, 1).
        seed: The seed of the split.

    Raises:
        DataError: An example has no gold label, or too few examples are left.
    """
    distinct = {example.id: example for example in reversed(train)}
    kept = [example for example in distinct.values() if example not in gating]
    if bare := [example for example in kept if example.label is None]:
        raise DataError(f"{len(bare)} training examples have no gold label to learn from, such as {bare[0].id}.")
    order = sorted(kept, key=lambda example: (random_for(seed, "study sears", example.id).random(), example.id))
    number = round(held * len(order))
    if not 0 < number < len(order):
        raise DataError(f"{len(order)} training examples are too few to hold {held:.0%} of them out.")
    return Split(tuple(order[number:]), tuple(order[:number]), len(train) - len(distinct), len(distinct) - len(kept))


def refit(
    parts: Split, trainer: Named, rules: Callable[[Model], tuple[Sequence[Rule], Mined | None]], gating: Gating, *,
    per_example: int | None, share: float, seed: int, folder: Path, report: Callable[[str], None],
) -> Refit:  # fmt: skip
    """Train a model, find rules, augment the training data, and train again.

    Args:
        parts: The training data.
        trainer: The trainer.
        rules: Returns the rules of the first model.
        gating: The validation examples; no variant may have their texts.
        per_example: The largest number of variants of a training example; None for all.
        share: The fraction of the training examples of which variants are made.
        seed: The seed of both trainings and of the augmentation.
        folder: Where to write the models.
        report: Called with lines of progress.

    Raises:
        NothingCollected: There is no rule, or no rule changes a training example.
        DataError: The trainer cannot learn from the examples.
        ModelError: A library is missing, or a model gives no usable answer.
    """

    def train(examples: Sequence[Example], name: str) -> Model:
        report(f"training on {len(examples):,} examples, {name}")
        made: Trainer = trainer.make()
        spec = made.train(examples, parts.held, folder / name, seed=seed, report=lambda line: report(f"  {line}"))
        model: Model = Named("models", Use.model_validate(dict(spec)), trainer.file, trainer.manager).make()
        return model

    before = train(parts.fit, "before")
    found, mined = rules(before)
    if not found:
        raise NothingCollected(
            f"no rule was found on {len(parts.held):,} held-out examples: there is nothing to fix. Give rules with "
            "--rules, hold more out, or name another paraphraser."
        )
    augmented = augment(
        parts.fit, [rules_part(found, trainer.manager)], seed=seed, per_example=per_example, share=share, gating=gating
    )
    for line in augmented.told():
        report(line)
    if not augmented.variants:
        raise NothingCollected("no rule changes a training example, so there is nothing new to train on.")
    return Refit(before, train(augmented.examples, "after"), tuple(found), mined, augmented)


def mine_model(
    model: Model, examples: Sequence[Example], paraphraser: Named, *, seed: int, offline: bool,
    report: Callable[[str], None],
) -> Mined:  # fmt: skip
    """Mine rules of a newly trained model.

    Args:
        model: The model.
        examples: The examples to mine.
        paraphraser: The source of paraphrases and the score.
        seed: The seed of the mining.
        offline: Whether downloads are forbidden.
        report: Called with lines of progress.

    Raises:
        RobustfimError: As for :func:`~robustfim_sears.mining.mining.mine`.
    """
    report(f"mining {len(examples):,} held-out examples")
    made: Paraphraser = paraphraser.make()
    around = context(model, list(examples), seed=seed, offline=offline, plugins=paraphraser.manager)
    return mine(examples, around, made, rules=RULES, tell=False)  # the study itself measures on other data
