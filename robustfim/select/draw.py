"""Drawing: the order in which a check tests examples, and when it stops."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType

import numpy as np

from robustfim.example import Example
from robustfim.outcome import Outcome
from robustfim.prediction import Prediction
from robustfim.record import BudgetRecord, TailRecord
from robustfim.statistics.clusters import ClusterOf
from robustfim.statistics.rate import LEVEL, Interval, limit_of_answered, percent
from robustfim.statistics.sequential import Evidence, Watch
from robustfim.statistics.strata import LOOK

__all__ = ["Budget", "Draw", "TestedExample"]

_BLOCK = 256
"""Examples whose candidates are proposed, predicted and judged together."""


@dataclass(frozen=True, slots=True)
class TestedExample:
    """An example with its prediction and its arm."""

    __test__ = False  # not a test class, whatever pytest thinks of its name

    example: Example
    prediction: Prediction
    arm: str


@dataclass(frozen=True, slots=True)
class Budget:
    """The number of examples that a check may draw before it stops, and the p-values that end it earlier.

    Attributes:
        most: The most examples, ≥ 1.
        level: The p-value that a verdict of failure needs: 0.025 divided by the number of tests that can fail the run.
        passes: The p-value that a verdict of pass needs.
        sizes: The number of data examples in each sampled group (arm or stratum), the hardest first.
        of_file: Whether the verdict is about the data only, not the population.
        alike: The mean size of an example's cluster (group of dependent examples) in the data.
        unanswered: The number of examples without an answer per example with one.
    """

    most: int
    level: float
    passes: float
    sizes: Mapping[str, int] = field(default_factory=dict)
    of_file: bool = False
    alike: float = 1.0
    unanswered: float = 0.0


class Draw:
    """The examples that a check tests, in blocks: all in order, or, with a budget, until the verdict is certain.

    If one limit applies to several groups (arms or strata) together, each block takes random examples of each. The
    evidence so far decides how many.

    Args:
        tested: The examples the check may test.
        limits: The check's limit, or one for each group; None only without a budget.
        budget: The budget of a check that may stop early; None to test all examples.
        random: Shuffles the examples of a check with a budget.
        clusters: Example id to cluster (group of dependent examples); clusters are drawn whole.
        testable: The number of testable examples of the control group at which the draw stops; None to draw all. They
            are drawn in the given order, which must be random.
    """

    def __init__(
        self,
        tested: Sequence[TestedExample],
        limits: float | Mapping[str, float] | None,
        budget: Budget | None,
        random: Random,
        clusters: ClusterOf = MappingProxyType({}),
        testable: int | None = None,
    ) -> None:
        self.budget, self._clusters, self._testable = budget, clusters, testable
        self._unanswered = 0.0 if budget is None else budget.unanswered
        self._pending = list(tested)
        self._watches: dict[str, Watch] = {}
        self._pools: dict[str, list[TestedExample]] = {}
        self._counted = np.zeros((3, 0))
        stands = () if budget is None or isinstance(limits, Mapping) else budget.sizes
        # All of the data, in a random order, are a plain sample, whatever arms they were parted into.
        given = Counter(example.arm for example in tested)
        parted = len(stands) > 1 and any(given[arm] < size for arm, size in stands.items())
        if budget is not None and isinstance(limits, float) and (parted or budget.of_file):
            random.shuffle(self._pending)
            self._pools = {arm: [one for one in self._pending if one.arm == arm] for arm in budget.sizes}
            self._given = [len(pool) for pool in self._pools.values()]
            self._counted = np.zeros((3, len(self._pools)))
            self._pending = self._pending[: budget.most]
            sizes = tuple(budget.sizes.values())
            self._watches = {"": Watch(limits, budget.level, budget.passes, sizes, budget.of_file, budget.alike)}
        elif budget is not None and limits is not None:
            self._pending = self._shuffled(random)[: budget.most]
            each = limits if isinstance(limits, Mapping) else {"": limits}
            plain = self._sizes(self._pending, "") < 2
            self._watches = {
                arm: Watch(limit, budget.level, budget.passes, planned=plain * self._in(self._pending, arm))
                for arm, limit in each.items()
            }
        self.planned = len(self._pending)
        self.drawn: list[TestedExample] = []
        self._largest: dict[str, int] = {arm: self._sizes(self._pending, arm) for arm in self._watches}

    def blocks(
        self,
        counts: Callable[[str], tuple[int, int]],
        against: Callable[[str], Evidence | None] = lambda _: None,
    ) -> Iterator[list[TestedExample]]:
        """Yield the blocks of examples to test, one after the other.

        Args:
            counts: Returns the numbers of tested and failing examples so far, in a group (arm), or in all for "".
            against: Returns a function that computes the evidence for a group with clusters; None if all examples are
                independent.
        """
        if self._pools:
            yield from self._from_strata(counts)
            return
        looks = self.budget is not None or self._testable is not None
        while self._pending:
            size = self._whole(LOOK if looks else _BLOCK)
            block, self._pending = self._pending[:size], self._pending[size:]
            self.drawn += block
            yield block
            certain, failing_most = set(), (0.0, "")
            for arm, watch in self._watches.items():
                tested, failing = counts(arm)
                self._settle(watch)
                evidence = against(arm)
                sure = watch.look(failing, tested, evidence, drawn=self._in(self.drawn, arm))
                if sure and self._stays(watch, tested, evidence):
                    certain.add(arm)
                side, share = watch.evidence
                if side is Outcome.FAILED and share:
                    failing_most = max(failing_most, (share, arm))
            # A check fails with any of its limits, which leaves nothing to decide once each was looked at.
            fails = failing_most[0] == 1 and all(counts(arm)[0] for arm in self._watches)
            if self._watches and (fails or len(certain) == len(self._watches)):
                break
            if failing_most[0] and not self._clusters:  # it decides soonest
                self._pending.sort(key=lambda example: example.arm != failing_most[1])
            # An arm whose verdict is certain, or that holds enough, needs no more; one without a limit waits.
            if self._testable is not None and counts("control")[0] >= self._testable:
                certain.add("control")
            self._pending = [example for example in self._pending if example.arm not in certain]

    def _from_strata(self, counts: Callable[[str], tuple[int, int]]) -> Iterator[list[TestedExample]]:
        """Give blocks of some of each stratum, as many as the evidence says."""
        watch = self._watches[""]
        while any(numbers := watch.next_block(self._given, taken := self._counted[0].astype(int), self.planned)):
            block = [
                one
                for pool, start, number in zip(self._pools.values(), taken, numbers, strict=True)
                for one in pool[start : start + number]
            ]
            self.drawn += block
            yield block
            now = np.array([self._counted[0] + numbers, *zip(*map(counts, self._pools), strict=True)], float)
            before, self._counted = self._counted, now
            self._settle(watch)
            if watch.take(now - before) and self._stays(watch, int(now[1].sum())):
                break

    def _stays(self, watch: Watch, tested: int, evidence: Evidence | None = None) -> bool:
        """Whether a certain verdict stays if all examples without an answer fail."""
        lost = self._unanswered * len(self.drawn)
        if not lost or watch.tail.side is not Outcome.PASSED or watch.limit >= 1:
            return True
        limit = limit_of_answered(watch.limit, lost / (lost + tested))
        if evidence is not None:
            return limit > 0 and evidence(limit, Outcome.PASSED) >= -math.log(LEVEL)
        return watch.interval is not None and watch.interval[1] <= limit

    def _settle(self, watch: Watch) -> None:
        """Let a limit be certain at the levels of now."""
        if self.budget is not None:
            watch.level, watch.passes = self.budget.level, self.budget.passes

    @property
    def share(self) -> float:
        """The evidence so far as a fraction, in [0, 1], of the evidence that a verdict needs."""
        found = [watch.evidence for watch in self._watches.values()]
        fails = [share for side, share in found if side is Outcome.FAILED]
        return max(*fails, min((share for _, share in found), default=0.0), 0.0)

    @property
    def towards(self) -> str:
        """The progress of the limit furthest from a verdict: ``61 % of the evidence for passed``; ``""`` if none."""
        found = [watch.evidence for watch in self._watches.values()]
        side, share = min(found, key=lambda pair: pair[1], default=(Outcome.INCONCLUSIVE, 0.0))
        return f"{percent(share)} of the evidence for {side}" if share else ""

    def largest(self, arm: str) -> int:
        """Return the size of the largest cluster (group of dependent examples) in an arm; "" stands for all arms."""
        if self._pools or self.budget is None:
            return 1
        return self._largest.get(arm) or self._sizes([*self.drawn, *self._pending], arm)

    @staticmethod
    def _in(examples: Sequence[TestedExample], arm: str) -> int:
        """How many of some examples are of an arm, or of all for ""."""
        return sum(arm in ("", example.arm) for example in examples)

    def interval(self, arm: str) -> Interval | None:
        """Return the 95 % interval of the failure rate in a group (arm), valid at any time of the test.

        Args:
            arm: The group to which the limit applies; "" for all examples.

        Returns:
            The ends, each in [0, 1]; None if the group's limit was not tested separately.
        """
        if arm not in self._watches and self._in(self.drawn, arm) == len(self.drawn):
            arm = ""
        watch = None if self._pools else self._watches.get(arm)
        return None if watch is None else watch.interval

    def _cluster(self, example: TestedExample) -> tuple[bool, str]:
        found = self._clusters.get(example.example.id)
        return found is not None, example.example.id if found is None else found

    def _sizes(self, examples: Sequence[TestedExample], arm: str) -> int:
        """The size of the largest cluster."""
        if not self._clusters:
            return 1
        return max(
            Counter(self._cluster(example) for example in examples if arm in ("", example.arm)).values(), default=1
        )

    def _shuffled(self, random: Random) -> list[TestedExample]:
        """The examples in a random order; those of a cluster, which is drawn as one, beside each other."""
        if not self._clusters:
            random.shuffle(self._pending)
            return self._pending
        groups: dict[tuple[bool, str], list[TestedExample]] = {}
        for example in self._pending:
            groups.setdefault(self._cluster(example), []).append(example)
        order = list(groups.values())
        random.shuffle(order)
        return [example for group in order for example in group]

    def _whole(self, size: int) -> int:
        """So many of the pending examples, and the rest of the cluster that is begun with them."""
        if self.budget is None or not self._clusters:
            return size
        while size < len(self._pending) and self._cluster(self._pending[size]) == self._cluster(
            self._pending[size - 1]
        ):
            size += 1
        return size

    def record(self, candidates: int) -> BudgetRecord | None:
        """Return the record of a check that may stop early, with the number of perturbed texts that this saved.

        Returns:
            The record; None without a budget.
        """
        if self.budget is None:
            return None
        left = self.planned - len(self.drawn)
        return BudgetRecord(
            most=self.planned,
            drawn=len(self.drawn),
            saved=round(candidates / len(self.drawn) * left) if self.drawn else 0,
            tails={arm: _tail(watch) for arm, watch in self._watches.items()},
            interval=self._watches[""].interval if self._pools else None,
        )


def _tail(watch: Watch) -> TailRecord:
    tail, (towards, evidence) = watch.tail, watch.evidence
    return TailRecord(side=tail.side, p_value=tail.p_value, towards=towards, evidence=evidence)
