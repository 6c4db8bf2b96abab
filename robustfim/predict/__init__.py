"""Asking a model: the prediction queue, the store behind it, and the context that plugins see.

Open to plugins: what this package exports, to ask a model outside a run.
"""

from __future__ import annotations

from robustfim.predict.context import RunContext
from robustfim.predict.decided import decision_rule, without_rule
from robustfim.predict.fingerprint import code_fingerprint
from robustfim.predict.labels import gold_names, is_answering, known_labels, model_labels
from robustfim.predict.queue import CallLimitReached, PredictionQueue
from robustfim.predict.rating import is_rating
from robustfim.predict.store import Store

__all__ = [
    "CallLimitReached",
    "PredictionQueue",
    "RunContext",
    "Store",
    "code_fingerprint",
    "decision_rule",
    "gold_names",
    "is_answering",
    "is_rating",
    "known_labels",
    "model_labels",
    "without_rule",
]
