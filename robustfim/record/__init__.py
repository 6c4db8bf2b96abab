"""The run record, ``results.json``: its format, and the files beside it.

Open to plugins: what this package exports.
"""

from __future__ import annotations

from robustfim.record.accepted import AcceptedRun, accepted_runs
from robustfim.record.association import AssociationRecord
from robustfim.record.card import Card, read_cards
from robustfim.record.cause_record import CauseRecord, EditCounts
from robustfim.record.check_parts import (
    ArmRecord,
    BudgetRecord,
    CandidateCounts,
    ClaimRecord,
    ErrorRecord,
    GapRecord,
    RecallRecord,
    TailRecord,
    ValidityRecord,
)
from robustfim.record.check_record import CheckRecord, Counted
from robustfim.record.comparison import AccuracyComparison, CheckComparison, Comparison, PairedRecord, PairedTest
from robustfim.record.data_record import DataRecord, WindowRecord
from robustfim.record.dataset_file import check_kind, parquet_library, write_rows
from robustfim.record.environment import Environment, PluginRecord, describe_environment
from robustfim.record.example_record import AttributionRecord, ExampleRecord, ImportanceRecord, WordRecord
from robustfim.record.example_table import ExampleRows, ExampleTable
from robustfim.record.failure_record import (
    EditRecord,
    Failure,
    PredictionRecord,
    ShiftRecord,
    ShrunkRecord,
    StepRecord,
    TriedRecord,
)
from robustfim.record.format import SCHEMA, WITHOUT_NUMBERS, DatabaseRecord, Record
from robustfim.record.model_record import AskedAgainRecord, ModelRecord, NoiseRecord, ThresholdRecord
from robustfim.record.privacy import private_value
from robustfim.record.review import ANSWERS, Answer, ReviewFile, pair_hash
from robustfim.record.score_record import AreaRecord, CostRecord, ResidualRecord, ScoreRecord
from robustfim.record.secrets import hide_secrets, public_value
from robustfim.record.selection_record import Arm, PilotRecord, SelectionRecord
from robustfim.record.slice_record import ReachRecord, SliceRecord
from robustfim.record.study import Study
from robustfim.record.versioned_file import read_versioned
from robustfim.statistics import Interval

__all__ = [
    "ANSWERS",
    "SCHEMA",
    "WITHOUT_NUMBERS",
    "AcceptedRun",
    "AccuracyComparison",
    "Answer",
    "AreaRecord",
    "Arm",
    "ArmRecord",
    "AskedAgainRecord",
    "AssociationRecord",
    "AttributionRecord",
    "BudgetRecord",
    "CandidateCounts",
    "Card",
    "CauseRecord",
    "CheckComparison",
    "CheckRecord",
    "ClaimRecord",
    "Comparison",
    "CostRecord",
    "Counted",
    "DataRecord",
    "DatabaseRecord",
    "EditCounts",
    "EditRecord",
    "Environment",
    "ErrorRecord",
    "ExampleRecord",
    "ExampleRows",
    "ExampleTable",
    "Failure",
    "GapRecord",
    "ImportanceRecord",
    "Interval",
    "ModelRecord",
    "NoiseRecord",
    "PairedRecord",
    "PairedTest",
    "PilotRecord",
    "PluginRecord",
    "PredictionRecord",
    "ReachRecord",
    "RecallRecord",
    "Record",
    "ResidualRecord",
    "ReviewFile",
    "ScoreRecord",
    "SelectionRecord",
    "ShiftRecord",
    "ShrunkRecord",
    "SliceRecord",
    "StepRecord",
    "Study",
    "TailRecord",
    "ThresholdRecord",
    "TriedRecord",
    "ValidityRecord",
    "WindowRecord",
    "WordRecord",
    "accepted_runs",
    "check_kind",
    "describe_environment",
    "hide_secrets",
    "pair_hash",
    "parquet_library",
    "private_value",
    "public_value",
    "read_cards",
    "read_versioned",
    "write_rows",
]
