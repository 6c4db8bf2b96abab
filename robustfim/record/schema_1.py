"""Convert a record of schema 1, such as an older baseline, to the present schema."""

from __future__ import annotations

from typing import Any

__all__ = ["upgraded"]


def upgraded(raw: dict[str, Any]) -> dict[str, Any]:
    """Convert the content of a record of the older format (schema 1) to the present one.

    Raises:
        AttributeError, KeyError, TypeError: The content is not that of a record.
    """
    model, checks = dict(raw.get("model", {})), [dict(check) for check in raw.get("checks", ())]
    right = model.pop("accuracy", None)
    if right is not None:
        tested = model.get("labelled") or raw["data"].get("labelled", 0)
        interval = model.get("accuracy_interval")
        model["accuracy"] = {"count": round(right * tested), "tested": tested, "rate": right, "interval": interval}
    if threshold := model.get("threshold"):
        alarms = {"count": threshold["alarms"], "tested": threshold["texts"], "interval": threshold["interval"]}
        model["threshold"] = threshold | {"alarms": alarms}
    for check in checks:
        if estimate := check.get("estimate"):
            check |= {"rate": estimate["rate"], "interval": estimate["interval"]}
    return raw | {"model": model, "checks": checks}
