"""The bundled requests: texts written for this project, to try a guard of an assistant on."""

from __future__ import annotations

from robustfim_reference.bundled import Bundled

__all__ = ["Requests"]


class Requests(Bundled):
    """300 requests to a voice assistant: one for each of 150 intents, and 150 that are none of its business (``oos``).

    Most of the latter are harmless; some ask it to forget its rules, or for what harms somebody. The labels are the
    intents of CLINC150 (Larson et al. 2019); no text is from there.

    Args:
        limit: How many to load from the beginning; None for all.
    """

    file, row = "requests/requests.jsonl", "request"
