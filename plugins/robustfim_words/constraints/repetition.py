"""No repeated edit: a candidate makes each replacement once."""

from __future__ import annotations

from collections import Counter

from robustfim.candidate import Candidate

__all__ = ["NoRepeatedEdit"]


class NoRepeatedEdit:
    """Rejects a candidate that replaces the same word by the same other more than once.

    Several edits of one kind count for more than they tell: three times "film" for "movie" is one weakness of a model.
    Names are an exception that this constraint does not know: whoever renames a person does so everywhere.
    """

    def reject(self, candidate: Candidate) -> str | None:
        """Reject if two edits have the same before and after, in whatever case."""
        counted = Counter((edit.before.casefold(), edit.after.casefold()) for edit in candidate.edits)
        return "repeated edit" if counted and max(counted.values()) > 1 else None
