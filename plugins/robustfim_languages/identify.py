"""The language that a text is in, by py3langid."""

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
"""The probability from which on a language is believed."""
_LONG = 40
"""Letters of a sentence that tell its language by themselves."""
_SENTENCE = re.compile(r"[^.!?\n]+")


def require_identifier() -> None:
    """Refuse to tell languages without py3langid, before a text is read.

    Raises:
        UsageError: It is not installed.
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
    """Tell the language of a text.

    Returns:
        Its ISO 639-1 code; ``MIXED`` where long sentences are surely of two, ``UNKNOWN`` where none is sure.
    """
    apart = {_surely(part) for part in _SENTENCE.findall(text) if sum(map(str.isalpha, part)) >= _LONG}
    sure = (apart | {_surely(text)}) - {""}
    return MIXED if len(sure) > 1 else next(iter(sure), UNKNOWN)
