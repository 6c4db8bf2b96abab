"""English stop words for NLTK, without which TextAttack cannot be imported, written from spaCy's list."""

from __future__ import annotations

import contextlib
from pathlib import Path

from robustfim.errors import UsageError
from robustfim.whole_file import write_whole
from robustfim_textattack.resources import nltk_folders

__all__ = ["provide_stop_words"]


def provide_stop_words() -> Path | None:
    """If NLTK has no English stop words, write spaCy's into the first of NLTK's folders that is writable.

    Returns:
        The written file; None if NLTK has stop words, which are left unchanged.

    Raises:
        UsageError: NLTK has no stop words, and none can be written or spaCy is missing.
    """
    folders = nltk_folders()
    places = [folder / "corpora" / "stopwords" for folder in folders]
    if any((place / "english").is_file() or place.with_suffix(".zip").is_file() for place in places):
        return None
    words = _spacy_words()
    for place in places:
        with contextlib.suppress(OSError):
            return write_whole(place / "english", "".join(f"{word}\n" for word in words).encode())
    raise UsageError(
        "TextAttack needs NLTK's stop words, and none of NLTK's folders can be written: "
        f"set NLTK_DATA to one that can, or put corpora/stopwords/english into {folders[0]}."
    )


def _spacy_words() -> list[str]:
    try:
        from spacy.lang.en.stop_words import STOP_WORDS
    except ModuleNotFoundError as error:
        raise UsageError(
            "TextAttack needs NLTK's stop words: python -m nltk.downloader stopwords, or pip install 'robustfim[spacy]'"
        ) from error
    return sorted(STOP_WORDS)
