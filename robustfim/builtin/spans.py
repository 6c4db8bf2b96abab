"""Expectations for spans: a tagger must still find the spans, and must find no new spans."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from robustfim.candidate import Candidate
from robustfim.contract import ExpectationContract
from robustfim.judgement import Judgement, Verdict
from robustfim.prediction import Prediction
from robustfim.spans import Span, bare_spans, is_spans, read_spans

__all__ = [
    "NO_SPAN",
    "Found",
    "Spurious",
    "inapplicable",
    "judge_correct",
    "judge_kept",
    "named_spans",
    "require_no_spans",
]

NO_SPAN = "no span to find"
"""The reason why an expectation for spans does not apply."""


_NO_GOLD = "no gold spans: 'label' of the data names their column, and 'invariant' and 'spurious' need none"


class Found:
    """A gold span that the tagger found, with its label and both ends, must still be found.

    Gold spans are moved along with the edits. A gold span whose words were changed counts if the perturbation's
    contract says that it keeps its label (``carries``).

    Args:
        labels: The labels of the spans that count; all by default.
    """

    def __init__(self, labels: list[str] | None = None) -> None:
        self._labels, self.contract = labels, ExpectationContract(labels=labels or ())

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Fail if a span is lost; not applicable if the tagger had found no gold span of the example."""
        gold = candidate.source.label
        if not is_spans(gold):
            return inapplicable(_NO_GOLD)
        was = bare_spans(_spans(before))
        pairs = zip(read_spans(gold), candidate.projected(gold).kept, strict=True)
        wanted = [new for old, new in pairs if new is not None and old in was and _counts(new, self._labels)]
        return _lost(wanted, after, candidate)


class Spurious:
    """No span may appear in a new place: one that overlaps neither a span found before nor a gold span.

    Spans found in changed words are judged if the perturbation's contract says that the changed words keep their label
    (``carries``); otherwise they are ignored.

    Args:
        labels: The labels of the spans that count; all by default.
    """

    def __init__(self, labels: list[str] | None = None) -> None:
        self._labels, self.contract = labels, ExpectationContract(labels=labels or ())

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Fail if a span appears in a new place; the margin is the highest probability of such spans."""
        _spans(before)
        known = candidate.projected(before.label)
        gold = candidate.source.label
        right = (*known.spans, *(candidate.projected(gold).spans if is_spans(gold) else ()))
        new = [
            span
            for span in _spans(after)
            if _counts(span, self._labels) and not known.is_open(span) and not any(map(span.overlaps, right))
        ]
        if not new:
            return Judgement(Verdict.PASSED)
        return Judgement(Verdict.FAILED, max(map(_sure, new)), named_spans(new, candidate, "appears"))


def inapplicable(reason: str) -> Judgement:
    """Judge that an expectation does not apply to a text."""
    return Judgement(Verdict.NOT_APPLICABLE, reason=reason)


def judge_kept(before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
    """Judge whether the spans found before are still found, with the same label and both ends."""
    return _lost(candidate.projected(before.label).spans, after, candidate)


def judge_correct(after: Prediction, candidate: Candidate) -> Judgement:
    """Judge whether exactly the gold spans are found; places of spans that do not count are ignored."""
    gold = candidate.source.label
    if not is_spans(gold):
        return inapplicable(_NO_GOLD)
    right = candidate.projected(gold)
    missing = _lost(right.spans, after, candidate, "is not found")
    wrong = [span for span in _spans(after) if span.bare not in right.spans and not right.is_open(span)]
    if missing.failed or not wrong:
        return missing if right.spans else Judgement(Verdict.PASSED)
    return Judgement(Verdict.FAILED, max(map(_sure, wrong)), named_spans(wrong, candidate, "is wrongly found"))


def require_no_spans(prediction: Prediction, name: str) -> None:
    """Refuse a tagger's prediction in an expectation that is for labels only.

    Raises:
        ValueError: The prediction has spans.
    """
    if prediction.spans is not None:
        raise ValueError(
            f"{name!r} is an expectation about labels, and the model finds spans; use 'invariant', 'correct', "
            "'found' or 'spurious'"
        )


def _lost(
    wanted: Sequence[Span], after: Prediction, candidate: Candidate, verb: str = "is no longer found"
) -> Judgement:
    """Fail where one is not found, by the share that is not."""
    if not wanted:
        return inapplicable(NO_SPAN)
    now = bare_spans(_spans(after))
    lost = [span for span in wanted if span.bare not in now]
    if not lost:
        return Judgement(Verdict.PASSED, -after.lead)
    return Judgement(Verdict.FAILED, len(lost) / len(wanted), named_spans(lost, candidate, verb))


def _spans(prediction: Prediction) -> tuple[Span, ...]:
    if prediction.spans is None:
        raise ValueError("the model finds no spans: this is an expectation of taggers")
    return prediction.spans


def _counts(span: Span, labels: Collection[str] | None) -> bool:
    return labels is None or span.label in labels


def _sure(span: Span) -> float:
    return 1.0 if span.probability is None else span.probability


def named_spans(spans: Sequence[Span], candidate: Candidate, verb: str) -> str:
    """Describe at least one span of a candidate's text with a verb: ``'Ann' is no longer found as person``."""
    text = next(iter(candidate.example.fields.values()))
    verbs = (f" {verb}", *[""] * len(spans))
    named = zip(spans, verbs, strict=False)
    return ", ".join(f"'{text[span.start : span.end]}'{verb} as {span.label}" for span, verb in named)
