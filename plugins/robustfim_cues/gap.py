"""The gap: how far a model's accuracy on hard instances lies below that on easy ones (Kavumba et al. 2019)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from robustfim.errors import DataError
from robustfim.outcome import Outcome
from robustfim.statistics import wilson
from robustfim_cues.split import Side

__all__ = ["Gap", "gap", "read_answers"]


@dataclass(frozen=True)
class Gap:
    """Right answers on easy and on hard instances.

    Attributes:
        easy: Right ones and all, of the easy instances.
        hard: Right ones and all, of the hard instances.
        limit: The tolerated difference of accuracies, in [0, 1).
    """

    easy: tuple[int, int]
    hard: tuple[int, int]
    limit: float

    @property
    def difference(self) -> float:
        """The accuracy on easy instances less that on hard ones, in [−1, 1]."""
        return self.easy[0] / self.easy[1] - self.hard[0] / self.hard[1]

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the difference (Newcombe 1998, his method 10)."""
        (easy_low, easy_high), (hard_low, hard_high) = (wilson(*each) or (0.0, 1.0) for each in (self.easy, self.hard))
        easy, hard = (right / all_ for right, all_ in (self.easy, self.hard))
        below = ((easy - easy_low) ** 2 + (hard_high - hard) ** 2) ** 0.5
        above = ((easy_high - easy) ** 2 + (hard - hard_low) ** 2) ** 0.5
        return self.difference - below, self.difference + above

    @property
    def p_value(self) -> float:
        """Fisher's exact test, one-sided: so large a difference, were both accuracies one."""
        from scipy.stats import fisher_exact

        table = [[right, all_ - right] for right, all_ in (self.easy, self.hard)]
        return float(fisher_exact(table, alternative="greater").pvalue)

    @property
    def outcome(self) -> Outcome:
        """FAILED where the interval lies above the limit, PASSED where it lies below, else INCONCLUSIVE."""
        low, high = self.interval
        return Outcome.FAILED if low > self.limit else Outcome.PASSED if high < self.limit else Outcome.INCONCLUSIVE


def gap(right: Mapping[str, bool], sides: Mapping[str, Side], limit: float) -> Gap:
    """Count right answers on both sides.

    Args:
        right: By example id, whether the model was right.
        sides: By example id, easy or hard.
        limit: The tolerated difference, in [0, 1).

    Raises:
        DataError: No easy or no hard instance was answered.
    """
    counts = {
        side: [right[each] for each in sides if sides[each] == side and each in right] for side in ("easy", "hard")
    }
    for side, answers in counts.items():
        if not answers:
            raise DataError(f"the run answered no {side} instance of the split; was it made for the same data?")
    easy, hard = ((sum(answers), len(answers)) for answers in counts.values())
    return Gap(easy, hard, limit)


def read_answers(path: Path) -> dict[str, bool]:
    """Read from a run record which examples the model answered rightly.

    Args:
        path: A ``results.json``.

    Returns:
        By the id of each labelled example, whether the prediction is the gold label.

    Raises:
        DataError: The file is missing, or no run record.
    """
    try:
        examples: Sequence[Mapping[str, str]] = json.loads(path.read_text(encoding="utf-8"))["examples"]
        return {each["id"]: each["prediction"] == each["label"] for each in examples if each["label"] is not None}
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{path} is no results.json of a run: {type(error).__name__}: {error}.") from error
