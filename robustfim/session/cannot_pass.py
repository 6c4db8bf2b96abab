"""Find claims that cannot pass: with so few examples, even a result without a failure proves nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from robustfim.collect.check import Check
from robustfim.collect.collection import Collection
from robustfim.example import Example
from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.claims import Claim, claims_of_check
from robustfim.judge.errors import SLICE
from robustfim.judge.strata import with_strata
from robustfim.outcome import Outcome
from robustfim.printable import counted
from robustfim.record import ArmRecord, BudgetRecord, ErrorRecord, TailRecord
from robustfim.select.selection import Selection
from robustfim.statistics import examples_for, percent
from robustfim.statistics.clusters import ClusterOf
from robustfim.statistics.estimand import MEAN
from robustfim.statistics.mean import Mean
from robustfim.statistics.paired import Paired
from robustfim.statistics.rate import LEVEL
from robustfim.statistics.sequential import Watch
from robustfim.statistics.strata import STRATA, allocation, next_block
from robustfim.suite.format import ERRORS

__all__ = ["cannot_pass"]

_Parts: TypeAlias = Mapping[str, tuple[int, int]]
"""For each arm or stratum, the examples that it represents and those that are drawn from it, at most."""


def cannot_pass(
    collection: Collection,
    number: int,
    drawn: Selection | None = None,
    *,
    compared: bool = False,
    clusters: ClusterOf = MappingProxyType({}),
) -> Iterator[str]:
    """Yield warnings about checks that could not pass even if no tested example failed, since too few are tested.

    With a baseline (earlier run), also warn if even unchanged results could not prove that the loss is below the
    margin.

    Args:
        collection: The run, with its examples loaded.
        number: The most examples that may be tested.
        drawn: The examples of a lock file or a baseline that are tested again; None if the suite draws.
        compared: Whether the run is compared with a baseline.
        clusters: Example id to cluster (group of dependent examples); empty if all are independent.

    Yields:
        Sentences, before the model is asked: ``people: even 0 of 60 failing could not pass 2 %; 183 are needed``.
    """
    found: dict[str, None] = {}
    for check in collection.checks:
        if check.spec.skip is None and check.spec.xfail is None and check.estimand.by_example:
            found |= dict.fromkeys(_Imagined.of(check, collection, number, drawn, clusters).sentences())
    yield from found
    if compared:
        yield from _unprovable(collection, number, drawn, clusters)


@dataclass(frozen=True)
class _Imagined:
    """A check of which no tested example fails.

    Attributes:
        check: The check.
        parts: Its arms or strata.
        number: Examples of the data.
        most: The budget; None without one.
        of_file: Whether the rate in the data is asked for.
        slices: The limits of slices, by name; a slice holds at most all tested examples.
        clusters: The number of clusters of each size in the data; empty if all examples are independent.
    """

    check: Check
    parts: _Parts
    number: int
    most: int | None
    of_file: bool
    slices: Mapping[str, float]
    clusters: Mapping[int, int]

    @classmethod
    def of(
        cls, check: Check, collection: Collection, number: int, drawn: Selection | None, clusters: ClusterOf
    ) -> _Imagined:
        """Imagine a check of a run, with the arguments of :func:`cannot_pass`."""
        suite, parts = collection.config.suite, _parts(collection, check, number, drawn)
        of_file = (check.spec.of or suite.of) == "file"
        most = check.spec.budget or suite.budget
        whole = collection.examples if check.examples is None else check.examples
        sizes = {} if of_file else _cluster_sizes(whole, clusters)
        # Of the file alone a slice that is tested whole is known exactly.
        slices = {} if of_file or not check.estimand.counts else suite.slice_limits
        return cls(check, parts, number, most, of_file, slices, sizes)

    def sentences(self) -> Iterator[str]:
        """Report each claim that does not pass."""
        for claim in self._claims():
            if claim.tail.side is not Outcome.PASSED:
                names = [self.check.name] * (not claim.where.startswith(SLICE)) + [claim.where] * bool(claim.where)
                yield (
                    f"{', '.join(names)}: even 0 of {claim.tested:,} failing could not pass {percent(claim.limit)}"
                    f"{self._way_out(claim)}"
                )

    def _way_out(self, claim: Claim) -> str:
        compared = claim.check.clustered.get(claim.where)
        if compared is not None and _dependent(compared):
            return f": with {_in_words(compared)} no limit below {percent(compared.interval[1])} can pass"
        needed = examples_for(partial(self._passes, claim.where), 0.5)
        if needed is None:
            return "; the data hold too few"
        return f"; a control arm of {needed:,} is needed" if self._of_arms(claim.where) else f"; {needed:,} are needed"

    def _of_arms(self, where: str) -> bool:
        return not where and len(self.parts) > 1 and "control" in self.parts

    def _passes(self, where: str, wanted: int) -> float:
        """Return 1 if a claim passes with another number of examples, which a budget allows as well, else 0."""
        grown = replace(self, parts=self._grown(where, wanted), most=self.most and self.number)
        return float(any(claim.where == where and claim.tail.side is Outcome.PASSED for claim in grown._claims()))

    def _grown(self, where: str, wanted: int) -> _Parts:
        """Draw another number of examples: of all strata, of the control arm, or of a plain sample."""
        if "stratum 1" in self.parts:
            return dict(zip(self.parts, allocation(self.number, max(STRATA, wanted)), strict=False))
        if self._of_arms(where):
            size, _ = self.parts["control"]
            return {**self.parts, "control": (size, min(size, wanted))}
        sizes = {name: size if self.of_file else max(size, wanted) for name, (size, _) in self.parts.items()}
        return {name: (size, min(size, wanted)) for name, size in sizes.items()}

    def _claims(self) -> list[Claim]:
        counts = self._counts()
        return claims_of_check(counts) if counts.gated else []

    def _counts(self) -> CheckCounts:
        """The counts of the check."""
        check, spec, limits = self.check, self.check.spec, self._limits
        tested = min(self.most or _drawn(self.parts), _drawn(self.parts))
        counts = CheckCounts(
            id=check.id, name=check.name, limit=spec.limits, limit_of_valid=spec.limit_of_valid,
            limit_of_file=self.of_file and check.estimand.counts, tested=tested, failing=0, budget=self._budget(),
            arms={
                name: ArmRecord(drawn=drawn, tested=min(drawn, tested), failing=0, limit=limits.get(name))
                for name, (_, drawn) in self.parts.items()
            },
            errors={
                name: ErrorRecord(tested=tested, failing=0, limit=limit)
                for name, limit in limits.items()
                if name in ERRORS or name.startswith(SLICE)
            },
        )  # fmt: skip
        sizes = {"all": self.number} | {name: size for name, (size, _) in self.parts.items()}
        return with_strata(
            counts.model_copy(update=self._means(counts)), sizes, brought=self.check.examples is not None
        )

    @property
    def _limits(self) -> Mapping[str, float]:
        """The limits of arms, kinds of error and slices."""
        limits = self.check.spec.limits
        slices = {SLICE + name: each for name, each in self.slices.items()}
        return {**(limits if isinstance(limits, dict) else {}), **slices}

    def _means(self, counts: CheckCounts) -> Mapping[str, object]:
        """The means that the limits are tested with: of examples in clusters, or of numbers."""
        numbers = self.check.estimand is MEAN
        means = {
            name: _unfailing(part.tested, self.clusters or ({1: part.tested} if numbers else {}))
            for name, part in {"": counts, **counts.parts}.items()
        }
        clustered = {name: mean for name, mean in means.items() if numbers or _dependent(mean)}
        return {"clustered": clustered, "numbers": {} if numbers else None}

    def _budget(self) -> BudgetRecord | None:
        """Bet on blocks of all strata, as the run does; a plain sample is tested with as many as the budget allows."""
        limit, most = self.check.spec.limits, self.most
        sizes, drawn = zip(*self.parts.values(), strict=True)
        alike = len(sizes) == 1 or sizes == drawn or sum(sizes) < self.number
        if most is None or not isinstance(limit, float) or not 0 < limit < 1 or (alike and not self.of_file):
            return None
        watch, taken = Watch(limit, sizes=sizes, of_file=self.of_file), [0] * len(sizes)
        while (left := most - sum(taken)) > 0 and any(block := next_block(drawn, taken, left)):
            watch.take(np.array([block, block, [0] * len(block)], float))
            taken = [before + more for before, more in zip(taken, block, strict=True)]
        tail = TailRecord(side=watch.tail.side, p_value=watch.tail.p_value)
        return BudgetRecord(most=most, drawn=sum(taken), saved=0, tails={"": tail})


def _cluster_sizes(examples: Iterable[Example], clusters: ClusterOf) -> Counter[int]:
    """Count the clusters of each size; empty if all examples are independent."""
    groups = Counter((id in clusters, clusters.get(id, id)) for id in (example.id for example in examples if clusters))
    return Counter(groups.values())


def _unfailing(number: int, clusters: Mapping[int, int], value: float = 0.0) -> Mean:
    """The mean of so many examples to which nothing happened, in as many and as equal clusters as the data allow."""
    if number < sum(size * each for size, each in clusters.items()):
        size, larger = divmod(number, sum(clusters.values()))
        clusters = {size + 1: larger, size: sum(clusters.values()) - larger}
    return Mean({(value * size, size): each for size, each in clusters.items() if size and each}, usual=value)


def _dependent(mean: Mean) -> bool:
    return any(size > 1 for _, size in mean.trials)


def _in_words(mean: Mean) -> str:
    return counted(sum(mean.trials.values()), "cluster")


def _drawn(parts: _Parts) -> int:
    return sum(drawn for _, drawn in parts.values())


def _parts(collection: Collection, check: Check, number: int, drawn: Selection | None) -> _Parts:
    """The arms or strata of a check."""
    if check.examples is not None:
        return {"all": (len(check.examples), len(check.examples))}
    select = collection.config.suite.select
    if drawn is not None:
        taken = Counter(map(str, drawn.arms.values()))
        if (testable := drawn.record.testable) is not None:
            taken["control"] = min(testable, taken["control"])
        sizes = {"all": number} | drawn.record.sizes(number)
        parts = {name: (sizes.get(name, each), each) for name, each in taken.items()}
    elif select is None:
        parts = {"all": (number, number)}
    elif select.examples:
        held = allocation(number, select.examples) if number else []
        parts = {f"stratum {place}": pair for place, pair in enumerate(held, 1)}
    else:
        parts, left = {}, number
        for arm, wished in {**select.chosen, "control": select.testable or select.control}.items():
            chosen = min(wished, left)
            parts[arm] = (left if arm == "control" else chosen, chosen)
            left -= chosen
    return {name: part for name, part in parts.items() if part[1]} or {"all": (0, 0)}


def _unprovable(collection: Collection, number: int, drawn: Selection | None, clusters: ClusterOf) -> Iterator[str]:
    """Tell of accuracy, on the labelled examples of the data, and of robust accuracy, on those that are drawn."""
    margin = collection.config.margin
    labelled = sum(example.label is not None for example in collection.examples)
    checks = [check for check in collection.checks if check.spec.skip is None]
    most = max((_drawn(_parts(collection, check, number, drawn)) for check in checks), default=0)
    sizes = _cluster_sizes(collection.examples, clusters)
    for name, compared in (("accuracy", labelled), ("robust accuracy", min(most, labelled or most))):
        if not margin or not compared:
            continue
        said = f"{name}: even {compared:,} matched examples without a change could not prove it no worse by "
        said += percent(margin, unit="points")
        same = _unfailing(compared, sizes, 0.5)
        if _dependent(same):
            if same.p_value((1 + margin) / 2, Outcome.PASSED) > LEVEL:
                yield f"{said}, in {_in_words(same)}"
        elif not Paired(0, 0, compared).is_no_worse(margin):
            needed = examples_for(lambda more: float(more > 0 and Paired(0, 0, more).is_no_worse(margin)), 0.5)
            yield said + ("" if needed is None else f"; {needed:,} are needed")
