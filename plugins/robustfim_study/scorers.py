"""``study scorers``: which difficulty score predicts the failures of this model on this data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from robustfim.exhibit import Figure, Series, Table
from robustfim.record import CostRecord, ScoreRecord, Study
from robustfim_study.association import Array, ratio
from robustfim_study.estimate import MISSING, decimal, named, shown
from robustfim_study.mix import FOLDS, MIX, cross_fitted
from robustfim_study.sample_run import SampleRun
from robustfim_study.score_result import PARTS, REFERENCE, Outcomes, ScoreResult, measure, outcomes_of

__all__ = ["DEFAULT_SCORES", "scorers_study", "verdicts"]

DEFAULT_SCORES = ("fisher", "boundary", "margin", "entropy", "smallest_step", "boundary_step")
"""The scores that are measured besides the suite's own."""


def scorers_study(sample: SampleRun) -> Study:
    """Evaluate which score best predicts the failures in a sample.

    Args:
        sample: The run on a random sample.
    """
    record, outcomes = sample.record, outcomes_of(sample)
    scores = {example.id: example.scores for example in record.examples}

    def values(name: str) -> Array:
        found = [scores[each].get(name) for each in outcomes.ids]
        return np.array([math.nan if each is None else each for each in found], dtype=np.float64)

    usable = [score.name for score in record.scores if not score.message]
    reference = values(REFERENCE) if REFERENCE in usable else None
    signs = {score.name: -1.0 if score.hardest == "lowest" else 1.0 for score in record.scores}
    difficulties = np.column_stack([signs[name] * values(name) for name in usable]) if usable else np.empty((0, 0))
    mixed = cross_fitted(difficulties, outcomes.failing, record.seed)
    others = len(usable) - (reference is not None) + (mixed is not None)
    results = [measure(score, values(score.name), outcomes, reference, record.seed, others) for score in record.scores]
    if mixed is not None:
        whole = ScoreRecord(name=MIX, hardest="highest", cost=_together([score.cost for score in record.scores]))
        results.append(measure(whole, mixed, outcomes, reference, record.seed, others))
    results.sort(key=lambda result: -result.auroc.value if math.isfinite(result.auroc.value) else math.inf)
    everywhere = float(ratio(100 * outcomes.failures, outcomes.calls))
    return Study.of(
        record,
        study="scorers",
        title="Which score predicts failures?",
        findings=[*verdicts(results), _tested(sample, outcomes)],
        tables=[_table(results), _deciles(results, everywhere)],
        figures=_figures(results, everywhere),
        results={
            "checks": list(sample.checks),
            "examples": len(outcomes.ids),
            "failing": int(outcomes.failing.sum()),
            "at_risk": int(np.isfinite(outcomes.broken).sum()),
            "broken": int(np.nansum(outcomes.broken)),
            "calls": int(outcomes.calls.sum()),
            "per_100_calls": everywhere,
            "scores": [asdict(result) for result in results],
        },
    )


def verdicts(results: Sequence[ScoreResult]) -> list[str]:
    """Return sentences on which score predicts best, and whether another score beats λmax."""
    measured = [result for result in results if math.isfinite(result.auroc.value)]
    broken = [
        f"{result.name} could not be computed: {result.message.rstrip('.')}." for result in results if result.message
    ]
    if not measured:
        return ["All or none of the examples fail, so no score can tell them apart: test other checks.", *broken]
    fisher = next((score for score in measured if score.name == REFERENCE), None)
    best = measured[0]
    if fisher is None:
        return [
            f"{best.name} has the highest AUROC, {shown(best.auroc)}. λmax is not among the scores.",
            *broken,
        ]
    said = []
    beats = [score for score in measured if score.ahead and score.ahead.interval and score.ahead.interval[0] > 0]
    behind = [score for score in measured if score.ahead and score.ahead.interval and score.ahead.interval[1] < 0]
    if best is fisher:
        said.append(f"λmax (fisher) has the highest AUROC, {shown(fisher.auroc)}.")
    if best in beats:
        said.append(
            f"{best.name} has the highest AUROC of {len(measured)} scores, {shown(best.auroc)}, and predicts the "
            f"failures surely better than λmax, {shown(fisher.auroc)}."
        )
    for beat in beats:
        assert beat.ahead is not None  # noqa: S101  # those that beat it were compared
        said.append(
            f"{beat.name} beats λmax: AUROC {decimal(beat.auroc.value)} against {decimal(fisher.auroc.value)}, "
            f"a difference of {shown(beat.ahead, sign=True)}."
        )
    single = [beat.name for beat in beats if beat.name != MIX]
    if single:
        said.append(f"To select by {single[0]}: 'select: {{by: {single[0]}}}'.")
    if not beats and best is not fisher:
        said.append(
            f"{best.name} has the highest AUROC, {shown(best.auroc)} against {shown(fisher.auroc)} of λmax: a "
            "difference that chance can explain."
        )
    if behind:
        said.append(f"λmax beats {', '.join(each.name for each in behind)}.")
    return said + broken


def _together(costs: Sequence[CostRecord | None]) -> CostRecord | None:
    """What several scores cost, one after the other; None where one is not known."""
    known = [cost for cost in costs if cost is not None]
    if not known or any(cost.examples == 0 for cost in known):
        return None
    return CostRecord(
        examples=max(cost.examples for cost in known),
        calls=sum(cost.calls for cost in known),
        gradients=max(cost.gradients for cost in known),  # computed once for all of them
        steps=sum(cost.steps for cost in known),
    )


def _tested(sample: SampleRun, outcomes: Outcomes) -> str:
    failing = int(outcomes.failing.sum())
    several = f"at least one of {len(sample.checks)} checks" if len(sample.checks) > 1 else "the check"
    return (
        f"{failing} of {len(outcomes.ids)} examples, drawn at random, fail {several} ({', '.join(sample.checks)}); "
        f"{int(outcomes.calls.sum()):,} candidates were tested."
    )


def _table(results: Sequence[ScoreResult]) -> Table:
    rows = [
        [
            named(result.name), str(result.examples), shown(result.auroc), shown(result.broken),
            MISSING if result.ahead is None else shown(result.ahead, sign=True),
            shown(result.spearman), shown(result.pearson), shown(result.first, 1), f"{decimal(result.gain, 1)}×",
            MISSING if result.cost is None else decimal(result.cost, 1), decimal(result.paid, 1),
        ]
        for result in results
        if not result.message
    ]  # fmt: skip
    notes = [
        "In brackets: 95 % intervals, of AUROC by Newcombe's score method, of Spearman's correlations by the "
        "jackknife, clusters whole (Pearson's has none: scores have heavy tails), of calls and differences by the "
        "bootstrap. AUROC: does an example fail? Spearman, Pearson: with the share of its candidates that fail. "
        "Positive numbers: harder examples fail more.",
        "An invariant check fails here when the label changes, right or wrong. AUROC, broken: of the examples that "
        "the model answers rightly, does a candidate make the answer wrong?",
        "Per 100 calls: failures found in the hardest tenth, each check that an example fails being one. Times "
        "control: the same, divided by that of the whole random sample.",
        "Cost: forward passes that one example's score takes beside its prediction, a gradient counting as three; with "
        "it: failures per 100 calls where those that score all examples, to find the hardest tenth, are counted, too.",
        "A score beats λmax when the interval of the AUROC difference lies above 0, at 95 % for all scores together.",
    ]
    if any(result.name == MIX for result in results):
        notes.append(
            f"{MIX}: a logistic regression of all the other scores, fitted on {FOLDS - 1} of {FOLDS} parts of the "
            "examples and asked about the fifth; it costs what they cost together, and a suite cannot select by it."
        )
    for result in results:
        if result.infinite:
            notes.append(
                f"{result.name} is infinite for {result.infinite} examples: they count as the "
                f"{'easiest' if result.hardest == 'lowest' else 'hardest'}, and Pearson's correlation leaves them out."
            )
    header = [
        "score",
        "examples",
        "AUROC",
        "AUROC, broken",
        "minus λmax",
        "Spearman",
        "Pearson",
        "per 100 calls",
        "times control",
        "cost",
        "with it",
    ]
    return Table(title="Scores", header=header, rows=rows, notes=notes)


def _deciles(results: Sequence[ScoreResult], everywhere: float) -> Table:
    kept = [result for result in results if result.deciles]
    rows = [[named(score.name), *(decimal(part.per_100, 1) for part in score.deciles)] for score in kept]
    control = [["control", *[decimal(everywhere, 1)] * PARTS]] if rows else []
    return Table(
        title="Failures found per 100 calls, by decile",
        header=["score", "hardest", *(str(place) for place in range(2, PARTS)), "easiest"],
        rows=[*rows, *control],
        notes=["control: the whole random sample, which is what a random choice finds."],
    )


def _figures(results: Sequence[ScoreResult], everywhere: float) -> list[Figure]:
    """Draw the AUROC of each score, and what its hardest tenth finds, with their intervals."""
    ranked = [result for result in results if math.isfinite(result.auroc.value)]
    tenths = [score for score in ranked if math.isfinite(score.first.value)]
    drawn = []
    if ranked:
        drawn.append(
            Figure(
                title="How well each score predicts failures", across="score", up="AUROC",
                series=[
                    Series.bars("AUROC", ((each.auroc.value, each.auroc.interval, each.examples) for each in ranked))
                ],
                names=[named(score.name) for score in ranked], level=0.5, level_name="chance",
                notes=["The probability that an example which fails is ranked as harder than one which does not; "
                       "95 % intervals by Newcombe's score method."],
            )
        )  # fmt: skip
    if tenths:
        drawn.append(
            Figure(
                title="Failures found per 100 calls in the hardest tenth", across="score", up="failures per 100 calls",
                series=[
                    Series.bars(
                        "hardest tenth",
                        ((each.first.value, each.first.interval, each.deciles[0].examples) for each in tenths),
                    )
                ],
                names=[named(tenth.name) for tenth in tenths], level=everywhere, level_name="all examples",
                notes=["95 % bootstrap intervals over examples."],
            )
        )  # fmt: skip
    return drawn
