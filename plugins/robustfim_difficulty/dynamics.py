"""Training dynamics: what a model said of its training examples in each epoch, from files that a training wrote.

They ask the model under test nothing. They need the files, and a column of the data that says which line is whose.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from math import inf, isfinite, nan
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robustfim.contract import ScoreContract
from robustfim.errors import DataError, did_you_mean
from robustfim.example import Example
from robustfim.roles import Context

__all__ = ["AreaUnderMargin", "Confidence", "Correctness", "Forgetting", "Variability", "read_dynamics"]

_FILE = re.compile(r"dynamics_epoch_(\d+)\.jsonl")

Trace = tuple[NDArray[np.float64], int]
"""The logits of one example ``[epochs, classes]``, and the number of its gold class."""


def read_dynamics(folder: Path) -> dict[str, Trace]:
    """Read training dynamics in the format of Dataset Cartography.

    Files ``dynamics_epoch_N.jsonl`` with lines ``{"guid": …, "logits_epoch_N": [...], "gold": 0}`` (Swayamdipta et al.
    2020, https://github.com/allenai/cartography). An example counts if every epoch has it.

    Returns:
        The logits of each epoch, in the order of the epochs, and the gold class, by the text of ``guid``.

    Raises:
        DataError: There are no such files, one is malformed, or the epochs know no example in common.
    """
    found = {int(match[1]): each for each in _listed(folder) if (match := _FILE.fullmatch(each.name))}
    if not found:
        raise DataError(f"{folder} has no dynamics_epoch_0.jsonl, dynamics_epoch_1.jsonl, …")
    epochs = [dict(_epoch(found[number], number)) for number in sorted(found)]
    shared = [guid for guid in epochs[0] if all(guid in each for each in epochs)]
    if not shared:
        raise DataError(f"{folder}: the {len(epochs)} epochs have no example in common.")
    traces: dict[str, Trace] = {}
    for guid in shared:
        rows, golds = zip(*(each[guid] for each in epochs), strict=True)
        if len({len(row) for row in rows}) > 1 or len(set(golds)) > 1:
            raise DataError(f"{folder}: the epochs differ in the classes or the gold label of {guid}.")
        traces[guid] = np.array(rows, dtype=np.float64), golds[0]
    return traces


def _listed(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise DataError(f"no folder {folder}; name the one that holds dynamics_epoch_0.jsonl.")
    return sorted(folder.iterdir())


def _epoch(path: Path, number: int) -> Iterator[tuple[str, tuple[list[float], int]]]:
    key = f"logits_epoch_{number}"
    for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = json.loads(text)
            logits, gold = [float(each) for each in row[key]], int(row["gold"])
            guid = str(row["guid"])
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"{path}:{line}: not {{guid, {key}, gold}}: {type(error).__name__}: {error}.") from None
        if not all(map(isfinite, logits)) or not 0 <= gold < len(logits):
            raise DataError(f"{path}:{line}: logits that are not finite, or a gold class that they do not have.")
        yield guid, (logits, gold)


class _Dynamics(ABC):
    """One number of the training dynamics of each example.

    Args:
        path: The folder of ``dynamics_epoch_0.jsonl``, ….
        id: The column of the data that holds the ``guid``; without it examples are known by their ids, as in what
            ``robustfim train --dynamics`` writes.
    """

    def __init__(self, path: Path, id: str = "guid") -> None:  # the option's name
        self._path, self._id = path, id
        self._traces: Mapping[str, Trace] | None = None

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Look the examples up.

        Returns:
            The number of each example; NaN of one that the files do not have.

        Raises:
            DataError: The files are missing or malformed, the data has no such column, or no example is in the files.
        """
        traces = self._traces = read_dynamics(self._path) if self._traces is None else self._traces
        for each in examples[:1]:
            if self._id not in each.meta and not any(one.id in traces for one in examples):
                known = ", ".join(each.meta) or "none"
                raise DataError(
                    f"the data has no column {self._id!r}.{did_you_mean(self._id, each.meta)} It has: {known}."
                )
        # What robustfim's own trainings write is named by the examples' ids.
        found = [traces.get(str(each.meta.get(self._id, each.id))) for each in examples]
        if examples and not any(each is not None for each in found):
            raise DataError(f"{self._path} knows none of the {len(examples)} examples by their column {self._id!r}.")
        return [nan if each is None else self._measure(*each) for each in found]

    @abstractmethod
    def _measure(self, logits: NDArray[np.float64], gold: int) -> float:
        """Measure one example."""


def _probabilities(logits: NDArray[np.float64], gold: int) -> NDArray[np.float64]:
    """P(gold) in each epoch."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    found: NDArray[np.float64] = powers[:, gold] / powers.sum(axis=1)
    return found


class Confidence(_Dynamics):
    """Dataset Cartography's confidence: the mean of P(gold) over the epochs, in [0, 1] (Swayamdipta et al. 2020).

    Costs nothing but a training that wrote its dynamics.
    """

    contract = ScoreContract(hardest="lowest")

    def _measure(self, logits: NDArray[np.float64], gold: int) -> float:
        return float(_probabilities(logits, gold).mean())


class Variability(_Dynamics):
    """Dataset Cartography's variability: the standard deviation of P(gold) over the epochs, in [0, 1/2].

    Swayamdipta et al. 2020. Costs nothing but a training that wrote its dynamics.
    """

    contract = ScoreContract(hardest="highest")

    def _measure(self, logits: NDArray[np.float64], gold: int) -> float:
        return float(_probabilities(logits, gold).std())


class Correctness(_Dynamics):
    """Dataset Cartography's correctness: the share of epochs in which the gold label is predicted, in [0, 1].

    Swayamdipta et al. 2020, who count the epochs. Costs nothing but a training that wrote its dynamics.
    """

    contract = ScoreContract(hardest="lowest")

    def _measure(self, logits: NDArray[np.float64], gold: int) -> float:
        return float((logits.argmax(axis=1) == gold).mean())


class Forgetting(_Dynamics):
    """Forgetting events: how often an example that was predicted right no longer is, in the next epoch (a count).

    Toneva et al. 2019; inf of an example that no epoch predicts right. Costs nothing but a training that wrote its
    dynamics.
    """

    contract = ScoreContract(hardest="highest")

    def _measure(self, logits: NDArray[np.float64], gold: int) -> float:
        right = logits.argmax(axis=1) == gold
        return float((right[:-1] & ~right[1:]).sum()) if right.any() else inf


class AreaUnderMargin(_Dynamics):
    """The area under the margin: the mean over the epochs of the gold logit minus the largest other one.

    Pleiss et al. 2020; in logits, negative for examples that look mislabelled. Costs nothing but a training that wrote
    its dynamics.
    """

    contract = ScoreContract(hardest="lowest")

    def _measure(self, logits: NDArray[np.float64], gold: int) -> float:
        others = np.delete(logits, gold, axis=1)
        return float((logits[:, gold] - others.max(axis=1)).mean()) if others.size else nan
