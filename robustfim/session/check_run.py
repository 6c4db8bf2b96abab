"""The runner of one check: it tests the examples and counts the failures."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from robustfim.candidate import Candidate
from robustfim.collect.check import Check
from robustfim.collect.spool import Examples
from robustfim.errors import PluginError, RobustfimError, SkipCheck
from robustfim.example import Example
from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.design import Design
from robustfim.judge.estimate import Estimate
from robustfim.judge.trials import Trials
from robustfim.judgement import Judgement, Verdict
from robustfim.outcome import Outcome
from robustfim.parts import SearchPart
from robustfim.plugin.traceback import plugin_traceback
from robustfim.predict.context import RunContext
from robustfim.predict.queue import CallLimitReached
from robustfim.prediction import Prediction
from robustfim.propose.proposal import Proposer
from robustfim.propose.search import in_step, nearness
from robustfim.record import ArmRecord, Failure
from robustfim.roles import Answer, Progress
from robustfim.select.draw import Budget, Draw, TestedExample
from robustfim.select.lock import LockFile
from robustfim.session.failures import add_shifts, describe_failure
from robustfim.session.named_causes import TriedEdits
from robustfim.session.span_recall import SpanRecall
from robustfim.session.time_limit import TimeLimit
from robustfim.session.tried_texts import TriedTexts
from robustfim.session.unchanged import Unchanged
from robustfim.statistics.clusters import by_cluster, clustered_rate
from robustfim.statistics.estimand import MEAN
from robustfim.statistics.gap import Gap
from robustfim.statistics.sequential import Evidence
from robustfim.suite.file import as_plain

__all__ = ["Blocks", "CheckRun", "Ended", "check_by_blocks", "run_check"]


@dataclass
class CheckRun:
    """The state of a running check; the results so far remain available if a plugin raises an error."""

    check: Check
    tested: Sequence[TestedExample]
    """The examples that the check is to test."""
    context: RunContext
    proposer: Proposer
    draw: Draw
    reproduce: Callable[[Check, Example], str]
    """Makes the command line that shows one failure alone."""
    resources: Mapping[str, str] = field(default_factory=dict)
    """The resources that decide the texts, such as word lists."""
    groups: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The ids of the examples in each group, if the reducer compares two groups."""
    failures: list[Failure] = field(default_factory=list)
    answered: dict[str, list[tuple[bool, str]]] = field(default_factory=dict)
    """With ``repeat``: example id to a pair for each judged candidate: whether it failed, and the model's decision."""
    values: dict[str, float] = field(default_factory=dict)
    """Id of a tested example to the degree to which it fails, in [0, 1]."""
    wrong_before: set[str] = field(default_factory=set)
    """Ids of the drawn examples that the model predicts wrong before any edit, if broken examples are counted."""
    unlabelled: set[str] = field(default_factory=set)
    """Ids of the drawn examples without a gold label, if broken examples are counted."""
    wrong_testable: list[str] = field(default_factory=list)
    """Ids of ``wrong_before`` that have an accepted candidate, if errors are counted."""
    partners: dict[str, str] = field(default_factory=dict)
    """Example id to the id of its tested candidate, the last if there are several."""
    lowest: dict[tuple[str, str], float] = field(default_factory=dict)
    """The lowest probability of each label among an example's texts with unchanged gold label, by id and label."""
    tried: TriedTexts = field(default_factory=TriedTexts)
    """Other texts that were tried on the failing examples to read first."""
    unchanged: Unchanged = field(default_factory=Unchanged)
    """The repeated answers to unchanged texts."""

    def __post_init__(self) -> None:
        self.arms = {example.example.id: example.arm for example in self.tested}
        self.clusters = self.context.clusters
        self.recall = SpanRecall(self.clusters)
        self.edits = TriedEdits(self.check, self.clusters)

    def trials(self, arm: str = "") -> Trials:
        """Return the trials of an arm; "" stands for all examples."""
        ids = [id for id in self.values if arm in ("", self.arms[id])]
        return Trials.made(
            ids, check=[self.check.id] * len(ids), value=map(self.values.get, ids), stratum=map(self.arms.get, ids),
            cluster=map(self.clusters.get, ids),
        )  # fmt: skip

    def estimate(self, arm: str = "") -> Estimate:
        """Estimate the failure rate in a group (arm) of examples from the group's tested examples; "" means all."""
        return Design(mean=self.check.estimand is MEAN).estimate(self.trials(arm))

    def evidence(self, arm: str) -> Evidence | None:
        """Return a function that computes the evidence for a verdict from clusters; None without clusters."""
        largest = self.draw.largest(arm)
        return self.trials(arm).mean(largest).evidence if largest > 1 else None

    def tested_in(self, arm: str) -> tuple[int, int]:
        """Count the tested and the failing examples of a group (arm); "" stands for all examples."""
        values = [value for id, value in self.values.items() if arm in ("", self.arms[id])]
        return len(values), sum(value > 0 for value in values)

    def at_risk(self, block: Sequence[TestedExample]) -> list[TestedExample]:
        """Return the examples of a block that a perturbation can make fail; the others count, but are not perturbed."""
        at_risk = []
        for example in block:
            if self.check.expectation.at_risk(example.prediction, example.example):
                at_risk.append(example)
            else:
                (self.wrong_before if example.example.gold else self.unlabelled).add(example.example.id)
        return at_risk

    def untested(self) -> str:
        """Return the reason why nothing was tested."""
        wrong, blank, drawn = len(self.wrong_before), len(self.unlabelled), len(self.draw.drawn)
        if wrong + blank < drawn or not drawn:
            left = drawn - wrong - blank
            return self.proposer.counts.vacuous(self.check.spec.perturb.use, left, self.check.perturbation.skipped)
        parts = [f"the model is wrong about {wrong:,} before any edit"] * bool(wrong)
        parts += [f"{blank:,} have no gold label"] * bool(blank)
        return (
            f"tested nothing: an edit breaks what was right, and of {drawn:,} examples {' and '.join(parts)}. "
            "'expect: {use: invariant, counts: changes}' counts every change of an answer."
        )

    def counts(self, end: _End, seconds: float) -> CheckCounts:
        """Return the counts of the check, before the comparison with its limit.

        Args:
            end: How the check ended.
            seconds: The time that it took.
        """
        self.values = {id: self.values[id] for id in self.arms if id in self.values}  # in the order of the data
        names = sorted({*self.arms.values()}, key=lambda arm: (arm != "difficult", arm))
        estimates = {name: self.estimate(name) for name in ("", *names)}
        return CheckCounts(
            **_written(self.check), **vars(end), **self._rates(estimates), **self._examples(estimates),
            wrong_testable=self.wrong_testable, lowest=self.lowest, recall=self.recall.records(),
            missed=self.recall.missed(),
            resources=dict(self.resources), candidates=self.proposer.counts.frozen(), duration_s=round(seconds, 3),
            edit_trials=self.edits.trials,
        )  # fmt: skip

    def _rates(self, estimates: Mapping[str, Estimate]) -> dict[str, Any]:
        """The rates of all examples and of each arm."""
        arms = {name: self._arm(name, estimate) for name, estimate in estimates.items()}
        whole = {name: value for name, value in arms.pop("") if name not in ("drawn", "limit")}
        return whole | {"arms": arms, "budget": self.draw.record(self.proposer.counts.tested)}

    def _arm(self, arm: str, estimate: Estimate) -> ArmRecord:
        """The counts of an arm with its estimate; "" stands for all examples."""
        draw, limits = self.draw, self.check.spec.limits
        ends, effective = estimate.counts.interval, estimate.effective
        if draw.budget is not None and self.check.estimand is not MEAN:
            trials, effective = self.trials(arm), None
            ends = draw.interval(arm) or (trials.mean(draw.largest(arm)).interval if len(trials) else None)
        wrong, blank = (sum(arm in ("", self.arms[id]) for id in ids) for ids in (self.wrong_before, self.unlabelled))
        return ArmRecord(
            drawn=sum(arm in ("", example.arm) for example in draw.drawn), tested=estimate.counts.tested,
            failing=estimate.counts.count, wrong_before=wrong, unlabelled=blank, rate=estimate.counts.rate,
            interval=ends, effective=effective, limit=limits.get(arm) if isinstance(limits, dict) else None,
        )  # fmt: skip

    def _examples(self, estimates: Mapping[str, Estimate]) -> dict[str, Any]:
        """The tested examples, with what their limits are tested by: means, or clusters."""
        trials = self.trials()
        takes_mean = len(trials) > 0 and self.check.estimand is MEAN
        windows = self.context.windows(
            [example.example for example in self.tested if example.example.id in self.values]
        )
        return {
            "trials": trials,
            "examples": trials.example.tolist(),
            "numbers": {id: number for id, number in self.values.items() if number} if takes_mean else None,
            "clustered": {
                name: estimate.clustered
                for name, estimate in estimates.items()
                if estimate.clustered is not None and self.draw.budget is None
            },
            "clusters": len(by_cluster((), trials.tested, self.clusters)) if trials.clusters else None,
            "partly": sum(window is not None for window in windows),
            "partners": _partners(self),
        }

    def compared(self, counts: CheckCounts) -> CheckCounts:
        """Return the counts; if the check compares two groups, the difference of their rates replaces the rate."""
        if not self.groups:
            again = self.check.repeat
            return self.unchanged.held_against(counts, self.answered, self.check, self.context) if again else counts
        parts = [counts.trials.within(ids) for ids in self.groups.values()]
        rates = [clustered_rate(part.failing, part.tested, self.clusters) for part in parts]
        gap = Gap.of(*rates, means=[part.mean() for part in parts])
        return counts.against({name: rate for name, (rate, _) in zip(self.groups, rates, strict=True)}, gap)


def _written(check: Check) -> dict[str, Any]:
    """The fields of a check's counts that its suite and its plugins decide."""
    spec, copied = check.spec, ("limit_of_valid", "marks", "capability", "type")
    return {
        **{name: getattr(check, name) for name in ("id", "name", "card", "line")},
        **{name: getattr(spec, name) for name in copied},
        "path": check.id.partition("::")[0],
        "limit": spec.limits,
        "perturbation": check.settings["perturb"],
        "constraints": check.settings["constrain"],
        "yardstick": check.perturbation.contract.noise,
        "expectation": {"use": spec.expect.use, **as_plain(spec.expect.options)},
        "counts": check.expectation.counts,
        "fails": {"use": spec.fails.use, **as_plain(spec.fails.options)},
    }


@dataclass(frozen=True)
class _End:
    """How a check ended: None if its counts decide the outcome, else with an error or skipped, and why."""

    ended: Literal[Outcome.ERROR, Outcome.SKIPPED] | None = None
    message: str = ""
    traceback: str = ""


Ended: TypeAlias = tuple[CheckCounts, list[Failure]]
"""The counts of a check before the comparison with its limit, and its failures in the order of the examples."""

Blocks: TypeAlias = Generator[tuple[Draw, int], None, Ended]
"""A running check: after each block its draw, and the candidates so far that needed a call (steps need none)."""


def run_check(blocks: Blocks) -> Ended:
    """Run a check to its end, without pauses.

    Args:
        blocks: The check, as :func:`check_by_blocks` begins it.
    """
    while True:
        try:
            next(blocks)
        except StopIteration as end:
            ended: Ended = end.value
            return ended


def check_by_blocks(
    check: Check,
    tested: Sequence[TestedExample],
    context: RunContext,
    *,
    reproduce: Callable[[Check, Example], str],
    progress: Progress,
    budget: Budget | None = None,
    lock: LockFile | None = None,
    testable: int | None = None,
) -> Blocks:
    """Run one check on the selected examples; if it may stop early, pause after each block of examples.

    If ``--max-calls`` is used up, the check ends with the examples tested by then. A check with a search, without a
    budget or without a tested example ends with an error.

    Args:
        check: The check.
        tested: The examples with their predictions and groups (arms).
        context: The run's context.
        reproduce: Makes the command line that shows one failure alone.
        progress: Called with (check name, with a budget followed by the evidence so far, examples done, examples).
        budget: The budget of a check that may stop early; None to test all examples.
        lock: A lock file, whose stored perturbed texts replace the perturbation.
        testable: The number of testable examples of the control group at which the draw stops; None to draw all.

    Yields:
        The draw of examples, and the perturbed texts so far that needed a call of the model.

    Returns:
        The counts of the check, and its failures in the order of the examples.
    """
    random = context.random(check.purpose, "draw")
    draw = Draw(tested, check.spec.limits, budget, random, context.clusters, testable)
    run = CheckRun(check, tested, context, Proposer(check, context, lock), draw, reproduce)
    limited = TimeLimit(check.spec.timeout)
    end = yield from _until_end(run, limited, progress)
    return run.compared(run.counts(end, limited.spent)), run.tried.added_to(run.failures)


def _until_end(run: CheckRun, limited: TimeLimit, progress: Progress) -> Generator[tuple[Draw, int], None, _End]:
    """Test the blocks of a check, and return how it ended."""
    if run.check.spec.skip is not None:
        return _End(Outcome.SKIPPED, run.check.spec.skip)
    try:
        with limited:
            run.proposer.prepare()
            run.resources = run.proposer.resources()
        yield from _test_blocks(run, limited, progress)
        with limited:
            run.groups = run.check.reducer.groups()
    except SkipCheck as reason:
        return _End(Outcome.SKIPPED, str(reason))
    except RobustfimError as error:
        return _End(Outcome.ERROR, str(error), plugin_traceback(error))
    counts = run.proposer.counts
    if counts.undefined:
        why = f"the model gave no finite numbers for {counts.undefined} of {counts.judged} candidates."
        return _End(Outcome.ERROR, why)
    return _End() if run.values else _End(Outcome.ERROR, run.untested())


def _test_blocks(run: CheckRun, limited: TimeLimit, progress: Progress) -> Iterator[tuple[Draw, int]]:
    """Test one block after the other, until the draw ends or no call is left."""
    check, draw, proposer = run.check, run.draw, run.proposer
    for block in draw.blocks(run.tested_in, run.evidence):
        start = len(draw.drawn) - len(block)
        if start and draw.budget is not None:
            yield draw, 0 if check.perturbation.takes_steps else proposer.counts.judged
        stage = ": ".join(filter(None, [check.name, draw.towards]))

        def advance(done: int, total: int, stage: str = stage, start: int = start, size: int = len(block)) -> None:
            limited.look()
            if done < total:  # the end of the block is reported below, whether anything was predicted or not
                progress(stage, start + size * done // total, draw.planned)

        before = deepcopy(proposer.counts)
        try:
            with limited:
                limited.look()
                _run_block(run, block, advance)
        except CallLimitReached:
            if not start or draw.budget is None or check.search is not None:
                raise
            proposer.counts, draw.drawn = before, draw.drawn[:start]
            return
        progress(stage, start + len(block), draw.planned)


_Judged: TypeAlias = tuple[TestedExample, Candidate, Prediction | None, Judgement | None]
"""A candidate with its prediction and judgement; no judgement if the expectation does not apply."""


def _run_block(run: CheckRun, block: Sequence[TestedExample], advance: Callable[[int, int], None]) -> None:
    """Propose, predict and judge the candidates of some examples; ``advance`` follows the predictions."""
    check, drawn = run.check, block
    block = run.at_risk(drawn)
    if check.counts_errors and not check.repeat and len(block) < len(drawn):
        _count_wrong(run, [example for example in drawn if example.example.id in run.wrong_before])
    judged = _proposed(run, block, advance) if check.search is None else _searched(run, check.search, block, advance)
    _judge_again(check, judged)
    by_source: dict[str, list[_Judged]] = {source.example.id: [] for source in block}
    for row in judged:
        by_source[row[0].example.id].append(row)
    failing: list[Candidate] = []
    for id, rows in by_source.items():
        fails = [judgement.failed for *_, judgement in rows if judgement is not None]
        if not fails:
            continue
        run.values[id] = float(any(fails) and check.reducer.fails(sum(fails), len(fails)))
        if not run.values[id]:
            continue
        found = [
            (asked, source, candidate, after, judgement)
            for asked, (source, candidate, after, judgement) in enumerate(rows, start=1)
            if after is not None and judgement is not None and judgement.failed
        ]
        if check.search is not None:  # of the texts found, as many as are needed, with the fewest edits
            found = sorted(found, key=lambda each: len(each[2].edits))[: check.needed]
        for asked, source, candidate, after, judgement in found:
            command = run.reproduce(check, source.example)
            failure = describe_failure(check, source, candidate, after, judgement, command)
            run.failures.append(failure.model_copy(update={"queries": asked if check.search else None}))
            run.tried.see(failure, source.example)
            failing.append(candidate)
    run.tried.keep(judged)
    run.edits.keep(judged)
    add_shifts(run.failures, failing, run.context)


def _count_wrong(run: CheckRun, wrong: Sequence[TestedExample]) -> None:
    """Note which wrong examples could be tested: an error before any edit is one after it, and nobody asks again."""
    if not run.check.spec.limit_of_errors:
        wrong = [
            example for example in wrong if example.prediction.rule is not None or example.prediction.spans is not None
        ]
    if run.check.perturbation.takes_steps:  # from any text there is one
        run.wrong_testable += [example.example.id for example in wrong]
        return
    pools = run.proposer.unordered().candidates([example.example for example in wrong])
    for example, pool in zip(wrong, pools, strict=True):
        run.wrong_testable += [example.example.id] * bool(pool)
        for candidate in pool:
            run.recall.count(example.prediction, example.prediction, run.check.carrying(candidate, example.prediction))


def _proposed(run: CheckRun, block: Sequence[TestedExample], advance: Callable[[int, int], None]) -> list[_Judged]:
    """Test everything that is proposed, at once."""
    check, context = run.check, run.context
    pools = run.proposer.candidates([example.example for example in block])
    pairs = [(example, candidate) for example, pool in zip(block, pools, strict=True) for candidate in pool]
    candidates = [candidate for _, candidate in pairs]
    if check.perturbation.takes_steps:
        stream = context.step_stream(check.name) if context.step_stream else None
        predictions = context.queue.predict_steps(
            candidates, check.perturbation, check.perturbation.identity, advance, stream, check.perturbation.who
        )
        return _taken(run, pairs, predictions)
    repeats = range(1, 1 + check.repeat)
    again = [(example, ask) for example, pool in zip(block, pools, strict=True) if pool for ask in repeats]
    texts = [*(candidate.example for candidate in candidates), *(source.example for source, _ in again)]
    predictions = context.queue.predict(texts, advance, [0] * len(candidates) + [ask for _, ask in again])
    run.unchanged.take(check, [source for source, _ in again], predictions[len(candidates) :])
    return _taken(run, pairs, predictions[: len(candidates)])


def _searched(
    run: CheckRun, search: SearchPart, block: Sequence[TestedExample], advance: Callable[[int, int], None]
) -> list[_Judged]:
    """Search each example for texts that fail it."""
    judged: list[_Judged] = []
    proposer, check = run.proposer, run.check
    searches = [
        search.search(
            opening,
            nearness(check.judge(source.prediction, source.prediction, Candidate(source.example))),
            proposer.consent(),
            check.needed,
        )
        for source, opening in zip(block, proposer.openings([example.example for example in block]), strict=True)
    ]

    def ask(pairs: list[tuple[int, Candidate]]) -> list[Answer | None]:
        advance(len(block) - len({index for index, _ in pairs}), len(block))
        predictions = run.context.queue.predict([candidate.example for _, candidate in pairs])
        found = _taken(run, [(block[index], candidate) for index, candidate in pairs], predictions)
        judged.extend(found)
        return [None if judgement is None else Answer(nearness(judgement), judgement.failed) for *_, judgement in found]

    in_step(searches, ask)
    proposer.counts.queries += len(judged)
    return judged


def _taken(
    run: CheckRun, pairs: Sequence[tuple[TestedExample, Candidate]], predictions: Sequence[Prediction | None]
) -> list[_Judged]:
    return [(*pair, after, _take(run, *pair, after)) for pair, after in zip(pairs, predictions, strict=True)]


def _take(run: CheckRun, source: TestedExample, candidate: Candidate, after: Prediction | None) -> Judgement | None:
    """Judge a candidate and count it; None where there is nothing to judge."""
    running = run.proposer.counts
    if after is None:
        running.undefined += 1
        return None
    candidate = run.check.carrying(candidate, after)
    run.recall.count(source.prediction, after, candidate)
    judgement = run.check.judge(source.prediction, after, candidate)
    if judgement.verdict is Verdict.NOT_APPLICABLE:
        running.not_applicable += 1
        running.not_applicable_moved += after != source.prediction
        if not running.tested:  # else nobody asks why
            running.reasons.update(filter(None, [judgement.reason]))
        return None
    changed = candidate.example.fields != source.example.fields
    keeps = changed and run.check.spec.expect.use in ("invariant", "correct")
    if keeps and (rule := after.rule) is not None and after.answer is None:
        for label, probability in zip(rule.targets, rule.alone(after.probabilities), strict=True):
            key = source.example.id, label
            run.lowest[key] = min(probability, run.lowest.get(key, probability))
    running.tested += 1
    running.unmoved += _unmoved(source, candidate, after)
    if run.check.repeat:
        run.answered.setdefault(source.example.id, []).append((judgement.failed, after.label))
    run.partners[source.example.id] = candidate.example.id
    running.failed += judgement.failed
    return judgement


def _judge_again(check: Check, judged: Sequence[_Judged]) -> None:
    """Judge candidates again in the reverse order, to find an expectation whose verdicts depend on earlier calls.

    Raises:
        PluginError: The verdict on a candidate depends on the other judged candidates.
    """
    for source, candidate, after, before in reversed(judged):
        if after is None:
            continue
        again = check.judge(source.prediction, after, candidate)
        verdict = Verdict.NOT_APPLICABLE if before is None else before.verdict
        if again.verdict is not verdict:
            raise PluginError(
                f"{check.expectation.who} called a candidate {verdict.value}, and {again.verdict.value} when asked "
                "again: it must judge each candidate alone. To allow some failing candidates for each example, write "
                "'fails: {at_most: 1}' in the check."
            )


def _partners(run: CheckRun) -> dict[str, str]:
    """The other example of the data that each tested one became; none where a single one became no such."""
    partners = run.partners
    if run.proposer.counts.tested != len(partners) or any(other == own for own, other in partners.items()):
        return {}
    examples = Examples.of(run.context.examples)
    others = all(examples.place(other) is not None for other in partners.values())  # no look at all the data
    return partners if others else {}


def _unmoved(source: TestedExample, candidate: Candidate, after: Prediction) -> bool:
    """Whether another text has the example's probabilities; answers of 0 and 1 alone cannot tell."""
    graded = any(0 < probability < 1 for probability in after.probabilities)
    return graded and after.near(source.prediction) and candidate.example.fields != source.example.fields
