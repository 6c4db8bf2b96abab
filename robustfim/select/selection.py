"""Scores and selection: the difficulty of examples, and the choice of the examples to test."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest, nsmallest
from operator import itemgetter
from typing import Any

from robustfim.collect.spool import Examples
from robustfim.errors import PluginError, RobustfimError, UsageError
from robustfim.example import Example
from robustfim.parts import ScorerPart
from robustfim.predict.context import RunContext
from robustfim.predict.store import key_of
from robustfim.record import CostRecord, PilotRecord, Record, ScoreRecord, SelectionRecord
from robustfim.roles import Progress
from robustfim.seeds import random_for
from robustfim.select.columns import Numbers
from robustfim.select.lock import LockFile
from robustfim.statistics.strata import allocation
from robustfim.suite.format import BEST, CHOSEN, SelectSpec

__all__ = [
    "Scores",
    "Selection",
    "arm_of",
    "refuse_selection",
    "score_examples",
    "select_again",
    "select_examples",
    "select_locked",
]

_WINDOW = 8192
"""The number of examples whose keys and scores are in memory as objects at a time."""

_SMALL, _CHUNK = 64, 256
"""Examples scored between two updates of the progress: in this process, and by workers."""

_STRATUM = "stratum "
"""The prefix of a stratum's name; numbers start with the hardest stratum."""


@dataclass(frozen=True)
class Scores:
    """The difficulty scores of examples.

    Attributes:
        values: Name of the score to a mapping from example id to number (NaN if undefined).
        records: The scores in the form in which results are stored.
    """

    values: Mapping[str, Numbers]
    records: Sequence[ScoreRecord]


@dataclass(frozen=True)
class Selection:
    """The examples chosen for testing, each with its group: difficult, control, easiest, all or a stratum.

    Attributes:
        arms: Example id to group (arm): ``difficult``, ``control``, ``easiest``, ``all`` or a stratum. If checks draw
            until enough examples are testable, ``control`` holds all remaining examples, in the order of the draw.
        record: The selection in the form in which results are stored.
        drawn_from: The number of usable examples from which the tested ones were drawn; None for all.
    """

    arms: Mapping[str, str]
    record: SelectionRecord
    drawn_from: int | None = None


def arm_of(part: str | None) -> str | None:
    """Return the group (arm) of a tested example; strata (parts of the data) belong to the group ``all``.

    Args:
        part: An arm or a stratum; None for an example that is not tested.
    """
    return "all" if part is not None and part.startswith(_STRATUM) else part


def score_examples(
    scorers: Sequence[ScorerPart],
    examples: Sequence[Example],
    context: RunContext,
    progress: Progress,
) -> Scores:
    """Compute the difficulty scores of examples; stored scores are reused.

    Returns:
        One number per example and score. A score whose code raises an error has only NaN, and a message.
    """
    spooled = Examples.of(examples)
    values = {scorer.use: Numbers(spooled) for scorer in scorers}
    messages: dict[str, str] = {}
    broken: set[str] = set()
    costs: dict[str, list[tuple[int, ...]]] = {scorer.use: [] for scorer in scorers}

    def give_up(score: str, error: RobustfimError) -> None:
        messages[score] = str(error)
        broken.update({score} if isinstance(error, PluginError) else ())

    for scorer in scorers:
        try:
            scorer.prepare(context)
        except RobustfimError as error:
            give_up(scorer.use, error)
    # Whole batches of the model; workers share a larger part.
    together = _CHUNK if context.step_stream is not None else max(_SMALL, context.queue.batch_size)
    progress("score", 0, len(spooled))
    for start, window in spooled.windows(_WINDOW):
        keys = {
            (scorer.use, example.id): key_of(
                "score", context.queue.decider, scorer.identity, context.queue.content(example)
            )
            for scorer in scorers
            for example in window
        }
        known = context.store.get(list(keys.values()), _number)
        places = {example.id: place for place, example in enumerate(window, start)}
        by_length = sorted(window, key=lambda example: sum(map(len, example.fields.values())), reverse=True)
        for done in range(0, len(by_length), together):
            chunk = by_length[done : done + together]
            for scorer in scorers:
                missing = [example for example in chunk if keys[scorer.use, example.id] not in known]
                if missing and scorer.use not in messages:
                    try:
                        before = _spent(context)
                        numbers = scorer.score(missing, context)
                        spent = zip(before, _spent(context), strict=True)
                        costs[scorer.use].append((len(missing), *(now - then for then, now in spent)))
                        fresh = {
                            keys[scorer.use, example.id]: number
                            for example, number in zip(missing, numbers, strict=True)
                        }
                        context.store.put(fresh)
                        known.update(fresh)
                    except RobustfimError as error:
                        give_up(scorer.use, error)
                for example in chunk:
                    values[scorer.use].column[places[example.id]] = known.get(keys[scorer.use, example.id], math.nan)
            progress("score", start + done + len(chunk), len(spooled))
    for name in messages:  # a score of some examples only would select among those alone
        values[name] = Numbers(spooled)
    records = [
        ScoreRecord(
            name=scorer.use,
            hardest=scorer.contract.hardest,
            symbol=scorer.contract.symbol,
            undefined=sum(not math.isfinite(number) for number in values[scorer.use].column),
            infinite=sum(math.isinf(number) for number in values[scorer.use].column),
            message=messages.get(scorer.use, ""),
            broken=scorer.use in broken,
            cost=None if scorer.use in messages else _cost(scorer, costs[scorer.use]),
        )
        for scorer in scorers
    ]
    return Scores(values, records)


def _spent(context: RunContext) -> tuple[int, int, int]:
    """Texts sent, examples differentiated, and forward passes from moved embeddings so far."""
    effort = context.effort
    return effort["model_calls"], effort["gradient_calls"], effort["step_calls"]


def _cost(scorer: ScorerPart, spent: Sequence[tuple[int, ...]]) -> CostRecord:
    """Sum up what a score asked for; gradients that another had computed before count for it as well."""
    examples, calls, gradients, steps = (sum(column) for column in zip((0, 0, 0, 0), *spent, strict=True))
    if scorer.contract.gradients:
        gradients = max(gradients, examples)
    return CostRecord(examples=examples, calls=calls, gradients=gradients, steps=steps)


def _number(kept: Any) -> float:
    """Read a score of the store."""
    if type(kept) not in (int, float):
        raise ValueError("no number")
    return float(kept)


def select_locked(lock: LockFile, examples: Examples, usable: Container[str], spec: SelectSpec | None) -> Selection:
    """Return the selection of examples that a lock file prescribes.

    Args:
        lock: The lock file.
        examples: The examples of the data.
        usable: Ids of the examples with a prediction.
        spec: The suite's ``select``.

    Raises:
        UsageError: The data lack a locked example.
        ModelError: The model gave no finite numbers for a locked example.
    """
    arms = lock.tested(examples, usable)
    testable = None if spec is None else spec.testable
    record = SelectionRecord(by=lock.by, **_sizes(arms), strata=lock.strata, testable=testable)
    return Selection(arms, record, lock.examples)


def select_examples(
    spec: SelectSpec | None,
    examples: Sequence[Example],
    scores: Scores,
    seed: int,
    pilot: PilotRecord | None = None,
    progress: Progress = lambda *_: None,
) -> Selection:
    """Choose the examples to test, in groups (arms) by difficulty or in strata.

    The difficult group holds the hardest examples by a score, the easiest group the easiest ones, and the control group
    a random sample of all others. Strata divide the data in the order of a score, with undefined scores among the
    easiest, and a random sample is drawn from each. The place of an example in the random order depends only on the
    seed and its id, so a new example in the data does not reorder the others.

    Args:
        spec: The suite's ``select``; None tests everything.
        examples: Examples with a prediction.
        scores: The scores of the examples.
        seed: The run's seed.
        pilot: The result of the pilot run, for ``by: best``; examples of the pilot are not selected.
        progress: Called with ("select", examples considered for the control group, examples).

    Raises:
        UsageError: The score that selects cannot be computed for the model.
        PluginError: The plugin of that score is broken.
    """
    if spec is None:
        return Selection(dict.fromkeys(Examples.of(examples).ids(), "all"), SelectionRecord(control=0, difficult=0))
    arms: dict[str, str] = {}
    threshold = None
    by = None
    left_out = set() if pilot is None else set(pilot.examples)
    if spec.scored:
        score = _choosing(spec, scores, pilot)
        by, sign = score.name, -1 if score.hardest == "highest" else 1
        numbers = scores.values[by]

        def ranked() -> Iterator[tuple[float, str, int]]:
            pairs = enumerate(numbers.pairs())
            return ((sign * number, id, place) for place, (id, number) in pairs if id not in left_out)

        if spec.examples is not None:
            arms, strata = _stratified(ranked(), spec.examples, seed)
            return Selection(arms, SelectionRecord(by=by, strata=strata, pilot=pilot))
        for arm, most_extreme in (("easiest", nlargest), ("difficult", nsmallest)):
            # A heap of so many, however many there are.
            found = most_extreme(getattr(spec, arm), (each for each in ranked() if not math.isnan(each[0])))
            arms |= {id: arm for _, id, _ in sorted(found, key=itemgetter(2))}
        threshold = sign * found[-1][0] if found and math.isfinite(found[-1][0]) else None
    # Examples with the smallest of their own random numbers are a sample that one look at each suffices for.
    rest = _in_random_order(examples, arms.keys() | left_out, seed, progress)
    if spec.testable is None:
        drawn = sorted(nsmallest(spec.control, rest), key=itemgetter(1)) if spec.control else []
    else:
        drawn = sorted(rest)
    arms |= {id: "control" for *_, id in drawn}
    record = SelectionRecord(
        by=by,
        **_sizes(arms),
        testable=spec.testable,
        threshold=threshold,
        pilot=pilot,
    )
    return Selection(arms, record)


def select_again(baseline: Record, examples: Examples, progress: Progress = lambda *_: None) -> Selection | None:
    """Select the examples that an earlier run (baseline) tested, as far as the data still contain them.

    Args:
        baseline: The record of the baseline.
        examples: Examples with a prediction.
        progress: As for :func:`select_examples`.

    Returns:
        The selection; None if the baseline drew no examples, or the data contain none of them.
    """
    was = baseline.selection
    arms = {id: stratum for stratum, ids in was.drawn.items() for id in ids}
    arms |= {example.id: example.arm for example in baseline.examples if example.arm not in (None, "all")}
    held = {id: arms[id] for id in examples.ids() if id in arms}
    if held and was.testable is not None:  # checks draw from the control arm until they have enough
        left_out = set() if was.pilot is None else set(was.pilot.examples)
        held = {id: arm for id, arm in held.items() if arm in CHOSEN}
        rest = sorted(_in_random_order(examples, held.keys() | left_out, baseline.seed, progress))
        held |= {id: "control" for *_, id in rest}
    news = {**_sizes(held), "drawn": {}, "of_baseline": True}
    return Selection(held, was.model_copy(update=news)) if held else None


def _sizes(arms: Mapping[str, str]) -> dict[str, Any]:
    counts = Counter(arms.values())
    return {arm: counts[arm] for arm in (*CHOSEN, "control")}


def _in_random_order(
    examples: Sequence[Example], but: Container[str], seed: int, progress: Progress
) -> Iterator[tuple[float, int, str]]:
    """Give examples with their random numbers and places, but for some."""
    for place, id in enumerate(Examples.of(examples).ids()):
        if not place % _WINDOW:
            progress("select", place, len(examples))
        if id not in but:
            yield random_for(seed, "control", id).random(), place, id


def _choosing(spec: SelectSpec, scores: Scores, pilot: PilotRecord | None) -> ScoreRecord:
    """The score that chooses; one that could not be computed is refused."""
    by = next(iter(pilot.scores), None) if pilot is not None else spec.by
    by = by or scores.records[0].name
    score = next(record for record in scores.records if record.name == by)
    if score.message:
        raise (PluginError if score.broken else UsageError)(_not_by(spec, by, score.message))
    return score


def refuse_selection(spec: SelectSpec | None, unmet: Mapping[str, str]) -> None:
    """Raise an error if the suite selects examples by a score that cannot be computed for the model.

    Args:
        spec: The suite's ``select``.
        unmet: Score name to the reason why the score cannot be computed for the model, empty if it can; scores that
            select come first.

    Raises:
        UsageError: No score that ``select`` may use can be computed.
    """
    if spec is None or not spec.scored or not unmet:
        return
    names = list(unmet) if spec.by == BEST else [spec.by or next(iter(unmet))]
    if all(unmet[name] for name in names):
        raise UsageError(_not_by(spec, names[0], unmet[names[0]]))


def _not_by(spec: SelectSpec, by: str, reason: str) -> str:
    what = "strata cannot be made" if spec.examples else "the difficult arm cannot be selected"
    return (
        f"{what} by {by!r}: {reason.rstrip('.')}. "
        "Select by another score, or at random with 'select: {difficult: 0, control: 200}'."
    )


def _stratified(
    examples: Iterable[tuple[float, str, int]], wanted: int, seed: int
) -> tuple[dict[str, str], dict[str, int]]:
    """Draw examples from strata, those with the smallest numbers first: each one's stratum, and the strata's sizes."""
    # Ids are hashes of the texts: those with one number, and those without one, are in no order.
    ranked = sorted((math.inf if math.isnan(number) else number, id, place) for number, id, place in examples)
    drawn: list[tuple[int, str, str]] = []
    sizes: dict[str, int] = {}
    start = 0
    for place, (size, number) in enumerate(allocation(len(ranked), wanted)):
        members, name = ranked[start : start + size], f"{_STRATUM}{place + 1}"
        chosen = nsmallest(number, members, key=lambda member: random_for(seed, "stratum", member[1]).random())
        drawn += [(row, id, name) for _, id, row in chosen]
        sizes[name] = size
        start += size
    return {id: name for _, id, name in sorted(drawn)}, sizes
