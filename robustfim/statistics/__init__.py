"""The mathematics of verdicts: rates with intervals, tests and corrections. Pure functions of counts.

Open to plugins: what this package exports, and the module ``association``.
"""

from __future__ import annotations

from robustfim.statistics.association import Association, association
from robustfim.statistics.clusters import clustered_changes, clustered_rate
from robustfim.statistics.estimates import auroc, auroc_interval, mean_interval
from robustfim.statistics.excess import Excess
from robustfim.statistics.expected import expected_count
from robustfim.statistics.gap import Gap
from robustfim.statistics.mean import Mean
from robustfim.statistics.paired import Paired, paired_scores, stratified_pairs
from robustfim.statistics.power import Aim, examples_for, examples_to_decide, limit_power, sequential_examples
from robustfim.statistics.rate import CONFIDENCE, LEVEL, POWER, Interval, Rate, Z, percent, wilson
from robustfim.statistics.sequential import (
    Martingale,
    Watch,
    deciding_block,
    evidence,
    still_needed,
    stratified_budget,
)
from robustfim.statistics.spending import Spending
from robustfim.statistics.strata import allocation, next_block
from robustfim.statistics.stratified import Stratum, design_effect, stratified_rate, stratified_tail
from robustfim.statistics.tails import BESIDE, Tail, corrected, exact_tails, family, mcnemar, tail
from robustfim.statistics.validity import ReviewCounts, valid_limit, valid_rate

__all__ = [
    "BESIDE",
    "CONFIDENCE",
    "LEVEL",
    "POWER",
    "Aim",
    "Association",
    "Excess",
    "Gap",
    "Interval",
    "Martingale",
    "Mean",
    "Paired",
    "Rate",
    "ReviewCounts",
    "Spending",
    "Stratum",
    "Tail",
    "Watch",
    "Z",
    "allocation",
    "association",
    "auroc",
    "auroc_interval",
    "clustered_changes",
    "clustered_rate",
    "corrected",
    "deciding_block",
    "design_effect",
    "evidence",
    "exact_tails",
    "examples_for",
    "examples_to_decide",
    "expected_count",
    "family",
    "limit_power",
    "mcnemar",
    "mean_interval",
    "next_block",
    "paired_scores",
    "percent",
    "sequential_examples",
    "still_needed",
    "stratified_budget",
    "stratified_pairs",
    "stratified_rate",
    "stratified_tail",
    "tail",
    "valid_limit",
    "valid_rate",
    "wilson",
]
