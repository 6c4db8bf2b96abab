"""``robustfim study adversaries``: people, adversaries by the score, and both together, as in SEARs' table 4."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from statistics import median

import click

from robustfim.commands import INPUT, Chosen, shared_options
from robustfim.errors import UsageError
from robustfim.exhibit import Table
from robustfim.record import Study, describe_environment
from robustfim.statistics import Rate, mcnemar
from robustfim_explore.adversaries import ARMS, EQUIVALENT, answers_of, read

__all__ = ["command"]


@click.command(name="adversaries", epilog="Example: robustfim study adversaries answers.jsonl")
@click.argument("answers", type=INPUT)
@shared_options("plugins")
def command(answers: Path, chosen: Chosen) -> Study:
    """Compare people, adversaries by the score, and both together, as table 4 of the paper.

    An adversary counts as equivalent where the median of its ratings is 4 or more.
    """
    found = answers_of(read(answers))
    if not found:
        raise UsageError(f"{answers} has no answer; the page /study of 'robustfim explore' adds them.")
    arms = [arm for arm in ARMS if arm in found]
    rows, pairs, results, fractions = [], [], {}, {}
    for arm in arms:
        texts = found[arm].values()
        changed = Rate(sum(text[0] for text in texts), len(texts))
        same = fractions[arm] = Rate(sum(text[1] for text in texts), len(texts))
        seconds = median(text[2] for text in texts)
        rows.append([arm, str(changed), str(same), f"{seconds:.1f}"])
        results[arm] = {"texts": len(texts), "found": changed.count, "equivalent": same.count, "seconds": seconds}
    for first, second in combinations(arms, 2):
        shared = sorted(found[first].keys() & found[second].keys())
        a, b = ([found[arm][each][1] for each in shared] for arm in (first, second))
        either = Rate(sum(x or y for x, y in zip(a, b, strict=True)), len(shared))
        only = [sum(x and not y for x, y in zip(*pair, strict=True)) for pair in ((a, b), (b, a))]
        pairs.append([f"{first}, {second}", str(either), *map(str, only), f"{mcnemar(*only):.2g}"])
    best = max(arms, key=lambda arm: fractions[arm].rate or 0.0)
    return Study(
        study="adversaries",
        title="Who finds adversaries that mean the same?",
        environment=describe_environment(chosen.manager().records(), None),
        seed=0,
        findings=[f"The largest share of texts with an equivalent adversary: {best}, {fractions[best]}."],
        tables=[
            Table(title="Adversaries by arm", header=["arm", "found", "equivalent", "seconds a text"], rows=rows,
                  notes=[f"Equivalent: the median of the ratings from 1 to 5 is {EQUIVALENT} or more; what nobody "
                         "rated is not. In brackets: 95 % Wilson intervals over texts. Seconds: the median."]),
            Table(title="Two arms on the same texts",
                  header=["arms", "by either", "by the first alone", "by the second alone", "p"], rows=pairs,
                  notes=["Equivalent adversaries. p: McNemar's exact test."]),
        ],
        results=results,
    )  # fmt: skip
