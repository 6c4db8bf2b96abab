"""The traceback of a plugin's exception, for the plugin's author."""

from __future__ import annotations

import traceback
from pathlib import Path

from robustfim.errors import RobustfimError

__all__ = ["plugin_traceback"]


def plugin_traceback(error: RobustfimError) -> str:
    """Return the traceback of the plugin's exception that caused an error, without robustfim's own frames.

    Returns:
        The traceback; ``""`` if no exception caused the error.
    """
    cause = error.__cause__
    if cause is None:
        return ""
    frames = traceback.extract_tb(cause.__traceback__)
    core = Path(__file__).parents[1]
    own = [frame for frame in frames if not Path(frame.filename).is_relative_to(core)] or frames
    shown = [
        "Traceback (most recent call last):\n",
        *traceback.format_list(own),
        *traceback.format_exception_only(cause),
    ]
    return "".join(shown).rstrip()
