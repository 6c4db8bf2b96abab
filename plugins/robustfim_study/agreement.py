"""``study agreement``: are the difficult examples the same for several models?"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

import numpy as np

from robustfim.errors import DataError
from robustfim.exhibit import Figure, Series, Table
from robustfim.record import Study
from robustfim.statistics import percent
from robustfim_study.association import Array
from robustfim_study.estimate import Estimate, decimal, named, shown
from robustfim_study.intervals import rank_correlation
from robustfim_study.scoring import Scored

__all__ = ["SHARES", "Agreement", "agree", "agreement_study"]

SHARES = (0.05, 0.1, 0.2)
"""The fractions of hardest examples that are compared."""


@dataclass(frozen=True)
class Agreement:
    """The agreement of two models about the difficulty of examples.

    Attributes:
        models: The names of the two models.
        examples: The number of examples with a finite score under both models.
        rho: Spearman's correlation of the two difficulties, with its interval.
        overlaps: For each fraction of hardest examples: their number, how many of them both models share, how many are
            expected to be shared by chance, and the probability of at least as many by chance (hypergeometric).
    """

    models: tuple[str, str]
    examples: int
    rho: Estimate
    overlaps: tuple[tuple[int, int, float, float], ...]

    @property
    def jaccard(self) -> tuple[float, ...]:
        """Return the Jaccard index of the hardest examples of both models, for each fraction, in [0, 1]."""
        return tuple(both / (2 * part - both) for part, both, _, _ in self.overlaps)


def agree(names: tuple[str, str], first: Array, second: Array, clusters: Sequence[Hashable] | None = None) -> Agreement:
    """Measure how far two models agree about which examples are difficult.

    Args:
        names: The names of the two models.
        first: The difficulty under the first model, ``[examples]``, larger is harder. Examples with NaN under either
            model are left out.
        second: The difficulty under the second model, ``[examples]``.
        clusters: The cluster of each example, ``[examples]``; None if examples are independent.
    """
    from scipy.stats import hypergeom

    kept = ~(np.isnan(first) | np.isnan(second))
    size = int(kept.sum())
    if size < 3:
        return Agreement(names, size, Estimate(), ())
    rho = rank_correlation(first, second, kept, clusters)
    first, second = first[kept], second[kept]
    overlaps = []
    for fraction in SHARES:
        part = max(1, round(fraction * size))
        # Equal difficulties keep their order, which is that of the data and the same for both.
        both = len(set(np.argsort(-first, kind="stable")[:part]) & set(np.argsort(-second, kind="stable")[:part]))
        overlaps.append((part, both, part * part / size, float(hypergeom.sf(both - 1, size, part, part))))
    return Agreement(names, size, rho, tuple(overlaps))


def agreement_study(scored: Sequence[Scored], *, score: str) -> Study:
    """Measure how far several models agree about which examples are difficult.

    This is an open question of Datta et al. (2020–22): is an example difficult in itself, or for a model?

    Args:
        scored: The examples under each model, two or more.
        score: The score's name.

    Raises:
        DataError: Fewer than three examples are scored under all models.
    """
    record = scored[0].record
    shared = [example.id for example in scored[0].examples]
    for one in scored[1:]:
        known = {example.id for example in one.examples}
        shared = [each for each in shared if each in known]
    if len(shared) < 3:
        raise DataError(f"only {len(shared)} examples have a difficulty score from every model; the study needs three.")
    difficulty = {}
    for one in scored:
        places = {example.id: row for row, example in enumerate(one.examples)}
        difficulty[one.name] = one.hardest * one.values[[places[each] for each in shared]]
    places = {example.id: row for row, example in enumerate(scored[0].examples)}
    clusters = [scored[0].clusters[places[id]] for id in shared]
    found = [agree((a, b), difficulty[a], difficulty[b], clusters) for a, b in combinations(difficulty, 2)]
    common = _common(difficulty, SHARES[1])
    findings = [_answer(found), *(_sentence(agreement) for agreement in found)]
    if len(scored) > 2 and common is not None:
        findings.append(
            f"{common[1]} examples are among the hardest {common[0]} of all {len(scored)} models; chance alone "
            f"would give {common[2]:.2g}."
        )
    return Study.of(
        record,
        study="agreement",
        title="Are the difficult examples the same for several models?",
        model=None,
        model_calls=sum(one.record.model_calls for one in scored),
        findings=findings,
        tables=[_table(found, score), _shares(found)],
        figures=[_figure(agreement, difficulty) for agreement in found],
        results={
            "score": score,
            "models": [{"name": one.name, "fingerprint": one.record.model.fingerprint} for one in scored],
            "examples": len(shared),
            "pairs": [{**asdict(agreement), "jaccard": agreement.jaccard} for agreement in found],
        },
    )


def _common(difficulty: dict[str, Array], share: float) -> tuple[int, int, float] | None:
    """Count the examples in the hardest share of every model, and how many chance would give."""
    kept = ~np.isnan(np.stack(list(difficulty.values()))).any(axis=0)
    size = int(kept.sum())
    if size < 3:
        return None
    part = max(1, round(share * size))
    sets = [set(np.argsort(-values[kept], kind="stable")[:part]) for values in difficulty.values()]
    return part, len(set.intersection(*sets)), size * (part / size) ** len(sets)


def _answer(found: Sequence[Agreement]) -> str:
    """Say in how many pairs of models the difficulties surely go together."""
    sure = [agreement for agreement in found if _ends(agreement)[0] > 0]
    opposed = [agreement for agreement in found if _ends(agreement)[1] < 0]
    if len(found) == 1:
        (one,) = found
        sentence = f"(Spearman {shown(one.rho)} on {one.examples} examples)"
        if sure:
            return f"What is hard for {one.models[0]} tends to be hard for {one.models[1]} {sentence}."
        if opposed:
            return f"What is hard for {one.models[0]} tends to be easy for {one.models[1]} {sentence}."
        return f"The examples do not show that what is hard for {one.models[0]} is for {one.models[1]} {sentence}."
    low, high = (choose(agreement.rho.value for agreement in found) for choose in (min, max))
    return (
        f"In {len(sure)} of {len(found)} pairs of models what is hard for one surely tends to be hard for the other; "
        f"Spearman's correlation lies from {decimal(low)} to {decimal(high)}."
    )


def _ends(found: Agreement) -> tuple[float, float]:
    """Return the interval; two equal orders have none, and of six or more examples chance makes them once in 720."""
    rho = found.rho.value
    if found.rho.interval is None and found.examples >= 6 and abs(rho) > 1 - 1e-12:
        return rho, rho
    return found.rho.interval or (-1.0, 1.0)


def _sentence(found: Agreement) -> str:
    sentence = f"{found.models[0]} and {found.models[1]}: Spearman {shown(found.rho)} on {found.examples} examples"
    if not found.overlaps:
        return f"{sentence}."
    part, both, chance, p = found.overlaps[1]
    return (
        f"{sentence}; {both} of their {part} hardest are the same (Jaccard {found.jaccard[1]:.2f}), by chance "
        f"{chance:.1f} (p = {p:.1g})."
    )


def _table(found: Sequence[Agreement], score: str) -> Table:
    return Table(
        title=f"Rank correlation of {named(score)}",
        header=["models", "examples", "Spearman"],
        rows=[[" · ".join(each.models), str(each.examples), shown(each.rho)] for each in found],
        notes=["In brackets: 95 % intervals over examples, by the infinitesimal jackknife."],
    )


def _shares(found: Sequence[Agreement]) -> Table:
    return Table(
        title="The hardest examples that two models share",
        header=["models", "hardest", "shared", "Jaccard", "by chance", "p"],
        rows=[
            [
                " · ".join(agreement.models), str(part), f"{both} ({percent(both / part)})", decimal(jaccard),
                decimal(chance, 1), f"{p:.1g}",
            ]
            for agreement in found
            for (part, both, chance, p), jaccard in zip(agreement.overlaps, agreement.jaccard, strict=True)
        ],
        notes=[
            "Jaccard: what both have among their hardest, of what either has. p: of so many or more shared by chance "
            "alone, hypergeometric."
        ],
    )  # fmt: skip


def _figure(found: Agreement, difficulty: dict[str, Array]) -> Figure:
    """Draw the two ranks of each example."""
    from scipy.stats import rankdata

    first, second = (difficulty[name] for name in found.models)
    kept = ~(np.isnan(first) | np.isnan(second))
    ranks = [rankdata(-values[kept]).tolist() for values in (first, second)]
    return Figure(
        title=" and ".join(found.models),
        across=f"rank under {found.models[0]}, 1 the hardest",
        up=f"rank under {found.models[1]}, 1 the hardest",
        series=[
            Series(
                name="examples",
                kind="dots",
                points=list(zip(*ranks, strict=True)),
            )
        ],
        diagonal=True,
        counts=True,
        notes=["On the dashed line an example has the same rank under both; the hardest ones stand at the lower left."],
    )
