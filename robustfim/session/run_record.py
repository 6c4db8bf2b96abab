"""The record of a run: made of what it has found, at its end or when it is interrupted."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from robustfim.example import Example
from robustfim.judge.area import areas
from robustfim.judge.comparison import compare
from robustfim.judge.errors import with_errors
from robustfim.judge.reach import reaches
from robustfim.judge.slice_rates import slice_records
from robustfim.judge.validity import reviewed, reviewed_parts
from robustfim.judge.verdicts import alarm_p_value, decide, exit_code, gates, summarise
from robustfim.outcome import ExitCode, Outcome, settled
from robustfim.record import (
    AssociationRecord,
    CheckCounts,
    CheckRecord,
    ExampleRecord,
    PluginRecord,
    PredictionRecord,
    Record,
)
from robustfim.record.environment import describe_environment
from robustfim.record.privacy import shareable
from robustfim.record.review import ReviewFile
from robustfim.session.found_examples import FoundExamples
from robustfim.session.reproduction import judge_alone
from robustfim.session.stages import Begun
from robustfim.session.weak_model import weak_warning
from robustfim.statistics.accuracy import is_right
from robustfim.statistics.clusters import stratified_effect
from robustfim.statistics.stratified import Stratum
from robustfim.statistics.tails import LEVEL, Correction
from robustfim.statistics.validity import ReviewedPart
from robustfim.suite.format import Xfail, tells_errors

__all__ = ["Judged", "decided", "example_table", "judged", "run_record"]


@dataclass(frozen=True)
class Judged:
    """What was found is held against its limits, at whatever stage the run stopped.

    Attributes:
        found: What is known.
        checks: The checks that have run, with outcomes.
        association: Whether the answers go with the gold labels, go against them, or neither is shown.
    """

    found: Begun
    checks: tuple[CheckRecord, ...]
    association: AssociationRecord


def judged(found: Begun) -> Judged:
    """Hold what was found against its limits.

    Args:
        found: What the run has found.
    """
    association = found.model.association
    if found.config.options.examples:
        return Judged(found, tuple(map(judge_alone, found.checks)), association)
    family = _family(found, found.checks)
    checks = tuple(_within_reach(found, check) for check in _decided(found, family, 0))
    if association.verdict == "undecided" and association.p_value is not None:
        # With the limits, where it fails the run, else alone.
        p_value = alarm_p_value(association.p_value, *family) if association.asked else association.p_value
        association = association.model_copy(update={"verdict": "negative" if p_value <= LEVEL else "undecided"})
    return Judged(found, checks, association)


def run_record(
    judged: Judged,
    plugins: Sequence[PluginRecord],
    started: str,
    seconds: float,
    warnings: Sequence[str] = (),
    baselines: Mapping[str, Record] = MappingProxyType({}),
) -> Record:
    """Make the record of what a run has found.

    Args:
        judged: What the run has found, held against its limits.
        plugins: The loaded plugins.
        started: When the run started, ISO 8601, UTC.
        seconds: How long it took.
        warnings: What went wrong and stopped nothing.
        baselines: What the run is compared with, by name; they then decide the exit code with ``--fail-on``.
    """
    found, checks = judged.found, [*judged.checks]
    context = found.context
    model = found.model.model_copy(
        update={"association": judged.association, "asked_again": context and context.asked_again}
    )
    record = Record(
        suite=found.config.suite.suite,
        path=found.config.shown_path,
        model=model,
        data=found.data,
        environment=describe_environment(plugins, found.device),
        seed=found.config.seed,
        started=started,
        duration_s=round(seconds, 3),
        **({} if context is None else context.effort),
        undecided=found.config.options.undecided,
        margin=found.config.margin,
        accuracy_margin=found.config.suite.baseline.accuracy,
        correct=found.config.suite.correct,
        interrupted=found.interrupted,
        message=found.message,
        warnings=[
            *weak_warning(found, model.association),
            *warnings,
            *_model_changed(found),
        ],
        verified=found.verified,
        deselected=found.collection.left_out,
        lock=None if found.lock is None else found.lock.fingerprint,
        summary=summarise(checks),
        scores=list(found.scores.records),
        selection=found.selection.record,
        examples=[_example(found, each) for each in _tested(found)],
        checks=checks,
        failures=[*found.failures],
        pictures={} if context is None else context.pictures,
        attribution=None if context is None else context.attribution_record(),
        sections=[*found.sections],
    )
    record = record.model_copy(update={"reach": reaches(record), "scores": areas(record, found.steps)})
    if found.members:
        everything = found.config.suite.data is None  # the checks' own examples are the data
        of_data = (
            (id, right, cluster, [name for name, each in found.members.items() if each.held[row]])
            for row, id, right, cluster in example_table(found).told()
            if everything or id not in found.brought
        )
        slices = slice_records(found.config.suite.slices, of_data, checks, found.failures)
        record = record.model_copy(update={"slices": slices})
    if found.config.suite.review is not None:
        answers = _answers(found)
        record = reviewed(record, answers.by_pair, answers.judged)
    if baselines and checks:
        on, shared = found.config.options.fail_on, shareable(record.with_table(example_table(found)))
        compared = [compare(each, shared, fail_on=on, name=name) for name, each in baselines.items()]
        record = record.model_copy(update={"comparisons": compared})
    return record.model_copy(update={"exit_code": int(_exit_code(found, record))})


def decided(found: Begun, checks: Sequence[CheckCounts], others: int = 0) -> list[CheckRecord]:
    """Compare checks with their limits.

    Args:
        found: What the run has found.
        checks: What some or all of the checks counted that have run.
        others: Comparisons of the run's other checks.

    Returns:
        Their records, with outcomes.
    """
    if found.config.options.examples:
        return [judge_alone(check) for check in checks]
    return _decided(found, _family(found, checks), others)


def _decided(found: Begun, family: _Family, others: int) -> list[CheckRecord]:
    against = found.model.association
    beside = against.p_value if against.asked else None
    known = _xfails(found, family.checks)
    checks = decide(family.checks, family.xfail, others, family.correction, family.reviews, beside)
    return [
        _expired(check, known[check.id]) if check.id in known and check.id not in family.xfail else check
        for check in checks
    ]


class _Family(NamedTuple):
    """What fails a run, as the verdicts take it."""

    checks: list[CheckCounts]
    xfail: dict[str, str]
    correction: Correction
    reviews: dict[str, list[ReviewedPart]]


def _family(found: Begun, checks: Sequence[CheckCounts]) -> _Family:
    today = datetime.date.today()
    known = _xfails(found, checks).items()
    excused = {key: spec.reason for key, spec in known if spec.until is None or spec.until >= today}
    stratified = [_with_errors(found, _with_strata(found, check)) for check in checks]
    return _Family(stratified, excused, found.config.suite.correct, _reviewed_parts(found, checks))


def _xfails(found: Begun, checks: Sequence[CheckCounts]) -> dict[str, Xfail]:
    """What the suite expects to fail, or did until a day, by check id."""
    specs = found.config.suite.checks
    return {check.id: spec for check in checks if check.name in specs and (spec := specs[check.name].xfail)}


def _answers(found: Begun) -> ReviewFile:
    """What people said of pairs, as far as the suite names it."""
    review = found.config.suite.review
    return ReviewFile() if review is None else ReviewFile.load(found.config.file.base(("review",)) / review)


def _reviewed_parts(found: Begun, checks: Sequence[CheckCounts]) -> dict[str, list[ReviewedPart]]:
    """What people say of the failures of the checks whose limit is for valid ones, by check id."""
    ids = {check.id for check in checks if check.limit_of_valid}
    if not ids:
        return {}
    failing = {each.example for each in found.failures if each.check in ids}
    examples = [_example(found, each) for each in found.examples.among(failing)]
    file = _answers(found)
    return {each: reviewed_parts(each, found.failures, examples, file.by_pair, file.judged) for each in ids}


def example_table(found: Begun, progress: Callable[[str, int, int], None] = lambda *_: None) -> FoundExamples:
    """What is known of all usable examples.

    Args:
        found: What the run has found.
        progress: Called with ("write", rows read, rows) after each block but the last.
    """
    arms, clusters = found.selection.arms, found.clusters
    return FoundExamples(found.predictions, found.scores.values, arms, clusters, found.brought, progress)


def _tested(found: Begun) -> Iterator[Example]:
    """The examples that checks may test, or brought, with a prediction."""
    arms = found.selection.arms
    ids = {*arms, *found.brought}
    if found.selection.record.testable is not None:  # then the control arm is all the data, and few of it are drawn
        tested = {each for check in found.checks for each in check.examples}
        ids = {id for id in ids if id in tested or arms.get(id) != "control"}
    for each in found.examples.among(ids):
        if each.id in found.predictions:
            yield each


def _judgeable(found: Begun) -> int:
    """Usable examples without those of a pilot, which stand for all others as well."""
    pilot = found.selection.record.pilot
    return len(found.predictions) - (0 if pilot is None else len(pilot.examples))


def _with_strata(found: Begun, check: CheckCounts) -> CheckCounts:
    """Add what its arms stand for in the data, where the check tests a selection of them."""
    arms, whole = found.selection.arms, _judgeable(found)
    spec = found.config.suite.checks.get(check.name)
    of = (spec and spec.of) or found.config.suite.of
    check = check.model_copy(update={"limit_of_file": of == "file" and not check.limit_of_valid})
    if not check.examples or check.gap is not None:
        return check
    if not arms.keys() >= set(check.examples):  # a check's own examples are all there are
        own = tuple(Stratum(arm.drawn, arm.drawn, arm.tested, arm.failing) for arm in check.arms.values())
        return check.model_copy(update={"strata": own})
    difficult = found.selection.record.difficult
    sizes = {"all": whole, "difficult": difficult, "control": whole - difficult}
    if sum(sizes[name] for name in check.arms) < whole:
        return check
    failing = {each.example for each in found.failures if each.check == check.id}
    tested = {name: [each for each in check.examples if arms[each] == name] for name in check.arms}
    testable = {name: sizes[name] * arm.tested / max(1, arm.drawn) for name, arm in check.arms.items()}
    effect = stratified_effect(tested, failing, found.clusters, testable)
    strata = tuple(Stratum(sizes[name], arm.drawn, arm.tested, arm.failing, effect) for name, arm in check.arms.items())
    return check.model_copy(update={"strata": strata})


def _with_errors(found: Begun, check: CheckCounts) -> CheckCounts:
    """Add what is missed and what is a false alarm, where the model decides for or against a label."""
    if check.ended is not None or check.gap is not None:
        return check
    if not tells_errors(check.expectation.get("use"), check.fails["use"]):
        return check
    after: dict[str, set[str]] = {}
    for failure in found.failures:
        if failure.check == check.id:
            after.setdefault(failure.example, set()).add(failure.after.label)
    arms = found.selection.arms
    tested = (
        (each.id, each.gold, prediction, arms.get(each.id, "all"))
        for each in found.examples.among(set(check.examples))
        if (prediction := found.predictions.get(each.id)) is not None
    )
    limits = check.limit if isinstance(check.limit, dict) else {}
    return with_errors(check, tested, after, limits)


def _within_reach(found: Begun, check: CheckRecord) -> CheckRecord:
    """Say of a check where the data do not hold what it asked for, or what would decide it."""
    wished, control = found.selection.record.testable, check.arms.get("control")
    if wished is not None and control is not None and control.tested < wished and check.outcome is not Outcome.ERROR:
        held = f"the data hold {control.tested:,} testable examples, and 'select' asks for {wished:,}"
        return check.model_copy(update={"message": f"{check.message.removesuffix('.')}; {held}."})
    wanted = check.needed_rows or check.needed
    left = _judgeable(found) - sum(arm.drawn for arm in check.arms.values())
    if wanted is None or check.gap is not None or wanted <= left or not found.config.suite.data:
        return check
    held = f"holds {left:,} more" if left else "holds no more"
    return check.model_copy(update={"message": f"{check.message.removesuffix('.')}; the data {held}."})


def _exit_code(found: Begun, record: Record) -> ExitCode:
    if found.interrupted:
        return ExitCode.INTERRUPTED
    if found.broken or any(score.broken for score in record.scores):
        return ExitCode.FAILED
    alone = exit_code(record.checks)
    if record.comparisons:  # then --fail-on says which failures count; what is undecided stays so
        open_ = any(check.outcome is Outcome.INCONCLUSIVE for check in record.checks)
        failed = any(each.failed for each in record.comparisons)
        open_ = open_ or any(each.undecided for each in record.comparisons)
        alone = ExitCode.FAILED if failed else ExitCode.UNDECIDED if open_ else ExitCode.OK
    if not gates(record):
        alone = ExitCode.FAILED if found.config.options.undecided == "fail" else ExitCode.OK
    weak = record.model.association
    if weak.asked and weak.verdict == "negative":
        alone = ExitCode.FAILED
    elif weak.asked and weak.verdict == "undecided" and alone is ExitCode.OK and gates(record):
        alone = ExitCode.UNDECIDED
    return settled(alone, found.config.options.undecided)


def _example(found: Begun, example: Example) -> ExampleRecord:
    prediction = found.predictions[example.id]
    told = PredictionRecord.of(prediction)
    return ExampleRecord.model_validate(
        {
            "id": example.id,
            "fields": dict(example.fields),
            "label": example.label,
            "prediction": told.label,
            "probabilities": told.probabilities,
            "correct": is_right(prediction, example),
            "cluster": found.clusters.get(example.id),
            "arm": found.selection.arms.get(example.id, "all" if example.id in found.brought else None),
            "scores": {name: numbers.get(example.id) for name, numbers in found.scores.values.items()},
            "infinite": [name for name, each in found.scores.values.items() if math.isinf(each.get(example.id, 0))],
            "importance": found.context and found.context.importance_record(example.id),
        }
    )


def _model_changed(found: Begun) -> Iterator[str]:
    """Warn where the model is no longer the one whose answers are stored, or where nobody has looked."""
    again = None if found.context is None else found.context.asked_again
    if again is not None and (again.changed or again.unasked):
        yield f"{again.sentence}."


def _expired(check: CheckRecord, xfail: Xfail) -> CheckRecord:
    """Say that a failure was excused once, and no longer is."""
    if check.outcome not in (Outcome.FAILED, Outcome.INCONCLUSIVE):
        return check
    note = f"It was expected to fail until {xfail.until}: {xfail.reason}."
    return check.model_copy(update={"message": f"{check.message} {note}"})
