"""Run the stages of a suite in order: collect, predict, score, select, check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from robustfim.blame import blame
from robustfim.collect.check import Check
from robustfim.collect.clusters import clusters_of
from robustfim.collect.collect import load_examples
from robustfim.collect.collection import Collection
from robustfim.collect.needs import unmet_need
from robustfim.collect.resources import resources
from robustfim.collect.spool import BLOCK, Examples
from robustfim.collect.threshold import settle_threshold
from robustfim.decision import NumberRule
from robustfim.engine.pool import WorkerPool
from robustfim.engine.proxies import attribution_proxy, geometry_proxy, prediction_stream, step_stream
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.judge.check_counts import CheckCounts
from robustfim.outcome import Outcome
from robustfim.parts import ModelPart
from robustfim.plugin.manager import PluginManager
from robustfim.predict.asked_again import AskedAgain
from robustfim.predict.attributions import Attributions
from robustfim.predict.context import RunContext
from robustfim.predict.decided import decision_rule
from robustfim.predict.labels import known_labels
from robustfim.predict.queue import PredictionQueue
from robustfim.predict.store import Store
from robustfim.printable import counted
from robustfim.record import WITHOUT_NUMBERS, Failure, Record, SelectionRecord, ThresholdRecord, WindowRecord
from robustfim.roles import Progress
from robustfim.select.columns import Predictions
from robustfim.select.draw import Draw, TestedExample
from robustfim.select.selection import (
    Selection,
    refuse_selection,
    score_examples,
    select_again,
    select_examples,
    select_locked,
)
from robustfim.select.slices import slice_members
from robustfim.session.benign import Benign
from robustfim.session.budget import budget_of
from robustfim.session.cannot_pass import cannot_pass
from robustfim.session.check_run import Blocks, check_by_blocks
from robustfim.session.locked_texts import locked_texts
from robustfim.session.pilot import drawn_for_pilot, run_pilot
from robustfim.session.probe import longest, probe
from robustfim.session.reproduction import named_examples, reproducer
from robustfim.session.run_record import arm_sizes, decided, unanswered
from robustfim.session.sections import gather_sections
from robustfim.session.shrunk_failures import with_shrunk
from robustfim.session.stages import Begun, Checked, Collected, Predicted, Selected
from robustfim.session.unchanged import right_again
from robustfim.session.unclaimed import unclaimed_spans
from robustfim.session.weak_model import associated, never_given, refuse_constant
from robustfim.statistics import still_needed
from robustfim.statistics.clusters import ClusterOf
from robustfim.suite.format import BEST
from robustfim.window import windows

__all__ = ["Means", "selected", "stages"]

_WINDOW = 8192
"""Examples that are predicted together, and so in memory as objects at a time."""
_FEW = 10
"""The number of examples without a prediction that never ends a run, whatever ``unusable`` is."""


@dataclass(frozen=True)
class Means:
    """The services that all stages of a run use.

    Attributes:
        manager: The loaded plugins.
        store: The store of the answers.
        again: The comparison of stored answers with new ones.
        baseline: The record of the first baseline, whose examples the run tests; None without one.
        share: Whether perturbed texts are written to a lock file first, so that other models get equal texts.
        pool: The workers that the suite's engine starts; None if this process computes everything.
        warn: Records a problem that does not stop the run.
        progress: Called with (stage, examples done, all examples).
    """

    manager: PluginManager
    store: Store
    again: AskedAgain
    baseline: Record | None
    share: bool
    pool: Callable[[], WorkerPool | None]
    warn: Callable[[str], None]
    progress: Progress


def stages(begun: Begun, means: Means) -> Iterator[Begun]:
    """Run a suite, and yield the results so far after each stage of the run and after each check.

    Yields:
        The results at that stage, from :class:`Begun` to :class:`Checked`; the last one is yielded again after every
        check.

    Raises:
        RobustfimError: The run cannot go on; the yielded results are valid.
    """
    stage = yield from _until_selected(begun, means)
    if means.share:
        stage = _select(replace(stage, lock=locked_texts(stage, means.progress)), means)
        yield stage
    means.manager.hook.robustfim_selection_finish(
        model=stage.model, scores=stage.scores.records, selection=stage.selection.record
    )
    yield from _check(replace(stage, again=right_again(stage, means.progress)), means)


def selected(begun: Begun, means: Means) -> Selected:
    """Run a suite until its examples are selected, before any check.

    Returns:
        The results so far, with the selected examples.

    Raises:
        RobustfimError: The run cannot go on.
    """
    return cast("Selected", [*_until_selected(begun, means)][-1])


def _until_selected(begun: Begun, means: Means) -> Generator[Begun, None, Selected]:
    """Go the way of a run until its examples are selected: yield each stage, and return the last one as well."""
    collected = _collect(begun, means)
    yield collected
    if collected.collection.source is not None:  # it may compare its labels with the model's
        collected.collection.source.prepare(collected.context)
    predicted = _predict(collected, means)
    yield predicted
    predicted = _probe(predicted, means)
    yield predicted
    _refuse_unusable(predicted)
    if never := never_given(predicted.predictions):
        means.warn(never)
    scored = _score(predicted, means)
    yield scored
    chosen = _select(scored, means)
    yield chosen
    return chosen


def _collect(begun: Begun, means: Means) -> Collected:
    """Read the data, and make what asks the model."""
    config, progress = begun.config, means.progress
    _refuse_unmet(begun, means)
    collection = load_examples(begun.collection, progress)
    examples = collection.everything
    wanted = named_examples(examples, config.options.examples)
    clusters = clusters_of(examples, config.suite.cluster, progress)
    if not config.options.examples:
        drawn = _drawn_again(begun, examples[: len(collection.examples)], means)
        number = len(collection.examples) if drawn is None or drawn.drawn_from is None else drawn.drawn_from
        few = cannot_pass(collection, number, drawn, compared=means.baseline is not None, clusters=clusters)
        collection = replace(collection, cannot_pass=tuple(few))
    means.manager.hook.robustfim_run_start(collection=collection)
    context, threshold = _context(collection, examples, clusters, means)
    for check in collection.checks if context.labelled is False else ():
        if check.expectation.counts == "broken":
            message = "'counts: broken' needs gold labels, and no example has one: leave 'counts' out."
            raise config.file.error(message, ("checks", check.name, "expect"))
    window, device = _asked(begun, wanted, progress)
    ours = len(collection.examples)
    return begun.reached(
        Collected, collection=collection, context=context, examples=examples, wanted=wanted, device=device,
        brought=frozenset(examples[ours:].ids()),
        steps=frozenset(check.id for check in collection.checks if check.perturbation.takes_steps),
        model=begun.model.model_copy(
            update={
                "fingerprint": collection.model.fingerprint,
                "labels": list(known_labels(collection.model)),
                "threshold": threshold,
            }
        ),
        data=begun.data.model_copy(
            update={
                "examples": sum(row < ours for row in wanted.rows) if config.suite.data else len(wanted),
                "skipped": dict(collection.skipped),
                "window": window,
            }
        ),
    )  # fmt: skip


def _context(
    collection: Collection, examples: Examples, clusters: ClusterOf, means: Means
) -> tuple[RunContext, ThresholdRecord | None]:
    """Make what asks the model, here or on workers, and set the threshold of its decisions."""
    config, store, progress = collection.config, means.store, means.progress
    queue_of = partial(
        PredictionQueue, collection.model, store, max_calls=config.options.max_calls,
        who=collection.who, again=means.again,
    )  # fmt: skip
    alone = queue_of()
    threshold = settle_threshold(collection, partial(alone.predict, progress=partial(progress, "predict")))
    if threshold is not None:  # workers read the number
        config.file.override(("model", "decide", "at"), threshold.at, "")
    pool = means.pool()
    queue = queue_of(stream=prediction_stream(pool)) if pool else alone
    queue.goes_on_from(alone)
    context = RunContext(
        collection.model, queue, geometry_proxy(pool), seed=config.seed, store=store, offline=config.options.offline,
        services=means.manager,
        attributions=Attributions(
            attribution_proxy(pool, collection.attribution), collection.model, queue.key, store, progress
        ),
        shifts=any(scorer.contract.gradients for scorer in collection.scorers),
        step_stream=partial(step_stream, pool) if pool else None,
        examples=examples, clusters=clusters,
    )  # fmt: skip
    return context, threshold


def _refuse_unmet(begun: Begun, means: Means) -> None:
    """Refuse a score that the model does not allow, if the suite selects by it, before a row is read."""
    if begun.lock is None and means.baseline is None and not begun.config.options.examples:  # else others have drawn
        model = begun.collection.model
        unmet = {scorer.use: unmet_need(scorer, model, means.manager) for scorer in begun.collection.scorers}
        refuse_selection(begun.config.suite.select, unmet)


def _asked(begun: Begun, examples: Examples, progress: Progress) -> tuple[WindowRecord, str | None]:
    """Ask the model what it may tell: of how many examples it reads a part only, and its device."""
    model, who = begun.collection.model, begun.collection.who
    with blame(who, ModelError):
        tells, device = ModelPart(model).window is not None, ModelPart(model).device
    partly = 0
    for start, block in examples.windows(BLOCK) if tells else ():
        progress("measure", start, len(examples))
        with blame(who, ModelError):
            partly += sum(window is not None for window in windows(model, block) or ())
    return WindowRecord(told=tells, partly=partly), None if device is None else str(device)


def _predict(collected: Collected, means: Means) -> Predicted:
    """Predict the unperturbed examples window by window, and leave out those without finite numbers."""
    wanted, context, config = collected.wanted, collected.context, collected.config
    window = collected.data.window
    known = not collected.model.labels or (window is not None and window.told)
    predictions = Predictions(wanted, len(collected.collection.examples))
    long: list[Example] = []
    benign = Benign(context.clusters)
    for start, block in wanted.windows(_WINDOW):
        share = partial(_predicted, means, start, len(block), len(wanted))
        answers = context.queue.predict(block, share)
        predictions.put(start, block, answers)
        benign.add(zip(block, answers, strict=True))
        long = long if known else longest(long, block)
        means.progress("predict", start + len(block), len(wanted))
    if not predictions:
        raise ModelError(f"the model gave no finite probabilities for any of {len(wanted)} examples.")
    checks = collected.collection.checks
    unclaimed = {} if config.options.examples else unclaimed_spans(predictions, checks, means.baseline)
    if unclaimed:
        predictions.leave_out(unclaimed)
    lost = len(wanted) - len(predictions)
    right = predictions.accuracy(context.clusters)
    return collected.reached(
        Predicted, predictions=predictions, strict=benign.thresholds(),
        longest=tuple(example for example in long if example.id in predictions),
        model=collected.model.model_copy(
            update={
                "accuracy": right,
                "majority": predictions.majority,
                "unlabelled": len(predictions.of_data) - right.tested,
                "unclaimed": unclaimed,
                "gold": [] if predictions.open else sorted(predictions.gold),
                "association": associated(predictions, config, context.clusters),
            }
        ),
        data=collected.data.model_copy(
            update={
                "examples": len(predictions.of_data if config.suite.data is not None else predictions),
                "labelled": right.tested,
                "skipped": collected.data.skipped | ({WITHOUT_NUMBERS: lost} if lost else {}),
            }
        ),
    )  # fmt: skip


def _predicted(means: Means, start: int, size: int, everything: int, done: int, total: int) -> None:
    """Tell how many examples are predicted; of a window, the end is told by itself, whatever the store knew."""
    if done < total:
        means.progress("predict", start + size * done // total, everything)


def _probe(predicted: Predicted, means: Means) -> Predicted:
    """Find out whether the second half of long texts is read, of a model that does not tell what it reads."""
    moved = probe(predicted)
    if not moved:
        return predicted
    window = WindowRecord(told=False, probed=len(moved), unread=len(moved) - sum(moved))
    if window.sentence:
        means.warn(f"{window.sentence}.")
    return replace(predicted, data=predicted.data.model_copy(update={"window": window}))


def _refuse_unusable(predicted: Predicted) -> None:
    """Refuse a model that answers too little, or says nothing that could be tested."""
    model, predictions = predicted.collection.model, predicted.predictions
    number, suite = len(predicted.wanted), predicted.config.suite
    lost, most = number - len(predictions), ModelPart(model).contract.unusable
    if lost >= _FEW and lost > most * number:
        raise ModelError(
            f"the model has no usable answer to {lost} of {number} examples, and 'unusable: {most:g}' allows "
            "a smaller share. Mend the model, or raise 'unusable'."
        )
    rule = decision_rule(model)
    threshold = rule is not None and not isinstance(rule, NumberRule) and not rule.of_labels
    if threshold and all(share in (0, 1) for prediction in predictions.values() for share in prediction.tilted):
        raise ModelError(
            "the model gives labels alone, with probabilities of 0 and 1, which no threshold can tell apart: leave "
            "'decide' out, name the label alone, 'decide: {label: LABEL}', or test the model's own probabilities."
        )
    if suite.data is not None and not suite.one_label:
        refuse_constant(predictions)


def _score(predicted: Predicted, means: Means) -> Predicted:
    """Score how difficult the examples are."""
    scorers = predicted.collection.scorers
    if not scorers:
        return predicted
    usable = predicted.predictions.of_data
    return replace(predicted, scores=score_examples(scorers, usable, predicted.context, means.progress))


def _select(scored: Predicted, means: Means) -> Selected:
    """Choose the examples that are tested, and say which slices they are in."""
    config, context, progress = scored.config, scored.context, means.progress
    predictions, scores, usable = scored.predictions, scored.scores, scored.predictions.of_data
    spec = None if config.options.examples else config.suite.select
    if scored.lock is not None and not config.options.examples:
        selection = select_locked(scored.lock, scored.examples, predictions, spec)
        if (more := len(usable) - scored.lock.examples) > 0:
            means.warn(
                f"the data hold {more:,} more examples than the {scored.lock.examples:,} that the lock file was drawn "
                "from: the run says nothing of them. Lock the suite anew with 'robustfim lock'."
            )
    elif spec is not None and (again := _drawn_before(usable, means)) is not None:
        selection = again
    else:
        pilot = None
        if spec is not None and spec.by == BEST and spec.scored:
            drawn = drawn_for_pilot(usable, context.clusters, spec.pilot, config.seed)
            pilot = run_pilot(scored, drawn, progress)
            if pilot.message:
                first = scores.records[0].name
                means.warn(f"select: {{by: {BEST}}}: {pilot.message}; {first!r} selects, the suite's first.")
        selection = select_examples(spec, usable, scores, config.seed, pilot, progress)
    members = slice_members(config.suite.slices, scored.examples, predictions, scores.values, progress)
    context.slices = members
    for check in scored.collection.checks:
        if scored.lock is not None and check.made_beforehand:
            scored.lock.verify(check.name, check.settings)
    arms = selection.arms
    known = {example.id: example for example in usable.among(arms)}
    order = known if selection.record.testable is None else arms  # the arms are in the order of the draw
    tested = tuple(TestedExample(known[id], predictions[id], arms[id]) for id in order)
    right = Counter(example.arm for example in tested if example.prediction.right(example.example.gold))
    if scored.data.labelled and selection.record.testable is None:
        counted = selection.record.model_copy(
            update={"right": {arm: right[arm] for arm in dict.fromkeys(arms.values())}}
        )
        selection = replace(selection, record=counted)
    return scored.reached(Selected, selection=selection, members=members, tested=tested)


def _drawn_again(begun: Begun, examples: Examples, means: Means) -> Selection | None:
    """The draw of the lock file, or of the baseline, that a run tests again; None where its suite draws."""
    spec, lock = begun.config.suite.select, begun.lock
    if lock is not None:
        testable = None if spec is None else spec.testable
        return Selection(lock.arms, SelectionRecord(strata=lock.strata, testable=testable), lock.examples)
    return None if spec is None else _drawn_before(examples, replace(means, warn=lambda _: None))


def _drawn_before(usable: Examples, means: Means) -> Selection | None:
    """The examples that the baseline drew; None where it drew none, or its draw is no sample of these data."""
    if means.baseline is None or (drawn := select_again(means.baseline, usable, means.progress)) is None:
        return None
    new = _rows_beside(usable, means.baseline)
    if new:
        means.warn(
            f"the data hold more examples than the baseline's run read ({new:,}), so its draw is no sample of them and "
            "the suite drew anew: run the baseline's model on these data and accept that."
        )
        return None
    return drawn


def _rows_beside(usable: Examples, baseline: Record) -> int:
    """How many examples the baseline's run did not read; by their number alone where its second file is gone."""
    try:
        known = {id for (id,) in baseline.table.rows(["id"])}
    except UsageError:
        return max(0, len(usable) - baseline.data.examples)
    return sum(id not in known for id in usable.ids())


def _check(selected: Selected, means: Means) -> Iterator[Checked]:
    """Run the checks, and gather what plugins add."""
    collection, context, options = selected.collection, selected.context, selected.config.options
    hook, places = means.manager.hook, {check.id: place for place, check in enumerate(collection.checks)}
    checked, stopping = selected.reached(Checked), 0
    failed: set[str] = set()
    for check, counts, failures in _ended(selected, means, failed):
        if counts.ended is None and selected.lock is not None:
            for difference in selected.lock.differences(check.name, resources(check)):
                means.warn(difference)
        checked = replace(
            checked,
            checks=tuple(sorted((*checked.checks, counts), key=lambda check_counts: places[check_counts.id])),
            failures=tuple(sorted((*checked.failures, *failures), key=lambda failure: places[failure.check])),
        )
        yield checked
        context.attributions.show(context.examples, counts.trials.failing)
        preliminary = decided(checked, [counts])[0]
        hook.robustfim_check_finish(check=check, result=preliminary)
        if preliminary.outcome is Outcome.FAILED:
            failed.add(check.id)
        stopping += preliminary.outcome in (Outcome.FAILED, Outcome.ERROR, Outcome.XPASSED)
        if options.max_failures is not None and stopping >= options.max_failures:
            checked = replace(checked, message=f"stopped after {counted(stopping, 'failure')}.")
            break
    if options.max_calls is not None and context.queue.sent >= options.max_calls:
        means.warn(
            f"--max-calls {options.max_calls} is used up: what was inconclusive by then is judged by what was tested."
        )
    yield checked
    context.queue.ask_rest()
    checked = with_shrunk(checked, means.baseline, means.warn, means.progress)
    yield checked
    if not options.examples:
        yield replace(checked, sections=tuple(gather_sections(hook, collection, context)))


def _ended(selected: Selected, means: Means, failed: Set[str]) -> Iterator[tuple[Check, CheckCounts, list[Failure]]]:
    """Run the checks one after the other, and yield each at its end; with budgets under ``--max-calls`` they alternate.

    The next block goes to the check that needs the fewest further candidates, judging by its evidence so far. A decided
    check leaves its calls to the others, and a check that no number would decide waits. The choice depends on the
    model's answers, never on the content of the store, so a continued run makes the same choices.
    """
    checks, options = selected.collection.checks, selected.config.options
    needs = dict.fromkeys(range(len(checks)), 0.0)
    under_way: dict[int, Blocks] = {}
    draws: dict[int, Draw] = {}
    while needs:
        place = next(iter(needs)) if options.max_calls is None else min(needs, key=needs.__getitem__)
        check = checks[place]
        if place in draws:
            draws[place].budget = budget_of(check, selected.collection, len(failed))
        elif place not in under_way:
            means.manager.hook.robustfim_check_start(check=check)
            under_way[place] = _by_blocks(check, selected, means, len(failed))
        try:
            draws[place], asked = next(under_way[place])
        except StopIteration as end:
            del needs[place]
            yield check, *end.value
        else:
            needs[place] = still_needed(asked, draws[place].share)


def _by_blocks(check: Check, selected: Selected, means: Means, failed: int) -> Blocks:
    """Run one check block by block, on its own examples as far as the model gave numbers for them, or the selected."""
    predictions, tested = selected.predictions, selected.tested
    if check.examples is not None:
        known = (example for example in check.examples if example.id in predictions)
        tested = tuple(TestedExample(example, predictions[example.id], "all") for example in known)
    budget = budget_of(check, selected.collection, failed)
    if budget is not None:
        sizes, arms = arm_sizes(selected), {example.arm for example in tested}
        stands = {arm: size for arm, size in sizes.items() if arm in arms}
        own = check.examples is not None
        budget = replace(
            budget, sizes={"all": len(tested)} if own else stands, alike=1.0 if own else selected.alike,
            unanswered=unanswered(selected) / max(1, sizes["all"]),
        )  # fmt: skip
    return check_by_blocks(
        check, tested, selected.context, reproduce=reproducer(selected.config), progress=means.progress,
        budget=budget, lock=selected.lock, testable=selected.selection.record.testable,
    )  # fmt: skip
