"""A candidate: an example after a perturbation, with the edits that made it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from robustfim.example import Example
from robustfim.spans import Projection, is_spans, project, read_spans, written_spans
from robustfim.words import difference, word_differences

__all__ = ["Candidate", "Edit", "Step"]


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """A replacement of characters in one text field: ``text[start:end] == before`` becomes ``after``.

    Attributes:
        field: The name of the field that is edited.
        start: The first replaced character, counted from 0 in the unperturbed text.
        end: One past the last replaced character; equal to ``start`` for an insertion.
        before: The text replaced.
        after: The replacement; ``""`` is a deletion.
        origin: Where the edit comes from: a lexicon entry, a rule, a typo kind.
    """

    field: str
    start: int
    end: int
    before: str
    after: str
    origin: str = ""

    @property
    def place(self) -> tuple[str, int, int]:
        """The field, start and end of the edit; a candidate uses at most one of several edits with the same place."""
        return self.field, self.start, self.end

    def require_in(self, source: Example) -> None:
        """Check that the edit fits an example.

        Raises:
            ValueError: The example has no such field, or the field's text differs from ``before`` at that place.
        """
        text = source.fields.get(self.field)
        if text is None:
            raise ValueError(f"edit of unknown field {self.field!r}; the example has {list(source.fields)}")
        if not 0 <= self.start <= self.end <= len(text) or text[self.start : self.end] != self.before:
            raise ValueError(
                f"edit {self.before!r} -> {self.after!r} does not match {self.field!r} at "
                f"{self.start}:{self.end}, which reads {text[self.start : self.end]!r}"
            )

    def overlaps(self, other: Edit) -> bool:
        """Return whether two edits touch the same characters; an insertion touches the characters on both sides."""
        if self.field != other.field:
            return False
        if self.start == self.end or other.start == other.end:
            return self.start <= other.end and other.start <= self.end
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Step:
    """A perturbation in embedding space: the text stays unchanged, but its input embedding is moved.

    Attributes:
        direction: The name of the direction, such as ``"eigenvector"``.
        norm: Signed Euclidean length of the step, in units of the model's input embedding.
    """

    direction: str
    norm: float


@dataclass(frozen=True)
class Candidate:
    """A perturbed version of a source example: with text edits, or with one step that moves the input embedding.

    Attributes:
        source: The example that was perturbed.
        edits: Non-overlapping edits of the source's fields, in any order.
        step: The move of the input embedding; None if the text is edited.
        label: The gold label of the candidate, if the perturbation knows it.
        carries: Whether spans whose words change keep their label, as in
            :class:`robustfim.contract.Contract`.

    Raises:
        ValueError: An edit names an unknown field, does not match the text at its place, or overlaps another.
    """

    source: Example
    edits: tuple[Edit, ...] = ()
    step: Step | None = None
    label: str | None = None
    carries: bool = False

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.edits))
        object.__setattr__(self, "edits", ordered)
        for edit in ordered:
            edit.require_in(self.source)
        for first, second in pairwise(ordered):
            if first.overlaps(second):
                raise ValueError(f"edits overlap: {first} and {second}")

    @classmethod
    def replacing(
        cls, source: Example, fields: Mapping[str, str], *, origin: str = "", by_words: bool = False
    ) -> Candidate:
        """Build a candidate (a perturbed version of an example) from complete new texts.

        Args:
            source: The example that was perturbed.
            fields: New texts by field name; other fields stay.
            origin: A name for where the new texts come from.
            by_words: Whether each run of differing words becomes a separate edit. By default a field has one edit, from
                the first to the last difference.

        Returns:
            A candidate whose edits, applied to the source, give the new texts. A text equal to the old one makes no
            edit.

        Raises:
            ValueError: The source has no field of that name.
        """
        for name in fields:
            if name not in source.fields:
                raise ValueError(f"new text for an unknown field {name!r}; the example has {list(source.fields)}")
        changed = {name: (source.fields[name], text) for name, text in fields.items() if text != source.fields[name]}
        return cls(
            source,
            tuple(
                Edit(name, start, start + len(cut), cut, put, origin)
                for name, texts in changed.items()
                for start, cut, put in (word_differences(*texts) if by_words else [difference(*texts)])
            ),
        )

    @cached_property
    def example(self) -> Example:
        """The perturbed example, with the source's gold label and other columns; gold spans move with the text."""
        fields = dict(self.source.fields)
        for edit in sorted(self.edits, reverse=True):
            text = fields[edit.field]
            fields[edit.field] = text[: edit.start] + edit.after + text[edit.end :]
        source = self.source
        accepted = () if self.label else source.accepted
        label = written_spans(self.projected(source.label).spans) if is_spans(source.label) else source.label
        return Example(fields, self.label or label, source.meta, accepted)

    def projected(self, label: str) -> Projection:
        """Find the places of labelled spans in the perturbed text, which has one field.

        Args:
            label: Spans of the source, in the notation of :mod:`robustfim.spans`.

        Raises:
            ValueError: ``label`` is not in this notation.
        """
        text = next(iter(self.source.fields.values()))
        return project(text, read_spans(label), self.edits, carries=self.carries)

    @property
    def unchanged(self) -> bool:
        """Whether the candidate equals its source: no step, and the same texts."""
        return self.step is None and dict(self.example.fields) == dict(self.source.fields)

    def with_edits(self, edits: Iterable[Edit]) -> Candidate:
        """Return a candidate of the same source with other edits."""
        return Candidate(self.source, tuple(edits), self.step, self.label, self.carries)
