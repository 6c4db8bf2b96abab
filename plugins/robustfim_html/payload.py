"""The payload: failing pairs and tested examples in the form that the page's script reads."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import get_args

from robustfim.record import Arm, ExampleRecord, Record
from robustfim_drawing import decimal
from robustfim_html.columns import Texts, finite, packed, units
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


class _Packing:
    """Rows on their way into columns."""

    def __init__(self, record: Record, other: Record | None) -> None:
        self._record, self._sets = record, sets(record, other)
        self._columns: dict[str, Sequence[float | None]] = {}
        self._words = Texts()
        """What is said of pairs: names, notes, rules, commands."""
        self._pieces = Texts()
        """What edits insert."""
        self._groups: list[tuple[int, int, int, int]] = []  # check, example, now, first pair
        self._pairs: list[Pair] = []
        self._places: list[int] = []  # example of each pair
        self._segments: list[tuple[int, int, int, int]] = []
        self._fields: list[int] = []  # first segment of each field of each pair
        self._edited: list[int] = []
        self._examples: dict[str, int] = {}
        self._shown: list[tuple[str, ExampleRecord | None, str, dict[str, str]]] = []
        tested = {example for check in record.checks for example in check.examples}
        for example in record.examples:
            if example.id in tested:
                self._example(example.id, example, example.arm or "", {})

    def _example(self, key: str, example: ExampleRecord | None, arm: str, fields: dict[str, str]) -> int:
        """Give an example its place; its texts are kept once a pair needs them."""
        place = self._examples.setdefault(key, len(self._examples))
        if place == len(self._shown):
            self._shown.append((key, example, arm, fields))
        elif fields and not self._shown[place][3]:
            self._shown[place] = (key, self._shown[place][1], self._shown[place][2], fields)
        return place

    def add(self, group: Group) -> None:
        first = len(self._pairs)
        for pair in group.pairs:
            if group.example is not None:
                place = self._example(group.example.id, group.example, group.arm, dict(group.example.fields))
            else:  # the perturbed text is all there is
                key = f"{pair.failure.example}\x01{pair.failure.id}"
                place = self._example(key, None, group.arm, dict(pair.failure.fields))
            self._places.append(place)
            self._pairs.append(pair)
            for _, segments, edited in pair.fields:
                self._fields.append(len(self._segments))
                self._edited.append(int(edited))
                for part in segments:
                    bits = _KINDS.index(part.kind) | _FIRST * part.first | _EDITED * part.edited
                    bits |= _BOLD * part.bold | _FOLDED * part.folded
                    size = self._pieces.place(part.text) if part.kind == "inserted" else units(part.text)
                    tint, title = (0, 0) if part.tint is None else (
                        _TINTS.index(part.tint.kind), self._words.place(part.tint.title)
                    )  # fmt: skip
                    self._segments.append((bits, size, tint, title))
        now = NOW.index(group.now) if group.now else len(NOW)
        self._groups.append((group.check + 1, self._places[first], now, first))

    def packed(self, changes: Sequence[tuple[str, str, int]], scores: Sequence[str]) -> str:
        """Write all groups that were added as one line of text."""
        record, columns, words = self._record, self._columns, self._words
        for index, name in enumerate(("check", "example", "now", "first")):
            columns[f"group_{name}"] = [row[index] for row in self._groups]
        pairs = self._pairs
        columns["example"] = self._places
        columns["change"] = [pair.change for pair in pairs]
        columns["harm"] = [HARMS.index(pair.harm) for pair in pairs]
        columns["review"] = [REVIEWS.index(pair.failure.review or REVIEWS[-1]) for pair in pairs]
        columns["step"] = [int(pair.failure.step is not None) for pair in pairs]
        columns["before"] = finite(pair.before for pair in pairs)
        columns["after"] = finite(pair.after for pair in pairs)
        columns["excess"] = finite(pair.excess for pair in pairs)
        for name, told in (
            ("note", lambda pair: pair.note),
            ("shift", lambda pair: pair.shift),
            ("reason", lambda pair: plain(pair.reason)),
            ("other", lambda pair: plain(pair.other)),
            ("origins", lambda pair: "\n".join(plain(origin).replace("\n", " ") for origin in pair.origins)),
            ("command", lambda pair: _template(pair)),
        ):
            columns[name] = [words.place(told(pair)) for pair in pairs]
        columns["others"] = [pair.others for pair in pairs]
        columns["row_start"] = _starts(len(pair.rows) for pair in pairs)
        rows = [row for pair in pairs for row in pair.rows]
        columns["row_label"] = [row.label for row in rows]
        columns["row_before"] = finite(row.before for row in rows)
        columns["row_after"] = finite(row.after for row in rows)
        columns["field_start"] = _starts(len(pair.fields) for pair in pairs)
        columns["field_edited"] = self._edited
        columns["segment_start"] = [*self._fields, len(self._segments)]
        for index, name in enumerate(("bits", "size", "tint", "title")):
            columns[f"segment_{name}"] = [row[index] for row in self._segments]
        head = self._examples_packed(scores)
        return packed(
            {
                **head,
                "columns": columns,
                "checks": [{"id": plain(check.id), "name": plain(check.name)} for check in record.checks],
                "changes": [[plain(before), plain(after)] for before, after, _ in changes],
                "labels": [plain(label) for label in record.model.labels],
                "harms": [str(harm) for harm in HARMS],
                "arms": ARMS,
                "now": NOW,
                "reviews": REVIEWS,
                "ids": [plain(pair.failure.id) for pair in pairs],
                "pieces": self._pieces.all,
                "words": words.all,
                "tints": _TINTS,
                **self._characters(),
            }
        )

    def _examples_packed(self, scores: Sequence[str]) -> dict[str, object]:
        """Add the columns of the examples; return what the head tells of them."""
        columns, shown = self._columns, self._shown
        names, texts = Texts(), Texts()
        columns["example_arm"] = [ARMS.index(arm) for _, _, arm, _ in shown]
        columns["example_gold"] = [
            0 if example is None or example.label is None else 1 + self._words.place(plain(decision(example.label)))
            for _, example, _, _ in shown
        ]
        columns["example_known"] = [int(example is not None) for _, example, _, _ in shown]
        columns["example_field_start"] = _starts(len(fields) for *_, fields in shown)
        columns["example_field"] = [names.place(plain(name)) for *_, fields in shown for name in fields]
        columns["example_text"] = [texts.place(text) for *_, fields in shown for text in fields.values()]
        columns["example_importance"] = [self._importance(example) for _, example, _, _ in shown]
        axes: list[dict[str, object]] = []
        lowest = {score.name for score in self._record.scores if score.hardest == "lowest"}
        for name in scores:
            columns[f"score_{len(axes)}"] = finite(_score(example, name) for _, example, _, _ in shown)
            axes.append({"name": plain(name), "title": plain(score_title(name)), "up": name in lowest, "score": True})
        for name in _DERIVED:
            if name not in scores and any(example and example.probabilities for _, example, _, _ in shown):
                columns[f"score_{len(axes)}"] = finite(_derived(example, name) for _, example, _, _ in shown)
                axes.append({"name": name, "title": name, "up": True, "score": False})
        for index, each in enumerate(self._sets.values()):
            members = set(each)
            columns[f"slice_{index}"] = [int(key in members) for key, *_ in shown]
        return {
            "axes": axes,
            "slices": list(map(plain, self._sets)),
            "fields": names.all,
            "texts": texts.all,
            "examples": [plain(key if example is not None else key.partition("\x01")[0]) for key, example, *_ in shown],
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
        for text in (*self._pieces.all, *(text for *_, fields in self._shown for text in fields.values())):
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


def _starts(sizes: Iterable[int]) -> list[int]:
    """Return where each part begins, and the end."""
    starts = [0]
    for size in sizes:
        starts.append(starts[-1] + size)
    return starts


def _score(example: ExampleRecord | None, name: str) -> float | None:
    return None if example is None else example.scores.get(name)


def _derived(example: ExampleRecord | None, name: str) -> float | None:
    """The margin and the confidence of a prediction, as the scores of these names define them."""
    numbers = sorted((example.probabilities if example is not None else None) or [], reverse=True)
    if name == "confidence":
        return numbers[0] if numbers else None
    return numbers[0] - numbers[1] if len(numbers) > 1 else None


def _pattern(characters: str) -> str:
    """Write a class of characters with escapes, which no browser reads in another way."""
    return (
        "[" + "".join(character if character == "-" else f"\\u{{{ord(character):x}}}" for character in characters) + "]"
    )
