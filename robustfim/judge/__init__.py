"""From counts to outcomes: limits, slices, the baseline, and the exit code.

Open to plugins: what this package exports, and the modules ``causes`` and ``validity``. Reports use the package to read
a record, benchmarks look for ``causes``, and ``validity`` counts people's reviews of failures.
"""

from __future__ import annotations

from robustfim.judge.causes import cause_texts, rules_command
from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.comparison import compare
from robustfim.judge.confusion import CONFUSION
from robustfim.judge.errors import kind_text, slice_limits
from robustfim.judge.harm import Harm, harm_of
from robustfim.judge.matrix import TYPES, Cell, capability_matrix
from robustfim.judge.reach import reach_word, reaches
from robustfim.judge.reading_order import failures_by_check, first_failures, ordered_failures
from robustfim.judge.release_sentence import accuracy_text, counts, points, robust_text, told
from robustfim.judge.slice_rates import worst_slices
from robustfim.judge.trials import Trials, write_record
from robustfim.judge.validity import Pair, next_pair, reviewed, validity
from robustfim.judge.verdicts import (
    above_limits,
    claim_text,
    decide,
    error_text,
    exit_code,
    fails_alone,
    gates,
    limit_text,
    rate_of,
    rate_text,
    summarise,
    whole_limit_text,
)

__all__ = [
    "CONFUSION",
    "TYPES",
    "Cell",
    "CheckCounts",
    "Harm",
    "Pair",
    "Trials",
    "above_limits",
    "accuracy_text",
    "capability_matrix",
    "cause_texts",
    "claim_text",
    "compare",
    "counts",
    "decide",
    "error_text",
    "exit_code",
    "fails_alone",
    "failures_by_check",
    "first_failures",
    "gates",
    "harm_of",
    "kind_text",
    "limit_text",
    "next_pair",
    "ordered_failures",
    "points",
    "rate_of",
    "rate_text",
    "reach_word",
    "reaches",
    "reviewed",
    "robust_text",
    "rules_command",
    "slice_limits",
    "summarise",
    "told",
    "validity",
    "whole_limit_text",
    "worst_slices",
    "write_record",
]
