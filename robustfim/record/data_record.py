"""The data of a run, in its record."""

from __future__ import annotations

from typing import Any

from robustfim.printable import counted
from robustfim.record.part import Part

__all__ = ["DataRecord", "WindowRecord"]

_FEW_PROBES = 3
"""The fewest insensitive texts for a warning; one or two texts may have an irrelevant second half."""


class WindowRecord(Part):
    """How much of the texts the model reads."""

    told: bool = True
    """Whether the model reports it."""
    partly: int = 0
    """Examples that the model reports as truncated."""
    probed: int = 0
    """Long texts that were asked again without their second half, if the model reports nothing."""
    unread: int = 0
    """Texts of ``probed`` with unchanged probabilities: the model seems to read only their beginning."""

    @property
    def sentence(self) -> str:
        """A warning that the model does not read whole texts; empty if there is no reason for one."""
        if self.partly:
            return f"of {counted(self.partly, 'example')} the model reads a part only"
        if self.unread < _FEW_PROBES:
            return ""
        return (
            f"the model seems to read long texts in part: without their second half {self.unread:,} of the "
            f"{self.probed:,} longest move no probability"
        )


class DataRecord(Part):
    """The data the examples came from."""

    use: str
    options: dict[str, Any] = {}
    examples: int = 0
    """Usable examples."""
    labelled: int = 0
    """Usable examples with a gold label."""
    skipped: dict[str, int] = {}
    """Rows left out, by reason."""
    window: WindowRecord | None = None
    """None if the model could not be asked."""
