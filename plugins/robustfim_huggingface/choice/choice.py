"""An example of multiple choice: a context, and the alternatives that the model reads after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from robustfim.errors import UsageError, did_you_mean
from robustfim.example import Example
from robustfim.roles import Span
from robustfim_huggingface.checkpoint.saved_model import without_surrogates

__all__ = ["Alternatives", "Choice"]


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


class Alternatives:
    """A model that chooses among alternatives, each in a field of its own."""

    _path: Path | str
    _choices: tuple[str, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels: the numbers of the alternatives, from ``1``, in the order of the columns of ``predict``."""
        return tuple(str(number + 1) for number in range(len(self._choices)))

    def _require_apart(self, others: Iterable[str], option: str) -> None:
        """Refuse fewer than two alternatives, and a field that is named twice."""
        named = [*self._choices, *others]
        if len(self._choices) < 2 or len(set(named)) < len(named):
            raise UsageError(
                f"'choices' must name at least two fields, and {option!r} only other fields; they name {named}."
            )

    def _texts(self, example: Example, others: Iterable[str] = ()) -> dict[str, str]:
        """Read the fields of an example.

        Raises:
            UsageError: The example lacks an alternative or one of the other fields, or has more alternatives.
        """
        fields = ", ".join(example.fields)
        for name in (*others, *self._choices):
            if name not in example.fields:
                raise UsageError(
                    f"model {self._path} reads the field {name!r}, which an example lacks."
                    f"{did_you_mean(name, example.fields)} Fields: {fields}."
                )
        if len([name for name in example.fields if name.startswith("choice")]) > len(self._choices):
            raise UsageError(
                f"model {self._path} chooses among {', '.join(self._choices)}, and an example has the fields "
                f"{fields}: name all alternatives with 'choices'."
            )
        return {name: without_surrogates(text) for name, text in example.fields.items()}
