"""A target: the unit about which a decision is right or wrong, and which an edit may break.

A text's decision is one target. With several labels that are decided at once, each label is a target. For a tagger,
each gold span is a target. For a number, the target is the number within its tolerance. Only this module decides on
which targets an unchanged text is right.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from robustfim.candidate import Candidate
from robustfim.decision import DecisionRule
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.spans import Span, bare_spans, is_spans, read_spans

__all__ = ["After", "Counts", "Target", "after_edits", "at_risk"]

Counts: TypeAlias = Literal["broken", "changes"]
"""How a check counts: right examples that an edit makes wrong, or examples whose answer changes, right or wrong."""

Target: TypeAlias = str | Span
"""``DECISION``, one of several labels, or a gold span of the unchanged text."""

DECISION = "decision"


def at_risk(before: Prediction, example: Example) -> tuple[Target, ...]:
    """Return the gold labels or gold spans of an example that the model has right, so that an edit could break them.

    Args:
        before: The prediction of the unchanged text. An abstention is never right.
        example: The example, with its gold labels.

    Returns:
        The gold labels or spans; empty if the example has no gold labels, or if the model is wrong about all of them.
    """
    if not example.gold:
        return ()
    if before.spans is not None:
        found = bare_spans(before.spans)
        gold = read_spans(example.label) if is_spans(example.label) else ()
        return tuple(span for span in gold if span.bare in found)
    if (rule := _several(before)) is not None:
        return tuple(label for label in rule.targets if _right(rule, label, before, example.gold))
    return (DECISION,) if before.right(example.gold) else ()


@dataclass(frozen=True, slots=True)
class After:
    """The gold labels or gold spans of an example that the model had right, as they are after an edit.

    Attributes:
        left: Those that still count; a gold span whose words were replaced does not.
        wrong: Those that the model now has wrong; spans are given at their places after the edits.
        margin: How wrong the model is about the worst of them, in [0, 1]; below 0 if all are right.
    """

    left: tuple[Target, ...]
    wrong: tuple[Target, ...]
    margin: float


def after_edits(targets: Collection[Target], after: Prediction, candidate: Candidate) -> After:
    """Return the gold labels or spans that the model had right before an edit and has wrong after it.

    Args:
        targets: The result of :func:`at_risk`.
        after: The prediction for the perturbed text. An abstention is wrong.
        candidate: The perturbed text; if its perturbation names a gold label, this label counts.
    """
    if after.spans is not None:
        return _spans_after(targets, after, candidate)
    gold = candidate.example.gold
    if (rule := _several(after)) is not None:
        wrong = tuple(label for label in rule.targets if label in targets and not _right(rule, label, after, gold))
        return After(tuple(targets), wrong, max((_lead(rule, label, after, gold) for label in targets), default=0.0))
    if after.right(gold):
        near = min((after.behind(label) for label in gold if after.says(label)), default=0.0)
        return After(tuple(targets), (), near if after.number is not None else -after.lead)
    return After(tuple(targets), tuple(targets), min(_behind(after, gold), default=0.0))


def _behind(after: Prediction, gold: Sequence[str]) -> list[float]:
    """How far the gold labels fall behind the decision; one that the model does not know has no place in it."""
    return [after.behind(label) for label in gold if after.answer is not None or label in after.labels]


def _spans_after(targets: Collection[Target], after: Prediction, candidate: Candidate) -> After:
    gold = candidate.source.label or ""
    moved = zip(read_spans(gold), candidate.projected(gold).kept, strict=True)
    there = tuple(new for old, new in moved if new is not None and old in targets)
    found = bare_spans(after.spans or ())
    lost = tuple(span for span in there if span.bare not in found)
    return After(there, lost, len(lost) / len(there) if lost else -after.lead)


def _several(prediction: Prediction) -> DecisionRule | None:
    rule = prediction.rule
    return rule if rule is not None and rule.several else None


def _right(rule: DecisionRule, label: str, prediction: Prediction, gold: Sequence[str]) -> bool:
    """Whether one of several labels is decided as some gold decision has it."""
    return rule.takes(prediction.label, label) in {rule.takes(each, label) for each in gold}


def _lead(rule: DecisionRule, label: Target, prediction: Prediction, gold: Sequence[str]) -> float:
    """How far one of several labels is from the side of its threshold that is right, in [−1, 1]; below 0 on it."""
    place = rule.targets.index(str(label))
    share = rule.alone(prediction.tilted)[place]  # ½ at the threshold
    wrong = 2 * share - 1
    return -abs(wrong) if _right(rule, str(label), prediction, gold) else abs(wrong)
