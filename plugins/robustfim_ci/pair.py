"""A failing pair as text: the change, and the model's answers before and after the change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robustfim.commands import printable
from robustfim.judge import failures_by_check
from robustfim.record import EditRecord, ExampleRecord, Failure, Record
from robustfim.words import first_words, last_words, shared_ends

__all__ = ["Pair", "first_pairs", "make_pair"]

_CONTEXT = 60
"""Characters shown on either side of what changed."""
_LEAST = 3
"""An ellipsis in place of so few characters would save nothing."""
_LONGEST = 400
"""Characters of a side shown at most."""


@dataclass(frozen=True)
class Pair:
    """A failing pair of source and perturbed text, as reports show it: one-line texts without control characters.

    Attributes:
        id: The failure's id.
        title: The labels and their probabilities before and after the change.
        facts: The example's id, group (such as difficult or random) and gold label.
        sides: The changed fields as (name, before, after); the name is empty if the example has one field.
        note: A remark if no text changed; else empty.
        reproduce: The command that shows only this pair.
    """

    id: str
    title: str
    facts: str
    sides: tuple[tuple[str, str, str], ...]
    note: str
    reproduce: str

    @property
    def diff(self) -> str:
        """The changed texts as a diff whose lines begin with ``-`` and ``+``; the note if no text changed."""
        lines = []
        for name, before, after in self.sides:
            label = f"{name}: " if name else ""
            lines += [f"- {label}{before}", f"+ {label}{after}"]
        return "\n".join(lines) or f"  {self.note}"

    @property
    def text(self) -> str:
        """The title, the diff and the command, on several lines."""
        return f"{self.title} ({self.facts})\n{self.diff}\n{self.reproduce}"


def first_pairs(record: Record, most: int) -> dict[str, list[Pair]]:
    """Return the failing pairs of each check to show, by check id, the worst first.

    Args:
        record: The run.
        most: The largest number of pairs of a check.
    """
    examples = record.example_by_id
    return {
        check: [make_pair(failure, examples.get(failure.example)) for failure in failures[:most]]
        for check, failures in failures_by_check(record).items()
    }


def make_pair(failure: Failure, example: ExampleRecord | None) -> Pair:
    """Convert a failure to a pair to show.

    Args:
        failure: The failing candidate.
        example: The source of the candidate; None if the record lacks it, so that only the perturbed text is shown.
    """
    before, after = failure.before, failure.after
    title = f"{before.told()} → {after.told()}"
    if failure.reason and failure.reason != f"{before.label} -> {after.label}":
        title += f"; {failure.reason}"
    facts = [failure.example]
    if failure.arm not in (None, "all"):
        facts.append(str(failure.arm))
    if example is not None and example.label is not None:
        facts.append(f"gold {example.label}")
    facts += filter(None, [failure.needed])
    sides, note = _sides(failure, example)
    words = map(printable, (title, ", ".join(facts), note, failure.reproduce))
    return Pair(failure.id, next(words), next(words), sides, *words)


def _sides(failure: Failure, example: ExampleRecord | None) -> tuple[tuple[tuple[str, str, str], ...], str]:
    if failure.step is not None:
        return (), f"a step of {failure.step.norm:+g} along the {failure.step.direction}; the text is unchanged"
    many = len(failure.fields) > 1
    sides = []
    for name, after in failure.fields.items():
        before = None if example is None else example.fields.get(name)
        if before is None:
            sides.append((printable(name) if many else "", "(not in the record)", printable(_cut(after))))
        elif before != after:
            edits = sorted((edit for edit in failure.edits if edit.field == name), key=lambda edit: edit.start)
            old, new = _around(before, after, edits)
            sides.append((printable(name) if many else "", printable(old), printable(new)))
    return tuple(sides), "" if sides else "the text is unchanged"


def _around(before: str, after: str, edits: Sequence[EditRecord]) -> tuple[str, str]:
    """Cut both texts to the surroundings of what differs: the edits where they fit, else all but the shared ends."""
    if edits and edits[0].start >= 0 and edits[-1].end <= len(before):
        start, end = edits[0].start, edits[-1].end
    else:
        start, tail = shared_ends(before, after)
        end = len(before) - tail
    first, last = max(0, start - _CONTEXT), min(len(before), end + _CONTEXT)
    first = 0 if first <= _LEAST else start - len(last_words(before[:start], _CONTEXT))
    last = len(before) if last >= len(before) - _LEAST else end + len(first_words(before[end:], _CONTEXT))
    tail = len(before) - last
    return _excerpt(before, first, tail), _excerpt(after, first, tail)


def _excerpt(text: str, head: int, tail: int) -> str:
    return ("… " if head else "") + _cut(text[head : len(text) - tail]) + (" …" if tail else "")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{first_words(text, _LONGEST)} …"
