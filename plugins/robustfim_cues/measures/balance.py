"""Mirrors: check that each alternative is right once and wrong once, and list missing mirrors."""

from __future__ import annotations

from collections.abc import Sequence

from robustfim.example import Example
from robustfim_cues.choices.choice import alternatives, partners

__all__ = ["faults", "unmirrored"]


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
