"""The plugin that comes with the core: expectations, reducers, engines, basic perturbations and the JSON report.

Open to plugins: what this package exports.
"""

from __future__ import annotations

from robustfim.builtin.conditional_expectation import InOtherLabels, Where, original_labels
from robustfim.builtin.expectations import Changes, Correct, Directional, Equals, Invariant

__all__ = ["Changes", "Correct", "Directional", "Equals", "InOtherLabels", "Invariant", "Where", "original_labels"]
