"""The common base of the parts of the run record, and the form of a rate in its file."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, PlainSerializer

from robustfim.statistics import Rate

__all__ = ["Part", "RateField"]


class Part(BaseModel):
    """The base class of all parts of a run's record: immutable; unknown fields of newer versions are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, ser_json_inf_nan="null", populate_by_name=True)


def _written(rate: Rate) -> dict[str, Any]:
    return {"count": rate.count, "tested": rate.tested, "rate": rate.rate, "interval": rate.interval}


RateField = Annotated[Rate, PlainSerializer(_written)]
"""A rate; the file also holds its confidence interval."""
