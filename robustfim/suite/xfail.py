"""The key ``xfail``: the reason why a check is known to fail, and until when."""

from __future__ import annotations

import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from robustfim.errors import shown

__all__ = ["Xfail", "as_reason"]


class Xfail(BaseModel):
    """The reason why a check is expected to fail, and the date until which the failure is accepted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    reason: str = Field(description="Why this check is known to fail.")
    until: datetime.date | None = Field(
        None, description="The last day on which the check may fail, such as 2027-01-31."
    )

    @field_validator("until", mode="before")
    @classmethod
    def _a_date(cls, value: Any) -> Any:
        if isinstance(value, str):
            try:
                return datetime.date.fromisoformat(value)
            except ValueError:
                raise ValueError(f"{shown(value)} is no date such as 2027-01-31") from None
        return value


def as_reason(value: Any) -> Any:
    """Convert the value of ``xfail`` in a suite to ``{reason: …}``; raise a ValueError for a wrong type.

    Args:
        value: The value of ``xfail`` in a suite.
    """
    if not isinstance(value, str | dict | None):
        raise ValueError(f"{shown(value)} is no reason; say in words why the check is known to fail")
    return {"reason": value} if isinstance(value, str) else value
