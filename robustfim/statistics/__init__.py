"""The mathematics of verdicts: shares and their intervals, tests and corrections. Pure functions of counts.

Open to plugins: what this package exports.
"""

from __future__ import annotations

from robustfim.statistics.estimates import auroc_interval, correlation_interval, mean_interval, share_interval
from robustfim.statistics.rates import (
    CONFIDENCE,
    Tail,
    Z,
    examples_to_decide,
    holm,
    holm_p_values,
    mcnemar,
    tail,
    wilson,
)

__all__ = [
    "CONFIDENCE",
    "Tail",
    "Z",
    "auroc_interval",
    "correlation_interval",
    "examples_to_decide",
    "holm",
    "holm_p_values",
    "mcnemar",
    "mean_interval",
    "share_interval",
    "tail",
    "wilson",
]
