"""Balance: check that each alternative is right once and wrong once, and list missing mirrors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robustfim.example import Example
from robustfim_cues.choices.choice import alternatives, partners
from robustfim_cues.measures.measures import measure

__all__ = ["Balance", "balance_of", "faults", "unmirrored"]


@dataclass(frozen=True)
class Balance:
    """A summary of how evenly cues (words) are spread over right and wrong alternatives in a set of choices.

    Attributes:
        instances: The number of instances.
        cues: The number of cues that apply often enough.
        unbalanced: Cues that stand in right alternatives more often, or less often, than in wrong ones.
        significant: Unbalanced cues that are significant after correction.
        strongest: The largest distance of a cue's productivity (its fraction of right alternatives) from 1/2, in [0,
            1/2].
    """

    instances: int
    cues: int
    unbalanced: tuple[str, ...]
    significant: tuple[str, ...]
    strongest: float


def balance_of(examples: Sequence[Example], *, minimum: int = 5) -> Balance:
    """Measure how evenly cues (words) are spread over right and wrong alternatives in a set of choices.

    Args:
        examples: Labelled choices.
        minimum: The smallest applicability of a cue: the number of instances in which it stands in one alternative
            only.

    Raises:
        DataError: There is no instance, or an instance has no gold label.
    """
    found = measure(examples, minimum=minimum)
    unbalanced = [cue for cue in found.found if 2 * cue.hits != cue.applicability]
    return Balance(
        found.examples,
        len(found.found),
        tuple(cue.text for cue in unbalanced),
        tuple(cue.text for cue in found.significant()),
        max((abs(cue.productivity - 0.5) for cue in found.found), default=0.0),
    )


def unmirrored(examples: Sequence[Example]) -> list[Example]:
    """List the original instances without a mirror (the same alternatives, the other one right), in their order.

    Raises:
        DataError: An example has no column ``pair``.
    """
    return [
        group[0]
        for group in partners(examples).values()
        if not group[0].meta.get("mirrored") and not any(example.meta.get("mirrored") for example in group)
    ]


def faults(examples: Sequence[Example]) -> list[str]:
    """List the mistakes in the mirrored instances of a set of choices, one sentence each.

    A mirror must have an original with the same question, the same two alternatives in any order, another premise, and
    the other answer. An original has at most one mirror; :func:`unmirrored` lists originals without a mirror.

    Raises:
        DataError: An example has no column ``pair``.
    """
    found = []
    for name, group in partners(examples).items():
        originals = [example for example in group if not example.meta.get("mirrored")]
        mirrored = [example for example in group if example.meta.get("mirrored")]
        if not originals:
            found.append(f"instance {mirrored[0].meta['number']} mirrors {name}, which is not there")
            continue
        if len(mirrored) > 1:
            found.append(f"instance {name} has {len(mirrored)} mirrors")
        found += [fault for example in mirrored for fault in _compare(originals[0], example)]
    return found


def _compare(original: Example, mirror: Example) -> list[str]:
    name = f"instance {mirror.meta['number']}, the mirror of {original.meta['number']},"
    found = []
    if set(alternatives(original)) != set(alternatives(mirror)):
        found.append(f"{name} has other alternatives")
    elif _answer(original) == _answer(mirror):
        found.append(f"{name} has the same answer")
    if original.fields.get("question") != mirror.fields.get("question"):
        found.append(f"{name} asks for another thing")
    if original.fields.get("premise") == mirror.fields.get("premise"):
        found.append(f"{name} has the same premise")
    return found


def _answer(example: Example) -> str:
    """The text of the right alternative."""
    return alternatives(example)[int(example.label or "1") - 1]
