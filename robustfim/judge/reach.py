"""Reach: the number of tested examples on which the model breaks, over all checks of a run."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from robustfim.judge.design import Design, looks_of
from robustfim.judge.trials import Trials
from robustfim.printable import printable
from robustfim.record import Arm, ReachRecord, Record
from robustfim.record.check_record import LABEL_KEPT

__all__ = ["reach_word", "reaches"]


def reaches(record: Record) -> list[ReachRecord]:
    """Count the tested and the failing examples of a run over all its checks, by sampled group (arm).

    Checks that compare with the model's own noise are left out, since noise causes some of their failures.

    Returns:
        Counts for each group with a tested example, the difficult group first. Empty for a stratified sample, which
        does not represent the data without weights.
    """
    if record.selection.strata:
        return []
    import numpy as np

    counted = [check for check in record.checks if not check.net_of_noise]
    trials = Trials.of_record(record).of_checks(*(check.id for check in counted))
    looks = tuple(look for check in counted for look in looks_of(check, trials.of_checks(check.id)))
    design = Design(looks=looks)
    noise = [check.id for check in record.checks if check.yardstick]
    sources = {example.id: example.fields for example in record.examples}
    edited = {
        (failure.check, failure.example)
        for failure in record.failures
        if failure.step is not None or failure.fields != sources.get(failure.example)
    }
    changed = [row in edited for row in zip(trials.check.tolist(), trials.example.tolist(), strict=True)]
    # A label or a span may break of an answer that is not right as a whole, and what does not expect an answer to stay
    # fails whatever was right before.
    stays = {check.id for check in record.checks if check.expectation.get("use", "invariant") in LABEL_KEPT}
    parts = [check.id for check in record.checks if check.counts == "broken" or check.id not in stays]
    # A text that fails as it is was wrong before any change.
    right = np.where(np.isin(trials.check.astype(str), parts), 1, np.where(changed, trials.right_before, 0))
    trials = replace(trials, right_before=right)
    records = []
    for arm in get_args(Arm):
        rows = trials.where(trials.stratum == arm)
        fails = rows.where(rows.right_before != 0)
        texts = fails.where(~fails.by_step)
        text = texts.where([check not in noise for check in texts.check]).failing
        yardstick = texts.of_checks(*noise).failing
        if tested := rows.tested:
            counts = Trials.made(tested, value=map(text.__contains__, tested), cluster=map(rows.clusters.get, tested))
            records.append(
                ReachRecord(
                    arm=arm,
                    rate=design.estimate(counts).counts,
                    by_step=len(fails.where(fails.by_step).failing - text - yardstick),
                    by_yardstick=len(yardstick - text),
                    wrong=len(rows.where(rows.right_before == 0).failing - text),
                )
            )
    return records


def reach_word(record: Record) -> str:
    """Return what the examples do that :func:`reaches` counts, in the words of the checks' expectations.

    Returns:
        ``broken by a changed text`` if every check expects answers to stay; else, as ``failing 'changes'``, the
        expectations.
    """
    counted_checks = (check for check in record.checks if check.tested and not (check.net_of_noise or check.yardstick))
    uses = sorted({check.expectation.get("use", "invariant") for check in counted_checks})
    if not {*uses} <= {*LABEL_KEPT, "found"}:
        return f"failing {' or '.join(repr(printable(use)) for use in uses)}"
    return "broken by a changed text" if record.data.labelled else "whose answer a changed text changes"
