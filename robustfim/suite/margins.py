"""The key ``baseline`` of a suite and of a check: what loss against a baseline is tolerated."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["BaselineSpec", "MarginSpec"]


class MarginSpec(BaseModel):
    """What the comparison of a check with a baseline has to prove."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    margin: float | None = Field(
        None, ge=0, le=1, description="The tolerated loss: by how much the failure rate may rise, 0.02 for 2 points."
    )


class BaselineSpec(MarginSpec):
    """What a comparison with a baseline has to prove."""

    accuracy: float | None = Field(
        None, ge=0, le=1, description="By how much the accuracy may fall, 0.05 for 5 points; 'margin' by default."
    )
