"""Noisy routers: how often two equal routers are called different, and how often a misrouting router is detected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import robustfim
from benchmarks.sections import listed, write_results
from robustfim.judge import compare
from robustfim.record import Record

__all__ = ["Routers", "as_markdown", "router", "routers", "run"]

LABELS = ["billing", "tech", "sales", "account", "other"]
QUERIES = [
    {"text": f"please help me with my {label} question, number {n}.", "label": label}
    for n in range(24)
    for label in LABELS
]
NOISE, MISROUTE, MODELS = 0.1, 0.1, 40
REPEATS = (0, 2)
"""The numbers of further answers to each query."""


@dataclass(frozen=True)
class Routers:
    """The counts of the comparisons of pairs of routers.

    Attributes:
        repeat: The number of further answers to each query.
        equal: The number of pairs of equal routers.
        different: The number of equal pairs in which one router is called worse.
        moved: The number of pairs in which the second router misroutes queries.
        found: The number of misrouting pairs in which the second router is called worse.
    """

    repeat: int
    equal: int
    different: int
    moved: int
    found: int

    @property
    def answers(self) -> int:
        """The number of answers to each query."""
        return self.repeat + 1

    @property
    def wrong(self) -> float:
        """The fraction of equal pairs in which one router is called worse."""
        return self.different / self.equal

    @property
    def right(self) -> float:
        """The fraction of misrouting pairs in which the second router is called worse."""
        return self.found / self.moved

    @property
    def met(self) -> tuple[bool, bool]:
        """Whether each fraction meets its aim."""
        return self.wrong <= 0.025, self.right >= 0.8


def router(seed: int, misroute: float = 0.0) -> Callable[[Sequence[str]], list[str]]:
    """Make a router whose answer is a random other label in one of ten answers.

    Args:
        seed: The seed of the random answers.
        misroute: The fraction of the queries that are sent to the next label.
    """
    random = Random(seed)  # noqa: S311  # no secret
    moved = {QUERIES[place]["text"] for place in random.sample(range(len(QUERIES)), round(misroute * len(QUERIES)))}
    numbers = {"".join(filter(str.isalnum, text)) for text in moved}

    def route(texts: Sequence[str]) -> list[str]:
        answers = []
        for text in texts:
            label = next(label for label in LABELS if label in text.lower())
            if "".join(filter(str.isalnum, text)) in numbers:
                label = LABELS[(LABELS.index(label) + 1) % len(LABELS)]
            if random.random() < NOISE:
                label = random.choice([each for each in LABELS if each != label])
            answers.append(label)
        return answers

    return route


def run(seed: int, misroute: float, repeat: int) -> Record:
    """Run a suite of one check on a router, in this process."""
    model = {"use": "python", "call": router(seed, misroute), "labels": LABELS, "version": seed}
    checks = {"marks": {"perturb": {"use": "punctuation", "candidates": 2}}}
    suite = {"suite": "routers", "repeat": repeat, "model": model, "checks": checks}
    return robustfim.run(suite, data=QUERIES).record


def routers(models: int = MODELS) -> Sequence[Routers]:
    """Compare every router with every other router.

    Args:
        models: The number of routers of each kind.
    """
    found = []
    for repeat in REPEATS:
        same, moved = ([run(first + n, fraction, repeat) for n in range(models)] for first, fraction in
                       ((0, 0.0), (models, MISROUTE)))  # fmt: skip
        equal = [(one, two) for one in same for two in same if one is not two]
        worse = [(one, two) for one in same for two in moved]
        failed = (sum(compare(*pair, margin=0.1).failed for pair in pairs) for pairs in (equal, worse))
        found.append(Routers(repeat, len(equal), next(failed), len(worse), next(failed)))
    return found


def as_markdown(found: Sequence[Routers]) -> str:
    """Write the result."""
    return (
        f"{len(QUERIES)} queries of {len(LABELS)} labels; each answer is another label with {NOISE:.0%} chance. Every "
        f"of {MODELS} routers is compared with every other, and with {MODELS} that misroute {MISROUTE:.0%} of the "
        "queries, by `robustfim.judge.compare`, as a run with `--baseline` does. With `repeat` the accuracy is the "
        "fraction of right answers. The family of such a suite has three tests: the accuracy has a quarter of the "
        "level.\n\n"
    ).replace("%", " %") + listed(
        "answers to each query | equal routers called different | aim | misroute found | aim",
        "{answers} | {different:,} of {equal:,}, {wrong:.1f%} | ≤ 2.5 %: {met[0]} | {found:,} of {moved:,}, "
        "{right:.1f%} | ≥ 80 %: {met[1]}",
        found,
    )


if __name__ == "__main__":
    write_results(f"## Two routers with noise of their own\n\n`python -m benchmarks.routers`. {as_markdown(routers())}")
