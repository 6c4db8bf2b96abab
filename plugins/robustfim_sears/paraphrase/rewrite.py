"""A rewrite: one change of a text that should leave its meaning alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Rewrite", "apply"]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One possible change of one text.

    Attributes:
        start: First character that is replaced, from 0.
        end: One past the last.
        after: What takes their place.
        weight: How surely the meaning stays, in (0, 1].
        reach: First character, and one past the last, of all that the rewrite relies on.
    """

    start: int
    end: int
    after: str
    weight: float
    reach: tuple[int, int]

    def excludes(self, other: Rewrite) -> bool:
        """Tell whether both cannot be made at once, because one touches what the other relies on."""
        overlap = self.reach[0] < other.reach[1] and other.reach[0] < self.reach[1]
        return overlap or self.reach == other.reach


def apply(text: str, rewrites: Iterable[Rewrite]) -> str:
    """Make rewrites that do not exclude one another.

    Args:
        text: The text they belong to.
        rewrites: In any order.
    """
    for each in sorted(rewrites, key=lambda rewrite: (rewrite.start, rewrite.end), reverse=True):
        text = text[: each.start] + each.after + text[each.end :]
    return text
