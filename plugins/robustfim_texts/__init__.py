"""Reads texts: the parts that no perturbation may touch, the language, and the edit between two texts.

Plugins may use what this package exports.
"""

from __future__ import annotations

from robustfim_texts.differences import one_edit
from robustfim_texts.guard import GUARDED, checksummed, guarded_spans, may_guard, touches
from robustfim_texts.language import LANGUAGES, language_of, language_shares, main_language

__all__ = [
    "GUARDED",
    "LANGUAGES",
    "checksummed",
    "guarded_spans",
    "language_of",
    "language_shares",
    "main_language",
    "may_guard",
    "one_edit",
    "touches",
]
