"""TextAttack's constraints as robustfim's."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

from robustfim.candidate import Candidate
from robustfim_textattack.attacked import attacked, perturbed, word_places
from robustfim_textattack.component import offered
from robustfim_textattack.construction import Constructed
from robustfim_textattack.library import offline, textattack
from robustfim_textattack.table import CONSTRAINTS

__all__ = ["Constraint"]

_REASON = "not met"


class Constraint(Constructed):
    """Applies a constraint of TextAttack to candidates.

    A candidate is compared with its source. As in TextAttack, a constraint on word swaps accepts every candidate that
    inserts or deletes words. A constraint on the words that may change is applied to each edit in turn. The options are
    TextAttack's own.

    Raises:
        SkipCheck: Data or a model of the constraint is missing (in ``prepare``).
        UsageError: TextAttack is not installed (in ``prepare``).
    """

    def reject(self, candidate: Candidate) -> str | None:
        """Return a reason if TextAttack's constraint does not accept the candidate, else None."""
        before_the_change = isinstance(self._made, textattack().constraints.PreTransformationConstraint)
        with offline():
            met = self._may_change(candidate) if before_the_change else self._accepts(candidate)
        return None if met else _REASON

    def _accepts(self, candidate: Candidate) -> bool:
        """Ask a constraint on the perturbed text."""
        source, fields = attacked(candidate.source.fields), candidate.example.fields
        more = len(attacked(fields).words) - len(source.words)
        after = perturbed(source, fields, self._kinds[(more > 0) - (more < 0)])
        return not after.words or bool(self._made(after, source))

    def _may_change(self, candidate: Candidate) -> bool:
        """Ask a constraint on the words that may change, before each edit."""
        source = current = attacked(candidate.source.fields)
        places = word_places(source)
        for number, edit in enumerate(candidate.edits, 1):
            allowed = self._made(current, self._kinds[0])
            now = current.attack_attrs["original_index_map"]
            touched = {
                int(now[index])
                for index, (field, start, end) in enumerate(places)
                if field == edit.field and start < edit.end and edit.start < end
            }
            if not allowed or not touched <= allowed:
                return False
            fields = candidate.with_edits(candidate.edits[:number]).example.fields
            current = perturbed(current, fields, self._kinds[0])
        return True

    @cached_property
    def _kinds(self) -> dict[int, Any]:
        """What constraints ask the last transformation for: whether it swaps, inserts or deletes words."""
        of = textattack().transformations
        return {0: of.WordSwap(), 1: of.WordInsertion(), -1: of.WordDeletion()}


@cache
def __getattr__(name: str) -> type[Any]:
    if name not in CONSTRAINTS:
        raise AttributeError(name)
    return offered(Constraint, name, CONSTRAINTS[name])
