"""The score ``cue``: the probability of the gold label under a model that sees cues only."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, PositiveInt

from robustfim.contract import ScoreContract
from robustfim.example import Example
from robustfim.roles import Context
from robustfim_cues.models.features import default_leave_out

if TYPE_CHECKING:
    from robustfim_cues.models.partial_input import PartialInput

__all__ = ["CueScore", "Folds"]

Folds = Annotated[int, Field(ge=2)]
"""A number of folds."""


class CueScore:
    """The probability of the gold label under a small model that does not read the premise (Kavumba et al. 2019).

    The model is cross-validated over all labelled examples of the run. Examples with low scores, in [0, 1], are
    difficult; examples with high scores can be solved by cues, without understanding. NaN without a gold label. Needs
    ``pip install 'robustfim[cues]'``.

    Args:
        leave_out: The fields that the model does not read; by default the premise of choices, and no field of other
            examples.
        folds: The number of folds, ≥ 2.
        repeats: How often the folds are drawn anew, ≥ 1.
        ngrams: The largest n of n-grams, ≥ 1.
    """

    libraries: ClassVar = {"sklearn": "robustfim[cues]"}
    contract = ScoreContract(hardest="lowest")

    def __init__(
        self,
        leave_out: list[str] | None = None,
        folds: Folds = 10,
        repeats: PositiveInt = 5,
        ngrams: PositiveInt = 1,
    ) -> None:
        self._leave_out, self._folds, self._repeats, self._longest = leave_out, folds, repeats, ngrams
        self._found: tuple[tuple[object, ...], PartialInput] | None = None  # the section shows what was scored

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Return each example's probability of the gold label under the small model; NaN without a gold label.

        Raises:
            DataError: There are fewer labelled examples than folds, or a field is unknown.
        """
        labelled = {example.id: example for example in (*context.examples, *examples) if example.label is not None}
        found = self.cross_validated(list(labelled.values()), context.seed)
        given = dict(zip(labelled, found.given, strict=True))
        return [given.get(example.id, nan) for example in examples]

    def cross_validated(self, examples: Sequence[Example], seed: int) -> PartialInput:
        """Cross-validate the small model on the examples, and cache the result for the same examples and seed.

        Raises:
            DataError: There are fewer examples than folds, or a field is unknown.
        """
        from robustfim_cues.models.partial_input import partial_input

        asked = (seed, *(example.id for example in examples))
        if self._found is None or self._found[0] != asked:
            leave_out = default_leave_out(examples) if self._leave_out is None else self._leave_out
            found = partial_input(
                examples, leave_out=leave_out, folds=self._folds, repeats=self._repeats, seed=seed,
                longest=self._longest,
            )  # fmt: skip
            self._found = (asked, found)
        return self._found[1]
