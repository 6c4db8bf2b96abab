"""An example: one input of the classifier."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

__all__ = ["Example", "content_id"]

_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False)


def content_id(fields: Mapping[str, str]) -> str:
    """Return a stable id of an example: a hash of its named text fields.

    Args:
        fields: Field name to text; the order of the fields does not matter.

    Returns:
        12 hexadecimal digits, the same on every machine and in every run.
    """
    canonical = _CANONICAL.encode(dict(fields)).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(canonical, digest_size=6).hexdigest()


@dataclass(frozen=True)
class Example:
    """One input of a classifier: named text fields, an optional gold label, and the other columns of its row.

    Attributes:
        fields: Field name to text, in the data's order (``{"text": …}``, ``{"premise": …, "hypothesis": …}``).
        label: The gold label, or None if the data has none.
        meta: The row's other columns (such as a pair id or a source), unchanged.
        accepted: Labels that count as right beside ``label``, such as those of further annotators.

    Raises:
        TypeError: A field or a label is not a string.
    """

    fields: Mapping[str, str]
    label: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    accepted: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, text in self.fields.items():
            if not isinstance(text, str):
                raise TypeError(f"the field {name!r} of an example must be a text, not {text!r}")
        if self.label is not None and not isinstance(self.label, str):
            raise TypeError(f"the label of an example must be a text or None, not {self.label!r}")
        if not isinstance(self.accepted, tuple) or not all(isinstance(each, str) for each in self.accepted):
            raise TypeError(f"the accepted labels of an example must be a tuple of texts, not {self.accepted!r}")
        object.__setattr__(self, "fields", MappingProxyType(dict(self.fields)))
        object.__setattr__(self, "meta", MappingProxyType(dict(self.meta)))

    @cached_property
    def id(self) -> str:
        """The content hash of the fields: equal texts have equal ids, whatever their label."""
        return content_id(self.fields)

    @property
    def text(self) -> str:
        """All fields in order, joined by a line break."""
        return "\n".join(self.fields.values())

    @property
    def gold(self) -> tuple[str, ...]:
        """All labels that count as right, ``label`` first; empty if the example has no gold label."""
        return () if self.label is None else (self.label, *self.accepted)

    def __hash__(self) -> int:
        return hash((self.id, self.label))

    def __reduce__(self) -> tuple[type[Example], tuple[dict[str, str], str | None, dict[str, Any], tuple[str, ...]]]:
        return Example, (dict(self.fields), self.label, dict(self.meta), self.accepted)  # no proxy can be pickled
