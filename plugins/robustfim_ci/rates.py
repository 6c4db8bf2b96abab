"""The outcome of a run in one line."""

from __future__ import annotations

from robustfim.record import Record
from robustfim_ci.baseline import has_regressed
from robustfim_drawing import against_labels, headline

__all__ = ["first_line"]


def first_line(record: Record) -> str:
    """Return the outcomes of the checks in a few words: ``1 of 3 checks failed, 2 passed``.

    With a baseline the answer on the baseline comes first: ``not proved to be no worse than the baseline; all 3 checks
    passed``.
    """
    strictest = min(record.comparisons, key=lambda comparison: (not comparison.failed, comparison.proven), default=None)
    regressed = sum(has_regressed(check, record) for check in record.checks)
    weak = against_labels(record)
    said = headline(record) + f", {regressed} regressed" * bool(regressed) + f", {weak}" * bool(weak)
    return said if strictest is None else f"{strictest.headline}; {said}"
