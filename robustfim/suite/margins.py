"""The key ``baseline`` of a suite: the tolerated loss against a baseline."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["BaselineSpec"]


class BaselineSpec(BaseModel):
    """The requirements that a comparison with a baseline has to prove."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    margin: float | None = Field(
        None,
        ge=0,
        le=1,
        description="The tolerated loss of accuracy and of robust accuracy, 0.02 for 2 points.",
    )
    churn: float | None = Field(
        None,
        ge=0,
        le=1,
        description="The share of examples an equally good model answers differently, half of them worse. Only "
        "'robustfim plan' uses this number.",
    )
