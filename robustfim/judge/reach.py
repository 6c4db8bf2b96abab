"""Reach: on how many of the tested examples the model breaks, over all checks of a run."""

from __future__ import annotations

from typing import Literal

from robustfim.judge.trials import Trials
from robustfim.record import ReachRecord, Record
from robustfim.statistics import clustered_rate

__all__ = ["reaches"]

_ARMS: tuple[Literal["difficult", "control", "all"], ...] = ("difficult", "control", "all")


def reaches(record: Record) -> list[ReachRecord]:
    """Count the tested and the failing examples of a run, by arm.

    A check that is held against the model's own noise takes no part: its failures are in part that noise.

    Returns:
        The arms in which a check tested an example, the difficult one first. An example that no check tested
        counts nowhere. None for strata, of which the tested examples are no even part of anything.
    """
    if record.selection.strata:
        return []
    trials = Trials.of_record(record).of_checks(*(check.id for check in record.checks if not check.net_of_noise))
    noise = [check.id for check in record.checks if check.yardstick]
    records = []
    for arm in _ARMS:
        rows = trials.where(trials.stratum == arm)
        fails, wrong = rows.where(rows.right_before != 0), rows.where(rows.right_before == 0).failing
        texts = fails.where(~fails.by_step)
        text = texts.where([check not in noise for check in texts.check]).failing
        yardstick = texts.of_checks(*noise).failing
        if tested := rows.tested:
            rate, _ = clustered_rate(text, tested, rows.clusters)
            records.append(
                ReachRecord(
                    arm=arm,
                    rate=rate,
                    by_step=len(fails.where(fails.by_step).failing - text - yardstick),
                    by_yardstick=len(yardstick - text),
                    wrong=len(wrong),
                )
            )
    return records
