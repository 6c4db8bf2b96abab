"""Checks that cannot pass with any result, since even no failure among so few examples proves nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from robustfim.collect.check import Check
from robustfim.collect.collection import Collection
from robustfim.example import Example
from robustfim.outcome import Outcome
from robustfim.select.selection import Selection
from robustfim.statistics import examples_for, percent, tail
from robustfim.statistics.clusters import clustered_mean
from robustfim.statistics.estimand import MEAN, SHARE, Estimand
from robustfim.statistics.mean import Mean
from robustfim.statistics.paired import Paired
from robustfim.statistics.sequential import Watch
from robustfim.statistics.strata import STRATA, allocation, next_block
from robustfim.statistics.stratified import Stratum, stratified_tail
from robustfim.suite.format import ERRORS

__all__ = ["cannot_pass"]


def cannot_pass(
    collection: Collection,
    number: int,
    drawn: Selection | None = None,
    *,
    compared: bool = False,
    clusters: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[str]:
    """Report each check whose limit could not be proved even if no tested example fails.

    With a baseline, also report a margin that could not be proved even without any change.

    Args:
        collection: The run, with its examples loaded.
        number: The most examples that may be tested.
        drawn: The examples of a lock file or a baseline that are tested again; None if the suite draws.
        compared: Whether the run is compared with a baseline.
        clusters: Example id to cluster; empty if all are independent. They count if all examples are tested.

    Yields:
        ``people: even 0 of 60 failing could not pass 2 %; 183 are needed``, before a text is sent to the model.
    """
    for check in collection.checks:
        spec = check.spec
        if spec.limit is None or spec.skip is not None or spec.xfail is not None or not check.estimand.by_example:
            continue
        arms, most = _arms(collection, check, number, drawn), spec.budget or collection.config.suite.budget
        of_file = _of_file(collection, check)
        if isinstance(spec.limit, dict):
            for arm, limit in spec.limit.items():
                tested = sum(arms.values()) if arm in ERRORS else arms.get(arm, 0)
                yield from _told(f"{check.name}, {arm}", limit, min(tested, most or tested), check.estimand)
        elif (parts := _strata(collection, check, number, drawn)) is not None:
            yield from _of_strata(check, spec.limit, parts, number, most, of_file=of_file)
        elif len(arms) > 1 and min(arms.values()) > 0:
            yield from _of_two_arms(check, spec.limit, arms, number, most, of_file=of_file)
        elif not of_file:
            tested = sum(arms.values())
            whole = collection.examples if check.examples is None else check.examples
            if clusters and most is None and tested == len(whole):
                yield from _of_clusters(check, spec.limit, whole, clusters)
            else:
                yield from _told(check.name, spec.limit, min(tested, most or tested), check.estimand)

    # Of the file alone a slice that is tested whole is known exactly.
    of_file = all(_of_file(collection, check) for check in collection.checks)
    for name, limit in () if of_file else collection.config.suite.slice_limits.items():
        yield from _told(f"slice {name}", limit, min(number, len(collection.examples)))
    if compared:
        yield from _unprovable(collection, number, drawn)


def _of_clusters(check: Check, limit: float, examples: Iterable[Example], clusters: Mapping[str, str]) -> Iterator[str]:
    """Tell of clusters that could fail whole without one of them being seen."""
    none = clustered_mean((), (each.id for each in examples), clusters)
    if none is None or not 0 < limit < 1 or none.tail(limit).side is Outcome.PASSED:
        return
    number, lowest = sum(none.trials.values()), none.interval[1]
    yield (
        f"{check.name}: even 0 of {none.tested:,} failing could not pass {percent(limit)}: with {number:,} clusters no "
        f"limit below {percent(lowest)} can pass"
    )


def _unprovable(collection: Collection, number: int, drawn: Selection | None) -> Iterator[str]:
    """Tell of accuracy, on the labelled examples of the data, and of robust accuracy, on those that are drawn."""
    margin = collection.config.margin
    labelled = sum(example.label is not None for example in collection.examples)
    checks = [check for check in collection.checks if check.spec.skip is None]
    most = max((sum(_arms(collection, check, number, drawn).values()) for check in checks), default=0)
    for name, compared in (("accuracy", labelled), ("robust accuracy", min(most, labelled or most))):
        if margin and compared and not Paired(0, 0, compared).is_no_worse(margin):
            needed = examples_for(partial(_proves, margin), 0.5)
            more = "" if needed is None else f"; {needed:,} are needed"
            yield (
                f"{name}: even {compared:,} matched examples without a change could not prove it no worse by "
                f"{percent(margin, unit='points')}{more}"
            )


def _proves(margin: float, matched: int) -> float:
    return float(matched > 0 and Paired(0, 0, matched).is_no_worse(margin))


def _of_file(collection: Collection, check: Check) -> bool:
    return (check.spec.of or collection.config.suite.of) == "file"


def _arms(collection: Collection, check: Check, number: int, drawn: Selection | None) -> dict[str, int]:
    """How many examples each arm of a check may test, at most."""
    if check.examples is not None:
        return {"all": len(check.examples)}
    select = collection.config.suite.select
    if drawn is not None:
        arms = dict(Counter(map(str, drawn.arms.values())))
        if (testable := drawn.record.testable) is not None:
            arms["control"] = min(testable, arms.get("control", 0))
    elif select is None or select.examples is not None:
        arms = {"all": number if select is None else min(number, select.examples or number)}
    else:
        difficult = min(select.difficult, number)
        wished = select.control if select.testable is None else select.testable
        arms = {"difficult": difficult, "control": min(wished, number - difficult)}
    return arms


def _passes(tested: int, limit: float, estimand: Estimand) -> bool:
    found = Mean({(0.0, 1): tested}).tail(limit) if estimand is MEAN else tail(0, tested, limit)
    return found.side is Outcome.PASSED


def _told(name: str, limit: float, tested: int, estimand: Estimand = SHARE) -> Iterator[str]:
    if tested and 0 < limit < 1 and not _passes(tested, limit, estimand):
        needed = examples_for(lambda more: float(more > 0 and _passes(int(more), limit, estimand)), 0.5)
        yield _sentence(name, tested, limit, "" if needed is None else f"{needed:,} are needed")


def _strata(collection: Collection, check: Check, number: int, drawn: Selection | None) -> list[tuple[int, int]] | None:
    """Sizes and draws of the strata of a check; None where there are none."""
    select = collection.config.suite.select
    if check.examples is not None:
        return None
    if drawn is not None:
        taken = Counter(drawn.arms.values())
        return [(size, taken[name]) for name, size in drawn.record.strata.items()] or None
    if select is None or not select.examples or not number:
        return None
    return allocation(number, select.examples)


def _proves_all(parts: Sequence[tuple[int, int]], limit: float, most: int | None, *, of_file: bool) -> bool:
    """Whether none failing of what is drawn from each part passes; with a budget block by block, as the run bets."""
    if most is None:
        strata = [Stratum(size, drawn, drawn, 0) for size, drawn in parts]
        return stratified_tail(strata, limit, of_file=of_file).side is Outcome.PASSED
    if not of_file and all(size == drawn for size, drawn in parts):
        return _passes(min(most, sum(size for size, _ in parts)), limit, SHARE)
    import numpy as np

    sizes, drawn = zip(*parts, strict=True)
    watch, taken = Watch(limit, sizes=sizes, of_file=of_file), [0] * len(parts)
    while (left := most - sum(taken)) > 0 and any(block := next_block(drawn, taken, left)):
        watch.take(np.array([block, block, [0] * len(block)], float))
        taken = [before + more for before, more in zip(taken, block, strict=True)]
    return watch.tail.side is Outcome.PASSED


def _of_strata(
    check: Check, limit: float, parts: list[tuple[int, int]], number: int, most: int | None, *, of_file: bool
) -> Iterator[str]:
    if not 0 < limit < 1 or _proves_all(parts, limit, most, of_file=of_file):
        return

    def passes(wanted: int) -> float:
        drawn = allocation(number, max(STRATA, wanted))
        return float(_proves_all(drawn, limit, most and number, of_file=of_file))

    needed = examples_for(passes, 0.5)
    enough = needed is not None and needed <= number
    yield _sentence(
        check.name, min(most or number, sum(drawn for _, drawn in parts)), limit,
        f"{needed:,} are needed" if enough else "the data hold too few",
    )  # fmt: skip


def _of_two_arms(
    check: Check, limit: float, arms: dict[str, int], number: int, most: int | None, *, of_file: bool
) -> Iterator[str]:
    difficult = arms["difficult"]
    rest = number - difficult

    def passes(control: int, most: int | None = most and number) -> float:
        part = min(control, rest)
        return float(_proves_all([(difficult, difficult), (rest, part)], limit, most, of_file=of_file))

    if not 0 < limit < 1 or passes(arms["control"], most):
        return
    needed = examples_for(passes, 0.5) if passes(rest) else None
    more = "the data hold too few" if needed is None else f"a control arm of {needed:,} is needed"
    yield _sentence(check.name, min(most or number, sum(arms.values())), limit, more)


def _sentence(name: str, tested: int, limit: float, more: str) -> str:
    return f"{name}: even 0 of {tested:,} failing could not pass {percent(limit)}{f'; {more}' if more else ''}"
