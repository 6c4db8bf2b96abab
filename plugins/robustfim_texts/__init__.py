"""Reads texts and options of perturbations: protected parts, the language, the edit between two texts, known words.

Plugins may use what this package exports.
"""

from __future__ import annotations

from robustfim_texts.differences import one_edit
from robustfim_texts.guard import GUARDED, checksummed, guarded_spans, may_guard, touches
from robustfim_texts.language import LANGUAGES, language_of, language_shares, main_language
from robustfim_texts.options import at_least, one_of, some_of

__all__ = [
    "GUARDED",
    "LANGUAGES",
    "at_least",
    "checksummed",
    "guarded_spans",
    "language_of",
    "language_shares",
    "main_language",
    "may_guard",
    "one_edit",
    "one_of",
    "some_of",
    "touches",
]
