"""An automatic judge of validity: a constraint that says of every failing pair whether its meaning is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.candidate import Candidate, Edit
from robustfim.collect.lookup import Named, context_of
from robustfim.example import Example
from robustfim.parts import ConstraintPart
from robustfim.predict.store import Store
from robustfim.record.review import JudgeVerdicts, pair_hash

if TYPE_CHECKING:
    from robustfim.record import ExampleRecord, Failure, Record

__all__ = ["judge_pairs", "pairs_of", "prepared"]

_TOGETHER = 64
"""Pairs that a constraint which looks at several sees at once."""


def judge_pairs(
    record: Record,
    judge: Named,
    *,
    offline: bool = False,
    store: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    tell: Callable[[str], None] | None = None,
) -> JudgeVerdicts:
    """Ask a constraint about all failing pairs of texts: what it does not reject it takes for valid.

    It sees each pair once, whatever people say, so that their answers can correct it
    (:func:`robustfim.judge.validity.validity`).

    Args:
        record: The run.
        judge: The constraint, as the command line names it. No model of the run is asked.
        offline: Whether it may fetch nothing.
        store: The file that keeps what the constraint keeps; None for none.
        progress: Told how many pairs are done, of how many.
        tell: Told what the constraint says that it asked of others, be it that an error ends it.

    Raises:
        UsageError: The constraint's options are wrong, or a library is missing.
        ModelError: A model that it needs is missing, or it asks the run's model.
        PluginError: It raised, or gives something else than a reason or None.
    """
    with prepared(record, judge, offline=offline, store=store, tell=tell) as constraint:
        verdicts = _verdicts(constraint, pairs_of(record), progress)
    options = "".join(f", {name}: {value}" for name, value in judge.use.options.items())
    by = f"{{use: {judge.use.use}{options}}}" if options else judge.use.use
    return JudgeVerdicts(by=by, resources=constraint.resources(), verdicts=verdicts)


def pairs_of(record: Record) -> dict[str, Candidate]:
    """Rebuild the candidates that fail, by :func:`robustfim.record.review.pair_hash`; steps have no text."""
    sources = {each.id: _example(each) for each in record.examples}
    pairs: dict[str, Candidate] = {}
    for failure in record.failures:
        source = sources.get(failure.example)
        if failure.step is None and source is not None:
            hashed = pair_hash(source.fields, failure.fields)
            if hashed not in pairs:
                pairs[hashed] = _candidate(source, failure)
    return pairs


@contextmanager
def prepared(
    record: Record, judge: Named, *, offline: bool = False, store: Path | None = None,
    tell: Callable[[str], None] | None = None,
) -> Iterator[ConstraintPart]:  # fmt: skip
    """Make a constraint ready to look at the pairs of a record, outside of a run.

    Yields:
        The constraint.

    Raises:
        UsageError: As :func:`judge_pairs`.
        ModelError: Likewise.
        PluginError: Likewise.
    """
    constraint: ConstraintPart = judge.make()
    stored = Store(store)
    examples = [_example(each) for each in record.examples]
    around = context_of(None, examples, judge.manager, stored, seed=0, offline=offline)
    try:
        constraint.prepare(around)
        yield constraint
    finally:
        stored.close()
        if tell is not None:
            for each in around.told:
                tell(each)


def _verdicts(
    constraint: ConstraintPart, candidates: Mapping[str, Candidate], progress: Callable[[int, int], None] | None
) -> dict[str, bool]:
    """Ask about each pair, by its hash."""
    verdicts: dict[str, bool] = {}
    for place, (hashed, candidate) in enumerate(candidates.items()):
        if constraint.foresees and not constraint.contract.per_edit and place % _TOGETHER == 0:
            constraint.foresee(list(islice(candidates.values(), place, place + _TOGETHER)))
        verdicts[hashed] = constraint.reject(candidate) is None
        if progress is not None:
            progress(len(verdicts), len(candidates))
    return verdicts


def _example(record: ExampleRecord) -> Example:
    return Example(record.fields, label=record.label)


def _candidate(source: Example, failure: Failure) -> Candidate:
    """Rebuild the candidate; where its edits do not lead to the failing text, whole fields are exchanged."""
    edits = tuple(Edit(**each.model_dump()) for each in failure.edits)
    try:
        found = Candidate(source, edits)
        if dict(found.example.fields) == failure.fields:
            return found
    except ValueError:
        pass
    return Candidate(source, _whole(source.fields, failure.fields))


def _whole(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Edit, ...]:
    return tuple(
        Edit(field, 0, len(text), text, after.get(field, text))
        for field, text in before.items()
        if after.get(field, text) != text
    )
