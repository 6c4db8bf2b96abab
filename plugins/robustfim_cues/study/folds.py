"""The folds of ``study cues``: training data, development data and test data of each training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.seeds import random_for
from robustfim_cues.choices.choice import alternatives, partners

__all__ = ["REGIMES", "Pair", "Training", "complete_pairs", "trainings"]

Pair = tuple[Example, Example]
"""An original instance and its mirror."""

REGIMES: Mapping[str, str] = {
    "original": "the original instances alone",
    "balanced": "the original instances and their mirrors, twice as many",
    "balanced-half": "half of the original instances and their mirrors, as many as of the original ones alone",
}
"""What a model is trained on (Kavumba et al. 2019, section 5), by name."""


@dataclass(frozen=True)
class Training:
    """The data of one training: a training regime (choice of instances) on one fold of the cross-validation.

    Attributes:
        regime: A key of ``REGIMES``.
        fold: The number of the fold, from 1.
        train: The training data.
        dev: The development data, which decide when to stop.
        held: The test data: original and mirrored instances, the same for every regime.
    """

    regime: str
    fold: int
    train: tuple[Example, ...]
    dev: tuple[Example, ...]
    held: tuple[Example, ...]


def complete_pairs(examples: Sequence[Example]) -> list[Pair]:
    """Find the originals with exactly one mirrored instance, in which the other alternative is right.

    Args:
        examples: Choices, with the columns ``pair`` and ``mirrored``.

    Returns:
        Pairs of an original and its mirror.

    Raises:
        DataError: No instance has a mirror, or an instance of a pair has no gold label.
    """
    pairs = []
    for group in partners(examples).values():
        mirrored = [bool(example.meta.get("mirrored")) for example in group]
        if mirrored == [False, True]:
            pairs.append((group[0], group[1]))
    if not pairs:
        raise DataError(
            "no instance has a mirrored instance, and this experiment trains with and without mirrored "
            "instances. 'robustfim cues balance' lists the missing instances."
        )
    if bare := [example for example in chain.from_iterable(pairs) if example.label is None]:
        raise DataError(f"{len(bare)} instances have no gold label to learn from or to test by, such as {bare[0].id}.")
    return pairs


def trainings(pairs: Sequence[Pair], regimes: Sequence[str], *, folds: int, dev: float, seed: int) -> list[Training]:
    """Draw the folds of pairs, and list the trainings of all regimes on all folds.

    No mirror of a test instance is ever in the training or development data of its fold, nor is a pair with the same
    alternatives. In each fold all regimes have the same test pairs, training pairs and development pairs; a regime
    decides which instances of a training or development pair are used.

    Args:
        pairs: Originals and their mirrors.
        regimes: Keys of ``REGIMES``.
        folds: The number of folds, ≥ 2.
        dev: The fraction of the pairs outside the test data that becomes development data, in (0, 1).
        seed: The seed of the folds.

    Raises:
        DataError: There are too few pairs.
    """
    groups: dict[frozenset[str], list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(frozenset(alternatives(pair[0])), []).append(pair)
    order = list(groups.values())
    random_for(seed, "study cues").shuffle(order)
    if len(order) < 2 * folds:
        raise DataError(f"{len(order)} pairs with different alternatives are too few for {folds} folds.")
    found = []
    for fold in range(folds):
        held_out = list(chain.from_iterable(order[fold::folds]))
        rest = [group for place, group in enumerate(order) if place % folds != fold]
        stop = max(1, round(dev * len(rest)))
        for regime in regimes:
            parts = (list(chain.from_iterable(part)) for part in (rest[stop:], rest[:stop]))
            train, stopping = (_instances(part, regime) for part in parts)
            found.append(Training(regime, fold + 1, train, stopping, tuple(chain.from_iterable(held_out))))
    return found


def _instances(pairs: Sequence[Pair], regime: str) -> tuple[Example, ...]:
    """Give pairs the form of a regime."""
    if regime == "original":
        return tuple(original for original, _ in pairs)
    kept = pairs if regime == "balanced" else pairs[: (len(pairs) + 1) // 2]
    return tuple(chain.from_iterable(kept))
