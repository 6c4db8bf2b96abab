"""The mathematics of verdicts: shares and their intervals, tests and corrections. Pure functions of counts.

Open to plugins: what this package exports.
"""

from __future__ import annotations

from robustfim.statistics.accuracy import is_right
from robustfim.statistics.association import Association, association
from robustfim.statistics.assurance import Piloted, grown, judged
from robustfim.statistics.clusters import clustered_changes, clustered_rate
from robustfim.statistics.estimates import auroc, auroc_interval, correlation_interval, mean_interval, share_interval
from robustfim.statistics.expected import expected_count
from robustfim.statistics.gap import Gap
from robustfim.statistics.paired import paired_scores
from robustfim.statistics.power import Aim, Churn, examples_for, examples_to_decide, limit_power, paired_power
from robustfim.statistics.rate import CONFIDENCE, LEVEL, Interval, Rate, Z, percent, wilson
from robustfim.statistics.sequential import Martingale, evidence
from robustfim.statistics.strata import allocation, next_block
from robustfim.statistics.stratified import Stratum, stratified_rate, stratified_tail
from robustfim.statistics.tails import Tail, corrected, family, holm_p_values, mcnemar, tail
from robustfim.statistics.validity import ReviewedPart, valid_limit, valid_rate

__all__ = [
    "CONFIDENCE",
    "LEVEL",
    "Aim",
    "Association",
    "Churn",
    "Gap",
    "Interval",
    "Martingale",
    "Piloted",
    "Rate",
    "ReviewedPart",
    "Stratum",
    "Tail",
    "Z",
    "allocation",
    "association",
    "auroc",
    "auroc_interval",
    "clustered_changes",
    "clustered_rate",
    "corrected",
    "correlation_interval",
    "evidence",
    "examples_for",
    "examples_to_decide",
    "expected_count",
    "family",
    "grown",
    "holm_p_values",
    "is_right",
    "judged",
    "limit_power",
    "mcnemar",
    "mean_interval",
    "next_block",
    "paired_power",
    "paired_scores",
    "percent",
    "share_interval",
    "stratified_rate",
    "stratified_tail",
    "tail",
    "valid_limit",
    "valid_rate",
    "wilson",
]
