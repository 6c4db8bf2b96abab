"""The easiest examples beside the most difficult ones, as in tables 1, 2, 6 and 12 of Datta et al. (2020–22)."""

from __future__ import annotations

from robustfim.exhibit import Section, Table
from robustfim.judge import ordered_failures
from robustfim.record import Record
from robustfim_drawing import decimal
from robustfim_html.difficulty import score_title

__all__ = ["ends"]

_SHOWN = 10
"""The number of examples of each end in the table."""


def ends(record: Record) -> list[Section]:
    """List the easiest and hardest examples, by the score that selected them, each with the first failing edit.

    Returns:
        One section; empty if the run tested no group of easiest examples.
    """
    chosen, by = record.selection, record.selection.by
    if by is None or not chosen.easiest:
        return []
    failing = {
        ordered_failure.example: ordered_failure.shown
        for ordered_failure in reversed(ordered_failures(record))
        if ordered_failure.edits
    }
    hardest = next(score.hardest for score in record.scores if score.name == by)
    rows = []
    for arm, high in (("easiest", hardest == "lowest"), ("difficult", hardest == "highest")):
        scored = [(example.scores.get(by), example) for example in record.examples if example.arm == arm]
        known = sorted(((value, example) for value, example in scored if value is not None), key=lambda pair: pair[0])
        for value, example in known[:: -1 if high else 1][:_SHOWN]:
            failure = failing.get(example.id)
            edits = [] if failure is None else [f"{edit.before} → {edit.after}" for edit in failure.edits]
            labels = (example.prediction or "–",) if failure is None else (failure.before.label, failure.after.label)
            text = " · ".join(example.fields.values())
            pair = None if failure is None or failure.shift is None or by != "fisher" else failure.shift.lambda_max
            numbers = " → ".join(map(decimal, pair or [value]))
            rows.append([arm, text, numbers, ", ".join(edits) or "–", " → ".join(labels)])
    table = Table(
        title=f"At most {_SHOWN} of each arm",
        header=["arm", "text", score_title(by), "edit", "label"],
        texts=[1, 3, 4],
        rows=rows,
        notes=["The edit is the first failing pair of the example, in the order of the list of failures."],
    )
    rates = ", ".join(
        f"{arm} {sum(row[0] == arm and row[3] != '–' for row in rows)} of {sum(row[0] == arm for row in rows)}"
        for arm in ("easiest", "difficult")
    )
    finding = f"Examples with a failing edit: {rates}."
    return [Section(name="ends", title="The easiest beside the difficult examples", findings=[finding], tables=[table])]
