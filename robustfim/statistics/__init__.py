"""The mathematics of verdicts: shares and their intervals, tests and corrections. Pure functions of counts.

Open to plugins: what this package exports.
"""

from __future__ import annotations

from robustfim.statistics.estimates import auroc_interval, correlation_interval, mean_interval, share_interval
from robustfim.statistics.rate import CONFIDENCE, Interval, Rate, Z, percent, wilson
from robustfim.statistics.tails import Tail, examples_to_decide, holm, holm_p_values, mcnemar, tail

__all__ = [
    "CONFIDENCE",
    "Interval",
    "Rate",
    "Tail",
    "Z",
    "auroc_interval",
    "correlation_interval",
    "examples_to_decide",
    "holm",
    "holm_p_values",
    "mcnemar",
    "mean_interval",
    "percent",
    "share_interval",
    "tail",
    "wilson",
]
