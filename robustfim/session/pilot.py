"""The pilot: a random part of the examples, from which a run learns which score predicts failures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from heapq import nsmallest

from robustfim.collect.spool import Examples
from robustfim.example import Example
from robustfim.judge.auroc_by_score import area_of
from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.trials import Trials
from robustfim.record import PilotRecord
from robustfim.roles import Progress
from robustfim.seeds import random_for
from robustfim.select.draw import TestedExample
from robustfim.session.check_run import check_by_blocks, run_check
from robustfim.session.stages import Predicted
from robustfim.statistics.clusters import ClusterOf

__all__ = ["drawn_for_pilot", "run_pilot"]


def drawn_for_pilot(examples: Sequence[Example], clusters: ClusterOf, number: int, seed: int) -> list[Example]:
    """Draw the examples of a pilot run, which finds the difficulty score that predicts failures best.

    Args:
        examples: Examples with a prediction; at most half of them are drawn.
        clusters: Example id to cluster, for groups of dependent examples; clusters are drawn whole.
        number: The number of examples to draw.
        seed: The run's seed.
    """
    examples = Examples.of(examples)
    most = min(number, len(examples) // 2)

    def order(key: tuple[bool, str]) -> tuple[float, tuple[bool, str]]:
        return random_for(seed, "pilot", key[1]).random(), key

    if not clusters:
        drawn = nsmallest(most, examples.ids(), lambda id: order((False, id)))
    else:
        groups: dict[tuple[bool, str], list[str]] = {}
        for each in examples.ids():
            groups.setdefault((each in clusters, clusters.get(each, each)), []).append(each)
        drawn = []
        for key in sorted(groups, key=order):
            if len(drawn) >= most:
                break
            if len(drawn) + len(groups[key]) <= max(most, len(examples) // 2):
                drawn += groups[key]
    found = {example.id: example for example in examples.among(drawn)}
    return [found[each] for each in drawn]


def run_pilot(scored: Predicted, pilot: Sequence[Example], progress: Progress) -> PilotRecord:
    """Run the checks on the pilot's examples, and measure how well each difficulty score ranks the failing ones first.

    Checks that move embeddings, bring their own examples or compare two groups are skipped.

    Returns:
        The pilot's record; its scores are listed with the best first, ties in the suite's order.
    """
    context, scores = scored.context, scored.scores
    sent = context.queue.sent
    asked = [TestedExample(example, scored.predictions[example.id], "all") for example in pilot]
    ran: list[CheckCounts] = []
    for check in scored.collection.checks:
        if check.perturbation.takes_steps or check.examples is not None or not check.estimand.by_example:
            continue
        plain = replace(check, spec=check.spec.model_copy(update={"limit": 1.0}))
        counts, _ = run_check(
            check_by_blocks(
                plain, asked, context, reproduce=lambda *_: "", progress=lambda _, *at: progress("pilot", *at)
            )
        )
        ran.append(counts)
    usable = [record for record in scores.records if not record.message]
    trials, number = Trials.together(check.trials for check in ran), max(1, len(usable))
    tested, failing = trials.tested, trials.failing
    areas = {
        score.name: area_of(score.hardest, scores.values[score.name], tested, failing, number, trials.clusters)
        for score in usable
    }
    known = {name: area for name, area in areas.items() if area.auroc is not None}
    ranked = dict(sorted(known.items(), key=lambda item: -(item[1].auroc or 0.0)))
    message = ""
    if not ranked:
        what = "no score could be computed" if not usable else "so no score can be told from another"
        message = f"{len(failing)} of the {len(tested)} tested examples of the pilot fail, {what}"
    return PilotRecord(
        examples=[example.id for example in pilot], tested=len(tested), failing=len(failing),
        calls=context.queue.sent - sent, scores=ranked, message=message,
    )  # fmt: skip
