"""The expectation that a right answer stays right."""

from __future__ import annotations

from robustfim.builtin import Correct
from robustfim.candidate import Candidate
from robustfim.judgement import Judgement, Verdict
from robustfim.prediction import Prediction

__all__ = ["StillRight"]


class StillRight(Correct):
    """What was right must stay right; what was wrong is left out.

    The rate is the share of its right answers that the model loses, with ``cue_removal`` those that hang on a cue.
    """

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Fail on another label than the gold one; not applicable to an example that is unlabelled, or was wrong."""
        if candidate.source.label is not None and before.label != candidate.source.label:
            return Judgement(Verdict.NOT_APPLICABLE, reason="was wrong before")
        return super().judge(before, after, candidate)
