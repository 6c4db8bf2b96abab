"""The run record, ``results.json``: its format, and the files and figures that show it.

Open to plugins: what this package exports; ``exhibits_html`` and ``exhibits_page``, which need a template engine; and
``review``, the file of what people say of failures.
"""

from __future__ import annotations

from robustfim.record.association import AssociationRecord
from robustfim.record.calibration import CalibrationRecord, ClaimsRecord
from robustfim.record.card import Card, read_cards
from robustfim.record.check_counts import CheckCounts
from robustfim.record.comparison import AccuracyComparison, CheckComparison, Comparison, PairedRecord, PairedTest
from robustfim.record.dataset_file import check_kind, parquet_library, write_rows
from robustfim.record.dynamics_file import write_dynamics
from robustfim.record.environment import describe_environment
from robustfim.record.example_table import ExampleRows, ExampleTable
from robustfim.record.format import (
    SCHEMA,
    WITHOUT_NUMBERS,
    AreaRecord,
    ArmRecord,
    AskedAgainRecord,
    AttributionRecord,
    BudgetRecord,
    CandidateCounts,
    CheckRecord,
    CostRecord,
    Counted,
    DataRecord,
    EditRecord,
    Environment,
    ErrorRecord,
    EstimateRecord,
    ExampleRecord,
    ExamplesRecord,
    Failure,
    GapRecord,
    ImportanceRecord,
    ModelRecord,
    OrderTrialRecord,
    PilotRecord,
    PluginRecord,
    PredictionRecord,
    ReachRecord,
    RecallRecord,
    Record,
    ResidualRecord,
    ScoreRecord,
    SelectionRecord,
    ShiftRecord,
    SliceRecord,
    StepRecord,
    TailRecord,
    ThresholdRecord,
    TriedRecord,
    ValidityRecord,
    WindowRecord,
    WordRecord,
)
from robustfim.record.study import Study
from robustfim.record.versioned_file import read_versioned
from robustfim.statistics import Interval

__all__ = [
    "SCHEMA",
    "WITHOUT_NUMBERS",
    "AccuracyComparison",
    "AreaRecord",
    "ArmRecord",
    "AskedAgainRecord",
    "AssociationRecord",
    "AttributionRecord",
    "BudgetRecord",
    "CalibrationRecord",
    "CandidateCounts",
    "Card",
    "CheckComparison",
    "CheckCounts",
    "CheckRecord",
    "ClaimsRecord",
    "Comparison",
    "CostRecord",
    "Counted",
    "DataRecord",
    "EditRecord",
    "Environment",
    "ErrorRecord",
    "EstimateRecord",
    "ExampleRecord",
    "ExampleRows",
    "ExampleTable",
    "ExamplesRecord",
    "Failure",
    "GapRecord",
    "ImportanceRecord",
    "Interval",
    "ModelRecord",
    "OrderTrialRecord",
    "PairedRecord",
    "PairedTest",
    "PilotRecord",
    "PluginRecord",
    "PredictionRecord",
    "ReachRecord",
    "RecallRecord",
    "Record",
    "ResidualRecord",
    "ScoreRecord",
    "SelectionRecord",
    "ShiftRecord",
    "SliceRecord",
    "StepRecord",
    "Study",
    "TailRecord",
    "ThresholdRecord",
    "TriedRecord",
    "ValidityRecord",
    "WindowRecord",
    "WordRecord",
    "check_kind",
    "describe_environment",
    "parquet_library",
    "read_cards",
    "read_versioned",
    "write_dynamics",
    "write_rows",
]
