"""The payload: failing pairs and tested examples in the form that the page's script reads."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias, get_args

from robustfim.record import Arm, ExampleRecord, Record
from robustfim.words import utf16_length
from robustfim_drawing import decimal
from robustfim_html.columns import Texts, finite, packed
from robustfim_html.difficulty import score_title
from robustfim_html.pair import HARMS, NOW, REVIEWS, Group, Pair
from robustfim_html.spans import SPAN_KINDS, decision
from robustfim_html.visible import hidden_anywhere, hidden_in_a_change, named, plain

__all__ = ["ARMS", "payload", "sets"]

ARMS = ("", *get_args(Arm))
_KINDS = ("same", "removed", "inserted")
_FIRST, _EDITED, _BOLD, _FOLDED = 4, 8, 16, 32
"""Bits of a segment beside its kind."""
_TINTS = ("", "for1", "for2", "for3", "against1", "against2", "against3", *SPAN_KINDS)
_DERIVED = ("margin", "confidence")
"""What can be told of every example with probabilities, where no score of the run does."""


def sets(record: Record, other: Record | None = None) -> dict[str, Sequence[str]]:
    """Return the sets of examples by which the list of failures can be filtered.

    Returns:
        The ids of the examples of each slice, by the slice's name. With a baseline also sets such as ``all checks,
        regression``: the examples with this state since the baseline.
    """
    found: dict[str, Sequence[str]] = {
        record_slice.name: record_slice.members for record_slice in record.slices if record_slice.members
    }
    if record.comparisons:
        whole = record.comparisons[0].whole
        states = {NOW[0]: whole.newly_broken, NOW[1]: whole.still_broken, NOW[2]: whole.newly_fixed if other else []}
        found |= {f"all checks, {state}": ids for state, ids in states.items() if ids}
    return found


def payload(
    record: Record, groups: Sequence[Group], changes: Sequence[tuple[str, str, int]], scores: Sequence[str],
    other: Record | None = None,
) -> str:  # fmt: skip
    """Pack the failures and the tested examples of a run into one line of text for the page's script.

    Args:
        record: The run.
        groups: The groups of failing pairs, in the order of the list.
        changes: The label changes, in the order of their indices.
        scores: The names of the scores.
        other: The baseline's record, if both runs are shown.

    Returns:
        One line of text, as :func:`robustfim_html.columns.packed` writes it.
    """
    packing = _Packing(record, other)
    for group in groups:
        packing.add(group)
    return packing.packed(changes, scores)


_Row: TypeAlias = Mapping[str, float | None]
_Column: TypeAlias = list[float | None]


def _columns(prefix: str, rows: Sequence[_Row]) -> dict[str, _Column]:
    return {f"{prefix}{name}": [row[name] for row in rows] for name in (rows[0] if rows else ())}


@dataclass
class _Shown:
    """An example of the page; its texts are kept once a pair needs them."""

    key: str
    example: ExampleRecord | None
    arm: str
    fields: dict[str, str]

    def score(self, name: str) -> float | None:
        return None if self.example is None else self.example.scores.get(name)

    def derived(self, name: str) -> float | None:
        """The margin and the confidence of a prediction, as the scores of these names define them."""
        numbers = sorted((self.example and self.example.probabilities) or [], reverse=True)
        if name == "confidence":
            return numbers[0] if numbers else None
        return numbers[0] - numbers[1] if len(numbers) > 1 else None


class _Packing:
    """Rows on their way into columns."""

    def __init__(self, record: Record, other: Record | None) -> None:
        self._record, self._sets = record, sets(record, other)
        self._words, self._pieces = Texts(), Texts()  # what is said of pairs; what edits insert
        self._ids: list[str] = []
        self._groups: list[_Row] = []
        self._pairs: list[_Row] = []
        self._rows: list[_Row] = []
        self._fields: list[_Row] = []
        self._segments: list[_Row] = []
        self._shown: dict[str, _Shown] = {}
        self._places: dict[str, int] = {}
        tested = {example for check in record.checks for example in check.examples}
        for example in record.examples:
            if example.id in tested:
                self._example(example.id, example, example.arm or "", {})

    def _example(self, key: str, example: ExampleRecord | None, arm: str, fields: dict[str, str]) -> int:
        """Give an example its place."""
        shown = self._shown.setdefault(key, _Shown(key, example, arm, fields))
        shown.fields = shown.fields or fields
        return self._places.setdefault(key, len(self._places))

    def add(self, group: Group) -> None:
        first = len(self._pairs)
        for pair in group.pairs:
            if group.example is not None:
                place = self._example(group.example.id, group.example, group.arm, dict(group.example.fields))
            else:  # the perturbed text is all there is
                key = f"{pair.failure.example}\x01{pair.failure.id}"
                place = self._example(key, None, group.arm, dict(pair.failure.fields))
            self._pair(pair, place)
        now = NOW.index(group.now) if group.now else len(NOW)
        self._groups.append(
            {"check": group.check + 1, "example": self._pairs[first]["example"], "now": now, "first": first}
        )

    def _pair(self, pair: Pair, example: int) -> None:
        failure = pair.failure
        texts = {
            "note": pair.note,
            "shift": pair.shift,
            "reason": plain(pair.reason),
            "other": plain(pair.other),
            "origins": "\n".join(plain(origin).replace("\n", " ") for origin in pair.origins),
            "command": _template(pair),
        }
        self._ids.append(plain(failure.id))
        self._pairs.append(
            {
                "example": example,
                "change": pair.change,
                "harm": HARMS.index(pair.harm),
                "review": REVIEWS.index(failure.review or REVIEWS[-1]),
                "step": int(failure.step is not None),
                "before": pair.before,
                "after": pair.after,
                "excess": pair.excess,
                "others": pair.others,
                "row_start": len(self._rows),
                "field_start": len(self._fields),
                **{name: self._words.place(text) for name, text in texts.items()},
            }
        )
        self._rows += [vars(row) for row in pair.rows]
        for _, segments, edited in pair.fields:
            self._fields.append({"field_edited": int(edited), "segment_start": len(self._segments)})
            for part in segments:
                bits = _KINDS.index(part.kind) | _FIRST * part.first | _EDITED * part.edited
                bits |= _BOLD * part.bold | _FOLDED * part.folded
                size = self._pieces.place(part.text) if part.kind == "inserted" else utf16_length(part.text)
                tint, title = (part.tint.kind, self._words.place(part.tint.title)) if part.tint else ("", 0)
                self._segments.append({"bits": bits, "size": size, "tint": _TINTS.index(tint), "title": title})

    def packed(self, changes: Sequence[tuple[str, str, int]], scores: Sequence[str]) -> str:
        """Write all groups that were added as one line of text."""
        record = self._record
        columns = {
            **_columns("group_", self._groups),
            **_columns("", self._pairs),
            **_columns("row_", self._rows),
            **_columns("", self._fields),
            **_columns("segment_", self._segments),
        }
        for name, parts in (("row", self._rows), ("field", self._fields), ("segment", self._segments)):
            columns[f"{name}_start"].append(len(parts))
        return packed(
            {
                **self._examples_packed(scores, columns),
                "columns": columns,
                "checks": [{"id": plain(check.id), "name": plain(check.name)} for check in record.checks],
                "changes": [[plain(before), plain(after)] for before, after, _ in changes],
                "labels": [plain(label) for label in record.model.labels],
                "harms": [str(harm) for harm in HARMS],
                "arms": ARMS,
                "now": NOW,
                "reviews": REVIEWS,
                "ids": self._ids,
                "pieces": self._pieces.all,
                "words": self._words.all,
                "tints": _TINTS,
                **self._characters(),
            }
        )

    def _examples_packed(self, scores: Sequence[str], columns: dict[str, _Column]) -> dict[str, object]:
        """Add the columns of the examples; return what the head tells of them."""
        shown, names, texts = [*self._shown.values()], Texts(), Texts()
        golds = [each.example.label if each.example else None for each in shown]
        columns["example_arm"] = [ARMS.index(each.arm) for each in shown]
        columns["example_gold"] = [
            0 if gold is None else 1 + self._words.place(plain(decision(gold))) for gold in golds
        ]
        columns["example_known"] = [int(each.example is not None) for each in shown]
        columns["example_field_start"] = [*accumulate((len(each.fields) for each in shown), initial=0)]
        columns["example_field"] = [names.place(plain(name)) for each in shown for name in each.fields]
        columns["example_text"] = [texts.place(text) for each in shown for text in each.fields.values()]
        columns["example_importance"] = [self._importance(each.example) for each in shown]
        axes: list[dict[str, object]] = []
        lowest = {score.name for score in self._record.scores if score.hardest == "lowest"}
        for name in scores:
            columns[f"score_{len(axes)}"] = finite(each.score(name) for each in shown)
            axes.append({"name": plain(name), "title": plain(score_title(name)), "up": name in lowest, "score": True})
        for name in _DERIVED:
            if name not in scores and any(each.example and each.example.probabilities for each in shown):
                columns[f"score_{len(axes)}"] = finite(each.derived(name) for each in shown)
                axes.append({"name": name, "title": name, "up": True, "score": False})
        for index, members in enumerate(map(set, self._sets.values())):
            columns[f"slice_{index}"] = [int(each.key in members) for each in shown]
        return {
            "axes": axes,
            "slices": list(map(plain, self._sets)),
            "fields": names.all,
            "texts": texts.all,
            "examples": [plain(each.key if each.example else each.key.partition("\x01")[0]) for each in shown],
        }

    def _importance(self, example: ExampleRecord | None) -> int:
        """Return where the sum of an example's importance is told, from 1; 0 where it has none."""
        found = None if example is None else example.importance
        if found is None or not found.words:
            return 0
        return 1 + self._words.place(f"{decimal(found.change)}, delta {decimal(found.delta)}")

    def _characters(self) -> dict[str, object]:
        """Tell which characters are shown by name, and those that occur with their names."""
        found: set[str] = set()
        both = re.compile(f"[{hidden_in_a_change}]")
        for text in (*self._pieces.all, *(text for each in self._shown.values() for text in each.fields.values())):
            if not text.isascii() or not text.isprintable():
                found.update(both.findall(text))
        return {
            "hidden": _pattern(hidden_anywhere),
            "hiddenChange": _pattern(hidden_in_a_change),
            "names": {
                f"{ord(each):x}": [named(each), f"U+{ord(each):04X} {unicodedata.name(each, '')}".strip()]
                for each in sorted(found)
            },
        }


def _template(pair: Pair) -> str:
    """The command, with a mark where the example's and the failure's ids stand, which gives few different ones."""
    failure = pair.failure
    text = plain(failure.reproduce)
    for mark, identity in (("\x01", plain(failure.example)), ("\x02", plain(failure.id))):
        if identity:
            text = text.replace(identity, mark)
    return text


def _pattern(characters: str) -> str:
    """Write a class of characters with escapes, which no browser reads in another way."""
    return (
        "[" + "".join(character if character == "-" else f"\\u{{{ord(character):x}}}" for character in characters) + "]"
    )
