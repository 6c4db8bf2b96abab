"""Checks by simulation whether the chance of exit code 0 that ``robustfim plan`` prints is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from benchmarks.sections import listed, write_results
from robustfim.statistics import Aim, examples_for, limit_power
from robustfim_plan.assurance import Piloted, grown, judged, piloted_rates

__all__ = ["Planned", "as_markdown", "plans", "simulate_plans"]

POWER = 0.8
NUMBERS = tuple(sorted({round(16 * 1.05**step) for step in range(150)}))
"""Examples that a plan may say, as far as 23,000."""
SETTINGS = ((0.1, 100), (0.1, 300), (0.02, 300))
"""Limits, each with the examples of a pilot."""
LIMITS = (1, 3, 10)
"""Limits of a suite, all alike."""
TRUTHS = {"half": (0.5, 0.5), "a quarter": (0.25, 0.25), "spread": (0.05, 1.2)}
"""True rates, in times of the limit: between which of them the logarithm of each is drawn."""
LIKELY = "likely"
"""True rates that are as likely as the plan takes them before it has a pilot: other ones in each suite."""
PILOTS = {1: 2000, 3: 1000, 10: 400}
"""Pilots for each row of likely rates, by limits."""
AIM = 0.03


@dataclass(frozen=True)
class Planned:
    """The results of many simulated pilots of one kind, each with a plan for a power of 0.8.

    Attributes:
        limit: The limit of each check.
        pilot: The number of examples of a pilot.
        checks: The number of limits of the suite.
        truth: A name of :data:`TRUTHS`, or :data:`LIKELY`.
        pilots: The number of simulated pilots.
        drawn: The median of the planned numbers of examples.
        told: The mean of the chances of exit code 0 that the plans predict.
        came: The mean of the true chances of exit code 0 with the planned numbers of examples.
        error: The standard error of ``came − told``.
        plain: The mean of the true chances if the number of examples is planned from the pilot's observed rates alone,
            over pilots in which all these rates are below the limit.
    """

    limit: float
    pilot: int
    checks: int
    truth: str
    pilots: int
    drawn: float
    told: float
    came: float
    error: float
    plain: float

    @property
    def off(self) -> str:
        """The difference of the true and the predicted chance in percentage points, with its standard error."""
        return f"{100 * (self.came - self.told):+.1f} ± {100 * self.error:.1f}"

    @property
    def met(self) -> bool:
        """Whether the predicted and the true chance differ by at most 3 percentage points."""
        return abs(self.told - self.came) <= AIM


@cache
def _plan(limit: float, failing: tuple[int, ...], pilot: int) -> tuple[int, float]:
    """The place of the number that decides the limits, and the chance that it proves all of them."""
    runs = grown([Piloted(limit, each, pilot) for each in failing], until=POWER)
    place = min(len(runs.drawn), len(NUMBERS)) - 1
    return place, float(runs.codes[place, 0])


@cache
def _most(limit: float) -> NDArray[np.int64]:
    """For each number, how many failing examples pass; −1 where none do."""
    found = []
    for number in NUMBERS:
        counts = np.arange(int(limit * number) + 1)[:, None]
        found.append(int((judged(counts, np.array([number]), np.array([limit])) < 0).sum()) - 1)
    return np.array(found)


@cache
def _plain(limit: float, failing: int, pilot: int) -> int:
    """The place of the number with the power at the pilot's own rate."""
    aim = Aim(failing / pilot, limit)
    needed = examples_for(lambda number: limit_power(aim, number), POWER) or NUMBERS[-1]
    return min(int(np.searchsorted(NUMBERS, needed)), len(NUMBERS) - 1)


def simulate_plans(limit: float, pilot: int, checks: int, truth: str, pilots: int, *, seed: int = 1) -> Planned:
    """Draw true rates and pilots, plan from each pilot, and compare the predicted with the true chances.

    Args:
        limit: The limit of each check.
        pilot: The number of examples of a pilot.
        checks: The number of limits of the suite.
        truth: A name of :data:`TRUTHS`, or :data:`LIKELY`.
        pilots: The number of pilots.
        seed: The seed of the draws. It must differ from the seed that the plan uses.
    """
    random = np.random.default_rng(seed)
    if truth == LIKELY:
        rates = piloted_rates([Piloted(limit, 0, 0)] * checks, random)[:pilots]
    else:
        least, most_times = np.log(TRUTHS[truth])
        rates = limit * np.exp(random.uniform(least, most_times, (pilots, checks)))
    failing = random.binomial(pilot, rates)
    kinds, where = np.unique(failing, return_inverse=True)
    where = where.reshape(failing.shape)
    numbers, most = np.array(NUMBERS), _most(limit)

    def true(place: NDArray[np.int64]) -> NDArray[np.float64]:
        at = place[:, None]
        proved: NDArray[np.float64] = binom.cdf(most[at], numbers[at], rates).prod(axis=1)
        return proved

    planned = [_plan(limit, tuple(sorted(each)), pilot) for each in failing.tolist()]
    drawn, chances = (np.array(part) for part in zip(*planned, strict=True))
    below = (failing < pilot * limit).all(axis=1)
    plain = np.array([_plain(limit, int(kind), pilot) if kind < pilot * limit else 0 for kind in kinds])[where]
    came = true(drawn)
    return Planned(
        limit, pilot, checks, truth, pilots, float(np.median(numbers[drawn])), float(chances.mean()),
        float(came.mean()), float((came - chances).std() / pilots**0.5),
        float(true(plain.max(axis=1))[below].mean()) if below.any() else float("nan"),
    )  # fmt: skip


def plans(pilots: int = 1000, several: int = 100) -> Sequence[Planned]:
    """Simulate all kinds of pilots.

    Args:
        pilots: The number of pilots of each kind with one limit at given rates.
        several: The number of pilots of each kind with several limits.
    """
    return [
        simulate_plans(
            limit, pilot, checks, truth, PILOTS[checks] if truth == LIKELY else pilots if checks == 1 else several
        )
        for limit, pilot in SETTINGS
        for checks in LIMITS
        for truth in (LIKELY, *TRUTHS)
    ]


def as_markdown(found: Sequence[Planned]) -> str:
    """Write the results as a section of Markdown.

    Args:
        found: The simulations.
    """
    about = (
        f"A plan for a power of {POWER:g} from each pilot: the examples with which the limits are decided, and the "
        "chance of exit code 0 that it *tells* for so many. *Came*: how often it comes with so many, exactly, at the "
        "true rates. *Plain*: how often it came with the examples that have the power at the pilot's rates, were these "
        "the true ones, as plans said before; only of pilots with all rates below the limit. The true rates are half "
        "or a quarter of the limit, or *spread* from 0.05 to 1.2 times of it, each by itself, or *likely*: drawn for "
        "each suite as the plan takes them to be before it has a pilot. Of these what is told has to come, whatever is "
        "planned, or the plan is wrong; of rates that are given no plan can do that, since it does not know them. "
        "*Off*: came less told, in points, with its standard error."
    )
    rows = listed(
        "limit | pilot | limits | true rates | pilots | drawn, median | told | came | off | plain | aim",
        "{limit:g%} | {pilot} | {checks} | {truth} | {pilots:,} | {drawn:,.0f} | {told:.2f} | {came:.2f} | {off} | "
        "{plain:.2f} | ≤ 3 points: {met}",
        found,
    )
    averages = (_average(checks, [each for each in found if each.checks == checks]) for checks in LIMITS)
    return "\n\n".join([about, rows, *filter(None, averages)])


def _average(checks: int, rows: Sequence[Planned]) -> str:
    """By how much what came was off with so many limits, of likely rates and of given ones."""
    said = []
    for name, part in (
        ("likely", [row for row in rows if row.truth == LIKELY]),
        ("given", [row for row in rows if row.truth != LIKELY]),
    ):
        if part:
            off = 100 * sum(each.came - each.told for each in part) / len(part)
            error = 100 * sum(each.error for each in part) / len(part)  # the rows have their draws in common
            said.append(f"{off:+.1f} ± {error:.1f} points at {name} rates")
    return f"On the average with {checks} limit{'s' * (checks > 1)}: {', '.join(said)}." if said else ""


if __name__ == "__main__":
    write_results(f"## Plans\n\n`python -m benchmarks.plans`. {as_markdown(plans())}")
