"""Prompt templates with fields in braces, and templates filled with an example's texts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from string import Formatter

from robustfim.errors import UsageError, suggestions
from robustfim.roles import Span

__all__ = ["FilledPrompt", "Prompt"]


@dataclass(frozen=True)
class FilledPrompt:
    """A template filled with the fields of an example.

    Attributes:
        pieces: Pairs of field name and text, in order; the name is ``""`` for the template's own words.
    """

    pieces: tuple[tuple[str, str], ...]

    @cached_property
    def text(self) -> str:
        """The whole text."""
        return "".join(text for _, text in self.pieces)

    def find(self, start: int, end: int) -> tuple[int, Span]:
        """Find the field from which the characters ``start`` to ``end`` of the prompt come, ignoring leading blanks.

        Args:
            start: The first character, an index into :attr:`text`.
            end: One past the last character.

        Returns:
            The index of the field's piece, and the place of the characters in the field. −1 and None if all characters
            are the template's own words.
        """
        whole = self.text
        while start < end - 1 and whole[start].isspace():
            start += 1
        first = 0
        for number, (name, text) in enumerate(self.pieces):
            last = first + len(text)
            if name and first < end and start < min(end, last):
                return number, (name, max(start, first) - first, min(end, last) - first)
            first = last
        return -1, None

    def cut(self, number: int, length: int) -> FilledPrompt:
        """Return the prompt with one piece cut to its first ``length`` characters and its trailing blanks removed."""
        name, text = self.pieces[number]
        kept = (name, text[:length].rstrip())
        return FilledPrompt((*self.pieces[:number], kept, *self.pieces[number + 1 :]))


class Prompt:
    r"""A prompt template with the names of fields in braces.

    Args:
        template: Words with the names of fields in braces, ``"Review: {text}\nIt was"``; ``{{`` and ``}}`` stand for
            braces themselves.
        option: The name of the option, for messages.
        needs_field: Whether a template without a field is refused.

    Attributes:
        fields: The names of the fields, in order.
        blanks: The blanks at the end of the template. Tokenizers join them with the next word.
        end: The text after the last field, without the blanks at the end.

    Raises:
        UsageError: The template is malformed, or has no field.
    """

    def __init__(self, template: str, option: str = "prompt", *, needs_field: bool = True) -> None:
        self._option = option
        kept = template.rstrip(" ")
        self.blanks = template[len(kept) :]
        try:
            parts = list(Formatter().parse(kept))
        except ValueError as error:
            raise UsageError(f"{option}: {error}; write a literal brace as '{{{{' or '}}}}'.") from None
        for _, name, form, conversion in parts:
            if name is not None and (form or conversion or not name.isidentifier()):
                raise UsageError(
                    f"{option}: a place is the name of a field in braces, such as '{{text}}', not {name!r}."
                )
        self._pieces = [pair for words, name, *_ in parts for pair in ((words, ""), ("", name or ""))]
        self.fields = tuple(name for _, name in self._pieces if name)
        if needs_field and not self.fields:
            raise UsageError(
                f"{option}={template!r} names no field, so all prompts would be equal. Name one, for example "
                f"'{{text}}'."
            )
        last = max((number for number, (_, name) in enumerate(self._pieces) if name), default=-1)
        self.end = "".join(words for words, _ in self._pieces[last + 1 :])

    @property
    def anchor(self) -> str:
        """A text with the same end as every filled prompt, used to tokenize continuations."""
        return self.end if self.end.strip() else f".{self.end}"

    def fill(self, texts: Mapping[str, str], replaced: Collection[str] = ()) -> FilledPrompt:
        """Return the template filled with the texts of an example.

        Args:
            texts: The text of each field.
            replaced: Fields whose texts were replaced by other words. Their tokens have no place in the example.

        Raises:
            UsageError: A field of the template is missing.
        """
        for name in self.fields:
            if name not in texts:
                raise UsageError(
                    f"{self._option} names the field {name!r}, which an example lacks."
                    f"{suggestions(name, texts, 'Fields')}"
                )
        pieces = (("" if name in replaced else name, texts[name] if name else words) for words, name in self._pieces)
        return FilledPrompt(tuple(piece for piece in pieces if piece[1]))
