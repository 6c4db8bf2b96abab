"""The importance of words as underlined colours: two hues and three strengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from robustfim.judge import Trials
from robustfim.record import ImportanceRecord, Record
from robustfim_drawing import decimal

__all__ = ["Attributed", "Tint", "attributed", "split", "tints"]

_STEPS = (0.1, 1 / 3, 2 / 3)
"""From which share of the largest importance in the text a word has the first, second and third strength."""


@dataclass(frozen=True)
class Tint:
    """A coloured part of a text.

    Attributes:
        start: The index of the first character.
        end: The index after the last character.
        kind: The CSS class: ``for1`` to ``for3`` for words that support the label, ``against1`` to ``against3`` for
            words against it; for a gold span one of :data:`robustfim_html.spans.SPAN_KINDS`.
        title: The importance in words, or the label of the span.
    """

    start: int
    end: int
    kind: str
    title: str


@dataclass(frozen=True)
class Attributed:
    """The numerical accuracy of word importances from integrated gradients, over the failing examples.

    Attributes:
        examples: The number of failing examples with importances.
        largest: The largest absolute error of the importances' sum (convergence delta), in logits.
        median: The median of this absolute error, in logits.
    """

    examples: int
    largest: float
    median: float


def attributed(record: Record) -> Attributed | None:
    """Summarise how accurate the word importances of the failing examples are; None if none were computed."""
    failing = Trials.of_record(record).failing
    deltas = [
        abs(example.importance.delta)
        for example in record.examples
        if example.id in failing and example.importance is not None and example.importance.delta is not None
    ]
    return Attributed(len(deltas), max(deltas), median(deltas)) if deltas else None


def tints(importance: ImportanceRecord | None, field: str, text: str) -> list[Tint]:
    """Choose the words of a text field to colour by their importance for the prediction.

    Args:
        importance: The importance of the example's words; None gives no coloured word.
        field: The field.
        text: The text of the field; words that do not lie in the text, in order, are left out.

    Returns:
        The coloured parts in order, not overlapping. Words of little importance are not coloured.
    """
    if importance is None:
        return []
    largest = max((abs(word.value) for word in importance.words), default=0.0)
    found: list[Tint] = []
    for word in sorted(importance.words, key=lambda importance_word: (importance_word.start, importance_word.end)):
        strength = sum(abs(word.value) >= step * largest for step in _STEPS) if largest else 0
        place = found[-1].end if found else 0
        if word.field == field and strength and place <= word.start < word.end <= len(text):
            side = "for" if word.value > 0 else "against"
            sign = "+" if word.value > 0 else ""
            found.append(Tint(word.start, word.end, f"{side}{strength}", sign + decimal(word.value)))
    return found


def split(
    text: str, start: int, end: int, words: Sequence[Tint], *, change: bool = False
) -> list[tuple[str, bool, Tint | None]]:
    """Cut a part of a text at the ends of its coloured words.

    Args:
        text: The whole text.
        start: The index of the first character of the part.
        end: The index after the last character of the part.
        words: Tints of the whole text, in order.
        change: Whether the part is removed by an edit.

    Returns:
        The pieces of the part in order. For each: the text, whether it is shown as a change, and its colour.
    """
    pieces: list[tuple[str, bool, Tint | None]] = []
    place = start
    for word in words:
        if word.start < end and start < word.end:
            first, last = max(word.start, start), min(word.end, end)
            # Blanks between two words are not a change of blanks, which would be printed as such.
            between = text[place:first]
            pieces.append((between, change and bool(between.strip(" \n")), None))
            pieces.append((text[first:last], change, word))
            place = last
    rest = text[place:end]
    pieces.append((rest, change and (place == start or bool(rest.strip(" \n"))), None))
    return [piece for piece in pieces if piece[0]]
