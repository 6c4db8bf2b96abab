"""Simulated releases: how often a model that is worse, or as good, is let through, and by what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betainc

from robustfim.statistics import CONFIDENCE, Churn, Z, examples_for, paired_power, paired_scores

__all__ = ["AIM_EQUAL", "AIM_WORSE", "Released", "gate", "released", "releases", "simulate", "told"]

CHECKS, MATCHED, MARGIN = 10, 300, 0.02
BASE = 0.1
"""Failure rate of each check under the baseline."""
CHURN = 0.01
"""Share of examples that an equal model newly breaks in each check, and as many that it fixes."""
AIM_WORSE, AIM_EQUAL = 0.05, 0.8
_BLOCK = 250
Counts = Any
"""An array of whole numbers ``[runs, tests]``: all checks together first, then each check."""


@dataclass(frozen=True)
class Released:
    """What became of many releases of one kind.

    Attributes:
        kind: What the new model is.
        matched: Matched examples of each.
        runs: Releases simulated.
        before: Share that McNemar's tests with Holm's correction alone let through, "no regression".
        proven: Share of which it is said that they may replace the baseline.
        allowed: Share that exits with 0.
    """

    kind: str
    matched: int
    runs: int
    before: float
    proven: float
    allowed: float


def simulate(losses: Sequence[float], matched: int, runs: int, seed: int) -> tuple[Counts, Counts]:
    """Draw releases, example by example: independent checks on the same examples.

    Args:
        losses: By how much the failure rate of each check truly rises.
        matched: Examples of each release.
        runs: Releases.
        seed: Seeds the draw.

    Returns:
        Newly broken and newly fixed examples, ``[runs, 1 + checks]``, of all checks together first.
    """
    random = np.random.default_rng(seed)
    ends = np.array([[CHURN + loss, CHURN + loss + CHURN, CHURN + loss + BASE] for loss in losses])
    broken: list[Counts] = []
    fixed: list[Counts] = []
    for start in range(0, runs, _BLOCK):
        drawn = random.random((min(_BLOCK, runs - start), matched, len(losses)), dtype=np.float32)
        now = (drawn < ends[:, 0]) | ((drawn >= ends[:, 1]) & (drawn < ends[:, 2]))
        was = (drawn >= ends[:, 0]) & (drawn < ends[:, 2])
        for counts, first, second in ((broken, now, was), (fixed, was, now)):
            whole = (first.any(axis=2) & ~second.any(axis=2)).sum(axis=1)
            counts.append(np.column_stack([whole, (first & ~second).sum(axis=1)]))
    return np.concatenate(broken), np.concatenate(fixed)


def gate(broken: Counts, fixed: Counts, matched: int, margin: float) -> tuple[Counts, Counts, Counts]:
    """Decide many releases as :func:`robustfim.judge.comparison.compare` decides one.

    Args:
        broken: As :func:`simulate` gives them.
        fixed: Likewise.
        matched: Examples of each.
        margin: The margin.

    Returns:
        For each run: whether McNemar's tests with Holm's correction alone found nothing; whether it may replace the
        baseline; whether it exits with 0.
    """
    exact = np.minimum(1.0, 2 * betainc(np.maximum(np.maximum(broken, fixed), 1), np.minimum(broken, fixed) + 1, 0.5))
    exact = np.where(broken + fixed > 0, exact, 1.0)
    order = np.argsort(exact[:, 1:], axis=1)
    ranked = np.take_along_axis(exact[:, 1:], order, axis=1)
    steps = np.minimum(1.0, np.maximum.accumulate(ranked * np.arange(ranked.shape[1], 0, -1), axis=1))
    holm = exact.copy()
    np.put_along_axis(holm[:, 1:], order, steps, axis=1)
    level = 1 - CONFIDENCE
    no_worse = paired_scores(broken, fixed, matched, margin) < -Z
    worse = ~no_worse & (paired_scores(broken, fixed, matched, 0.0) > Z) & (holm <= level)
    lost = ~no_worse & ((broken - fixed) / matched > margin)
    refused = (worse | lost).any(axis=1)
    old = ((holm[:, 1:] <= level) & (broken[:, 1:] > fixed[:, 1:])).any(axis=1)
    return ~old, no_worse.all(axis=1) & ~refused, ~refused


def released(kind: str, losses: Sequence[float], matched: int, runs: int, seed: int = 0) -> Released:
    """Simulate the releases of one kind of model.

    Args:
        kind: What it is.
        losses: As for :func:`simulate`.
        matched: Examples of each release.
        runs: Releases.
        seed: Seeds them.
    """
    broken, fixed = simulate(losses, matched, runs, seed)
    shares = [float(each.mean()) for each in gate(broken, fixed, matched, MARGIN)]
    return Released(kind, matched, runs, *shares)


def planned() -> int:
    """Return the matched examples that ``robustfim plan`` asks for: power 0.8, the margin, and this churn."""
    none_before, none_both = (1 - BASE) ** CHECKS, (1 - BASE - CHURN) ** CHECKS
    whole = Churn(none_before - none_both, none_before - none_both)
    tests = [whole, *[Churn(CHURN, CHURN)] * CHECKS]
    found = examples_for(lambda n: 1 - sum(1 - paired_power(each, n, MARGIN) for each in tests), AIM_EQUAL)
    if found is None:
        raise RuntimeError("no number of examples proves that margin")
    return found


def releases(runs: int = 10_000) -> list[Released]:
    """Simulate models that are worse in one check or in all, and equal ones.

    Args:
        runs: Releases of each kind.
    """

    def one(loss: float) -> list[float]:
        return [loss] + [0.0] * (CHECKS - 1)

    return [
        released("5 points worse in one check", one(0.05), MATCHED, runs, 1),
        released("3 points worse in one check", one(0.03), MATCHED, runs, 2),
        released("5 points worse in every check", [0.05] * CHECKS, MATCHED, runs, 3),
        released("1 point worse in every check", [0.01] * CHECKS, MATCHED, runs, 4),
        released("equal", [0.0] * CHECKS, MATCHED, runs, 5),
        released("equal, with as many as 'plan' says", [0.0] * CHECKS, planned(), runs, 6),
        released("5 points worse in one check, with as many", one(0.05), planned(), runs, 7),
    ]


def told(found: Sequence[Released] | str) -> str:
    """Write the simulation as Markdown.

    Args:
        found: The kinds; a string says why there are none.
    """
    if isinstance(found, str):
        return f"Not measured: {found}."
    rows = []
    for each in found:
        aim = ""
        if each.kind.startswith("5 points worse in one check"):
            aim = f"≤ {100 * AIM_WORSE:.0f} %: {'met' if each.allowed <= AIM_WORSE else 'missed'}"
        elif "plan" in each.kind:
            aim = f"≥ {100 * AIM_EQUAL:.0f} % proved: {'met' if each.proven >= AIM_EQUAL else 'missed'}"
        shares = [f"{100 * share:.2f} %" for share in (each.before, each.proven, each.allowed)]
        rows.append([each.kind, f"{each.matched:,}", *shares, aim])
    head = ["the new model is", "matched", "no regression by Holm", "may replace the baseline", "exits with 0", "aim"]
    lines = [head, ["---"] * len(head), *rows]
    return (
        f"{found[0].runs:,} releases of each kind, {CHECKS} independent checks on the same examples, each failing on "
        f"{100 * BASE:.0f} % of them; a model changes {100 * CHURN:.0f} % each way beside its loss. Margin "
        f"{100 * MARGIN:.0f} points. 'No regression by Holm' is what McNemar's tests of the checks alone would let "
        "through.\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)
    )
