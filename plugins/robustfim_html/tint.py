"""How much each word matters, as a tint of the text: two hues with a line under them, three strengths."""

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
    """A tinted stretch of a text.

    Attributes:
        start: First character.
        end: One past the last.
        kind: Its class: ``for1`` to ``for3`` where it speaks for the label, ``against1`` to ``against3``; of a gold
            span one of :data:`robustfim_html.spans.SPAN_KINDS`.
        title: Its importance in words, or the label of the span.
    """

    start: int
    end: int
    kind: str
    title: str


@dataclass(frozen=True)
class Attributed:
    """How exact the importance of words is.

    Attributes:
        examples: Failing examples that have it.
        largest: The largest convergence delta, in logits, without its sign.
        median: The median one.
    """

    examples: int
    largest: float
    median: float


def attributed(record: Record) -> Attributed | None:
    """Sum up the importance of words in the failing examples; None where no example has any."""
    failing = Trials.of_record(record).failing
    deltas = [
        abs(each.importance.delta)
        for each in record.examples
        if each.id in failing and each.importance is not None and each.importance.delta is not None
    ]
    return Attributed(len(deltas), max(deltas), median(deltas)) if deltas else None


def tints(importance: ImportanceRecord | None, field: str, text: str) -> list[Tint]:
    """Choose the tints of one field.

    Args:
        importance: The importance of the example's words; None gives no tint.
        field: The field.
        text: Its text; what does not lie in it, in order, is left out.

    Returns:
        Tints in order, not overlapping; words of little importance have none.
    """
    if importance is None:
        return []
    largest = max((abs(word.value) for word in importance.words), default=0.0)
    found: list[Tint] = []
    for word in sorted(importance.words, key=lambda each: (each.start, each.end)):
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
    """Cut a stretch of a text at the ends of its tinted words.

    Args:
        text: The whole text.
        start: First character of the stretch.
        end: One past its last.
        words: Tints of the whole text, in order.
        change: Whether the stretch is what an edit removes.

    Returns:
        Pieces that make up the stretch: text, whether it is shown as a change, tint.
    """
    pieces: list[tuple[str, bool, Tint | None]] = []
    place = start
    for word in words:
        if word.start < end and start < word.end:
            first, last = max(word.start, start), min(word.end, end)
            # Blanks between two words are no change of blanks, which would be printed as such.
            between = text[place:first]
            pieces.append((between, change and bool(between.strip(" \n")), None))
            pieces.append((text[first:last], change, word))
            place = last
    rest = text[place:end]
    pieces.append((rest, change and (place == start or bool(rest.strip(" \n"))), None))
    return [piece for piece in pieces if piece[0]]
