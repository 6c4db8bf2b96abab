"""An example of multiple choice: a context, and the alternatives that the model reads after it."""

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
    """One example of multiple choice, as the tokenizer reads it.

    Attributes:
        context: Name and text of the fields of the context, in order. The name is ``""`` for a text that is not in a
            field. The texts are joined by blanks.
        alternatives: Name and text of the field of each alternative.
    """

    context: tuple[tuple[str, str], ...]
    alternatives: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The texts of the context, joined by blanks."""
        return " ".join(text for _, text in self.context)

    def place(self, span: Span) -> Span:
        """Return where a token stands in its text field; None if the token is not in a field.

        Args:
            span: The token's place. A token of the context has the name ``""`` and its place in :attr:`text`.
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
        UsageError: The example lacks one of the fields ``names``, or has more alternatives than ``choices``.
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
