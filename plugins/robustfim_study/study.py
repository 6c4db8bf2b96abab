"""A study: what an experiment found. The terminal, the page and the file are views of it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from robustfim.record import DataRecord, Environment, ModelRecord
from robustfim.whole_file import write_whole

__all__ = ["Figure", "Series", "Study", "Table"]

SCHEMA = 1


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, ser_json_inf_nan="null", populate_by_name=True)


class Table(_Part):
    """Numbers as a reader sees them."""

    title: str
    header: list[str]
    rows: list[list[str]]
    notes: list[str] = []


class Series(_Part):
    """What one colour of a figure stands for."""

    name: str
    kind: Literal["line", "dots", "arrows"]
    points: list[tuple[float, ...]]
    """``(x, y)``; for arrows ``(x, y, Δx, Δy)``."""
    shades: list[float] = []
    """One number in [0, 1] a point, drawn from light to dark; empty for one colour."""


class Figure(_Part):
    """A drawing in two dimensions."""

    title: str
    across: str
    """What the horizontal axis measures."""
    up: str
    """What the vertical axis measures."""
    series: list[Series]
    level: float | None = None
    """A horizontal line to compare with."""
    level_name: str = ""
    notes: list[str] = []


class Study(_Part):
    """What an experiment found."""

    schema_version: int = Field(default=SCHEMA, alias="schema")
    study: str
    """The command: ``scorers``, ``resilience`` or ``gaussians``."""
    title: str
    suite: str = ""
    """The suite's name; empty where the experiment brings its own model and data."""
    model: ModelRecord | None = None
    data: DataRecord | None = None
    environment: Environment
    seed: int
    started: str
    """ISO 8601, UTC."""
    model_calls: int = 0
    """Texts sent to the model; what the store already knew is not among them."""
    findings: list[str]
    """What the numbers say, in sentences."""
    tables: list[Table]
    figures: list[Figure]
    results: dict[str, Any] = {}
    """The numbers behind tables and figures; null where one is undefined."""

    def dump(self, path: Path) -> Path:
        """Write the study as JSON, whole or not at all.

        Args:
            path: The file; a file of that name is replaced.

        Returns:
            The path.

        Raises:
            OSError: It cannot be written.
        """
        plain = _defined(self.model_dump(mode="json", by_alias=True))
        text = json.dumps(plain, indent=1, ensure_ascii=False, allow_nan=False)
        return write_whole(path, f"{text}\n".encode("utf-8", errors="backslashreplace"))


def _defined(value: Any) -> Any:
    """Put null where a number is undefined."""
    if isinstance(value, dict):
        return {key: _defined(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_defined(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
