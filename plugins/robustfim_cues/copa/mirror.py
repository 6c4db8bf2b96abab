"""Mirrored instances: the same alternatives under another premise, with the other answer (Kavumba et al. 2019)."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.judgement import Judgement, Verdict
from robustfim.prediction import Prediction
from robustfim.roles import Context
from robustfim_cues.choices.choice import partners
from robustfim_cues.copa.consistency import MIRROR_ALONE, NONE, ORIGINAL_ALONE

__all__ = ["BothRight", "Mirror"]


class Mirror:
    """Replaces an original instance by its mirrored instance in the data.

    The candidate has the gold label of the mirrored instance. Mirrored instances themselves have no candidate, so each
    pair counts once.
    """

    def __init__(self) -> None:
        self._mirrors: dict[str, Example] = {}

    def prepare(self, context: Context) -> None:
        """Find for each original instance the mirrored instance, in which the other alternative is right.

        Raises:
            DataError: A pair does not consist of one original and one mirrored instance.
        """
        alone: list[str] = []
        for name, group in partners(context.examples).items():
            originals = [example for example in group if not example.meta.get("mirrored")]
            mirrored = [example for example in group if example.meta.get("mirrored")]
            if len(originals) != 1 or len(mirrored) != 1:
                alone.append(name)
            else:
                self._mirrors[originals[0].id] = mirrored[0]
        if alone:
            shown = ", ".join(alone[:5]) + (" …" if len(alone) > 5 else "")
            raise DataError(
                f"{len(alone)} of the pairs do not hold one original and one mirrored instance: {shown}. "
                "'robustfim cues balance' lists the missing instances."
            )

    def propose(self, example: Example, random: Random) -> Iterable[Candidate]:
        """Yield the mirror of an original instance as its only candidate; nothing for a mirrored instance."""
        mirror = self._mirrors.get(example.id)
        if mirror is not None:
            edits = (
                Edit(name, 0, len(text), text, mirror.fields[name], f"mirror {mirror.meta.get('number', mirror.id)}")
                for name, text in example.fields.items()
                if text != mirror.fields[name]
            )
            yield Candidate(example, tuple(edits), label=mirror.label)


class BothRight:
    """Both the example and its candidate must get their gold labels."""

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Judge a pair as failed if the prediction of the example or of the candidate is wrong.

        Without gold labels the check is not applicable to the pair. The margin (how clearly the pair fails) is the
        probability of the best other label minus that of the gold label, in the worse of the two predictions.
        """
        gold, other = candidate.source.label, candidate.label or candidate.source.label
        if gold is None or other is None:
            return Judgement(Verdict.NOT_APPLICABLE, reason="no gold label")
        behind = max(_behind(before, gold), _behind(after, other))
        right = (before.label == gold, after.label == other)
        if all(right):
            return Judgement(Verdict.PASSED, behind)
        reasons = {(True, False): ORIGINAL_ALONE, (False, True): MIRROR_ALONE}
        return Judgement(Verdict.FAILED, behind, reasons.get(right, NONE))


def _behind(prediction: Prediction, label: str) -> float:
    """How far a label falls behind the best other one; negative where it is ahead."""
    rest = [p for p, name in zip(prediction.tilted, prediction.labels, strict=True) if name != label]
    return max(rest, default=0.0) - prediction.tilt(label)
