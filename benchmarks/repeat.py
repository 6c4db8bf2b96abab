"""Models that answer differently each time: how often a check that is held against their own noise is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import betainc

from benchmarks.sections import replace_section
from robustfim.statistics import LEVEL, Z, paired_scores, wilson

__all__ = ["Noisy", "noisy", "simulate_noisy", "told"]

LIMIT = 0.05
"""The limit of every check."""
TEXTS = 300
"""Tested examples of every run."""
NOISE = (0.0, 0.02, 0.1, 0.2)
ASKED = ((8, 8), (8, 3), (1, 1))
"""Candidates of an example, and how often it is asked about again."""
EXCESSES = (0.0, LIMIT, 0.15)
"""True excesses of the rate of failing examples over that of unchanged ones."""


@dataclass(frozen=True)
class Noisy:
    """Runs of one check, with ``fails: any``, on a model of two labels.

    Attributes:
        noise: The chance that an answer is the other label, the same for each answer.
        candidates: Candidates of an example.
        repeat: How often it is asked about again.
        excess: The true excess, by as many answers as the smaller of both.
        runs: Runs simulated.
        passed: Share of the runs that pass.
        failed: Share that fails.
        plain: Share that fails where the rate of failing examples itself is held against the limit.
    """

    noise: float
    candidates: int
    repeat: int
    excess: float
    runs: int
    passed: float
    failed: float
    plain: float


def simulate_noisy(noise: float, candidates: int, repeat: int, excess: float, runs: int, *, seed: int = 0) -> Noisy:
    """Ask a model about examples, their candidates, and the examples again.

    Of a share of the examples each candidate has the other label, but for the noise.

    Args:
        noise: As in :class:`Noisy`.
        candidates: Likewise.
        repeat: Likewise.
        excess: Likewise.
        runs: Likewise.
        seed: Seeds the draws.
    """
    random, answers = np.random.default_rng(seed), min(candidates, repeat)
    other, same = (
        1 - noise**answers,
        1 - (1 - noise) ** answers,
    )  # chances that one of so many answers is the first's not
    moved = (1 - noise) * other + noise * same
    still = (1 - noise) * same + noise * other
    share = excess / (moved - still)
    size = runs, TEXTS
    first = random.random(size) < noise  # whether the first answer is a flip
    differs = np.where(first, 1 - noise, noise)  # the chance that another answer differs from it
    sensitive = random.random(size) < share
    failing = random.binomial(candidates, np.where(sensitive, 1 - differs, differs))
    again = random.binomial(repeat, differs)
    one = random.hypergeometric(failing, candidates - failing, answers) > 0
    two = random.hypergeometric(again, repeat - again, answers) > 0
    broken, fixed = ((side & ~rest).sum(axis=1).astype(float) for side, rest in ((one, two), (two, one)))
    scores = paired_scores(broken, fixed, TEXTS, LIMIT)
    exact = np.where(broken > 0, betainc(np.maximum(broken, 1), fixed + 1, 0.5), 1.0)
    above = (scores > Z) & (exact <= LEVEL)
    bar = next(number for number in range(TEXTS + 1) if (wilson(number, TEXTS) or (0.0, 1.0))[0] > LIMIT)
    plain = (failing > 0).sum(axis=1) >= bar
    return Noisy(
        noise, candidates, repeat, excess, runs, float((scores < -Z).mean()), float(above.mean()), float(plain.mean())
    )


def noisy(runs: int = 10_000) -> Sequence[Noisy]:
    """Simulate all kinds.

    Args:
        runs: Runs of each.
    """
    return [
        simulate_noisy(noise, candidates, repeat, excess, runs)
        for candidates, repeat in ASKED
        for noise in NOISE
        for excess in EXCESSES
    ]


def told(found: Sequence[Noisy] | str) -> str:
    """Write the section of RESULTS.md.

    Args:
        found: What was simulated; a string says why nothing was.
    """
    if isinstance(found, str):
        return f"Not measured: {found}."
    lines = [
        f"{found[0].runs:,} runs for each row of a check with a limit of {100 * LIMIT:g} points and {TEXTS} examples, "
        "on a model of two labels each of whose answers is the other one by chance (*noise*). *Excess*: the true one, "
        "by as many answers as the smaller of candidates and `repeat`. *Without*: how often the same check fails "
        "without `repeat`. At an excess of 0 a failure is wrong, at one of the limit either verdict is.",
        "",
        "| candidates | repeat | noise | excess, points | passed | failed | without | aim |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for each in found:
        wrong = {0.0: each.failed, LIMIT: max(each.passed, each.failed)}.get(each.excess)
        aim = "failed ≥ 80 %: " if wrong is None else "wrong ≤ 2.5 %: "
        met = each.failed >= 0.8 if wrong is None else wrong <= LEVEL + 2 * (LEVEL / each.runs) ** 0.5
        lines.append(
            f"| {each.candidates} | {each.repeat} | {100 * each.noise:g} % | {100 * each.excess:g} | "
            f"{100 * each.passed:.1f} % | {100 * each.failed:.1f} % | {100 * each.plain:.1f} % | "
            f"{aim}{'met' if met else 'missed'} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    replace_section(f"## Models that answer differently each time\n\n`python -m benchmarks.repeat`. {told(noisy())}")
