"""The perturbation ``column``, which takes its texts from a column of the data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.errors import DataError, shown, suggestions
from robustfim.example import Example
from robustfim.roles import Context

__all__ = ["Column"]


class Column:
    """Tests texts from a column of the data, such as paraphrases or translations to another language and back.

    A row holds one text, or a list of texts. If examples have several fields, a text is a mapping of the changed
    fields: ``{hypothesis: …}``. A row without any text is not tested.

    Args:
        name: The column.
        label: The key of the mapping that holds the gold label of the changed text, if this label may differ from the
            example's.
        unchanged: Whether to test also a text that equals the example's own text.
    """

    def __init__(self, name: str, label: str | None = None, unchanged: bool = False) -> None:
        self.name, self.label = name, label
        self.contract = Contract(unchanged=unchanged)

    def prepare(self, context: Context) -> None:
        """Check that the column exists.

        Raises:
            DataError: No example has the column.
        """
        known: dict[str, None] = {}
        for example in context.examples:
            if self.name in example.meta:
                return
            known |= dict.fromkeys(example.meta)
        raise DataError(f"no example has a column {self.name!r}.{suggestions(self.name, known, 'Columns')}")

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """List the texts, in the order of the data."""
        held = example.meta.get(self.name)
        for item in held if isinstance(held, list) else [held]:
            if item is None or item == "":
                continue
            label, fields = self._read(item, example)
            yield Candidate(example, Candidate.replacing(example, fields, origin=self.name).edits, label=label)

    def _read(self, item: Any, example: Example) -> tuple[str | None, Mapping[str, str]]:
        """Read one item: its own gold label, or None, and its fields."""
        if isinstance(item, str) and len(example.fields) == 1:
            return None, dict.fromkeys(example.fields, item)
        if isinstance(item, Mapping):
            fields = {key: value for key, value in item.items() if key != self.label or key in example.fields}
            label = item.get(self.label) if self.label not in (None, *example.fields) else None
            texts = all(isinstance(value, str) for value in fields.values()) and isinstance(label, str | None)
            if fields and texts and set(fields) <= set(example.fields):
                return label, fields
        wanted = "a text" if len(example.fields) == 1 else f"texts by field ({', '.join(example.fields)})"
        raise DataError(f"the column {self.name!r} of example {example.id} holds {shown(item)}, not {wanted}.")
