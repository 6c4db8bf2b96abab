"""TextAttack's transformations as perturbations."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from random import Random
from typing import Any

from robustfim.candidate import Edit
from robustfim.example import Example
from robustfim_textattack.attacked import attacked, fields_of, readable
from robustfim_textattack.component import offered
from robustfim_textattack.construction import Constructed
from robustfim_textattack.library import offline, seeded
from robustfim_textattack.table import TRANSFORMATIONS
from robustfim_texts import one_edit

__all__ = ["Transformation"]


class Transformation(Constructed):
    """Applies a transformation of TextAttack.

    Each transformed text counts as one edit, so 'words', 'candidates' and 'order' apply. A text that changes several
    fields at once is left out. The options are TextAttack's own.

    Raises:
        SkipCheck: Data or a model of the transformation is missing (in ``prepare``).
        UsageError: TextAttack is not installed (in ``prepare``).
    """

    def edits(self, example: Example, random: Random) -> Iterable[Edit]:
        """Return the texts that the transformation makes of an example, each as one edit."""
        if not readable(example):
            return []
        with seeded(random), offline():
            texts = self._made(attacked(example.fields))
        origin = f"textattack: {self.name}"
        changed = (fields_of(text, example) for text in texts)
        # TextAttack lists some texts in the order of a set, which differs from process to process.
        return sorted({edit for fields in changed if fields and (edit := one_edit(example, fields, origin))})


@cache
def __getattr__(name: str) -> type[Any]:
    if name not in TRANSFORMATIONS:
        raise AttributeError(name)
    return offered(Transformation, name, TRANSFORMATIONS[name])
