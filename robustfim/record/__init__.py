"""The run record, ``results.json``: its format, and the files and figures that show it.

Open to plugins: what this package exports.
"""

from __future__ import annotations

from robustfim.record.comparison import CheckComparison, Comparison, PairedRecord
from robustfim.record.format import (
    SCHEMA,
    WITHOUT_NUMBERS,
    ArmRecord,
    AttributionRecord,
    BudgetRecord,
    CandidateCounts,
    CheckRecord,
    DataRecord,
    EditRecord,
    Environment,
    EstimateRecord,
    ExampleRecord,
    Failure,
    GapRecord,
    ImportanceRecord,
    ModelRecord,
    PluginRecord,
    PredictionRecord,
    Record,
    ResidualRecord,
    ScoreRecord,
    SelectionRecord,
    ShiftRecord,
    SliceRecord,
    StepRecord,
    TailRecord,
    ValidityRecord,
    WordRecord,
)
from robustfim.statistics import Interval

__all__ = [
    "SCHEMA",
    "WITHOUT_NUMBERS",
    "ArmRecord",
    "AttributionRecord",
    "BudgetRecord",
    "CandidateCounts",
    "CheckComparison",
    "CheckRecord",
    "Comparison",
    "DataRecord",
    "EditRecord",
    "Environment",
    "EstimateRecord",
    "ExampleRecord",
    "Failure",
    "GapRecord",
    "ImportanceRecord",
    "Interval",
    "ModelRecord",
    "PairedRecord",
    "PluginRecord",
    "PredictionRecord",
    "Record",
    "ResidualRecord",
    "ScoreRecord",
    "SelectionRecord",
    "ShiftRecord",
    "SliceRecord",
    "StepRecord",
    "TailRecord",
    "ValidityRecord",
    "WordRecord",
]
