"""Replace the texts of a record by hashes, for people who must not see the texts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from robustfim.record.check_record import CheckRecord
from robustfim.record.example_record import ExampleRecord
from robustfim.record.example_table import ExampleRows
from robustfim.record.failure_record import EditRecord, Failure
from robustfim.record.format import Record

__all__ = ["without_texts"]

_DIGITS = 12
"""The number of hexadecimal digits of a hash."""


def without_texts(record: Record) -> Record:
    """Replace the texts of a record by hashes, and remove everything that may quote a text.

    Counts, rates, labels, probabilities and ids are kept. A text becomes its hash, ``[text 9f86d081884c]``. Equal texts
    have equal hashes, so somebody who guesses a text can confirm the guess. A model's answers in free text, a tagger's
    spans and the names of clusters are hashed, too. These fields are removed: plugins' sections, the reasons of
    failures, the importance of words, other tried texts, the texts with the fewest edits, error messages, and untested
    examples.
    """
    own_words = not record.model.labels
    return record.model_copy(
        update={
            "examples": [_example(example, own_words=own_words) for example in record.examples],
            "failures": [_failure(failure, own_words=own_words) for failure in record.failures],
            "checks": [_check(check) for check in record.checks],
            "causes": [],
            "edits": [],
            "sections": [],
        }
    ).with_table(ExampleRows([]))


def _example(example: ExampleRecord, *, own_words: bool) -> ExampleRecord:
    said = {name: _named(getattr(example, name)) for name in ("label", "prediction") if own_words}
    return example.model_copy(
        update=said | {"fields": _fields(example.fields), "cluster": _named(example.cluster), "importance": None}
    )


def _failure(failure: Failure, *, own_words: bool) -> Failure:
    sides = {"before": failure.before, "after": failure.after} if own_words else {}
    said = {name: side.model_copy(update={"label": _named(side.label)}) for name, side in sides.items()}
    gold = {"label": _named(failure.label)} if own_words else {}
    changed = {edit.field for edit in failure.edits}
    edits = [_edit(failure, field) for field in failure.fields if field in changed]
    return failure.model_copy(
        update=said
        | gold
        | {"fields": _fields(failure.fields), "edits": edits, "reason": "", "tried": [], "shrunk": None}
    )


def _edit(failure: Failure, field: str) -> EditRecord:
    """The change of a whole field, from one hash to another."""
    before = failure.fields[field]
    for edit in sorted(
        (failure_edit for failure_edit in failure.edits if failure_edit.field == field),
        key=lambda edit_record: edit_record.start,
    ):
        place = edit.start  # in the source, before which all later edits lie unchanged
        before = before[:place] + edit.before + before[place + len(edit.after) :]
    old = _hashed(before)
    return EditRecord(field=field, start=0, end=len(old), before=old, after=_hashed(failure.fields[field]))


def _check(check: CheckRecord) -> CheckRecord:
    if not check.traceback:
        return check
    return check.model_copy(update={"message": "it raised; what it said is left out with the texts.", "traceback": ""})


def _fields(fields: Mapping[str, str]) -> dict[str, str]:
    return {name: _hashed(text) for name, text in fields.items()}


def _named(text: str | None) -> str | None:
    return None if text is None else _hashed(text)


def _hashed(text: str) -> str:
    return f"[text {hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:_DIGITS]}]"
