"""Simulates how often a suite drafted by a scan passes a model that is as good as the scanned model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.stats import binom

from benchmarks.releases import REACH, WRONG, gate
from benchmarks.sections import table, write_results
from robustfim.outcome import Outcome
from robustfim.record import ArmRecord, CheckRecord, Environment, ModelRecord, Record
from robustfim.statistics import LEVEL, corrected, tail
from robustfim_doctor.draft import DraftCheck
from robustfim_doctor.draft_run import measured
from robustfim_doctor.equal_model import CHURN, margin_for

__all__ = ["Drafted", "Open", "as_markdown", "churn_of", "drafted", "opened", "rows"]

RATES = (0.06, 0.02, 0.15, 0.3, 0.06, 0.1, 0.02, 0.06, 0.2, 0.06)
"""The share that each check breaks of the texts that it reaches and the model is right about."""
AIM = 0.8
ROWS = 1000
CANDIDATES = 200
CHURNS = (0.02, 0.05, 0.1, 0.15, 0.2)
LIMITS = (0.2, 0.1, 0.05, 0.02, 0.01)
TESTS = 12
"""Tests of a suite, among which a failure has to stand."""


@dataclass(frozen=True)
class Drafted:
    """The results of many drafted suites, each run on a model that is as good as the scanned model.

    Attributes:
        assumed: The churn for which the suites were drafted: the fraction of rows on which two equal models differ.
        differs: The mean fraction of rows on which the robust correctness of the two models differs.
        margin: The margin of the suites.
        limits: The mean number of limits of a suite.
        codes: The fractions of runs that end with exit code 0, 6 and 1.
        reasons: For each test, the number of runs in which it prevented exit code 0.
    """

    assumed: float
    differs: float
    margin: float
    limits: float
    codes: tuple[float, float, float]
    reasons: Counter[str]


@dataclass(frozen=True)
class Open:
    """How often one check is inconclusive.

    Attributes:
        limit: The check's limit.
        ratio: The true failure rate divided by the limit.
        tested: The number of tested examples.
        share: The fraction of runs in which the check is inconclusive.
        exact: The same fraction for the exact binomial test at the same levels.
    """

    limit: float
    ratio: float
    tested: int
    share: float
    exact: float

    @property
    def verdict(self) -> str:
        """A sentence with the aim for this check and whether the aim is met."""
        if self.limit >= 0.05:
            return f"≤ 10 %: {'met' if self.share <= 0.1 else 'missed'}"
        return f"≤ 1.1 × exact: {'met' if self.share <= 1.1 * self.exact else 'missed'}"


def rows(number: int, apart: float, random: np.random.Generator) -> tuple[Any, Any, Any]:
    """Simulate the answers of two models with the same true rates to the same rows.

    Args:
        number: The number of rows.
        apart: The fraction of answers that the second model draws anew; its other answers equal the first model's.
        random: The random source.

    Returns:
        Three boolean arrays: whether each model is wrong, ``[2, rows]``; whether each check makes each model's answer
        wrong, ``[2, rows, checks]``; and whether each check has a candidate for each row, ``[rows, checks]``.
    """
    rates = np.array(RATES)

    def twice(rate: Any, shape: tuple[int, ...]) -> Any:
        first, fresh = (random.random(shape) < rate for _ in range(2))
        return np.stack([first, np.where(random.random(shape) < apart, fresh, first)])

    reached = random.random((number, len(rates))) < np.array(REACH)
    return twice(WRONG, (number,)), twice(rates, reached.shape) & reached, reached


@cache
def churn_of(apart: float) -> float:
    """Compute the exact fraction of rows on which the robust correctness of two models differs.

    Args:
        apart: The fraction of answers that the second model draws anew, as in :func:`rows`.
    """
    fractions = [WRONG, *(rate * reach for rate, reach in zip(RATES, REACH, strict=True))]
    whole = [1.0, *REACH]
    robust = float(np.prod([1 - fraction for fraction in fractions]))
    # Both robust: neither part fails under one model, nor under the other, which draws it anew so often.
    both = 1.0
    for share, part in zip(fractions, whole, strict=True):
        rate = share / part
        both *= 1 - part * (1 - (1 - rate) * (1 - apart * rate))
    return 2 * (robust - both)


def drafted(churn: float, assumed: float = CHURN, runs: int = CANDIDATES, seed: int = 0) -> Drafted:
    """Draft a suite from each of many simulated scans, and run each suite on a second model with the same true rates.

    Args:
        churn: The true fraction of rows on which the robust correctness of the two models differs.
        assumed: The churn for which the suite is drafted.
        runs: The number of scans.
        seed: The seed of the simulation.
    """
    from scipy.optimize import brentq

    random = np.random.default_rng(seed)
    apart = float(brentq(lambda each: churn_of(each) - churn, 0.0, 1.0, xtol=1e-4))
    margin = margin_for(ROWS, ROWS, assumed)
    if margin is None:
        raise ValueError(f"no margin lets an equal model pass at a churn of {assumed:g}")
    codes, reasons, limits, differs = Counter[int](), Counter[str](), 0, 0.0
    for _ in range(runs):
        wrong, broken, reached = rows(ROWS, apart, random)
        tested = reached & ~wrong[..., None]
        fails = broken & tested
        suite = _limits(fails[0].sum(axis=0), tested[0].sum(axis=0), assumed)
        limits += len(suite)
        counts = [
            (int(fails[1, :, place].sum()), int(tested[1, :, place].sum()), each) for place, each in suite.items()
        ]
        sides = [each.side for each in corrected([tail(*count) for count in counts])]
        robust = ~(wrong | broken.any(axis=2))
        differs += float((robust[0] != robust[1]).mean()) / runs
        alone = wrong[..., None] | broken
        lost, won = (
            np.array([[(wrong[to] & ~wrong[of]).sum(), (robust[of] & ~robust[to]).sum(),
                       *(alone[to] & ~alone[of] & reached).sum(axis=0)]])
            for to, of in ((1, 0), (0, 1))
        )  # fmt: skip
        matched = np.array([[ROWS, ROWS, *reached.sum(axis=0)]])
        (replaced,), (refused,), _ = gate(lost, won, matched, margin)
        failed = refused or Outcome.FAILED in sides
        passed = replaced and all(side is Outcome.PASSED for side in sides)
        codes[1 if failed else 0 if passed else 6] += 1
        reasons["the comparison refuses it"] += int(refused)
        reasons["the comparison is inconclusive"] += int(not refused and not replaced)
        reasons["a limit fails"] += Outcome.FAILED in sides
        reasons["a limit is inconclusive"] += Outcome.INCONCLUSIVE in sides
    fractions = (codes[0] / runs, codes[6] / runs, codes[1] / runs)
    return Drafted(assumed, differs, margin, limits / runs, fractions, reasons)


def _limits(failing: Any, tested: Any, churn: float) -> dict[int, float]:
    """Draft the limits of a scan that counted so much: place of the check to limit."""
    names = [f"check{place}" for place in range(len(failing))]
    checks = [
        CheckRecord(
            id=f"drafted.yaml::{name}", name=name, outcome=Outcome.MEASURED, failing=int(count), tested=int(of),
            arms={"all": ArmRecord(drawn=ROWS, tested=int(of), failing=int(count))},
        )
        for name, count, of in zip(names, failing, tested, strict=True)
    ]  # fmt: skip
    record = Record.model_construct(
        model=ModelRecord(use="simulated"), environment=Environment(robustfim="0", python="3"), checks=checks
    )
    kept, _ = measured([DraftCheck(name, {"use": name}) for name in names], record, churn)
    return {names.index(each.name): each.limit for each in kept if isinstance(each.limit, float)}


def opened(limit: float, ratio: float, tested: int) -> Open:
    """Compute exactly how often a check of a suite is inconclusive, by a sum over all counts of failures.

    Args:
        limit: The check's limit.
        ratio: The true failure rate divided by the limit.
        tested: The number of tested examples.
    """
    counts = np.arange(tested + 1)
    chances = binom.pmf(counts, tested, limit * ratio)
    likely = counts[chances > 1e-9]

    def decides(count: int) -> bool:
        found = tail(count, tested, limit)
        level = {Outcome.PASSED: LEVEL, Outcome.FAILED: LEVEL / TESTS}.get(found.side)
        return level is not None and found.p_value <= level

    product = 1 - sum(float(chances[count]) for count in likely.tolist() if decides(count))
    above, below = binom.sf(counts - 1, tested, limit), binom.cdf(counts, tested, limit)
    exact = 1 - float(chances[(below <= LEVEL) | (above <= LEVEL / TESTS)].sum())
    return Open(limit, ratio, tested, max(0.0, product), max(0.0, exact))


def as_markdown(candidates: Sequence[Drafted], checks: Sequence[Open]) -> str:
    """Write the results as a section of Markdown.

    Args:
        candidates: The results of drafted suites.
        checks: The results of single checks.
    """
    reaches = ", ".join(f"{100 * each:g}" for each in REACH)
    breaks = ", ".join(f"{100 * rate:g}" for rate in RATES)
    lines = [
        f"{CANDIDATES} scans for each row, each of {ROWS:,} rows, from which a suite is drafted as `robustfim scan "
        "--write` does; a candidate with the same true rates then runs on the same rows, judged by the functions that "
        f"judge a run. A model is wrong on {100 * WRONG:.0f} % of the rows; {len(REACH)} checks reach {reaches} % of "
        f"them, and break {breaks} % of those that are right. *Churn*: the share of rows whose robust correctness "
        f"differs between the two. The suite is drafted for one of {100 * CHURN:g} %, as without `--against`, or for "
        f"the true one, as with it. Monte-Carlo error of a share at most {50 / CANDIDATES**0.5:.1f} points.",
        "",
    ]
    body = [
        [
            f"{100 * candidate.assumed:g} %", f"{100 * candidate.differs:.1f} %", f"{100 * candidate.margin:g} points",
            f"{candidate.limits:.1f}", *(f"{100 * fraction:.1f} %" for fraction in candidate.codes),
            "; ".join(f"{reason}: {number}" for reason, number in candidate.reasons.items() if number) or "–",
            "" if candidate.differs > 1.1 * candidate.assumed
            else f"0 ≥ 80 %: {'met' if candidate.codes[0] >= AIM else 'missed'}",
        ]
        for candidate in candidates
    ]  # fmt: skip
    head = ["drafted for", "churn", "margin", "limits", "0", "6", "1", "what was not proved, runs", "aim"]
    lines.append(table(head, body))
    lines += [
        "",
        f"One check among {TESTS} tests, by exact sums: how often it is inconclusive where its true rate is half the "
        "limit or twice. *Exact*: by the binomial test alone, at 2.5 % where it passes and 2.5 % over the tests where "
        f"it fails. {ROWS:,} rows, of which the model is right about {100 * (1 - WRONG):.0f} %.",
        "",
    ]
    cells = [
        [f"{100 * check.limit:g} %", f"{check.ratio:g}", f"{check.tested}", f"{100 * check.share:.1f} %",
         f"{100 * check.exact:.1f} %", check.verdict]
        for check in checks
    ]  # fmt: skip
    lines.append(table(["limit", "true rate / limit", "tested", "inconclusive", "exact", "aim"], cells))
    return "\n".join(lines)


if __name__ == "__main__":
    text = as_markdown(
        [*(drafted(churn) for churn in CHURNS), *(drafted(churn, churn) for churn in CHURNS if churn != CHURN)],
        [opened(limit, ratio, round(ROWS * (1 - WRONG))) for limit in LIMITS for ratio in (0.5, 2.0)],
    )
    write_results(f"## Drafted suites\n\n`python -m benchmarks.drafted`. {text}")
