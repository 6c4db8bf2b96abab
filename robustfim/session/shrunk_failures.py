"""Reduce the failing texts that reports show first to the fewest edits that still break the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from robustfim.candidate import Candidate, Edit
from robustfim.collect.check import Check
from robustfim.judge.reading_order import ordered_failures
from robustfim.predict.queue import CallLimitReached
from robustfim.prediction import Prediction
from robustfim.propose.proposal import Proposer
from robustfim.propose.search import in_step, nearness
from robustfim.propose.shrinking import Shrinking
from robustfim.record import Failure, Record, ShrunkRecord
from robustfim.roles import Answer, Progress
from robustfim.select.draw import TestedExample
from robustfim.session.failures import add_shifts, describe_failure
from robustfim.session.run_record import run_record
from robustfim.session.stages import Checked
from robustfim.target import Target, after_edits, at_risk

__all__ = ["broken_targets", "with_shrunk"]

_FIRST, _OF_CHECK = 20, 10
"""The number of pairs that reports show first, on a page and for each check."""
_QUERIES = 128
"""The most texts to ask about for one pair."""
_ROUNDS = 3
"""How often the first pairs are determined again, since a shrunk pair may change the order."""


def with_shrunk(
    checked: Checked,
    baseline: Record | None,
    warn: Callable[[str], None],
    progress: Progress,
) -> Checked:
    """Reduce failing texts to the fewest edits that still fail, within ``--max-calls``.

    Args:
        checked: The results of the run, in which all checks have ended.
        baseline: The record of the first baseline, which affects the order in reports; None without a baseline.
        warn: Called with a sentence if the calls are used up.
        progress: Called with ("shrink", failing texts done, all failing texts to shrink).
    """
    checks = {check.id: check for check in checked.collection.checks if check.perturbation.separable is not None}
    failures = {failure.id: failure for failure in checked.failures}
    if not any(_waits(failure, checks) for failure in failures.values()):
        return checked
    # The order asks for no causes, which take the longest of a record, nor for a review, whose pairs are then others.
    plain = {"edit_trials": [], "limit_of_valid": False}
    bare = replace(checked, checks=tuple(check.model_copy(update=plain) for check in checked.checks))
    record = run_record(bare, (), "", 0.0, (), {} if baseline is None else {"": baseline})
    for _ in range(_ROUNDS):
        first = [failure for failure in _first(ordered_failures(record)) if _waits(failure, checks)]
        if not first:
            break
        try:
            for id, check in checks.items():
                own = [failures[failure.id] for failure in first if failure.check == id]
                found = _shrunk(checked, check, own, lambda done, total: progress("shrink", done, total))
                failures |= {failure.id: failure for failure in found}
        except CallLimitReached as reached:
            left = sum(failures[failure.id].shrunk is None for failure in first)
            warn(f"{str(reached).partition('. ')[0]}: {left:,} of the pairs shown first may need fewer edits to fail.")
            break
        record = record.model_copy(update={"failures": [*failures.values()]})
    return replace(checked, failures=tuple(failures[failure.id] for failure in checked.failures))


def _waits(failure: Failure, checks: Iterable[str]) -> bool:
    return failure.shrunk is None and len(failure.edits) > 1 and failure.check in checks


def _first(ordered: Sequence[Failure]) -> list[Failure]:
    """The failures that reports show first: of the whole run, and of each check."""
    shown: Counter[str] = Counter()
    first = []
    for place, failure in enumerate(ordered):
        shown[failure.check] += 1
        if place < _FIRST or shown[failure.check] <= _OF_CHECK:
            first.append(failure)
    return first


def _shrunk(
    checked: Checked, check: Check, failures: Sequence[Failure], advance: Callable[[int, int], None]
) -> list[Failure]:
    """Shrink failures of one check side by side."""
    context, proposer = checked.context, Proposer(check, checked.context, checked.lock)
    known = {example.id: example for example in checked.examples.among({failure.example for failure in failures})}
    sources = [
        TestedExample(known[failure.example], checked.predictions[failure.example], failure.arm or "all")
        for failure in failures
    ]
    candidates = [
        Candidate(source.example, tuple(Edit(**edit.model_dump()) for edit in failure.edits))
        for source, failure in zip(sources, failures, strict=True)
    ]
    shrinks = [
        Shrinking(candidate, _QUERIES, accept, mentions=check.perturbation.separable == "mentions")
        for candidate, accept in zip(
            candidates, proposer.acceptors([source.example for source in sources]), strict=True
        )
    ]
    tested = context.queue.predict([candidate.example for candidate in candidates])
    broken = [broken_targets(check, *each) for each in zip(sources, candidates, tested, strict=True)]

    def ask(pairs: list[tuple[int, Candidate]]) -> list[Answer | None]:
        advance(len(failures) - len({index for index, _ in pairs}), len(failures))
        predictions = context.queue.predict([candidate.example for _, candidate in pairs])
        return [
            _answer(check, sources[index], candidate, after, broken[index])
            for (index, candidate), after in zip(pairs, predictions, strict=True)
        ]

    in_step([shrink.run() for shrink in shrinks], ask)
    fewest = [candidate.with_edits(shrink.edits) for candidate, shrink in zip(candidates, shrinks, strict=True)]
    smaller = []
    for failure, source, candidate, after in zip(
        failures, sources, fewest, context.queue.predict([each.example for each in fewest]), strict=True
    ):
        assert after is not None  # noqa: S101  # it was judged
        judgement = check.judge(source.prediction, after, candidate)
        smaller.append(describe_failure(check, source, candidate, after, judgement, failure.reproduce))
    add_shifts(smaller, fewest, context)
    kept = ShrunkRecord.model_fields.keys() - {"tested", "queries"}
    records = [
        ShrunkRecord(**{name: getattr(now, name) for name in kept}, tested=len(failure.edits), queries=shrinking.asked)
        for failure, now, shrinking in zip(failures, smaller, shrinks, strict=True)
    ]
    return [failure.model_copy(update={"shrunk": record}) for failure, record in zip(failures, records, strict=True)]


def _answer(
    check: Check, source: TestedExample, candidate: Candidate, after: Prediction | None, broken: frozenset[Target]
) -> Answer | None:
    """Judge fewer edits: they fail where they break one of the targets that all of them break."""
    if after is None:
        return None
    judgement = check.judge(source.prediction, after, candidate)
    same = not broken or bool(broken & broken_targets(check, source, candidate, after))
    return Answer(nearness(judgement), judgement.failed and same)


def broken_targets(
    check: Check, source: TestedExample, candidate: Candidate, after: Prediction | None
) -> frozenset[Target]:
    """Return the gold labels or spans that the model has right before the edits of a text and wrong after them."""
    if after is None:
        return frozenset()
    carried = check.carrying(candidate, after)
    risks = at_risk(source.prediction, source.example)
    return frozenset(target for target in risks if after_edits([target], after, carried).wrong)
