"""Make the record of a run from its results, at the end or after an interruption."""

from __future__ import annotations

import datetime
import math
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce
from types import MappingProxyType
from typing import NamedTuple

from robustfim.example import Example
from robustfim.exhibit import Section
from robustfim.judge.auroc_by_score import areas
from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.comparison import compare
from robustfim.judge.confusion import confusion_of, confusion_section
from robustfim.judge.design import Design
from robustfim.judge.errors import with_errors, with_excess, with_slices
from robustfim.judge.reach import reaches
from robustfim.judge.slice_rates import slice_records
from robustfim.judge.strata import held_strata, with_strata
from robustfim.judge.trials import Trials
from robustfim.judge.validity import review_counts, reviewed
from robustfim.judge.verdicts import alarm_p_value, decide, exit_code, gates, summarise
from robustfim.outcome import ExitCode, Outcome, settled
from robustfim.prediction import Prediction
from robustfim.record import (
    WITHOUT_NUMBERS,
    AssociationRecord,
    CheckRecord,
    ExampleRecord,
    ModelRecord,
    PluginRecord,
    PredictionRecord,
    Record,
    SelectionRecord,
    SliceRecord,
)
from robustfim.record.environment import describe_environment
from robustfim.record.privacy import shareable
from robustfim.record.review import ReviewFile
from robustfim.roles import Progress
from robustfim.select.selection import Selection, arm_of
from robustfim.session.budget import comparisons
from robustfim.session.found_examples import FoundExamples
from robustfim.session.named_causes import named_causes
from robustfim.session.reproduction import judge_alone
from robustfim.session.stages import Begun
from robustfim.session.unchanged import noise_of
from robustfim.session.weak_model import weak_warning
from robustfim.statistics.rate import LEVEL
from robustfim.statistics.validity import ReviewCounts
from robustfim.suite.format import Xfail, tells_errors

__all__ = ["arm_sizes", "decided", "example_table", "run_record", "unanswered"]


def run_record(
    stage: Begun,
    plugins: Sequence[PluginRecord],
    started: str,
    seconds: float,
    warnings: Sequence[str] = (),
    baselines: Mapping[str, Record] = MappingProxyType({}),
) -> Record:
    """Build the record of a run (the content of ``results.json``) from its results.

    Args:
        stage: The results of the run up to the last finished stage.
        plugins: The loaded plugins.
        started: The time at which the run started, ISO 8601, UTC.
        seconds: The duration of the run, in seconds.
        warnings: Problems that did not stop the run.
        baselines: Earlier runs to compare with, by name; the option ``--fail-on`` decides how they affect the exit
            code.
    """
    checks, counted, association = _judged(stage)
    words = ["robustfim", "run", stage.config.shown_path, *stage.config.options.overrides]
    context = stage.context
    record = Record(
        suite=stage.config.suite.suite,
        path=stage.config.shown_path,
        command="" if stage.config.file.from_script else shlex.join(words),
        model=_model(stage, association),
        data=stage.data,
        environment=describe_environment(plugins, stage.device),
        seed=stage.config.seed,
        started=started,
        duration_s=round(seconds, 3),
        **({} if context is None else context.effort),
        inconclusive=stage.config.options.inconclusive,
        margin=stage.config.margin,
        one_label=stage.config.suite.one_label,
        interrupted=stage.interrupted,
        message=stage.message,
        warnings=[
            *weak_warning(stage, association),
            *warnings,
            *_model_changed(stage),
        ],
        deselected=[check.name for check in stage.collection.left_out],
        lock=None if stage.lock is None else stage.lock.fingerprint,
        summary=summarise(checks),
        scores=list(stage.scores.records),
        selection=_with_drawn(stage.selection),
        examples=[_example(stage, example) for example in _tested(stage)],
        checks=[*checks],
        failures=[*stage.failures],
        attribution=None if context is None else context.attributions.record(),
        sections=[*stage.sections, *_confusion(stage, counted)],
    )
    record = _with_failures_explained(stage, counted, record)
    if baselines and checks:
        on, shared = stage.config.options.fail_on, shareable(record.with_table(example_table(stage)))
        compared = [compare(baseline, shared, fail_on=on, name=name) for name, baseline in baselines.items()]
        record = record.compared(compared)
    return record.model_copy(update={"exit_code": int(_exit_code(stage, record))})


def _model(stage: Begun, association: AssociationRecord) -> ModelRecord:
    """Add how the model answered when it was asked again."""
    again = stage.context and stage.context.asked_again
    noise = noise_of(stage.checks, stage.clusters)
    return stage.model.model_copy(update={"association": association, "asked_again": again, "noise": noise})


def _judged(stage: Begun) -> tuple[Sequence[CheckRecord], Sequence[CheckCounts], AssociationRecord]:
    """Compare the results of a run so far with the limits of its suite.

    Returns:
        The finished checks with their verdicts, the same checks as counts, and the correlation of the model's answers
        with the gold labels: positive, negative or inconclusive.
    """
    association = stage.model.association
    if stage.config.options.examples:
        return [judge_alone(check) for check in stage.checks], stage.checks, association
    family = _family(stage, stage.checks)
    checks = [_within_reach(stage, check) for check in _decided(stage, family)]
    if association.verdict == "inconclusive" and association.p_value is not None:
        # With the limits, where it fails the run, else alone.
        p_value = alarm_p_value(association.p_value, *family) if association.asked else association.p_value
        association = association.model_copy(update={"verdict": "negative" if p_value <= LEVEL else "inconclusive"})
    return checks, family.checks, association


def _with_failures_explained(stage: Begun, counted: Sequence[CheckCounts], record: Record) -> Record:
    """Add which scores, causes and slices go with the failures, and which failures people call valid."""
    record = record.model_copy(update={"reach": reaches(record), "scores": areas(record, stage.steps)})
    record = named_causes(record, stage.checks, stage.config.seed)
    if stage.members:
        record = record.model_copy(update={"slices": _slices(stage, counted)})
    return record if stage.config.suite.review is None else reviewed(record, _answers(stage).by_pair)


def decided(stage: Begun, checks: Sequence[CheckCounts]) -> list[CheckRecord]:
    """Compare checks with their limits."""
    if stage.config.options.examples:
        return [judge_alone(check) for check in checks]
    return _decided(stage, _family(stage, checks))


def _decided(stage: Begun, family: _Family) -> list[CheckRecord]:
    against = stage.model.association
    beside = against.p_value if against.asked else None
    known = _xfails(stage, family.checks)
    checks = decide(*family, beside)
    return [
        _expired(check, known[check.id]) if check.id in known and check.id not in family.xfail else check
        for check in checks
    ]


class _Family(NamedTuple):
    """The tests that can fail a run, as arguments for the verdicts.

    Tests of the suite's other checks count, too, whether the command line leaves them out or the run has not reached
    them. So a check that is not proved to fail in the whole suite is not proved to fail alone.
    """

    checks: list[CheckCounts]
    xfail: dict[str, str]
    reviews: dict[str, ReviewCounts]
    others: int


def _family(stage: Begun, checks: Sequence[CheckCounts]) -> _Family:
    today = datetime.date.today()
    known = _xfails(stage, checks).items()
    excused = {key: spec.reason for key, spec in known if spec.until is None or spec.until >= today}
    added = (_with_unanswered, _with_strata, _with_errors, _with_slices)
    stratified = [reduce(lambda check, add: add(stage, check), added, check) for check in checks]
    trials = Trials.together(check.trials for check in checks)
    judged, collection = {check.id for check in checks}, stage.collection
    left = [check for check in (*collection.checks, *collection.left_out) if check.id not in judged]
    others = comparisons(left, len(stage.config.suite.slice_limits))
    return _Family(stratified, excused, _review_counts(stage, checks, trials), others)


def _slices(stage: Begun, counted: Sequence[CheckCounts]) -> list[SliceRecord]:
    """Count the slices, by the design of each check and by that of all of them together."""
    everything = stage.config.suite.data is None  # the checks' own examples are the data
    of_data = (
        (id, right, cluster, [name for name, member in stage.members.items() if member.at(row)])
        for row, id, right, cluster in example_table(stage).told()
        if everything or id not in stage.brought
    )
    designs = {check.id: Design.of(check) for check in counted if not check.net_of_noise}
    arms = {**dict.fromkeys(stage.brought, "all"), **stage.selection.arms}
    trials = Trials.together(check.trials.mirrored(check.partners, arms, stage.clusters) for check in stage.checks)
    together = Design.together(designs.values(), trials.of_checks(*designs).by_example())
    return slice_records(stage.config.suite.slices, of_data, designs, trials, together, _drawn_whole(stage))


def _drawn_whole(stage: Begun) -> set[str]:
    """The slices of which all examples were drawn; a draw until enough can be tested may leave any out."""
    drawn = () if stage.selection.record.testable is not None else stage.selection.arms
    return {name for name, member in stage.members.items() if sum(id in member for id in drawn) == len(member)}


def _with_drawn(selection: Selection) -> SelectionRecord:
    """Add which examples were drawn from each stratum."""
    drawn: dict[str, list[str]] = {name: [] for name in selection.record.strata}
    for id in sorted(selection.arms) if drawn else ():
        drawn[selection.arms[id]].append(id)
    return selection.record.model_copy(update={"drawn": drawn})


def _xfails(stage: Begun, checks: Sequence[CheckCounts]) -> dict[str, Xfail]:
    """What the suite expects to fail, or did until a day, by check id."""
    specs = stage.config.suite.checks
    return {check.id: spec for check in checks if check.name in specs and (spec := specs[check.name].xfail)}


def _answers(stage: Begun) -> ReviewFile:
    """What people said of pairs, as far as the suite names it."""
    review = stage.config.suite.review
    return ReviewFile() if review is None else ReviewFile.load(stage.config.file.base(("review",)) / review)


def _review_counts(stage: Begun, checks: Sequence[CheckCounts], trials: Trials) -> dict[str, ReviewCounts]:
    """What people say of the failures of the checks whose limit is for valid ones, by check id."""
    valid = {check.id: check for check in checks if check.limit_of_valid}
    if not valid:
        return {}
    examples = [_example(stage, example) for example in stage.examples.among(trials.of_checks(*valid).failing)]
    file = _answers(stage)
    return {
        id: review_counts(check, stage.failures, examples, file.by_pair, stage.clusters) for id, check in valid.items()
    }


def example_table(stage: Begun, progress: Progress = lambda *_: None) -> FoundExamples:
    """Return the results for single examples as a table, with one row for each usable example.

    Args:
        stage: The run's results.
        progress: Called with ("write", rows read, rows) after each block except the last.
    """
    arms, clusters = stage.selection.arms, stage.clusters
    return FoundExamples(stage.predictions, stage.scores.values, arms, clusters, stage.brought, progress)


def _tested(stage: Begun) -> Iterator[Example]:
    """The examples that checks may test, or brought, with a prediction."""
    arms = stage.selection.arms
    ids = {*arms, *stage.brought}
    if stage.selection.record.testable is not None:  # then the control arm is all the data, and few of it are drawn
        tested = {example for check in stage.checks for example in check.examples}
        ids = {id for id in ids if id in tested or arms.get(id) != "control"}
    for example in stage.examples.among(ids):
        if example.id in stage.predictions:
            yield example


def arm_sizes(stage: Begun) -> dict[str, int]:
    """Return the number of usable examples that each arm or stratum represents, by name."""
    whole, pilot = stage.selection.drawn_from, stage.selection.record.pilot
    if whole is None:  # without the examples of a pilot, which stand for all others
        whole = len(stage.predictions.of_data) - (0 if pilot is None else len(pilot.examples))
    return {"all": whole} | stage.selection.record.sizes(whole)


def _with_strata(stage: Begun, check: CheckCounts) -> CheckCounts:
    """Add what its arms stand for in the data, where the check tests a selection of them."""
    arms, sizes = stage.selection.arms, arm_sizes(stage)
    spec = stage.config.suite.checks.get(check.name)
    of = (spec and spec.of) or stage.config.suite.of
    of_file = of == "file" and check.estimand.counts and not check.limit_of_valid
    clustered = {} if of_file else check.clustered  # single examples are drawn of a file
    check = check.model_copy(update={"limit_of_file": of_file, "clustered": clustered})
    if check.estimand.by_example and stage.config.suite.data and arms.keys() >= set(check.examples):
        left = max(0, sizes["all"] - sum(arm.drawn for arm in check.arms.values()))
        check = check.model_copy(update={"left": left})
    if not check.examples:
        return check
    own = not arms.keys() >= set(check.examples)
    check = with_strata(check, sizes, brought=own, together=1.0 if check.budget is None else stage.alike)
    if own or not check.strata or "" not in check.clustered or not held_strata(check):
        return check
    weighted = Design.of(check).estimate(check.trials).clustered
    return check.model_copy(update={"clustered": check.clustered | ({} if weighted is None else {"": weighted})})


def unanswered(stage: Begun) -> int:
    """Return the number of examples that the model gave no usable answer to."""
    return stage.data.skipped.get(WITHOUT_NUMBERS, 0)


def _with_unanswered(stage: Begun, check: CheckCounts) -> CheckCounts:
    """Add how many of the drawn examples the model did not answer, if it answered these as often as all."""
    drawn = sum(arm.drawn for arm in check.arms.values()) or check.tested
    part = min(1.0, drawn / max(1, arm_sizes(stage)["all"]))
    return check.model_copy(update={"unanswered": unanswered(stage) * part})


def _with_errors(stage: Begun, check: CheckCounts) -> CheckCounts:
    """Add what is missed and what is a false alarm, where the model decides for or against a label."""
    if check.ended is not None or not (check.estimand.counts or check.said):
        return check
    if not tells_errors(check.expectation.get("use"), check.fails["use"]):
        return check
    tested, after = _decisions(stage, check)
    limits = check.limit if isinstance(check.limit, dict) else {}
    if check.said:
        return with_excess(check, tested, limits, stage.clusters)
    return with_errors(check, tested, after, limits, stage.strict, stage.clusters)


def _decisions(
    stage: Begun, check: CheckCounts
) -> tuple[Iterator[tuple[str, Collection[str], Prediction, str]], dict[str, set[str]]]:
    """What was decided of the examples of a check: unchanged, and by its failing texts."""
    can_be_wrong = {*check.examples, *check.wrong_testable, *(id for id, *_ in check.missed)}
    after: dict[str, set[str]] = {}
    for failure in stage.failures:
        if failure.check == check.id:
            after.setdefault(failure.example, set()).add(failure.after.label)
    arms = stage.selection.arms
    tested = (
        (example.id, example.gold, prediction, arms.get(example.id, "all"))
        for example in stage.examples.among(can_be_wrong)
        if (prediction := stage.predictions.get(example.id)) is not None
    )
    return tested, after


def _confusion(stage: Begun, checks: Sequence[CheckCounts]) -> list[Section]:
    """How labels are confused in the checks that limit errors."""
    counted = [check for check in checks if check.ended is None]
    tables = [confusion_of(check, *_decisions(stage, check)) for check in counted]
    return confusion_section(tables, answers=any(check.said for check in counted))


def _with_slices(stage: Begun, check: CheckCounts) -> CheckCounts:
    """Add what fails in each slice that has a limit; a check's own examples may all lie outside a slice."""
    if check.ended is not None or not check.estimand.counts:
        return check
    brought = next(each.examples for each in stage.collection.checks if each.id == check.id)
    held = {
        name: (check.trials.within(members), limit)
        for name, members in stage.members.items()
        if (limit := stage.config.suite.slices[name].limit) is not None
        and (brought is None or not len(members) or any(example.id in members for example in brought))
    }
    return with_slices(check, held, _drawn_whole(stage))


def _within_reach(stage: Begun, check: CheckRecord) -> CheckRecord:
    """Say of a check where the data do not hold what it asked for."""
    wished, control = stage.selection.record.testable, check.arms.get("control")
    if wished is not None and control is not None and control.tested < wished and check.outcome is not Outcome.ERROR:
        held = f"the data hold {control.tested:,} testable examples, and 'select' asks for {wished:,}"
        return check.model_copy(update={"message": f"{check.message.removesuffix('.')}; {held}."})
    return check


def _exit_code(stage: Begun, record: Record) -> ExitCode:
    if stage.interrupted:
        return ExitCode.INTERRUPTED
    if stage.broken or any(score.broken for score in record.scores):
        return ExitCode.FAILED
    alone = exit_code(record.checks)
    if record.comparisons:  # then --fail-on says which failures count; what is inconclusive stays so
        open_ = any(check.outcome is Outcome.INCONCLUSIVE for check in record.checks)
        failed = any(comparison.failed for comparison in record.comparisons)
        open_ = open_ or any(comparison.inconclusive for comparison in record.comparisons)
        alone = ExitCode.FAILED if failed else ExitCode.INCONCLUSIVE if open_ else ExitCode.OK
    if not gates(record):
        alone = ExitCode.FAILED if stage.config.options.inconclusive == "fail" else ExitCode.OK
    weak = record.model.association
    if weak.asked and weak.verdict == "negative":
        alone = ExitCode.FAILED
    elif weak.asked and weak.verdict == "inconclusive" and alone is ExitCode.OK and gates(record):
        alone = ExitCode.INCONCLUSIVE
    return settled(alone, stage.config.options.inconclusive)


def _example(stage: Begun, example: Example) -> ExampleRecord:
    prediction = stage.predictions[example.id]
    predicted = PredictionRecord.of(prediction)
    return ExampleRecord.model_validate(
        {
            "id": example.id,
            "fields": dict(example.fields),
            "label": example.label,
            "prediction": predicted.label,
            "probabilities": predicted.probabilities,
            "correct": prediction.right(example.gold),
            "again": stage.again.get(example.id),
            "cluster": stage.clusters.get(example.id),
            "arm": arm_of(stage.selection.arms.get(example.id, "all" if example.id in stage.brought else None)),
            "scores": {name: numbers.get(example.id) for name, numbers in stage.scores.values.items()},
            "infinite": [name for name, value in stage.scores.values.items() if math.isinf(value.get(example.id, 0))],
            "importance": stage.context and stage.context.attributions.importance_record(example.id),
        }
    )


def _model_changed(stage: Begun) -> Iterator[str]:
    """Warn where the model is no longer the one whose answers are stored, where nobody has looked, or it is noisy."""
    again = None if stage.context is None else stage.context.asked_again
    if again is not None and (again.changed or again.unasked):
        yield f"{again.sentence}."
    if again is not None and again.flipped and not stage.config.suite.repeat:
        yield (
            f"asked twice about the same {again.asked:,} texts, the model decided otherwise of {again.flipped:,}: "
            "'repeat: 3' in the suite, or --repeat 3, holds checks against what it flips by itself."
        )


def _expired(check: CheckRecord, xfail: Xfail) -> CheckRecord:
    """Say that a failure was excused once, and no longer is."""
    if check.outcome not in (Outcome.FAILED, Outcome.INCONCLUSIVE):
        return check
    note = f"It was expected to fail until {xfail.until}: {xfail.reason}."
    return check.model_copy(update={"message": f"{check.message} {note}"})
