"""Edits that break the model often, in the run record."""

from __future__ import annotations

import re

from robustfim.record.part import Part, RateField

__all__ = ["CauseRecord", "EditCounts"]


class EditCounts(Part):
    """How often one edit was tried in a check, and how often a text with it broke the model.

    A text with several edits counts once for each edit.
    """

    check: str
    before: str
    after: str
    tried: int
    broken: int


class CauseRecord(Part):
    """A kind of edit that breaks the model far more often than the other edits of its check.

    From each example, one text with an edit of this kind and one text without are drawn at random and compared. The
    p-value is so small that at most 5 % of runs with permuted outcomes contain any kind of edit with a smaller one.
    """

    check: str
    edit: str
    """The edit: ``"film" -> "movie"``."""
    where: str = ""
    """The context of the edit, or a property of its text: ``in "n't"``; empty for any context."""
    inside: RateField
    """Breaking examples among the examples with an edit of this kind."""
    elsewhere: RateField
    """Breaking examples under the other edits of the check."""
    others: bool = False
    """Whether ``elsewhere`` is taken from other checks, since nearly all edits of this check are of this kind."""
    p_value: float
    """Exact p-value of this kind alone, against the hypothesis that its odds of a break are at most twice the odds
    under other edits."""
    failures: list[str] = []
    """Ids of at most twenty failing texts with an edit of this kind, the most useful first."""

    @property
    def pair(self) -> tuple[str, str] | None:
        """The replaced words and the new words; None if the edit is not a replacement."""
        found = re.fullmatch(r'"(.+)" -> "(.+)"', self.edit)
        return None if found is None else (found[1], found[2])

    @property
    def sentence(self) -> str:
        """The cause in one line."""
        inside, rest = self.inside, self.elsewhere
        other = " in the other checks" * self.others
        rates = f"breaks {inside.count:,} of {inside.tested:,}, elsewhere{other} {rest.count:,} of {rest.tested:,}"
        return f"{self.edit}{' ' * bool(self.where)}{self.where}: {rates}"
