"""Partial-input models: cross-validate a model that does not read a field such as the premise (Poliak et al. 2018)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from robustfim.errors import DataError, shown, suggestions
from robustfim.example import Example
from robustfim.seeds import random_for
from robustfim.statistics import Rate
from robustfim_cues.choices.choice import ALTERNATIVES, alternatives, is_choice
from robustfim_cues.models.linear import LinearModel

if TYPE_CHECKING:
    from robustfim_cues.models.trained import TrainedModel

__all__ = ["PartialInput", "partial_input"]

_TIE = 1e-6
"""Probabilities nearer than this are equal: the solver stops at about that precision."""


@dataclass(frozen=True)
class PartialInput:
    """The cross-validated answers of a partial-input model: a model that does not read some fields.

    Attributes:
        leave_out: The fields that the model did not read.
        given: For each example, the probability of the gold label when the example was held out, averaged over
            repetitions, ``[examples]``.
        solved: Whether the gold label was the most likely label, ``[examples]``; ties are broken by a seeded coin.
        ties: The number of ties: examples without a feature that the model knows. On balanced data all examples are
            ties.
        chance: The accuracy of always predicting the most frequent label; 1/2 for choices.
    """

    leave_out: tuple[str, ...]
    given: tuple[float, ...]
    solved: tuple[bool, ...]
    ties: int
    chance: float

    @property
    def rate(self) -> Rate:
        """Return the rate of solved examples."""
        return Rate(sum(self.solved), len(self.solved))

    @property
    def p_value(self) -> float:
        """Return the exact, two-sided binomial p-value of the hypothesis that the accuracy is ``chance``."""
        from scipy.stats import binomtest

        return float(binomtest(sum(self.solved), len(self.solved), self.chance).pvalue)


def partial_input(
    examples: Sequence[Example],
    *,
    leave_out: Sequence[str] = (),
    folds: int = 10,
    repeats: int = 5,
    seed: int = 0,
    longest: int = 1,
    learner: LinearModel | TrainedModel | None = None,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> PartialInput:
    """Cross-validate a model that does not read some fields.

    Instances with the same alternatives, such as an instance and its mirror, are always in the same fold; so are equal
    texts. Otherwise training on one of them would reveal the answer to the other.

    Args:
        examples: Labelled examples; either all or none are choices.
        leave_out: The fields that the model does not read.
        folds: The number of folds, ≥ 2.
        repeats: The number of repetitions with newly drawn folds, ≥ 1; probabilities are averaged.
        seed: The seed of the folds.
        longest: The largest n of the n-grams that the linear model reads, ≥ 1.
        learner: A learner that leaves out the fields itself; a linear model by default.
        progress: Called after every fold with a name of the work, the number of examples held out so far, and the
            number of all examples to hold out.

    Raises:
        DataError: A field is unknown, no field is left to read, a gold label is missing, or there are too few
            examples.
        UsageError: scikit-learn is missing.
    """
    _require(examples, leave_out)
    labels = sorted({str(example.label) for example in examples})
    choices = is_choice(examples[0].fields)
    groups: dict[Hashable, list[int]] = {}
    for index, example in enumerate(examples):
        groups.setdefault(frozenset(alternatives(example)) if choices else example.id, []).append(index)
    if len(groups) < folds:
        raise DataError(f"{len(groups)} different examples are too few for {folds} folds.")
    places = {label: index for index, label in enumerate(("1", "2") if choices else labels)}
    total, told = np.zeros((len(examples), len(places))), 0
    learner = learner or LinearModel(leave_out, longest=longest)
    for repeat in range(repeats):
        order = list(groups.values())
        random_for(seed, "folds", str(repeat)).shuffle(order)
        for fold in range(folds):
            held_out = [index for group in order[fold::folds] for index in group]
            total[held_out] += _held_out(examples, held_out, places, learner)
            told += len(held_out)
            progress("cross-validate", told, repeats * len(examples))
    total /= repeats
    gold = np.array([places[str(example.label)] for example in examples])
    rows = np.arange(len(examples))
    given = total[rows, gold]
    others = total.copy()
    others[rows, gold] = -1
    ahead = given - others.max(axis=1)
    ties = np.abs(ahead) < _TIE
    coin = np.array([random_for(seed, "tie", example.id).random() < 1 / len(places) for example in examples])
    counts = np.bincount(gold, minlength=len(places))
    return PartialInput(
        tuple(leave_out),
        tuple(map(float, given)),
        tuple(map(bool, np.where(ties, coin, ahead > 0))),
        int(ties.sum()),
        0.5 if choices else float(counts.max() / len(examples)),
    )


def _require(examples: Sequence[Example], leave_out: Sequence[str]) -> None:
    if not examples:
        raise DataError("there is no example to cross-validate on.")
    if any(example.label is None for example in examples):
        raise DataError("an example has no gold label, so robustfim cannot check the answer.")
    known = tuple(examples[0].fields)
    for name in leave_out:
        if name not in known:
            raise DataError(f"no field {shown(name)} to leave out.{suggestions(name, known, 'Fields')}")
        if is_choice(examples[0].fields) and name in ALTERNATIVES:
            raise DataError(
                f"a choice needs both alternatives, so {name!r} cannot be left out. Leave out 'premise' or "
                "'question' instead."
            )
    if set(known) <= set(leave_out):
        raise DataError("all fields are left out; nothing is left to read.")
    if len({is_choice(example.fields) for example in examples}) > 1:
        raise DataError("only some examples have the fields choice1 and choice2. Give all examples the same fields.")


def _held_out(
    examples: Sequence[Example], held: Sequence[int], places: dict[str, int], learner: LinearModel | TrainedModel
) -> npt.NDArray[np.float64]:
    """Train on all but some examples, and return the probabilities of those, ``[held, labels]``."""
    out = set(held)
    train = [example for index, example in enumerate(examples) if index not in out]
    rows = np.zeros((len(held), len(places)))
    seen = sorted({str(example.label) for example in train})
    if len(seen) == 1 and not is_choice(examples[0].fields):
        rows[:, places[seen[0]]] = 1  # a rare label stood in this fold alone
        return rows
    model = learner.fit(train)
    rows[:, [places[label] for label in model.labels]] = model.probabilities([examples[index] for index in held])
    return rows
