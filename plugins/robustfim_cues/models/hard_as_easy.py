"""The reducer that compares hard examples, which cues alone do not solve, with easy examples."""

from __future__ import annotations

from pathlib import Path

from pydantic import PositiveInt

from robustfim.errors import DataError, SkipCheck
from robustfim.roles import Context
from robustfim_cues.models.scorer import CueScore, Folds
from robustfim_cues.models.split import read_split

__all__ = ["HardAsEasy"]


class HardAsEasy:
    """Limits the failure rate of hard examples minus the failure rate of easy examples.

    An example is easy if a partial-input model, such as one without the premise, solves it in cross-validation over the
    labelled examples of the run; all others are hard (Kavumba et al. 2019). With ``perturb: itself`` and ``expect:
    correct``, the check compares accuracies. One failing candidate fails an example.

    Args:
        split: A file written by ``robustfim cues split``. Without it, the split is computed in the run, with the run's
            seed.
        leave_out: The fields that the partial-input model does not read; by default the premise of choices, and no
            field of other examples.
        folds: The number of folds, ≥ 2.
        repeats: How often the folds are drawn anew, ≥ 1.
        ngrams: The largest n of n-grams, ≥ 1.
    """

    def __init__(
        self,
        split: Path | None = None,
        leave_out: list[str] | None = None,
        folds: Folds = 10,
        repeats: PositiveInt = 5,
        ngrams: PositiveInt = 1,
    ) -> None:
        self._split = split
        self._score = CueScore(leave_out, folds, repeats, ngrams)
        self._groups: dict[str, frozenset[str]] = {}

    def prepare(self, context: Context) -> None:
        """Split the examples of the run into easy and hard examples.

        Raises:
            SkipCheck: The model that sees only part of the input is uninformative for every example, as on data where
                each alternative is right once and wrong once.
            DataError: The split cannot be read or computed, or all examples of the run are easy, or all are hard.
        """
        if self._split is not None:
            sides = dict(read_split(self._split))
        else:
            rows = [example for example in context.examples if example.label is not None]
            found = self._score.cross_validated(rows, context.seed)
            if found.ties == len(rows):
                raise SkipCheck(
                    f"no word predicts the answer in any of {len(rows)} examples, so that the easy part of the data "
                    "is empty."
                )
            sides = {row.id: "easy" if solved else "hard" for row, solved in zip(rows, found.solved, strict=True)}
        known = {example.id for example in context.examples}
        for side in ("hard", "easy"):
            self._groups[side] = frozenset(each for each in known if sides.get(each) == side)
            if not self._groups[side]:
                made = "" if self._split is None else f" in {self._split}; was it made for the same data?"
                raise DataError(f"no example of the run is {side}{made}.")

    def fails(self, failed: int, tested: int) -> bool:
        """Return whether at least one candidate of the example failed."""
        return failed > 0

    def groups(self) -> dict[str, frozenset[str]]:
        """Return the ids of the hard examples and of the easy ones."""
        return self._groups
