"""What the parts of the run record have in common."""

from __future__ import annotations

from pydantic import ConfigDict

__all__ = ["PART"]

PART = ConfigDict(extra="ignore", frozen=True, ser_json_inf_nan="null", populate_by_name=True)
"""How a part is read and written: it never changes, is deaf to fields that came later, and holds no NaN."""
