"""The expectations that come with robustfim; they are a plugin, like any other."""

from __future__ import annotations

from typing import Literal

from robustfim.builtin.spans import NO_SPAN, inapplicable, judge_correct, judge_kept, named_spans, require_no_spans
from robustfim.candidate import Candidate
from robustfim.contract import ExpectationContract
from robustfim.decision import WithinRule
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.judgement import Judgement, Verdict
from robustfim.prediction import Prediction
from robustfim.roles import Context
from robustfim.spans import Span
from robustfim.target import After, Counts, after_edits, at_risk

__all__ = ["Changes", "Correct", "Directional", "Equals", "Invariant"]


_NO_GOLD = "no gold label: 'label' of the data names its column, and 'invariant' needs none"
_WRONG_BEFORE = "wrong before any edit"
_UNLABELLED = "no gold label, among others that have one"


class Invariant:
    """An edit must not make a right answer wrong; without gold labels, it must not change the answer.

    With gold labels, an example fails if a candidate *breaks* it: the model answers the unchanged text right and the
    candidate wrong. For a model of several labels each label is judged so, and for a tagger each gold span; a number is
    right within the tolerance of ``decide: {within: …}``. An abstention is wrong. Examples that the model has wrong
    before any edit are not tested. If the data have no gold labels, every *change* of the answer fails.

    Args:
        tolerance: A changed label passes if the old label lost no more than this, in probability, 0 ≤ tolerance < 1
            (CheckList's ``Expect.inv(tolerance)``, Ribeiro et al. 2020).
        counts: ``broken`` or ``changes``; by default ``broken`` if any example of the run has a gold label. With
            ``changes`` every change fails, right or wrong, as Datta et al. and CheckList count.
    """

    def __init__(self, tolerance: float = 0.0, counts: Counts | None = None) -> None:
        self.tolerance = _tolerance(tolerance)
        self.counts, self._asked = counts, counts

    def prepare(self, context: Context) -> None:
        """Choose to count changes if no example has a gold label; without examples yet, choose example by example.

        Raises:
            UsageError: The suite asks for broken examples, and no example has a gold label.
        """
        if self._asked == "broken" and context.labelled is False:
            raise UsageError("'counts: broken' needs gold labels, and no example has one: leave 'counts' out.")
        known: dict[bool | None, Counts | None] = {True: "broken", False: "changes", None: None}
        self.counts = self._asked or known[context.labelled]

    def at_risk(self, before: Prediction, example: Example) -> bool:
        """Return whether the model has anything right that an edit could break; always true if changes are counted."""
        return self._counts(example) == "changes" or bool(at_risk(before, example))

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Fail if an answer that was right is now wrong; the margin is the lead of the wrong answer, in probability."""
        if self._counts(candidate.source) == "changes":
            return self._judge_change(before, after, candidate)
        targets = at_risk(before, candidate.source)
        if not targets:
            return inapplicable(_WRONG_BEFORE if candidate.source.gold else _UNLABELLED)
        edited = after_edits(targets, after, candidate)
        if not edited.left:
            return inapplicable(NO_SPAN)
        if not edited.wrong or (before.spans is None and self._borne(before, after)):
            return Judgement(Verdict.PASSED, min(edited.margin, 0.0))
        return Judgement(Verdict.FAILED, edited.margin, _break(before, after, candidate, edited))

    def _counts(self, example: Example) -> Counts:
        """How an example counts; outside of a run by whether it has a gold label."""
        return self.counts or ("broken" if example.gold else "changes")

    def _judge_change(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        if before.spans is not None:
            return judge_kept(before, after, candidate)
        if after.says(before.label) or self._borne(before, after):
            return _holds(after, before.label)
        return Judgement(Verdict.FAILED, after.behind(before.label), f"{before.shown} -> {after.shown}")

    def _borne(self, before: Prediction, after: Prediction) -> bool:
        """Whether the label lost no more than the tolerance."""
        if not self.tolerance or after.says(before.label):
            return False
        return abs(before.confidence - after.probability(before.label)) <= self.tolerance


def _break(before: Prediction, after: Prediction, candidate: Candidate, edited: After) -> str:
    """Say what is wrong now."""
    lost = [span for span in edited.wrong if isinstance(span, Span)]
    if lost:
        return named_spans(lost, candidate, "is no longer found")
    return f"{before.shown} -> {after.shown}" if after.shown != before.shown else f"still {after.shown}"


class Changes:
    """The label must change.

    Args:
        to: The label that the model must predict after the edit; by default any other label.
    """

    def __init__(self, to: str | None = None) -> None:
        self.to, self.contract = to, ExpectationContract(labels=() if to is None else (to,))

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Fail if the label is unchanged, or not ``to``; not applicable if the label is ``to`` already.

        The margin is the predicted label's probability minus that of the wanted label (or of the best other label).
        """
        require_no_spans(before, "changes")
        if self.to is not None and before.says(self.to):
            return inapplicable(f"already {self.to}")
        still = after.says(before.label)
        if after.says(self.to) if self.to is not None else not still:
            return Judgement(Verdict.PASSED, -after.lead)
        margin = after.lead if self.to is None else after.behind(self.to)
        return Judgement(Verdict.FAILED, margin, f"still {after.shown}" if still else _instead(after, self.to))


class Equals:
    """The label must be a given one: the gold label, or one that the suite names.

    Args:
        label: The label, or a list of labels of which one must be predicted; by default the gold label of the
            candidate, or else of its example.
    """

    def __init__(self, label: str | list[str] | None = None) -> None:
        if label is not None and not label:
            raise ValueError("'label' is empty: name a label, or leave 'label' out for the gold label")
        self.contract = ExpectationContract(labels=[label] if isinstance(label, str) else label or ())

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Fail on another label; not applicable to an example without a gold label."""
        if after.spans is not None:
            return judge_correct(after, candidate)
        wanted = self.contract.labels or ([candidate.label] if candidate.label else list(candidate.example.gold))
        if not wanted:
            return inapplicable(_NO_GOLD)
        behind = {label: after.behind(label) for label in wanted}
        if any(map(after.says, wanted)):
            return _holds(after, min(wanted, key=behind.__getitem__))
        return Judgement(Verdict.FAILED, min(behind.values()), _instead(after, " or ".join(wanted)))


class Correct(Equals):
    """The label must be the gold label."""

    def __init__(self) -> None:
        super().__init__()


class Directional:
    """The probability of a label must not move the wrong way (CheckList's ``Expect.monotonic``), or must move ``by``.

    A number must not move the wrong way by more than the tolerance of the model's ``decide: {within: …}``.

    Args:
        label: The label whose probability is watched; with several labels at once, its own probability. Without it,
            ``watch`` decides.
        direction: ``up``: the probability must not fall; ``down``: it must not rise; ``same``: neither.
        tolerance: How far the probability may move the wrong way, 0 ≤ tolerance < 1.
        against: A label whose probability is subtracted, so that the gap between the two labels is watched, such as
            positive against negative in CheckList's sentiment suite.
        watch: The watched label if ``label`` names none: ``predicted``, the label predicted before, as in CheckList; or
            ``gold``, the example's gold label if it has a single one that the model knows.
        by: How far the probability must move the right way, 0 < by < 1, or a number in its unit; ``tolerance`` is then
            ignored. A model that does not react to an edit fails only with ``by``.
    """

    def __init__(
        self,
        label: str | None = None,
        direction: Literal["up", "down", "same"] = "up",
        tolerance: float = 0.1,
        against: str | None = None,
        watch: Literal["predicted", "gold"] = "predicted",
        by: float | None = None,
    ) -> None:
        if against is not None and against == label:
            raise ValueError(f"'against' names {label!r}, the label that is watched; give 'against' another label")
        self.label, self.direction, self.against, self.watch = label, direction, against, watch
        if by is not None and (direction == "same" or not by > 0):
            raise ValueError(f"'by' must be positive, with 'direction: up' or 'down'; it is {by} with {direction!r}")
        self.tolerance, self.by = _tolerance(tolerance), by
        self.contract = ExpectationContract(labels=[each for each in (label, against) if each is not None])

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Fail on a move the wrong way beyond the tolerance, or short of ``by``; not applicable if no move can fail."""
        require_no_spans(before, "directional")
        if isinstance(before.rule, WithinRule):
            return self._judge_number(before, after, before.rule)
        gold = [candidate.label] if candidate.label else list(candidate.source.gold)
        judged = self.watch == "gold" and len(gold) == 1 and gold[0] in before.labels
        label = self.label or (gold[0] if judged else before.label)
        old, new = self._watched(before, label), self._watched(after, label)
        # Written as in CheckList's Expect.monotonic, so that rounding decides alike on the edge.
        low, high = old <= self.tolerance, old >= 1 - self.tolerance
        held = {"up": low, "down": high, "same": low and high}[self.direction]
        if self.by is not None:
            held = old + self.by > 1 if self.direction == "up" else old < self.by
        if self.against is None and held:
            return inapplicable(f"P({label}) is {old:.2f} already")
        wrong = {"up": old - new, "down": new - old, "same": abs(new - old)}[self.direction]
        slack = self.tolerance if self.by is None else -self.by
        verdict = Verdict.FAILED if wrong > slack else Verdict.PASSED
        moved = "fell" if new < old else "rose"
        name = f"P({label})" if self.against is None else f"P({label}) − P({self.against})"
        return Judgement(verdict, wrong - slack, f"{name} {moved} from {old:.2f} to {new:.2f}")

    def _judge_number(self, before: Prediction, after: Prediction, rule: WithinRule) -> Judgement:
        if self.label is not None or self.against is not None:
            raise ValueError("the model gives a number, and no probability of a label to watch: leave 'label' out")
        number = float(after.label)
        rise = number - float(before.label)
        wrong = {"up": -rise, "down": rise, "same": abs(rise)}[self.direction]
        slack = rule.within if self.by is None else -self.by
        failed = wrong > min(slack, 0) and not (self.by is None and rule.same(number, before.label))
        moved = f"{'fell' if rise < 0 else 'rose'} from {before.shown} to {after.shown}"
        return Judgement(Verdict.FAILED if failed else Verdict.PASSED, wrong - slack, moved)

    def _watched(self, prediction: Prediction, label: str) -> float:
        other = 0.0 if self.against is None else prediction.alone(self.against)
        return (prediction.probability(label) if self.label is None else prediction.alone(label)) - other


def _tolerance(tolerance: float) -> float:
    if 0 <= tolerance < 1:
        return tolerance
    raise ValueError(f"tolerance must lie in [0, 1), not {tolerance}")


def _holds(after: Prediction, label: str) -> Judgement:
    """It passes, by as much as what is decided lies before all else; of a number, by how near it is."""
    return Judgement(Verdict.PASSED, -after.lead if after.number is None else after.behind(label))


def _instead(prediction: Prediction, wanted: str | None) -> str:
    """Say what was predicted and what was wanted; the rest of a decision has a "not" of its own."""
    return f"{prediction.shown}{', not' if prediction.rule is None else ' instead of'} {wanted}"
