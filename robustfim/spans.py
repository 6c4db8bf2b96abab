"""Spans: the matches of a tagger in a text, their notation as a label, and their places after edits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, Any, TypeGuard

from robustfim.errors import UsageError, shown, shown_names
from robustfim.words import difference

if TYPE_CHECKING:
    from robustfim.candidate import Edit

__all__ = [
    "Projection",
    "Span",
    "bare_spans",
    "is_spans",
    "is_tagger",
    "project",
    "read_spans",
    "refuse_tagger",
    "require_spans",
    "span_labels",
    "span_parts",
    "written_spans",
]

_SPAN = re.compile(r"⟦(\d+):(\d+)(?:@([0-9.e+-]+))? ([^⟦⟧\n]+)⟧")
_SPANS = re.compile(rf"⟦⟧|{_SPAN.pattern}(?: {_SPAN.pattern})*")
_KEYS = {
    "start": ("start", "start_position", "start_char", "start_offset", "begin"),
    "end": ("end", "end_position", "end_char", "end_offset"),
    "label": ("label", "entity_type", "entity_group", "entity", "type"),
}
_SURE = ("score", "probability", "confidence")
"""The keys of a span in datasets, tools and services."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A labelled range of characters of a text: ``text[start:end]`` is a person.

    Attributes:
        start: First character, from 0.
        end: One past the last character, > ``start``.
        label: The label of the span.
        probability: The tagger's probability, in [0, 1]; None if it gives none, and for a gold span.

    Raises:
        ValueError: The ends are not valid, the label is empty or contains ``⟦``, ``⟧`` or a line break, or the
            probability lies outside [0, 1].
    """

    start: int
    end: int
    label: str
    probability: float | None = None

    def __post_init__(self) -> None:
        if type(self.start) is not int or type(self.end) is not int or not 0 <= self.start < self.end:
            raise ValueError(f"a span has a first character and one past its last, not {self.start!r} and {self.end!r}")
        if not isinstance(self.label, str) or not self.label.strip() or re.search(r"[⟦⟧\n]", self.label):
            raise ValueError(f"the label of a span is a text of one line without ⟦ and ⟧, not {self.label!r}")
        if self.probability is not None and not 0 <= self.probability <= 1:
            raise ValueError(f"the probability of a span lies in [0, 1], not {self.probability!r}")

    @property
    def bare(self) -> Span:
        """The span without its probability."""
        return Span(self.start, self.end, self.label)

    def overlaps(self, other: Span) -> bool:
        """Return whether two spans have a character in common."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Projection:
    """The places of a text's labelled spans after edits of the text.

    Attributes:
        kept: For each span, in order, its span in the edited text; None if the edits changed it so much that it no
            longer counts.
        changed: Places in the edited text (first character, one past the last) that replace uncounted spans. A span
            that a tagger finds there counts neither as right nor as wrong.
    """

    kept: tuple[Span | None, ...]
    changed: tuple[tuple[int, int], ...]

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans that are still counted, in order."""
        return tuple(span for span in self.kept if span is not None)

    @property
    def left(self) -> int:
        """The number of spans that are no longer counted."""
        return self.kept.count(None)

    def is_open(self, span: Span) -> bool:
        """Return whether a span of the edited text touches one of the places in ``changed``, which do not count."""
        return any(span.start <= end and start <= span.end for start, end in self.changed)


def bare_spans(spans: Iterable[Span]) -> frozenset[Span]:
    """Return spans without their probabilities, as a set."""
    return frozenset(span.bare for span in spans)


def is_spans(label: str | None) -> TypeGuard[str]:
    """Return whether a label is a set of spans in this notation."""
    return label is not None and label.startswith("⟦") and _SPANS.fullmatch(label) is not None


def written_spans(spans: Iterable[Span]) -> str:
    """Return spans as one label: a text notation, in the order of the text.

    Returns:
        The notation: each span has its ends, its probability if it has one, and its label.

    >>> written_spans([Span(13, 18, "place", 0.9), Span(0, 3, "person")]), written_spans([])
    ('⟦0:3 person⟧ ⟦13:18@0.9 place⟧', '⟦⟧')
    """
    ordered = sorted(spans, key=lambda span: (span.start, span.end, span.label))
    return " ".join(map(_written, ordered)) or "⟦⟧"


def _written(span: Span) -> str:
    sure = "" if span.probability is None else f"@{span.probability!r}"
    return f"⟦{span.start}:{span.end}{sure} {span.label}⟧"


def read_spans(label: str) -> tuple[Span, ...]:
    """Read the notation of :func:`written_spans`.

    Raises:
        ValueError: The label is not in this notation.
    """
    if not is_spans(label):
        raise ValueError(f"{shown(label)} is no set of spans, which looks like {written_spans([Span(0, 3, 'person')])}")
    return tuple(
        Span(int(start), int(end), name, float(sure) if sure else None)
        for start, end, sure, name in _SPAN.findall(label)
    )


def span_labels(answers: Iterable[str]) -> list[str]:
    """List the labels of spans, without repeats, sorted.

    Args:
        answers: Labels or answers; an answer that is not a set of spans is skipped.

    >>> span_labels(["⟦0:3 person⟧ ⟦13:18 place⟧", "⟦⟧", "good"])
    ['person', 'place']
    """
    return sorted({span.label for answer in answers if is_spans(answer) for span in read_spans(answer)})


def require_spans(spans: Iterable[Any], text: str, *, apart: bool = False) -> tuple[Span, ...]:
    """Read and check the spans of a text, from any source.

    Args:
        spans: :class:`Span`, ``(start, end, label)``, optionally followed by a probability, or mappings that
            :func:`span_parts` reads.
        text: The text.
        apart: Whether overlaps are forbidden, as for gold spans.

    Returns:
        The spans in the order of the text, without repeats.

    Raises:
        ValueError: A span is malformed, lies outside the text or, if ``apart``, overlaps another.
    """
    checked = []
    for given in spans:
        span = given if isinstance(given, Span) else _read(*span_parts(given))
        if span.end > len(text):
            place = f"{span.start}:{span.end} ({span.label})"
            raise ValueError(f"the span {place} lies outside its text, which has {len(text)} characters")
        checked.append(span)
    ordered = sorted(dict.fromkeys(checked), key=lambda span: (span.start, span.end, span.label))
    for first, second in pairwise(ordered):
        if apart and first.overlaps(second):
            raise ValueError(
                f"the spans {first.start}:{first.end} ({first.label}) and {second.start}:{second.end} "
                f"({second.label}) overlap"
            )
    return tuple(ordered)


def span_parts(value: Any) -> tuple[Any, ...]:
    """Read the parts of a span of a dataset, a tool or a service.

    Args:
        value: ``(start, end, label)``, optionally followed by a probability, or a mapping with these under one of their
            usual keys, such as ``start_position``, ``entity_type`` and ``score``.

    Returns:
        Start, end and label, and the probability if there is one.

    Raises:
        ValueError: The value has neither form; the message names the missing part.

    >>> span_parts({"start": 0, "end": 3, "entity_type": "PERSON", "score": 0.85})
    (0, 3, 'PERSON', 0.85)
    """
    if isinstance(value, Mapping):
        parts = []
        for what, names in _KEYS.items():
            name = next((name for name in names if name in value), None)
            if name is None:
                has = shown_names([str(key) for key in value])
                raise ValueError(f"a span has no {what}: the span has the keys {has}, and none of {', '.join(names)}")
            parts.append(value[name])
        sure = next((value[name] for name in _SURE if value.get(name) is not None), None)
        return (*parts,) if sure is None else (*parts, sure)
    parts = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else []
    if len(parts) not in (3, 4):
        raise ValueError(f"a span is (start, end, label) or (start, end, label, probability), not {shown(value)}")
    return tuple(parts)


def is_tagger(model: object) -> bool:
    """Return whether a model is a tagger, which has a method ``tag``."""
    return callable(getattr(model, "tag", None))


def refuse_tagger(model: object, what: str) -> None:
    """Raise an error if a model is a tagger, for an operation that needs one label per text.

    Raises:
        UsageError: The model is a tagger.
    """
    if is_tagger(model):
        told = "a suite's checks test those"
        raise UsageError(f"{what} speaks of labels that change, and the model finds spans; {told}.")


def _read(start: Any, end: Any, label: Any, probability: Any = None) -> Span:
    """Make a span of what may be numbers of NumPy."""
    try:
        ends = index(start), index(end)
        sure = None if probability is None else float(probability)
    except (TypeError, ValueError):
        raise ValueError(f"a span is (start, end, label, probability), not {shown((start, end, label))}") from None
    return Span(*ends, label, sure)


def project(text: str, spans: Sequence[Span], edits: Iterable[Edit], *, carries: bool = False) -> Projection:
    """Find the places of a text's labelled spans after edits of the text.

    First, the common beginning and end of an edit's old and new text are removed. An edit that touches no character of
    a span moves the span. An edit changes a span's words if it lies inside the span, or lengthens the word at its end:
    with ``carries``, the span then covers the new characters and keeps its label. A span is no longer counted if its
    words change and ``carries`` is False. The same holds if an edit crosses an end of the span or joins a word inside
    with one outside, and if nothing of the span is left.

    Args:
        text: The text.
        spans: Spans of the text.
        edits: Edits of the text without overlaps, in any order.
        carries: Whether a span keeps its label if its words change, as in :class:`robustfim.contract.Contract`.
    """
    cuts = sorted(filter(None, (_cut(text, edit) for edit in edits)), key=lambda cut: (cut.start, cut.end))
    places = [] if carries else [_place(cut.start, cut.end, [cut], cuts) for cut in cuts]
    projected: list[Span | None] = []
    for span in spans:
        touching = [cut for cut in cuts if cut.touches(span)]
        first = min([span.start, *(cut.start for cut in touching)])
        last = max([span.end, *(cut.end for cut in touching)])
        start, end = _place(first, last, touching, cuts)
        if not touching or (carries and (first, last) == (span.start, span.end) and start < end):
            projected.append(replace(span, start=start, end=end))
        else:
            projected.append(None)
            places.append((start, end))
    return Projection(tuple(projected), tuple(sorted(set(places))))


@dataclass(frozen=True, slots=True)
class _Cut:
    """An edit without the common beginning and end of its two texts.

    ``joins_before`` means that the edit lengthens the word that ends at its start, ``joins_behind`` the word that
    begins at its end.
    """

    start: int
    end: int
    longer: int
    joins_before: bool
    joins_behind: bool

    def touches(self, span: Span) -> bool:
        """Return whether the edit changes the words of a span."""
        if self.end <= span.start:
            return self.end == span.start and self.joins_behind
        if self.start >= span.end:
            return self.start == span.end and self.joins_before
        return True


def _cut(text: str, edit: Edit) -> _Cut | None:
    head, before, after = difference(edit.before, edit.after)
    if before == after:
        return None
    start = edit.start + head
    end = start + len(before)
    left, right = text[max(start - 1, 0) : start], text[end : end + 1]
    return _Cut(
        start,
        end,
        len(after) - (end - start),
        _one_word(left, after[:1] or right) and not _one_word(left, text[start : start + 1]),
        _one_word(after[-1:] or left, right) and not _one_word(text[max(end - 1, 0) : end], right),
    )


def _place(first: int, last: int, inside: Sequence[_Cut], cuts: Sequence[_Cut]) -> tuple[int, int]:
    """Where characters of the text are in the edited one, with the edits that are inside."""
    start = first + sum(cut.longer for cut in cuts if cut.end <= first and cut not in inside)
    return start, start + last - first + sum(cut.longer for cut in inside)


def _one_word(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum()
