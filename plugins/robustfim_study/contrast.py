"""``study contrast``: do small edits that change the gold label make a text harder?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.exhibit import Figure, Series, Table
from robustfim.record import Study
from robustfim.statistics import Rate, mean_interval, percent, wilson
from robustfim_study.association import Array
from robustfim_study.estimate import Estimate, decimal, named, shown, signed
from robustfim_study.scoring import Scored, require_columns

__all__ = ["Difference", "contrast_study", "difference", "overlap", "paired"]

_CURVE = 200
"""Points of a density."""


@dataclass(frozen=True)
class Difference:
    """How a difficulty score changes from original examples to versions edited by people.

    Attributes:
        name: The score.
        pairs: The number of pairs with two finite scores.
        mean: The mean of edit minus original, with its t interval.
        deviation: The standard deviation of the differences.
        overlap: The overlap of the two distributions, in [0, 1]; NaN if one of them is constant.
        changed: The number of pairs with different scores.
        harder: The number of these pairs in which the edit is harder.
        interval: The 95 % Wilson interval of ``harder`` / ``changed``; None if no pair differs.
        p_value: Two-sided p-value of the hypothesis that edits are harder as often as easier, by the score test that
            belongs to ``interval``: below 0.05 if 1/2 lies outside the interval; NaN if no score differs.
    """

    name: str
    pairs: int
    mean: Estimate
    deviation: float
    overlap: float
    changed: int
    harder: int
    interval: tuple[float, float] | None
    p_value: float


def paired(
    examples: Sequence[Example], pair: str, role: str | None, original: str | None
) -> tuple[list[tuple[int, int]], int]:
    """Find the pairs of an original example and a version edited by people.

    Args:
        examples: Examples whose rows have columns besides text and label.
        pair: The column with a common value for the rows of a pair.
        role: The column that marks the original; None if the first row of a pair is the original.
        original: The value of ``role`` for an original.

    Returns:
        Indices of original and edit of each pair, and the number of examples without a pair. An original with several
        edits belongs to several pairs.

    Raises:
        DataError: The columns are missing, or there is no pair.
    """
    require_columns(examples, filter(None, [pair, role]))
    groups: dict[str, list[int]] = {}
    for row, example in enumerate(examples):
        if pair in example.meta:
            groups.setdefault(str(example.meta[pair]), []).append(row)
    found, used = [], set()
    for rows in groups.values():
        first = (
            rows[0] if role is None else next((r for r in rows if str(examples[r].meta.get(role)) == original), None)
        )
        for row in rows:
            if first is not None and row != first:
                found.append((first, row))
                used |= {first, row}
    if not found:
        sentence = "" if role is None else f" whose {role!r} is {original!r}"
        raise DataError(f"no two examples share a {pair!r} with an original{sentence}, so there is no pair.")
    return found, len(examples) - len(used)


def overlap(first: Array, second: Array) -> float:
    """Return the overlapping coefficient ∫ min(f, g) of two densities f and g (Weitzman 1970), by Gaussian kernels.

    Args:
        first: A sample from f, ``[examples]``, finite.
        second: A sample from g, ``[examples]``, finite.

    Returns:
        In [0, 1], 1 for equal densities; NaN if one of the samples is constant.
    """
    grid, densities = _densities(first, second)
    if densities is None:
        return float("nan")
    return float(np.clip(np.trapezoid(np.minimum(*densities), grid), 0.0, 1.0))


def difference(name: str, before: Array, after: Array, hardest: int) -> Difference:
    """Compare the difficulty score of edited examples with the score of their originals.

    Args:
        name: The name of the score.
        before: The score of each original, ``[pairs]``; pairs with a score that is not finite are left out.
        after: The score of each edit, ``[pairs]``.
        hardest: 1 if higher scores are harder, −1 if lower scores are.
    """
    kept = np.isfinite(before) & np.isfinite(after)
    before, after = before[kept], after[kept]
    change, size = after - before, int(kept.sum())
    if not size:
        nothing = float("nan")
        return Difference(name, 0, Estimate(), nothing, nothing, 0, 0, None, nothing)
    changed, harder = int((change != 0).sum()), int((hardest * change > 0).sum())
    return Difference(
        name=name,
        pairs=size,
        mean=Estimate(float(change.mean()), mean_interval(change.tolist())),
        deviation=float(change.std(ddof=1)) if size > 1 else float("nan"),
        overlap=overlap(before, after),
        changed=changed,
        harder=harder,
        interval=wilson(harder, changed),
        p_value=math.erfc(abs(2 * harder - changed) / math.sqrt(2 * changed)) if changed else float("nan"),
    )


def contrast_study(scored: Scored, *, score: str, pair: str, role: str | None, original: str | None) -> Study:
    """Compare the difficulty of originals with that of their contrast or counterfactual edits.

    This is the experiment of Datta et al. (2020–22). With Δλmax the λmax of an edit minus the λmax of its original,
    they published −0.57 ± 1.22 for counterfactual edits and 0.65 ± 1.15 for contrast sets under a CNN, and values near
    0 under BERT.

    Args:
        scored: The examples with their scores.
        score: The score's name.
        pair: The column with a common value for the rows of a pair.
        role: The column that marks the original, or None for the first row.
        original: The value of ``role`` for an original.

    Raises:
        DataError: There is no pair.
    """
    record = scored.record
    pairs, alone = paired(scored.examples, pair, role, original)
    rows = np.array(pairs)
    before, after = scored.values[rows[:, 0]], scored.values[rows[:, 1]]
    shown_as = named(score)
    found = [difference(f"Δ{shown_as}", before, after, scored.hardest)]
    logs: tuple[Array, Array] | None = None
    if (before[np.isfinite(before)] >= 0).all() and (after[np.isfinite(after)] >= 0).all():
        logs = _logs(before), _logs(after)
        found.append(difference(f"Δlog₁₀ {shown_as}", *logs, scored.hardest))
    right = {id: correct for id, correct in record.table.rows(["id", "correct"]) if correct is not None}
    accuracy = {
        name: [right[scored.examples[row].id] for row in dict.fromkeys(places) if scored.examples[row].id in right]
        for name, places in (("originals", rows[:, 0].tolist()), ("edits", rows[:, 1].tolist()))
    }
    findings = [_answer(found[0]), *(_sentence(each) for each in found)]
    if all(accuracy.values()):
        sentence = " and ".join(f"{_rate(values)} of the {name}" for name, values in accuracy.items())
        findings.append(f"The model labels {sentence} rightly.")
    if alone:
        findings.append(f"{alone} examples are in no pair and were left out.")
    return Study.of(
        record,
        study="contrast",
        title="Are edited texts harder than their originals?",
        findings=findings,
        tables=[_table(found)],
        figures=_figures(shown_as, before, after, logs),
        results={
            "score": score,
            "pairs": len(pairs),
            "alone": alone,
            "differences": [asdict(each) for each in found],
            "accuracy": {name: sum(values) / len(values) if values else None for name, values in accuracy.items()},
        },
    )


def _rate(values: Sequence[bool]) -> str:
    return Rate(sum(values), len(values)).text


def _logs(values: Array) -> Array:
    return np.log10(values, where=values > 0, out=np.full_like(values, np.nan))


def _densities(first: Array, second: Array) -> tuple[Array, tuple[Array, Array] | None]:
    """Estimate both densities on one grid; None where one has no spread."""
    from scipy.stats import gaussian_kde

    first, second = first[np.isfinite(first)], second[np.isfinite(second)]
    if min(len(first), len(second)) < 3 or not first.std() or not second.std():
        return np.zeros(0), None
    room = 3 * max(first.std(), second.std())
    low, high = min(first.min(), second.min()) - room, max(first.max(), second.max()) + room
    grid = np.linspace(low, high, 20 * _CURVE)
    return grid, (gaussian_kde(first)(grid), gaussian_kde(second)(grid))


def _answer(found: Difference) -> str:
    """Say whether more edits than half are surely harder, or easier, than their originals."""
    if found.interval is None:
        return f"No pair has two scores that differ ({found.name}), so that nothing can be said."
    sentence = f"{_harder(found)} of {found.changed} edits are"
    low, high = found.interval
    if low > 0.5:
        return f"Mostly yes: {sentence} harder than their originals."
    if high < 0.5:
        return f"Mostly no: only {sentence} harder than their originals."
    return f"The pairs do not show it: {sentence} harder than their originals, and half would be chance."


def _sentence(found: Difference) -> str:
    if not found.pairs:
        return f"{found.name}: no pair has both scores."
    return (
        f"{found.name}: {signed(found.mean.value)} ± {decimal(found.deviation)} on {found.pairs} pairs; "
        f"{_harder(found)} of the edits are harder than their originals (p = {found.p_value:.2g})."
    )


def _harder(found: Difference) -> str:
    return percent(found.harder / found.changed if found.changed else None, found.interval)


def _table(found: Sequence[Difference]) -> Table:
    return Table(
        title="Difference in difficulty: edit minus original",
        header=[
            "difference", "pairs", "mean", "standard deviation", "overlap", "harder", "not harder", "p",
        ],
        rows=[
            [
                each.name, str(each.pairs), shown(each.mean, sign=True), decimal(each.deviation), decimal(each.overlap),
                _harder(each), str(Rate(each.pairs - each.harder, each.pairs)),
                f"{each.p_value:.2g}",
            ]
            for each in found
        ],
        notes=[
            "In brackets: 95 % intervals over pairs, Student's t for the mean, Wilson's for the share. Overlap: "
            "∫ min(f, g) of the two densities, 1 where they are equal. Harder: edits that score harder than their "
            "original, of those that score otherwise. Not harder: of all pairs, those whose edit does not score "
            "harder. p: of as many easier ones, by the test of that share.",
        ],
    )  # fmt: skip


def _figures(name: str, before: Array, after: Array, logs: tuple[Array, Array] | None) -> list[Figure]:
    across = f"log₁₀ {name}" if logs else name
    first, second = logs or (before, after)
    grid, densities = _densities(first, second)
    found = []
    if densities is not None:
        every = slice(None, None, 20)
        found.append(
            Figure(
                title=f"Distribution of {across}", across=across, up="density",
                series=[
                    Series(
                        name=part, kind="line", points=list(zip(grid[every].tolist(), y[every].tolist(), strict=True))
                    )
                    for part, y in zip(("originals", "edits"), densities, strict=True)
                ],
            )
        )  # fmt: skip
    kept = np.isfinite(first) & np.isfinite(second)
    points = list(zip(first[kept].tolist(), second[kept].tolist(), strict=True))
    found.insert(
        0,
        Figure(title="Each pair", across=f"{across} of the original", up=f"{across} of the edit",
               series=[Series(name="pairs", kind="dots", points=points)], diagonal=True, equal=True,
               notes=["On the dashed line the edit has the score of its original."]),
    )  # fmt: skip
    return found
