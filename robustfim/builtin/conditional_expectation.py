"""Expectations that wrap another: the condition ``where``, and predictions in other labels than the model's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from robustfim.candidate import Candidate
from robustfim.contract import ExpectationContract
from robustfim.example import Example
from robustfim.judgement import Judgement, Verdict
from robustfim.members import Wrapper
from robustfim.parts import ExpectationPart
from robustfim.prediction import Prediction
from robustfim.roles import Expectation

__all__ = ["InOtherLabels", "Where", "original_labels"]


class Where(Wrapper):
    """An expectation that applies only if the original prediction is one of some labels.

    CheckList judges some tests like this: ``Expect.slice_pairwise`` with a condition on ``orig_pred`` (Ribeiro et al.
    2020).

    Args:
        expectation: The expectation to apply.
        original: The labels; the model must have predicted one of them before the change.
    """

    def __init__(self, expectation: Expectation, original: Sequence[str]) -> None:
        super().__init__(expectation)
        self.original = tuple(original)

    @property
    def contract(self) -> ExpectationContract:
        """The labels of the condition, and those that the expectation names."""
        return ExpectationContract(labels=(*self.original, *ExpectationPart(self.wrapped).contract.labels))

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Judge if the original prediction is one of the labels; otherwise the expectation is not applicable."""
        if not any(map(before.says, self.original)):
            return Judgement(Verdict.NOT_APPLICABLE, reason=f"was {before.shown}")
        judgement: Judgement = self.wrapped.judge(before, after, candidate)
        return judgement


class InOtherLabels(Wrapper):
    """An expectation that translates predictions to other labels than the model's, and judges the result.

    Attributes:
        contract: The expectation names no label of the model.
    """

    contract = ExpectationContract()

    def __init__(self, expectation: Expectation, read: Callable[[Prediction], Prediction]) -> None:
        super().__init__(expectation)
        self._read = read

    def at_risk(self, before: Prediction, example: Example) -> bool:
        """Return whether the expectation can fail for an example, judged in the other labels."""
        return ExpectationPart(self.wrapped).at_risk(self._read(before), example)

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Judge the predictions, translated to the other labels."""
        judgement: Judgement = self.wrapped.judge(self._read(before), self._read(after), candidate)
        return judgement


def original_labels(value: Any) -> list[str]:
    """Read ``where: {original: label}``, or a list of labels.

    Raises:
        ValueError: The value is malformed.
    """
    labels = value.get("original") if isinstance(value, dict) and set(value) == {"original"} else None
    labels = [labels] if isinstance(labels, str) else labels
    if not isinstance(labels, list) or not labels or not all(isinstance(label, str) for label in labels):
        raise ValueError(f"'where' is {{original: LABEL}} or {{original: [LABEL, LABEL]}}, not {value!r}")
    return labels
