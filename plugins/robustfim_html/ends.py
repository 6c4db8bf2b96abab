"""The easiest examples beside the most difficult ones, as in tables 1, 2, 6 and 12 of Datta et al. (2020–22)."""

from __future__ import annotations

from collections.abc import Sequence

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
    failing = {failure.example: failure.shown for failure in reversed(ordered_failures(record)) if failure.edits}
    hardest = next(score.hardest for score in record.scores if score.name == by)
    rows, rates = [], []
    for arm, high in (("easiest", hardest == "lowest"), ("difficult", hardest == "highest")):
        scored = [(value, example) for example in record.examples if (value := example.scores.get(by)) is not None]
        known = sorted((pair for pair in scored if pair[1].arm == arm), key=lambda pair: pair[0], reverse=high)[:_SHOWN]
        rates.append(f"{arm} {sum(example.id in failing for _, example in known)} of {len(known)}")
        for value, example in known:
            failure, edits, labels = failing.get(example.id), "–", [example.prediction or "–"]
            numbers: Sequence[float] = (value,)
            if failure is not None:
                edits = ", ".join(f"{edit.before} → {edit.after}" for edit in failure.edits)
                labels = [failure.before.label, failure.after.label]
                if by == "fisher" and failure.shift is not None:
                    numbers = failure.shift.lambda_max or numbers
            text = " · ".join(example.fields.values())
            rows.append([arm, text, " → ".join(map(decimal, numbers)), edits, " → ".join(labels)])
    table = Table(
        title=f"At most {_SHOWN} of each arm",
        header=["arm", "text", score_title(by), "edit", "label"],
        texts=[1, 3, 4],
        rows=rows,
        notes=["The edit is the first failing pair of the example, in the order of the list of failures."],
    )
    finding = f"Examples with a failing edit: {', '.join(rates)}."
    return [Section(name="ends", title="The easiest beside the difficult examples", findings=[finding], tables=[table])]
