"""The window: the part of a text that a model reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from robustfim.candidate import Edit
from robustfim.errors import ModelError, shown
from robustfim.example import Example
from robustfim.parts import ModelPart

__all__ = ["Window", "windows"]


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a long example that a model reads, if it truncates the text.

    Attributes:
        parts: Field, start and exclusive end of each part, in the order of the text; parts of a field never touch. If
            such a part reaches the end of the text, its end is one larger, since the model would read text added there.
    """

    parts: tuple[tuple[str, int, int], ...]

    @classmethod
    def of(cls, example: Example, spans: Iterable[Any]) -> Window:
        """Make the window of an example from the spans of the tokens that the model reads.

        Args:
            example: The example.
            spans: ``(field, start, end)`` of the tokens that are read, in any order; None for a token that stands for
                no text. Blanks between two spans are read, too.

        Raises:
            ValueError: A span is not a place in the example.
        """
        parts: list[tuple[str, int, int]] = []
        places = [(str(name), int(start), int(end)) for name, start, end in filter(None, spans)]
        for field, text in example.fields.items():
            own = sorted((start, end) for name, start, end in places if name == field)
            for start, end in own:
                if not 0 <= start <= end <= len(text):
                    raise ValueError(f"{(field, start, end)} lies outside of the {len(text)} characters of {field!r}")
                if parts and parts[-1][0] == field and not text[parts[-1][2] : start].strip():
                    parts[-1] = (field, parts[-1][1], max(end, parts[-1][2]))
                else:
                    parts.append((field, start, end))
        # Where nothing is left unread behind a part, what is added to the text is read, too.
        parts = [
            (field, start, len(text) + 1 if not (text := example.fields[field])[end:].strip() else end)
            for field, start, end in parts
        ]
        if unknown := {name for name, _, _ in places} - example.fields.keys():
            raise ValueError(f"the example has no field {unknown.pop()!r}")
        return cls(tuple(parts))

    def holds(self, edit: Edit) -> bool:
        """Return whether an edit lies inside the part of the example that the model reads."""
        return any(
            edit.field == field and start <= edit.start < end and edit.end <= end for field, start, end in self.parts
        )

    def touches(self, edits: Iterable[Edit]) -> bool:
        """Return whether at least one of the edits changes a part that the model reads."""
        return any(
            edit.field == field and edit.start < end and max(edit.end, edit.start + 1) > start
            for edit in edits
            for field, start, end in self.parts
        )

    def cut(self, example: Example) -> Example:
        """Return the example with only the part that the model reads."""
        own = [(field, example.fields[field][start:end]) for field, start, end in self.parts]
        return Example({name: " ".join(text for field, text in own if field == name) for name in example.fields})


def windows(model: object, examples: Sequence[Example]) -> list[Window | None] | None:
    """Ask a model which parts of examples it reads.

    Returns:
        The window of each example, or None for an example that the model reads whole; None in place of the list if the
        model does not report what it reads.

    Raises:
        ModelError: The model returned something other than spans for each example.
    """
    tell = ModelPart(model).window
    if tell is None:
        return None
    told = list(tell(examples))
    if len(told) != len(examples):
        raise ModelError(f"the model's 'window' gave {len(told)} answers for {len(examples)} examples.")
    read: list[Window | None] = []
    for example, spans in zip(examples, told, strict=True):
        try:
            read.append(None if spans is None else Window.of(example, spans))
        except (TypeError, ValueError) as error:
            raise ModelError(f"the model's 'window' gave {shown(spans)}: {error}.") from error
    return read
