"""The resource of this plugin that may be missing: the tagger."""

from __future__ import annotations

import json

from robustfim_words.tagging.tagger import SHIPPED, with_spacy

__all__ = ["resources"]

_REPAIR = "install robustfim again."


def resources() -> dict[str, tuple[str, str]]:
    """Check that this plugin's part-of-speech tagger is installed, without loading it.

    Returns:
        A mapping from ``tagger`` to a state and a sentence that explains the state.
    """
    return {"tagger": _tagger()}


def _tagger() -> tuple[str, str]:
    try:
        meta = json.loads((SHIPPED / "meta.json").read_text(encoding="utf-8"))
        named = f"{meta['lang']}_{meta['name']} {meta['version']}"
    except (OSError, ValueError, KeyError) as error:
        return "problem", f"the shipped pipeline cannot be read ({type(error).__name__}); {_REPAIR}"
    missing = [part for part in meta.get("pipeline", ()) if not (SHIPPED / part).is_dir()]
    if missing:
        return "problem", f"the shipped pipeline lacks {', '.join(missing)}; {_REPAIR}"
    if not with_spacy():
        way_out = "without it words are tagged by a dictionary. pip install 'robustfim[spacy]'"
        return "note", f"{named} needs spaCy; {way_out}"
    return "ok", named
