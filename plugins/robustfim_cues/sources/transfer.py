"""Accuracy within a source and from the others: what is left of it without duplicates and without shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from robustfim.errors import DataError, UsageError
from robustfim.seeds import random_for
from robustfim.statistics import Rate, clustered_changes, clustered_rate
from robustfim_cues.sources.cues import Occurring
from robustfim_cues.sources.heterogeneity import shortcuts
from robustfim_cues.sources.reading import Sources

__all__ = ["WAYS", "Transfer", "transfers"]

Indices = npt.NDArray[np.int64]

WAYS: Mapping[str, str] = {
    "as it is": "trained on the other folds of the source",
    "no duplicates": "the same, without the near duplicates of what is held out",
    "no shortcuts": "the same, without the shortcuts that are found on what is not held out",
    "other sources": "trained on all other sources, without the near duplicates of what is held out",
}
"""How a classifier that has not seen an example is trained, from what is commonly measured to what is left."""


@dataclass(frozen=True)
class Transfer:
    """How often a small classifier is right on the examples of a source, or of all.

    Attributes:
        source: The source; None for all of them together.
        right: By way, a key of ``WAYS``, whether it is right, ``[examples]``.
        clusters: The cluster of near duplicates of each example, ``[examples]``.
        elsewhere: The examples of the other sources that it learns from; None for all.
    """

    source: str | None
    right: Mapping[str, npt.NDArray[np.bool_]]
    clusters: Indices
    elsewhere: int | None

    def rate(self, way: str) -> Rate:
        """The accuracy, with Wilson's interval of as many examples as the clusters are worth.

        Args:
            way: A key of ``WAYS``.
        """
        names = [str(place) for place in range(len(self.clusters))]
        held = {name: str(cluster) for name, cluster in zip(names, self.clusters, strict=True)}
        rate, _ = clustered_rate([name for name, hit in zip(names, self.right[way], strict=True) if hit], names, held)
        return rate

    def lost(self, way: str) -> tuple[float, tuple[float, float]]:
        """The accuracy as it is less that of another way, and its 95 % interval (Tango 1998, of clusters).

        Args:
            way: A key of ``WAYS``.

        Returns:
            The difference in [−1, 1], and the ends of its interval.
        """
        changes = self.right["as it is"].astype(np.int8) - self.right[way].astype(np.int8)
        paired, _ = clustered_changes(changes, self.clusters)
        return float(changes.mean()), paired.interval or (-1.0, 1.0)


def transfers(
    sources: Sources, cues: Occurring, clusters: Sequence[int], *, folds: int = 5, minimum: int = 5,
    level: float = 0.05, seed: int = 0, progress: Callable[[str, int, int], None] = lambda *_: None,
) -> list[Transfer]:  # fmt: skip
    """Train a logistic regression of the cues in each of the ``WAYS``, and ask it for what it has not seen.

    All ways of a source have the same folds, so that they differ by what was left out alone.

    Args:
        sources: The examples.
        cues: Which cue stands in which of them.
        clusters: The cluster of near duplicates of each, ``[examples]``.
        folds: The number of folds within a source, ≥ 2; each has every label.
        minimum: As for :func:`~robustfim_cues.sources.heterogeneity.shortcuts`.
        level: The false discovery rate of the shortcuts, in (0, 1).
        seed: The seed of the folds.
        progress: Called after each fold with what is done, the folds so far and all of them.

    Returns:
        One of each source, in their order, and one of all together.

    Raises:
        DataError: A source has fewer examples of a label than there are folds, or nothing is left to learn from.
        UsageError: scikit-learn is missing.
    """
    source, label, cluster = (np.array(each, dtype=np.int64) for each in (sources.source, sources.label, clusters))
    everything = np.ones(len(cues.names), dtype=bool)
    right = {way: np.zeros(len(source), dtype=bool) for way in WAYS}
    elsewhere = []
    for place, name in enumerate(sources.names):
        own = np.flatnonzero(source == place)
        dealt = _dealt(label[own], folds, seed, name, sources.labels)
        others = np.flatnonzero((source != place) & ~np.isin(cluster, cluster[own]))
        elsewhere.append(len(others))
        right["other sources"][own] = _asked(cues, label, others, own, everything, f"the sources other than {name}")
        for fold in range(folds):
            held, rest = own[dealt == fold], own[dealt != fold]
            apart = rest[~np.isin(cluster[rest], cluster[held])]
            kept = ~np.isin(cluster, cluster[held])
            found = shortcuts(cues.names, *cues.counts(source, label, kept), minimum=minimum, level=level).found
            read = cues.without([each.cue for each in found])
            what = f"{name} without near duplicates"
            right["as it is"][held] = _asked(cues, label, rest, held, everything, name)
            right["no duplicates"][held] = _asked(cues, label, apart, held, everything, what)
            right["no shortcuts"][held] = _asked(cues, label, apart, held, read, what)
            progress("cross-validate", place * folds + fold + 1, folds * len(sources.names))
    parts = [np.flatnonzero(source == place) for place in range(len(sources.names))]
    found_of = [
        Transfer(name, {way: each[part] for way, each in right.items()}, cluster[part], size)
        for name, part, size in zip(sources.names, parts, elsewhere, strict=True)
    ]
    return [*found_of, Transfer(None, right, cluster, None)]


def _dealt(label: Indices, folds: int, seed: int, name: str, labels: Sequence[str]) -> Indices:
    """Deal the examples of a source to folds, label by label."""
    dealt = np.zeros(len(label), dtype=np.int64)
    for place, own in enumerate(labels):
        of_label = np.flatnonzero(label == place)
        if len(of_label) < folds:
            raise DataError(f"{name} has {len(of_label)} examples of {own!r}, fewer than {folds} folds: --folds.")
        order = of_label.tolist()
        random_for(seed, "folds", name, own).shuffle(order)
        dealt[order] = np.arange(len(order)) % folds
    return dealt


def _asked(
    cues: Occurring, label: Indices, train: Indices, held: Indices, read: npt.NDArray[np.bool_], what: str
) -> npt.NDArray[np.bool_]:
    """Train on some examples, and tell which of the held ones are answered rightly."""
    try:
        from sklearn.linear_model import LogisticRegression
    except ModuleNotFoundError as error:
        raise UsageError(f"this needs {error.name}: pip install 'robustfim[cues]'.") from error
    if not len(train):
        raise DataError(f"nothing of {what} is left to learn from: all of it are near duplicates of what is held out.")
    seen = np.unique(label[train])
    if len(seen) < 2:
        answers: Any = np.full(len(held), seen[0])
    elif not read.any():
        answers = np.full(len(held), np.bincount(label[train]).argmax())
    else:
        columns = cues.rows[:, np.flatnonzero(read)]
        model = LogisticRegression(C=1.0, max_iter=1000)
        answers = model.fit(columns[train], label[train]).predict(columns[held])
    return np.asarray(answers == label[held], dtype=bool)
