"""Simulated releases: how often a model that is worse, or as good, is let through, and by what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betainc

from robustfim.statistics import CONFIDENCE, Z, examples_for, paired_scores
from robustfim_plan.paired_power import Churn, paired_power

__all__ = ["AIM_EQUAL", "AIM_REFUSED", "AIM_WORSE", "Released", "gate", "released", "releases", "simulate", "told"]

CHECKS, MATCHED, MARGIN = 10, 300, 0.02
BASE = 0.1
"""Failure rate of each check under the baseline."""
CHURN = 0.01
"""Share of examples that an equal model newly breaks in each check, and as many that it fixes."""
AIM_WORSE, AIM_REFUSED, AIM_EQUAL = 0.025, 0.025, 0.8
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
        by_holm: Share that McNemar's tests of the checks with Holm's correction alone let through, "no regression".
        proven: Share of which it is said that they may replace the baseline: exit code 0.
        refused: Share that exits with 1; the rest exits with 6.
    """

    kind: str
    matched: int
    runs: int
    by_holm: float
    proven: float
    refused: float


def simulate(losses: Sequence[float], matched: int, runs: int, seed: int) -> tuple[Counts, Counts]:
    """Draw releases, example by example: independent checks on the same examples.

    Args:
        losses: By how much the error rate of the model truly rises, then the failure rate of each check.
        matched: Examples of each release.
        runs: Releases.
        seed: Seeds the draw.

    Returns:
        Newly broken and newly fixed examples, ``[runs, 2 + checks]``: of the accuracy, of all checks together, of each.
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
            whole = (first[..., 1:].any(axis=2) & ~second[..., 1:].any(axis=2)).sum(axis=1)
            counts.append(np.insert((first & ~second).sum(axis=1), 1, whole, axis=1))
    return np.concatenate(broken), np.concatenate(fixed)


def gate(broken: Counts, fixed: Counts, matched: int, margins: Sequence[float]) -> tuple[Counts, Counts, Counts]:
    """Decide many releases as :func:`robustfim.judge.comparison.compare` decides one.

    Args:
        broken: As :func:`simulate` gives them.
        fixed: Likewise.
        matched: Examples of each.
        margins: That of the accuracy and that of the checks.

    Returns:
        For each run: whether McNemar's tests of the checks with Holm's correction alone found nothing; whether it may
        replace the baseline; whether it is refused.
    """
    exact = np.minimum(1.0, 2 * betainc(np.maximum(np.maximum(broken, fixed), 1), np.minimum(broken, fixed) + 1, 0.5))
    exact = np.where(broken + fixed > 0, exact, 1.0)
    checks = exact.shape[1] - 2
    level = 1 - CONFIDENCE
    allowed = np.array([margins[0]] + [margins[1]] * (checks + 1))
    no_worse = paired_scores(broken, fixed, matched, allowed) < -Z
    rises = paired_scores(broken, fixed, matched, 0.0) > Z
    holm = _holm(exact, np.array([1.0, 1.0] + [1 / checks] * checks))
    refused = (~no_worse & rises & (holm <= level)).any(axis=1)
    alone = _holm(exact[:, 2:], np.ones(checks))
    by_holm = ~((alone <= level) & (broken[:, 2:] > fixed[:, 2:])).any(axis=1)
    return by_holm, np.delete(no_worse, 1, axis=1).all(axis=1) & ~refused, refused


def _holm(p_values: Counts, weights: Counts) -> Counts:
    """Holm's correction with weights (Holm 1979, section 4), row by row."""
    order = np.argsort(p_values / weights, axis=1)
    ranked, shares = np.take_along_axis(p_values, order, axis=1), weights[order]
    left = shares[:, ::-1].cumsum(axis=1)[:, ::-1]
    corrected = np.empty_like(p_values)
    steps = np.minimum(1.0, np.maximum.accumulate(ranked * left / shares, axis=1))
    np.put_along_axis(corrected, order, steps, axis=1)
    return corrected


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
    shares = [float(share.mean()) for share in gate(broken, fixed, matched, [MARGIN, MARGIN])]
    return Released(kind, matched, runs, *shares)


def planned() -> int:
    """Return the matched examples that prove accuracy and every check at power 0.8, with the margin and this churn."""
    tests = [Churn(CHURN, CHURN)] * (1 + CHECKS)
    needed = examples_for(lambda n: 1 - sum(1 - paired_power(test, n, MARGIN) for test in tests), AIM_EQUAL)
    if needed is None:
        raise RuntimeError("no number of examples proves that margin")
    return needed


def releases(runs: int = 10_000) -> list[Released]:
    """Simulate models that are worse in one check or in all, and equal ones.

    Args:
        runs: Releases of each kind.
    """

    def one(loss: float) -> list[float]:
        return [0.0, loss] + [0.0] * (CHECKS - 1)

    def every(loss: float) -> list[float]:
        return [0.0] + [loss] * CHECKS

    equal = every(0.0)

    return [
        released("5 points worse in one check", one(0.05), MATCHED, runs, 1),
        released("3 points worse in one check", one(0.03), MATCHED, runs, 2),
        released("5 points worse in every check", every(0.05), MATCHED, runs, 3),
        released("1 point worse in every check", every(0.01), MATCHED, runs, 4),
        released("less often right by 5 points, else equal", [0.05] + [0.0] * CHECKS, MATCHED, runs, 8),
        released("equal", equal, MATCHED, runs, 5),
        released("equal, with as many as it takes", equal, planned(), runs, 6),
        released("5 points worse in one check, with as many", one(0.05), planned(), runs, 7),
        released("less often right by the margin, with as many", [MARGIN] + [0.0] * CHECKS, planned(), runs, 9),
    ]


def told(found: Sequence[Released] | str) -> str:
    """Write the simulation as Markdown.

    Args:
        found: The kinds; a string says why there are none.
    """
    if isinstance(found, str):
        return f"Not measured: {found}."
    rows = []
    for kind in found:
        aim = ""
        if kind.kind.startswith("5 points worse") or kind.kind.startswith("less often right"):
            aim = f"≤ {100 * AIM_WORSE:.1f} % replace: {'met' if kind.proven <= AIM_WORSE else 'missed'}"
        elif kind.kind == "equal":
            aim = f"≤ {100 * AIM_REFUSED:.1f} % exit with 1: {'met' if kind.refused <= AIM_REFUSED else 'missed'}"
        elif kind.kind.startswith("equal"):
            aim = f"≥ {100 * AIM_EQUAL:.0f} % proved: {'met' if kind.proven >= AIM_EQUAL else 'missed'}"
        inconclusive = 1 - kind.proven - kind.refused
        shares = [f"{100 * share:.2f} %" for share in (kind.by_holm, kind.proven, inconclusive, kind.refused)]
        rows.append([kind.kind, f"{kind.matched:,}", *shares, aim])
    head = ["the new model is", "matched", "no regression by Holm", "0: may replace", "6", "1", "aim"]
    lines = [head, ["---"] * len(head), *rows]
    error = 100 * (0.25 / found[0].runs) ** 0.5
    return (
        f"{found[0].runs:,} releases of each kind (Monte-Carlo error of a share at most {error:.1f} points), {CHECKS} "
        f"independent checks on the same examples, each failing on {100 * BASE:.0f} % of them, and as many answered "
        f"wrongly; a model changes {100 * CHURN:.0f} % each way beside its loss, in each check and its answers. Margin "
        f"{100 * MARGIN:.0f} points, the accuracy's too. 'No regression by Holm' is what McNemar's tests of the checks "
        "alone would let through.\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)
    )
