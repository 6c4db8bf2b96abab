"""A rewrite: one change of a text that should keep the meaning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Rewrite", "apply"]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One possible change of one text.

    Attributes:
        start: The index of the first character to replace.
        end: The index after the last character to replace.
        after: The new text.
        weight: The probability that the meaning stays, in (0, 1].
        reach: The start and end (exclusive) of the part of the text that must stay as it is for the rewrite to apply.
    """

    start: int
    end: int
    after: str
    weight: float
    reach: tuple[int, int]

    def excludes(self, other: Rewrite) -> bool:
        """Return whether two rewrites cannot be combined, because one changes text on which the other depends."""
        overlap = self.reach[0] < other.reach[1] and other.reach[0] < self.reach[1]
        return overlap or self.reach == other.reach


def apply(text: str, rewrites: Iterable[Rewrite]) -> str:
    """Return a text after rewrites that do not exclude one another.

    Args:
        text: The text of the rewrites.
        rewrites: The rewrites, in any order.
    """
    for each in sorted(rewrites, key=lambda rewrite: (rewrite.start, rewrite.end), reverse=True):
        text = text[: each.start] + each.after + text[each.end :]
    return text
