"""Turns: what checks with a budget decide under ``--max-calls``, and how often wrongly, as calls are shared out."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.special import ndtri

from robustfim.outcome import Outcome
from robustfim.statistics import BESIDE, LEVEL, Watch, count_rivals, still_needed

__all__ = ["Shared", "simulate_turns", "told", "turns"]

BUDGET = 480
"""Examples that each check may draw."""
LOOKS = (*range(32, BUDGET, 32), BUDGET)
LIMIT = 0.05
RATES = {
    "spread": (0.005, 0.01, 0.015, 0.025, 0.04, 0.05, 0.07, 0.1, 0.15, 0.25),
    "at the limit": (LIMIT,) * 10,
}
"""True rates of the checks of a suite, in a random order."""
CALLS = (800, 1600, 3200)
"""Calls that are allowed, of 4,800 that all take; an example takes one."""
COMMON = 0.5
"""What the failures of an example have in common over the checks: the correlation of the normal scores behind them."""


@dataclass(frozen=True)
class Shared:
    """Runs of one suite.

    Attributes:
        rates: A name of :data:`RATES`.
        calls: Calls allowed.
        turns: Whether they are shared out by the evidence, or checks run one after the other.
        runs: Runs simulated.
        decided: Checks that are decided, in the mean.
        failed: Share of the runs in which a check fails that does not exceed its limit.
        passed: Share of the checks at or above their limit that pass; None where there are none.
    """

    rates: str
    calls: int
    turns: bool
    runs: int
    decided: float
    failed: float
    passed: float


@cache
def _before(place: int, level: float) -> Watch:
    """A check at its limit that has looked so often."""
    watch = Watch(LIMIT, level, planned=BUDGET)
    for look in LOOKS[:place]:
        watch.look(round(LIMIT * look), look)
    return watch


@cache
def _looked(place: int, failing: int, level: float) -> tuple[Outcome, float]:
    """What a look says by itself: the side that is certain, if any, and the share of the evidence."""
    watch = deepcopy(_before(place, level))
    certain = watch.look(failing, LOOKS[place])
    side, share = watch.evidence
    return (side if certain else Outcome.INCONCLUSIVE), share


def _one(counts: np.ndarray[tuple[int, int], np.dtype[np.int64]], calls: int, by_turns: bool) -> list[Outcome]:
    """Run one suite, whose checks have so many failing examples at each look, ``[checks, looks]``."""
    number = len(counts)
    needs, places = dict.fromkeys(range(number), 0.0), [0] * number
    ended = [Outcome.INCONCLUSIVE] * number
    left = calls
    while needs:
        check = min(needs, key=needs.__getitem__) if by_turns else next(iter(needs))
        place = places[check]
        left -= LOOKS[place] - (LOOKS[place - 1] if place else 0)
        if left < 0:
            break
        level = LEVEL / count_rivals(number + BESIDE, ended.count(Outcome.FAILED), "holm")
        ended[check], share = _looked(place, int(counts[check, place]), level)
        places[check] += 1
        needs[check] = still_needed(LOOKS[place], share)
        if ended[check] is not Outcome.INCONCLUSIVE or places[check] == len(LOOKS):
            del needs[check]
    return ended


def simulate_turns(rates: str, calls: int, by_turns: bool, runs: int, *, seed: int = 0) -> Shared:
    """Draw examples that fail several checks rather than one, and run suites on them.

    Args:
        rates: As in :class:`Shared`.
        calls: Likewise.
        by_turns: Likewise, its ``turns``.
        runs: Likewise.
        seed: Seeds the draws.
    """
    random, looked = np.random.default_rng(seed), np.array(LOOKS) - 1
    decided, failed, passed, above = 0, 0, 0, 0
    for _ in range(runs):
        truth = random.permutation(RATES[rates])
        common, own = random.normal(size=BUDGET), random.normal(size=(len(truth), BUDGET))
        fails = COMMON**0.5 * common + (1 - COMMON) ** 0.5 * own < ndtri(truth)[:, None]
        ended = _one(fails.cumsum(axis=1)[:, looked], calls, by_turns)
        decided += sum(each is not Outcome.INCONCLUSIVE for each in ended)
        failed += any(each is Outcome.FAILED and rate <= LIMIT for each, rate in zip(ended, truth, strict=True))
        passed += sum(each is Outcome.PASSED and rate >= LIMIT for each, rate in zip(ended, truth, strict=True))
        above += int((truth >= LIMIT).sum())
    return Shared(rates, calls, by_turns, runs, decided / runs, failed / runs, passed / above)


def turns(runs: int = 2000) -> Sequence[Shared]:
    """Simulate all kinds.

    Args:
        runs: Runs of each.
    """
    return [
        simulate_turns(rates, calls, by_turns, runs) for rates in RATES for calls in CALLS for by_turns in (False, True)
    ]


def told(found: Sequence[Shared]) -> str:
    """Write the table of the section on calls.

    Args:
        found: What was simulated.
    """
    most = LEVEL + 2 * (LEVEL / found[0].runs) ** 0.5
    lines = [
        f"Simulated: {found[0].runs:,} suites a row of ten checks with a limit of {100 * LIMIT:g} % and a budget of "
        f"{BUDGET} examples, a call each, whose failures are correlated ({COMMON:g}). The true rates are *spread* from "
        "0.5 to 25 %, in a random order, or all *at the limit*. *Failed wrongly*: of the suites, those of which any "
        "check fails that does not exceed its limit; *passed wrongly*: of the checks that do not lie below it.",
        "",
        "| true rates | calls | asked | decided of ten | failed wrongly | passed wrongly | aim |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for each in found:
        met = "met" if max(each.failed, each.passed) <= most else "missed"
        lines.append(
            f"| {each.rates} | {each.calls:,} | {'in turns' if each.turns else 'one after the other'} | "
            f"{each.decided:.2f} | {100 * each.failed:.1f} % | {100 * each.passed:.1f} % | wrong ≤ 2.5 %: {met} |"
        )
    return "\n".join(lines)
