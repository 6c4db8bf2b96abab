"""A study: the results of an experiment, which the terminal, a page and a file show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from robustfim.exhibit import Figure, Table
from robustfim.record.data_record import DataRecord
from robustfim.record.environment import Environment
from robustfim.record.format import Record
from robustfim.record.model_record import ModelRecord
from robustfim.whole_file import write_json

__all__ = ["Study"]

SCHEMA = 1


class Study(BaseModel):
    """The results of an experiment."""

    model_config = ConfigDict(frozen=True, ser_json_inf_nan="null", populate_by_name=True)

    schema_version: int = Field(default=SCHEMA, alias="schema")
    study: str
    """The name of the command under ``robustfim study``."""
    title: str
    suite: str = ""
    """The suite's name; empty if the experiment brings its own model and data."""
    model: ModelRecord | None = None
    data: DataRecord | None = None
    environment: Environment
    seed: int
    started: str = ""
    """ISO 8601, UTC; ``robustfim study`` sets it."""
    model_calls: int = 0
    """Texts sent to the model, not counting texts that the store answered."""
    findings: list[str]
    """The results in sentences; the first one answers the title."""
    tables: list[Table]
    figures: list[Figure] = []
    results: dict[str, Any] = {}
    """The numbers behind tables and figures; an undefined number is null."""

    @classmethod
    def of(cls, record: Record, **parts: Any) -> Study:
        """Make the record of an experiment, with the suite, model, data and environment of a run."""
        own = {name: getattr(record, name) for name in ("suite", "model", "data", "environment", "seed", "model_calls")}
        return cls(**{**own, **parts})

    def dump(self, path: Path) -> Path:
        """Write the record of an experiment as a JSON file, atomically.

        Raises:
            OSError: The file cannot be written.
        """
        return write_json(path, self.model_dump(mode="json", by_alias=True))
