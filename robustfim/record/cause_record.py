"""Edits that break the model often, in the run record."""

from __future__ import annotations

import re

from robustfim.record.part import Part, RateField

__all__ = ["CauseRecord", "EditCounts"]


class EditCounts(Part):
    """How often an edit was tried in a check, and how often a right answer to a text with the edit became wrong."""

    check: str
    before: str
    after: str
    tried: int
    broken: int


class CauseRecord(Part):
    """A kind of edit that makes right answers wrong far more often than the other edits of its check.

    From each example, one text with the edit and one without are compared. If edits did not matter, at most 5 % of runs
    would name any kind of edit.
    """

    check: str
    edit: str
    """The edit: ``"film" -> "movie"``."""
    where: str = ""
    """The edit's context, such as ``in "n't"``."""
    inside: RateField
    """Breaking examples among those with the edit."""
    elsewhere: RateField
    """Breaking examples under other edits of the check."""
    others: bool = False
    """Whether ``elsewhere`` is from other checks, since nearly all edits of this check are of this kind."""
    p_value: float
    """Exact, against odds of a break at most twice those under other edits."""
    failures: list[str] = []
    """Ids of at most twenty failing texts, the most useful first."""

    @property
    def pair(self) -> tuple[str, str] | None:
        """The replaced words and the new words; None if the edit is not a replacement."""
        found = re.fullmatch(r'"(.+)" -> "(.+)"', self.edit)
        return None if found is None else (found[1], found[2])

    @property
    def rule(self) -> str:
        """The edit with its context."""
        return f"{self.edit} {self.where}".rstrip()

    @property
    def sentence(self) -> str:
        """The cause in one line."""
        inside, rest = self.inside, self.elsewhere
        other = " in the other checks" * self.others
        rates = f"breaks {inside.count:,} of {inside.tested:,}, elsewhere{other} {rest.count:,} of {rest.tested:,}"
        return f"{self.rule}: {rates}"
