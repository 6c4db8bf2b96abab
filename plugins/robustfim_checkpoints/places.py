"""The places of tokens in their texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from robustfim.roles import Span

__all__ = ["Places", "token_span", "trimmed"]


class Places(Sequence[Sequence[Span]]):
    """The places of a batch's tokens, ``[texts][tokens]``, cut when they are asked for, which no answer needs.

    Args:
        size: The number of texts.
        spans: A function that returns the places of a text's tokens.
    """

    def __init__(self, size: int, spans: Callable[[int], list[Span]]) -> None:
        self._places, self._spans = range(size), spans

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> list[Span]: ...
    @overload
    def __getitem__(self, place: slice) -> list[list[Span]]: ...
    def __getitem__(self, place: int | slice) -> list[Span] | list[list[Span]]:
        if isinstance(place, slice):
            return [self._spans(each) for each in self._places[place]]
        return self._spans(self._places[place])


def token_span(field: str, text: str, start: int, end: int) -> Span:
    """Place a token, without the blanks before it that byte-pair tokenizers count in."""
    while start < end - 1 and text[start].isspace():
        start += 1
    return (field, start, end) if start < end else None


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out the blanks at both ends that byte-pair tokenizers count in."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
