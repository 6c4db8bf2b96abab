"""Read which examples a model solved in a run, and compare easy with hard examples (Kavumba et al. 2019)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from robustfim.errors import DataError, UsageError
from robustfim.record import Record
from robustfim.statistics import Gap
from robustfim_cues.models.split import Side

__all__ = ["gap_between", "read_answers"]


def gap_between(right: Mapping[str, bool], sides: Mapping[str, Side]) -> Gap:
    """Count the wrong answers on hard and on easy instances.

    Args:
        right: By example id, whether the model's answer is right.
        sides: By example id, ``easy`` or ``hard``.

    Returns:
        The numbers of wrong and of all answers, on hard and on easy instances.

    Raises:
        DataError: No easy or no hard instance was answered.
    """
    counts: dict[Side, tuple[int, int]] = {}
    for side in ("easy", "hard"):
        answers = [right[each] for each in sides if sides[each] == side and each in right]
        if not answers:
            raise DataError(
                f"the run answered no instance of the split's {side} part. Make the split again for the data of "
                "the run."
            )
        counts[side] = (answers.count(False), len(answers))
    return Gap(counts["hard"], counts["easy"])


def read_answers(path: Path) -> dict[str, bool]:
    """Read from a run record which unperturbed examples the model answered correctly.

    Args:
        path: A ``results.json``.

    Returns:
        By the id of each labelled example, whether the prediction is the gold label.

    Raises:
        DataError: The file is missing or not a run record.
    """
    try:
        rows = Record.load(path).table.rows(["id", "prediction", "label"])
        return {id: prediction == label for id, prediction, label in rows if label is not None}
    except UsageError as error:
        raise DataError(f"{path} is not a results.json of a run: {error}") from error
