"""Compare a model's answers to easy and to hard examples (Kavumba et al. 2019)."""

from __future__ import annotations

from collections.abc import Mapping

from robustfim.errors import DataError
from robustfim.statistics import Gap
from robustfim_cues.models.split import Side

__all__ = ["gap_between"]


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
