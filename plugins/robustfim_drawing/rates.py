"""The rates of a run and of its checks, in the words of every report."""

from __future__ import annotations

from robustfim.judge import claim_text, kind_text, rate_text, reach_word, reaches
from robustfim.printable import counted
from robustfim.record import AreaRecord, CheckRecord, Record
from robustfim.statistics import percent

__all__ = ["area_text", "rate_lines", "reach_lines"]


def rate_lines(check: CheckRecord) -> list[str]:
    """Return the rate of each claim of a check, the worst first: ``difficult 40 % [11.8, 76.9] of 5``.

    A check without a limit has its failure rate alone; one that tested nothing has no line.
    """
    claims = check.limit_claims
    if not claims:
        return list(filter(None, [rate_text(check)]))
    return [f"{kind_text(claim.where)} {claim_text(check, claim)}".strip() for claim in claims if claim.estimate.tested]


def reach_lines(record: Record) -> list[str]:
    """Return for each arm a sentence on how many of its tested examples the model breaks."""
    broken = reach_word(record)
    lines = []
    for reach in record.reach or reaches(record):
        arm = "" if reach.arm == "all" else f" {reach.arm}"
        line = f"{reach.rate.count:,} of {counted(reach.rate.tested, f'tested{arm} example')} {broken}"
        line += f": {percent(reach.rate.rate or 0, reach.rate.interval)}"
        line += f"; only by one not meant to keep the meaning {reach.by_yardstick:,}" if reach.by_yardstick else ""
        line += f"; by a step alone {reach.by_step:,}" if reach.by_step else ""
        line += f"; {reach.wrong:,} more fail that were wrong before any change" if reach.wrong else ""
        lines.append(line)
    return lines


def area_text(area: AreaRecord) -> str:
    """Return an AUROC with its interval: ``0.71 [0.63, 0.79]``; empty if there is no AUROC."""
    if area.auroc is None:
        return ""
    ends = "" if area.interval is None else f" [{area.interval[0]:.2f}, {area.interval[1]:.2f}]"
    return f"{area.auroc:.2f}{ends}"
