"""A choice: a context and the alternatives that are read behind it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from robustfim.errors import UsageError, did_you_mean
from robustfim.example import Example
from robustfim.roles import Span

__all__ = ["Choice", "require_fields"]


@dataclass(frozen=True)
class Choice:
    """One example, as the tokenizer reads it.

    Attributes:
        context: The fields of the context, in order, name (``""`` for a text that stands in no field) and text; they
            are read joined by blanks.
        alternatives: The fields of the alternatives, name and text.
    """

    context: tuple[tuple[str, str], ...]
    alternatives: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The context as it is read."""
        return " ".join(text for _, text in self.context)

    def place(self, span: Span) -> Span:
        """Find the field in which a token stands.

        Args:
            span: Its place: of a token of the context, in :attr:`text`, under the name ``""``.
        """
        if span is None or span[0]:
            return span
        start = 0
        for name, text in self.context:
            if start <= span[1] and span[2] <= start + len(text):
                return (name, span[1] - start, span[2] - start) if name else None
            start += len(text) + 1
        return None


def require_fields(model: Path | str, example: Example, names: Iterable[str], choices: Sequence[str]) -> None:
    """Refuse an example that lacks a field, or has more alternatives than the model chooses among.

    Raises:
        UsageError: It does.
    """
    fields = ", ".join(example.fields)
    for name in names:
        if name not in example.fields:
            raise UsageError(
                f"model {model} reads the field {name!r}, which an example lacks."
                f"{did_you_mean(name, example.fields)} Fields: {fields}."
            )
    if len([name for name in example.fields if name.startswith("choice")]) > len(choices):
        raise UsageError(
            f"model {model} chooses among {', '.join(choices)}, and an example has the fields {fields}: name all "
            "alternatives with 'choices'."
        )
