"""Importance: how much each word of an example contributes to the predicted label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robustfim.example import Example
from robustfim.words import word_spans

__all__ = ["Importance", "WordImportance", "gather_words"]


@dataclass(frozen=True, slots=True)
class WordImportance:
    """The contribution of one word, or of another token such as a full stop, to the predicted label.

    Attributes:
        field: The name of the field that contains the word.
        start: First character, from 0.
        end: One past the last character.
        value: The contribution in logits, to the margin of the predicted label over the others; negative if the word
            speaks against it.
    """

    field: str
    start: int
    end: int
    value: float


@dataclass(frozen=True, slots=True)
class Importance:
    """The contributions of the words of an example to the predicted label.

    The words' values sum to ``change + delta``; for an exact attribution ``delta`` is 0.

    Attributes:
        words: Every word of the example, and other tokens with a value, in the order of the text.
        change: The margin of the predicted label for the example minus the margin for the text without its words (the
            baseline), in logits; NaN if the model gave no finite numbers.
        delta: The convergence delta: the sum of the values minus ``change``, in logits; NaN if ``change`` is.
    """

    words: tuple[WordImportance, ...]
    change: float
    delta: float


def gather_words(
    example: Example, spans: Sequence[tuple[str, int, int] | None], values: Sequence[float]
) -> tuple[WordImportance, ...]:
    """Sum the contributions of tokens to the importance of each word.

    The value of a token that touches several words is divided equally among these words. Tokens that touch no word have
    separate entries; overlapping tokens share an entry. The value of a word without tokens is 0.

    Args:
        example: The example.
        spans: The place of each token in the example's text, ``[tokens]``; tokens without a place are left out.
        values: The contribution of each token, ``[tokens]``.

    Returns:
        Words and other tokens in the order of the text; their values sum to the values of all tokens with a place.
    """
    found: list[WordImportance] = []
    placed = [(*span, value) for span, value in zip(spans, values, strict=True) if span is not None]
    for name, text in example.fields.items():
        words = dict.fromkeys(word_spans(text), 0.0)
        others: list[tuple[int, int, float]] = []
        for start, end, value in sorted((start, end, value) for field, start, end, value in placed if field == name):
            touched = [span for span in words if start < span[1] and span[0] < end]
            for span in touched:
                words[span] += value / len(touched)
            if touched:
                continue
            if others and start < others[-1][1]:
                before = others.pop()
                others.append((before[0], max(before[1], end), before[2] + value))
            else:
                others.append((start, end, value))
        whole = [*others, *((start, end, value) for (start, end), value in words.items())]
        found += [WordImportance(name, *each) for each in sorted(whole)]
    return tuple(found)
