"""Suites that hold every pair of features, and how often their verdicts are wrong where the limit is the true rate."""

from __future__ import annotations

import argparse
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from hashlib import blake2b
from itertools import combinations
from random import Random
from typing import Any, TypeAlias

import robustfim
from benchmarks.clustered import too_many
from benchmarks.sections import table, write_results
from robustfim import Edit, Example
from robustfim.errors import UsageError
from robustfim.outcome import Outcome
from robustfim.record import Record

__all__ = [
    "ARM",
    "CANDIDATES",
    "EASY",
    "FEATURES",
    "LIMITS",
    "NUMBER",
    "REDUCERS",
    "SAMPLE",
    "SUITES",
    "Endings",
    "Model",
    "Rows",
    "Suite",
    "Wrong",
    "at_limit",
    "chance",
    "fields",
    "gold",
    "held_pairs",
    "pairs",
    "red",
    "run",
    "section",
    "simulated",
    "suites",
    "text",
]

SUITES = 500
NUMBER, ARM, EASY, SAMPLE, CANDIDATES = 160, 30, 20, 90, 3
"""The number of examples, of examples in the difficult and the easiest arm, in a sample, and of candidates each."""
FEATURES: Mapping[str, Sequence[str]] = {
    "decision": ("argmax", "label", "abstain"),
    "sampling": ("all", "random", "arms", "strata"),
    "reducer": ("any", "all", "at_most", "share", "mean"),
    "limit": ("none", "rate", "zero", "arms", "errors"),
    "of": ("population", "file"),
    "cluster": ("none", "column"),
    "slices": ("none", "shown", "limited"),
    "repeat": ("none", "asked"),
    "counts": ("broken", "changes"),
    "baseline": ("none", "accepted"),
    "budget": ("none", "drawn"),
}
"""Each feature of a suite and its levels, the default first."""
REDUCERS: Mapping[str, tuple[Any, Callable[[int], float]]] = {
    "any": ("any", lambda failed: float(failed > 0)),
    "all": ("all", lambda failed: float(failed == CANDIDATES)),
    "at_most": ({"at_most": 1}, lambda failed: float(failed > 1)),
    "share": ({"share": 0.5}, lambda failed: float(failed / CANDIDATES > 0.5)),
    "mean": ("mean", lambda failed: failed / CANDIDATES),
}
"""The value of ``fails`` for each reducer, and the reducer as a function of the number of failing candidates."""
LIMITS: Mapping[str, Any] = {
    "none": None, "rate": 0.2, "zero": 0, "arms": {"difficult": 0.3, "control": 0.2, "easiest": 0.4},
    "errors": {"missed": 0.3, "false_alarm": 0.3}, "slice": 0.3,
}  # fmt: skip
THRESHOLD = 0.6
"""The threshold of the decision ``label``."""
RATE = 0.2
"""The true failure rate of a simulation, its limits, and the margin of its comparisons."""
DRAWS, AGAIN = 12, 10
"""Simulated runs of a suite, and how many times as many after too many wrong verdicts."""
Suite: TypeAlias = Mapping[str, str]
_Said: TypeAlias = Callable[[int, str], float]
"""P(b) of a row with an ending."""


@cache
def suites(number: int) -> list[Suite]:
    """Draw suites. Of 40 drawn suites, each time the one that brings most new pairs of features is taken."""
    random, made = Random(45), list[Suite]()  # noqa: S311  # suites, not secrets
    left = pairs()
    while len(made) < number:
        made.append(max((_drawn(random) for _ in range(40)), key=lambda suite: len(left & held_pairs(suite))))
        left -= held_pairs(made[-1])
    return made


def _drawn(random: Random) -> Suite:
    """Draw a suite, in most cases one that is not refused."""
    drawn = {name: levels[0] if random.random() < 0.4 else random.choice(levels) for name, levels in FEATURES.items()}
    if random.random() < 0.8:
        likely = {"arms": {"sampling": "arms"}, "errors": {"decision": "label", "reducer": "any"}}
        drawn |= likely.get(drawn["limit"], {})
        if "asked" in drawn.values() or drawn["slices"] == "limited" or drawn["limit"] == "errors":
            drawn["budget"] = "none"
    return drawn


def pairs() -> set[frozenset[tuple[str, str]]]:
    """Return every pair of levels of two features."""
    levels = [[(name, level) for level in levels] for name, levels in FEATURES.items()]
    return {frozenset({one, two}) for first, second in combinations(levels, 2) for one in first for two in second}


def held_pairs(suite: Suite) -> set[frozenset[tuple[str, str]]]:
    """Return the pairs of levels that a suite holds."""
    return {frozenset(pair) for pair in combinations(suite.items(), 2)}


def chance(*parts: object) -> float:
    """Return a number in [0, 1) that depends on its arguments alone, as a uniform random number."""
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=6).digest()) / 2**48


def gold(row: int) -> str:
    """Return the gold label of a row."""
    return "ab"[chance("gold", row) < 0.5]


def red(row: int) -> bool:
    """Return whether a row's text contains "red", as 40 % do. The rows of a cluster agree."""
    return chance("red", row // 4) < 0.4


def text(row: int) -> str:
    """Return the text of a row."""
    return f"t{row} {'red' if red(row) else 'blue'} end"


def fields(row: int) -> dict[str, str]:
    """Return the fields of a row."""
    return {"text": text(row)}


class Model:
    """A model of two labels.

    Args:
        says: P(b) of a row with an ending.
        name: The model's name.
    """

    labels = ("a", "b")

    def __init__(self, says: _Said, name: object) -> None:
        self._says, self.fingerprint = says, str(name)

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        """Return P(a) and P(b) of each text, ``[examples, 2]``."""
        rows = [re.fullmatch(r"t(\d+) \w+ (\w+)", example.text) for example in examples]
        scores = [self._says(int(row[1]), row[2]) for row in rows if row]
        return [[1 - score, score] for score in scores]


class Rows:
    """The examples: independent, or in clusters of four."""

    def __init__(self, clustered: bool) -> None:
        self._clustered = clustered

    def load(self) -> Iterator[Example]:
        """Give the examples with their gold labels."""
        for row in range(NUMBER):
            meta = {"cluster": str(row // 4)} if self._clustered else {}
            yield Example(fields(row), gold(row), meta)


class Endings:
    """A perturbation that replaces the last word."""

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """Give one edit for each of the other endings."""
        start = example.text.index("end")
        for number in range(CANDIDATES):
            yield Edit("text", start, start + 3, "end", f"x{number}", origin="ending")


def run(
    suite: Suite, model: Model, baseline: Record | None = None, *, limits: Mapping[str, Any] = LIMITS,
    margin: float | None = None,
) -> Record:  # fmt: skip
    """Run a suite that has one check.

    Args:
        suite: The level of each feature.
        model: The model.
        baseline: The accepted run.
        limits: The limit for each level of ``limit``, and of the slice.
        margin: The margin of the comparison.

    Raises:
        UsageError: Two of the features do not go together.
    """
    decide = {"argmax": None, "label": {"label": "b", "at": THRESHOLD}, "abstain": {"abstain": 0.6}}[suite["decision"]]
    select = {
        "all": None, "random": {"difficult": 0, "control": SAMPLE},
        "arms": {"by": "margin", "difficult": ARM, "control": ARM, "easiest": EASY},
        "strata": {"by": "margin", "examples": SAMPLE},
    }[suite["sampling"]]  # fmt: skip
    check = {
        "perturb": {"use": Endings()}, "expect": {"use": "invariant", "counts": suite["counts"]},
        "fails": REDUCERS[suite["reducer"]][0], "limit": limits[suite["limit"]],
    }  # fmt: skip
    slices = {"shown": {"contains": ["red"]}, "limited": {"contains": ["red"], "limit": limits["slice"]}}
    whole = {
        "suite": "pairs", "checks": {"endings": _given(check)},
        "model": _given({"use": model, "decide": decide}), "of": suite["of"],
        "data": {"use": Rows(clustered=suite["cluster"] == "column")},
        "scores": ["margin"], "select": select, "allow_weak": True,
        "slices": {"red": slices[suite["slices"]]} if suite["slices"] in slices else None,
        "repeat": CANDIDATES if suite["repeat"] == "asked" else 0, "budget": 60 if suite["budget"] == "drawn" else None,
        "baseline": None if margin is None else {"margin": margin},
    }  # fmt: skip
    return robustfim.run(_given(whole), baseline=baseline).record


def _given(keys: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if value is not None}


def at_limit(suite: Suite, draw: int, *, fails: bool = True) -> _Said:
    """Return a model that is right about every unchanged text, and fails a known fraction of the examples.

    Whole clusters fail. Where one limit holds for all examples, those with a small margin fail four times as often.

    - Of a population, each unit (example or cluster) fails independently, with probability :data:`RATE` in the mean.
    - Of a file, the failing units are a random sample: as many as fail at most the rate of its examples in even draws,
      where *failed* is wrong, and one more in odd draws, where *passed* is. Each part of the file that has a limit of
      its own (gold label, slice, arm) has its own sample; the examples of a cluster in one part are a unit.

    Args:
        suite: The level of each feature.
        draw: The number of the simulated run.
        fails: False for the model's baseline, which is right about the edited texts, too, and as certain.
    """
    size = 4 if suite["cluster"] == "column" else 1
    rows, own = range(NUMBER), partial(chance, draw, *suite.values())
    sure = [0.65 + 0.34 * own("sure", row // size) + 1e-6 * row for row in rows]  # no two margins are equal
    if suite["of"] == "file":
        parts = defaultdict[object, defaultdict[int, set[int]]](partial(defaultdict[int, set[int]], set))
        for row, part in enumerate(_parts(suite, sure)):
            parts[part][row // size].add(row)
        failing = set[int]().union(*(_sample(part, draw % 2, partial(own, "fails")) for part in parts.values()))
    else:
        even = suite["limit"] == "arms" or size > 1
        rates = [RATE * (1 if even else 1.6 if sure[row] < 0.82 else 0.4) for row in rows]
        failing = {row for row in rows if own("fails", row // size) < rates[row]}

    def says(row: int, ending: str) -> float:
        is_b = (gold(row) == "b") is not (fails and ending != "end" and row in failing)
        return sure[row] if is_b else 1 - sure[row]

    return says


def _parts(suite: Suite, sure: Sequence[float]) -> list[object]:
    """Return the part of the file that each row belongs to, of those that have a limit of their own."""
    threshold = THRESHOLD if suite["decision"] == "label" else 0.5

    def margin(row: int) -> float:
        """Return how far P(b) of the unchanged text is from the threshold, in logits."""
        chance_b = sure[row] if gold(row) == "b" else 1 - sure[row]
        return abs(math.log(chance_b / (1 - chance_b)) - math.log(threshold / (1 - threshold)))

    order = sorted(range(NUMBER), key=margin)
    arms = dict.fromkeys(order, "control") | dict.fromkeys(order[:ARM], "difficult")
    arms |= dict.fromkeys(order[-EASY:], "easiest")
    apart = {"errors": gold, "arms": arms.__getitem__}.get(suite["limit"], lambda row: None)
    return [(apart(row), red(row) and suite["slices"] == "limited") for row in range(NUMBER)]


def _sample(units: Mapping[int, set[int]], more: int, order: Callable[[int], float]) -> set[int]:
    """Return the rows of units that fail: at most the rate of all rows, and ``more`` units."""
    most, failing, left = RATE * sum(map(len, units.values())), set[int](), sorted(units, key=order)
    while len(failing) + len(units[left[0]]) <= most:
        failing |= units[left.pop(0)]
    return failing.union(*(units[unit] for unit in left[:more]))


@dataclass(frozen=True)
class Wrong:
    """How often the verdicts of a suite are wrong if each limit and the margin equal the true rate.

    Attributes:
        suite: The level of each feature.
        passed: The number of runs whose check wrongly passes, and of runs in which it would be wrong.
        failed: The same for checks that fail.
        no_worse: The same for candidates that are called "no worse" than a baseline, at a loss of the margin.
    """

    suite: Suite
    passed: tuple[int, int]
    failed: tuple[int, int]
    no_worse: tuple[int, int]

    @property
    def over(self) -> bool:
        """Whether a fraction of wrong verdicts exceeds the level by more than three standard errors."""
        counts = (self.passed, self.failed, self.no_worse)
        return any(runs > 0 and too_many(wrong / runs, runs) for wrong, runs in counts)


def simulated(suite: Suite, draws: int) -> Wrong | None:
    """Count the wrong verdicts of a suite. If they are too many, count them in ten times as many runs.

    Args:
        suite: The level of each feature.
        draws: The number of simulated runs.

    Returns:
        The counts; None if the suite is refused or has no claim: neither limits above 0 nor a baseline.
    """
    claims = suite["limit"] != "zero" and (suite["limit"] != "none" or suite["slices"] == "limited")
    if not claims and suite["baseline"] == "none":
        return None
    limits = {**LIMITS, "rate": RATE, "slice": RATE} | {
        kind: dict.fromkeys(LIMITS[kind], RATE) for kind in ("arms", "errors")
    }
    counts = {"passed": [0, 0], "failed": [0, 0], "no_worse": [0, 0]}
    for draw in range(draws):
        try:
            model = Model(at_limit(suite, draw, fails=False), "baseline")
            before = run(suite, model, limits=limits) if suite["baseline"] == "accepted" else None
            record = run(suite, Model(at_limit(suite, draw), draw), before, limits=limits, margin=RATE)
        except UsageError:
            return None
        (check,) = record.checks
        said = {
            "passed": claims and check.outcome is Outcome.PASSED,
            "failed": claims and check.outcome is Outcome.FAILED,
        }
        said["no_worse"] = before is not None and record.comparisons[0].whole.verdict == "no worse"
        for verdict, (wrong, runs) in counts.items():
            of_file = suite["of"] == "file" and draw % 2 == (verdict == "failed")
            possible = claims if verdict != "no_worse" else before is not None
            counts[verdict] = [wrong + (said[verdict] and not of_file), runs + (possible and not of_file)]
    found = Wrong(suite, *((wrong, runs) for wrong, runs in counts.values()))
    return simulated(suite, AGAIN * draws) if found.over and draws == DRAWS else found


def section(found: Sequence[Wrong], refused: int) -> str:
    """Write the results as a section of Markdown.

    Args:
        found: The counts of each suite.
        refused: The number of suites that were refused or have no claim.
    """
    rows = []
    for name, levels in FEATURES.items():
        for level in levels:
            own = [wrong for wrong in found if wrong.suite[name] == level]
            rows.append([name, level, str(len(own)), *map(partial(_cell, own), ("passed", "failed", "no_worse"))])
    rows.append(["all", "", str(len(found)), *map(partial(_cell, found), ("passed", "failed", "no_worse"))])
    over = sum(wrong.over for wrong in found)
    again = sum(max(wrong.passed[1], wrong.failed[1], wrong.no_worse[1]) > DRAWS for wrong in found)
    return (
        f"{len(found) + refused} suites hold all {len(pairs())} pairs of levels of {len(FEATURES)} features; "
        f"{refused} of them are refused or have no claim. Each of the other {len(found)} runs {DRAWS} times from data "
        f"to verdict, on {NUMBER} examples. Its limits, and the loss that its margin tolerates, equal the true rate of "
        f"{100 * RATE:g} %, so that *passed*, *failed* and *no worse* are wrong. Whole clusters fail. A suite with "
        f"more than 2.5 % and three standard errors of wrong verdicts runs {AGAIN} times as often: {again} did, and "
        f"{over} of these were above it again. Aim: ≤ 2.5 % of each: "
        f"{'missed' if over else 'met'}.\n\nWrong verdicts and runs, over all suites with a level of a feature:\n\n"
        + table(["feature", "level", "suites", "passed", "failed", "no worse"], rows)
    )


def _cell(found: Sequence[Wrong], verdict: str) -> str:
    counts = [getattr(each, verdict) for each in found]
    wrong, runs = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0)
    return f"{100 * wrong / runs:.1f} % of {runs:,}" if runs else "–"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    given = parser.parse_args()
    with ProcessPoolExecutor(given.jobs) as pool:
        results = [*pool.map(simulated, suites(SUITES), [DRAWS] * SUITES)]
    claimed = [result for result in results if result is not None]
    body = section(claimed, len(results) - len(claimed))
    write_results(f"## Pairs of features\n\n`python -m benchmarks.pairs`. {body}")
