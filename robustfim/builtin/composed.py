"""The perturbation ``composed``, which makes the changes of several perturbations in each candidate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from random import Random

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.parts import PerturbationPart
from robustfim.roles import Context

__all__ = ["Composed", "unite"]

_MOST = 10_000
"""The most combinations of an example that are tried, unless more candidates are wanted."""


class Composed:
    """Makes the changes of several perturbations in one text; you can also write ``perturb: [typos, contractions]``.

    Each perturbation proposes changes of the original text. A candidate takes one proposal of every perturbation, if
    the proposals do not touch the same place. If one perturbation finds nothing to change in a text, the text is not
    tested. ``words`` applies to each perturbation that lists single edits, and ``order`` sorts the proposals of each
    perturbation.

    Args:
        of: The perturbations, at least two; perturbations that take steps in embedding space are refused.

    Attributes:
        contract: The promises that all perturbations make. If they disagree on ``expects``, it is empty, and a suite
            has to name an expectation.
        expectations: The default expectation of each perturbation.

    Raises:
        UsageError: There are fewer than two perturbations, or one cannot be combined with others.
    """

    def __init__(self, of: list[PerturbationPart]) -> None:
        if len(of) < 2:
            raise UsageError("of: the list must hold at least two perturbations; write a single one as 'perturb: NAME'")
        for part in of:
            if part.takes_steps:
                raise UsageError(
                    f"of: {part.title} takes steps in embedding space, which cannot be composed with other "
                    "changes; give it a check of its own"
                )
            if part.contract.unchanged:
                raise UsageError(f"of: {part.title} changes nothing, so there is nothing to compose")
        self.of = of
        contracts, parted = [part.contract for part in of], {part.separable for part in of}
        self.expectations = [contract.expects for contract in contracts]
        agreed = all(expectation == self.expectations[0] for expectation in self.expectations)
        self.contract = Contract(
            keeps="label" if all(contract.keeps == "label" for contract in contracts) else "nothing",
            expects=self.expectations[0] if agreed else "",
            noise=any(contract.noise for contract in contracts),
            cased=any(contract.cased for contract in contracts),
            carries=all(contract.carries for contract in contracts),
            separable=None if None in parted else "mentions" if "mentions" in parted else "edits",
        )

    @property
    def fallback(self) -> str:
        """Which replacements the perturbations use for missing resources, and why; "" if no resource is missing."""
        return "; ".join(dict.fromkeys(filter(None, (part.fallback for part in self.of))))

    @property
    def skipped(self) -> dict[str, int]:
        """The texts left unchanged: for each reason the largest count of any perturbation."""
        found: dict[str, int] = {}
        for part in self.of:
            for reason, number in part.skipped.items():
                found[reason] = max(number, found.get(reason, 0))
        return found

    def prepare(self, context: Context) -> None:
        """Give the perturbations the run's context."""
        for part in self.of:
            part.prepare(context)

    def foresee(self, examples: Sequence[Example]) -> None:
        """Announce the next examples to the perturbations."""
        for part in self.of:
            part.foresee(examples)

    def resources(self) -> Mapping[str, str]:
        """Return the resources of the perturbations, each under the name of its class."""
        return {f"{part.title}: {name}": what for part in self.of for name, what in part.resources().items()}

    def propose(self, example: Example, random: Random) -> Iterable[Candidate]:
        """Raise an error: robustfim combines the edits of the perturbations itself, and never calls this method.

        Raises:
            UsageError: Always.
        """
        raise UsageError("a composed perturbation has no propose() of its own: call robustfim.perturb([…], texts)")


def unite(pools: Sequence[Sequence[Candidate]], wanted: int, random: Random | None) -> list[Candidate]:
    """Combine the proposals of several perturbations for one example.

    Args:
        pools: Candidates of the same example by perturbation, ``[parts][candidates]``, in the order in which to try
            them.
        wanted: The fewest combinations to try.
        random: Draws their order; if None, the best come first, by the sum of their ranks.

    Returns:
        Candidates with the edits of one candidate of every perturbation. Combinations that touch the same place twice,
        or have different labels, are left out.
    """
    each = max(1, int(max(_MOST, wanted) ** (1 / len(pools)) + 1e-9))
    places = list(product(*(range(min(each, len(pool))) for pool in pools)))
    if random is None:
        places.sort(key=sum)
    else:
        random.shuffle(places)
    united = (_united([pool[at] for pool, at in zip(pools, chosen, strict=True)]) for chosen in places)
    return [candidate for candidate in united if candidate is not None]


def _united(candidates: Sequence[Candidate]) -> Candidate | None:
    """Put candidates of one example together; None where they exclude each other."""
    edits = sorted(edit for candidate in candidates for edit in candidate.edits)
    labels = {candidate.label for candidate in candidates if candidate.label is not None}
    if len(labels) > 1 or any(edit.overlaps(other) for at, edit in enumerate(edits) for other in edits[at + 1 :]):
        return None
    return Candidate(candidates[0].source, tuple(edits), label=next(iter(labels), None))
