"""The common base of the parts of the run record."""

from __future__ import annotations

from pydantic import ConfigDict

__all__ = ["PART"]

PART = ConfigDict(extra="ignore", frozen=True, ser_json_inf_nan="null", populate_by_name=True)
"""The configuration of every part: frozen, without NaN in the file, and unknown fields of newer versions ignored."""
