"""Recognises the language of a text with py3langid."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from robustfim.errors import UsageError

__all__ = ["MIXED", "UNKNOWN", "language_of", "require_identifier"]

UNKNOWN = "language unknown"
MIXED = "several languages"
_SURE = 0.9
"""The smallest probability at which a language is accepted."""
_LONG = 40
"""The smallest number of letters of a sentence whose language is recognised by itself."""
_SENTENCE = re.compile(r"[^.!?\n]+")


def require_identifier() -> None:
    """Check that py3langid is installed, before a text is read.

    Raises:
        UsageError: py3langid is not installed.
    """
    if find_spec("py3langid") is None:
        raise UsageError(
            "the language of a text is told by py3langid, which is not installed: pip install 'robustfim[languages]', "
            "or name the language (language: de)"
        )


@lru_cache(maxsize=1)
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


@lru_cache(maxsize=8192)
def _surely(text: str) -> str:
    code, probability = _identifier().classify(text)
    return str(code) if probability >= _SURE else ""


def language_of(text: str) -> str:
    """Recognise the language of a text.

    Returns:
        The ISO 639-1 code; ``MIXED`` if long sentences are clearly in two languages, ``UNKNOWN`` if no language is
        clear.
    """
    apart = {_surely(part) for part in _SENTENCE.findall(text) if sum(map(str.isalpha, part)) >= _LONG}
    sure = (apart | {_surely(text)}) - {""}
    return MIXED if len(sure) > 1 else next(iter(sure), UNKNOWN)
