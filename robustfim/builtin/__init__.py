"""The plugins that come with the core: expectations, the unchanged perturbation, the JSON report.

Open to plugins: what this package exports, and ``queries_order``, which is held against other orders.
"""

from __future__ import annotations

from robustfim.builtin.expectations import Changes, Correct, Directional, Equals, Invariant
from robustfim.builtin.where import Where, original_labels

__all__ = ["Changes", "Correct", "Directional", "Equals", "Invariant", "Where", "original_labels"]
