"""Find the causes of a run's failures from the edits that the run tried."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from robustfim.candidate import Candidate, Edit
from robustfim.collect.check import Check
from robustfim.judge.causes import EditTrial, Rule, TriedEdit, find_causes
from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.reading_order import ordered_failures
from robustfim.judgement import Judgement
from robustfim.prediction import Prediction
from robustfim.record import EditCounts, EditRecord, Failure, Record
from robustfim.select.draw import TestedExample
from robustfim.statistics.clusters import ClusterOf

__all__ = ["TriedEdits", "named_causes"]

_TEXTS = 5_000
"""The most texts of a check that are kept: the first ones, whose examples are in random order."""
_EDITS = 100
"""The most edits of a check in the record: those that broke most often."""
_FAILURES = 20
"""The most failures to which a cause refers."""


class TriedEdits:
    """The edits of the texts that a check sent to the model, and whether the texts failed.

    Moves of embeddings, texts of a search (which depend on the answers) and random noise are left out.
    """

    def __init__(self, check: Check, clusters: ClusterOf) -> None:
        self._id, self._clusters = check.id, clusters
        perturbation = check.perturbation
        self._left_out = perturbation.takes_steps or perturbation.contract.noise or check.search is not None
        self.trials: list[EditTrial] = []

    def keep(self, judged: Iterable[tuple[TestedExample, Candidate, Prediction | None, Judgement | None]]) -> None:
        """Add tried texts until the most texts of a check are kept."""
        if self._left_out or len(self.trials) >= _TEXTS:
            return
        for source, candidate, _, judgement in judged:
            if judgement is not None and candidate.edits:
                self.trials.append(
                    EditTrial(
                        self._id,
                        self._clusters.get(source.example.id, source.example.id),
                        judgement.failed,
                        _tried(candidate.edits, source.example.fields),
                        _facts(source.prediction.label, source.prediction.labels, source.prediction.answer),
                    )
                )


def _facts(label: str | None, labels: Sequence[str], answer: str | None = None) -> tuple[str, ...]:
    """Say what the model answered, where it chooses among labels."""
    return (f"where the answer was {label}",) if answer is None and label in labels else ()


def named_causes(record: Record, checks: Iterable[CheckCounts], seed: int) -> Record:
    """Add to a run's record the kinds of edit that cause failures, and how often each edit was tried and failed.

    Args:
        record: The record.
        checks: The counts of the run's checks, with the texts sent to the model.
        seed: The run's seed.
    """
    trials = [trial for check in checks for trial in check.edit_trials]
    causes = find_causes(trials, seed=seed) if any(trial.broken for trial in trials) else []
    waiting = {(cause.check, Rule(cause.edit, cause.where)): list[str]() for cause in causes}
    if causes:
        sources = record.example_by_id
        for failure in ordered_failures(record):
            if failure.example in sources:
                for rule in _rules(failure, sources[failure.example].fields, record.model.labels):
                    if len(ids := waiting.get((failure.check, rule), [""] * _FAILURES)) < _FAILURES:
                        ids.append(failure.id)
    named = zip(causes, waiting.values(), strict=True)
    causes = [cause.model_copy(update={"failures": failures}) for cause, failures in named]
    return record.model_copy(update={"causes": causes, "edits": _edits(trials)})


def _rules(failure: Failure, fields: Mapping[str, str], labels: Sequence[str]) -> Iterable[Rule]:
    edits = _tried(failure.edits, fields)
    return EditTrial(failure.check, failure.example, True, edits, _facts(failure.before.label, labels)).rules


def _tried(edits: Iterable[Edit | EditRecord], fields: Mapping[str, str]) -> tuple[TriedEdit, ...]:
    return tuple(run for edit in edits for run in TriedEdit.of(fields[edit.field], edit.start, edit.end, edit.after))


def _edits(trials: Iterable[EditTrial]) -> list[EditCounts]:
    """Count each edit, of a check those that broke most."""
    counted: dict[str, dict[tuple[str, str], list[int]]] = {}
    for trial in trials:
        for edit in {(trial_edit.before, trial_edit.after) for trial_edit in trial.edits}:
            counts = counted.setdefault(trial.check, {}).setdefault(edit, [0, 0])
            counts[0] += 1
            counts[1] += trial.broken
    return [
        EditCounts(check=check, before=before, after=after, tried=tried, broken=broken)
        for check, edits in counted.items()
        for (before, after), (tried, broken) in sorted(edits.items(), key=lambda pair: (-pair[1][1], pair[1][0], pair))[
            :_EDITS
        ]
        if broken
    ]
