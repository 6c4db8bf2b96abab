"""The run record: all results of a run. Every report is a view of it.

The record is written as ``reports/<suite>/results.json``. A number that is not defined is ``null``; NaN and
infinity never reach the file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, PrivateAttr, field_serializer, model_validator

from robustfim.errors import UsageError
from robustfim.exhibit import Section
from robustfim.outcome import Inconclusive
from robustfim.record.cause_record import CauseRecord, EditCounts
from robustfim.record.check_parts import ClaimRecord
from robustfim.record.check_record import CheckRecord
from robustfim.record.comparison import Comparison
from robustfim.record.data_record import DataRecord
from robustfim.record.database import Database
from robustfim.record.environment import Environment
from robustfim.record.example_record import AttributionRecord, ExampleRecord
from robustfim.record.example_table import ExampleRows, ExampleTable, nested
from robustfim.record.failure_record import Failure
from robustfim.record.files import UNTIL, Completed, write_text
from robustfim.record.model_record import ModelRecord
from robustfim.record.part import Part
from robustfim.record.score_record import ResidualRecord, ScoreRecord
from robustfim.record.selection_record import SelectionRecord
from robustfim.record.slice_record import ReachRecord, SliceRecord
from robustfim.record.versioned_file import read_versioned

__all__ = ["SCHEMA", "WITHOUT_NUMBERS", "DatabaseRecord", "Record"]

SCHEMA = 2
"""The version of the format; a reader refuses a newer one."""


WITHOUT_NUMBERS = "the model gave no finite numbers"
"""The reason recorded for an example that is left out because the model answered with NaN or infinity."""


class DatabaseRecord(Part):
    """A reference from a run's record to the SQLite file that holds the rows of the run.

    Tables: ``examples`` (all usable ones), ``trials`` (each example that a check tested), ``failures``, ``edits``, and
    ``errors``, ``drawn`` and ``members`` (ids by kind of error, stratum and slice).
    """

    file: str = Field(pattern=r"^[^/\\]+\.sqlite$")
    run: str
    """The mark of the run, which the database holds, too."""
    examples: int
    """Usable examples in the database."""
    failures: int
    """Failing texts in the database."""


class Record(Part):
    """The record of a run."""

    schema_version: int = Field(default=SCHEMA, alias="schema")
    suite: str
    path: str = ""
    """The suite file, relative if possible."""
    command: str = ""
    """The command that repeats the run; empty for a script."""
    model: ModelRecord
    data: DataRecord
    environment: Environment
    seed: int
    started: str
    """ISO 8601, UTC."""
    duration_s: float = 0.0
    model_calls: int = 0
    """Texts sent to the model."""
    cached_calls: int = 0
    """Texts that the store answered."""
    gradient_calls: int = 0
    """Examples differentiated."""
    step_calls: int = 0
    """Forward passes from a moved embedding."""
    residual: ResidualRecord | None = None
    """None if no λmax was computed by iterations."""
    exit_code: int = 0
    inconclusive: Inconclusive | None = None
    """The option ``--inconclusive``: an inconclusive run exits with 1 for ``fail``, 0 for ``pass``, else 6."""
    interrupted: bool = False
    deselected: list[str] = []
    """Checks that were not run, because of ``-k``, ``-m``, ``--lf`` or ``suite.yaml::check``."""
    message: str = ""
    """Why the whole run had to stop."""
    warnings: list[str] = []
    """Problems that did not stop the run."""
    summary: dict[str, int] = {}
    """Checks by outcome."""
    scores: list[ScoreRecord] = []
    selection: SelectionRecord = SelectionRecord()
    examples: list[ExampleRecord] = []
    """The selected examples, or all, with those of checks. ``results.json`` has the examples of its failures."""
    database: DatabaseRecord | None = None
    """None if this file holds all rows, as a baseline does."""
    checks: list[CheckRecord] = []
    failures: list[Failure] = []
    """The failing candidates: in ``results.json`` the first hundred of each check."""
    causes: list[CauseRecord] = []
    """The kinds of edits that explain most failures, the most certain first."""
    edits: list[EditCounts] = []
    """For each check, the hundred edits that broke the model most often; in the database."""
    slices: list[SliceRecord] = []
    """The slices, in the suite's order."""
    reach: list[ReachRecord] = []
    """Tested examples on which the model breaks, by arm, without checks compared with the model's own noise."""
    lock: str | None = None
    """The fingerprint of the lock file whose texts were tested."""
    margin: float | None = None
    """The tolerated loss against a baseline."""
    one_label: bool = False
    """Whether the suite allows data with only one gold label."""
    comparisons: list[Comparison] = []
    """One for each baseline, in the order of the command line."""
    attribution: AttributionRecord | None = None
    """None if the suite does not ask for it."""
    sections: list[Section] = []
    """Sections of plugins: sentences, tables and figures."""
    _table: ExampleTable | None = PrivateAttr(None)
    _file: Path | None = PrivateAttr(None)

    @model_validator(mode="before")
    @classmethod
    def _with_claims(cls, values: Any) -> Any:
        """Read the comparisons of checks with baselines from the claims of the checks, where they are written."""
        for comparison, tests in _tests(values.get("comparisons", ())):
            claims = {
                (check["id"], claim.get("where", "")): claim
                for check in values["checks"]
                for claim in check.get("claims", ())
                if claim.get("against") == (comparison["name"] or comparison["baseline"])
            }
            for key, test in tests.items():
                test |= claims.get(key, {})
        return values

    @field_serializer("comparisons", mode="wrap")
    def _without_claims(self, comparisons: Any, write: Callable[[Any], Any]) -> Any:
        """Write each number once."""
        made = write(comparisons)
        for _, tests in _tests(made):
            for test in tests.values():
                for name in ClaimRecord.model_fields:
                    del test[name]
        return made

    def compared(self, comparisons: Sequence[Comparison]) -> Record:
        """Return a copy with comparisons with baselines, and with their claims beside the other ones of each check."""
        claims: dict[str, list[ClaimRecord]] = {}
        for comparison in comparisons:
            for check in comparison.checks:
                claims.setdefault(check.id, []).extend(test.claim for test in (check, *check.errors.values()))
        checks = [
            check.model_copy(update={"claims": [*check.claims, *claims.get(check.id, ())]}) for check in self.checks
        ]
        return self.model_copy(update={"comparisons": [*comparisons], "checks": checks})

    def __eq__(self, other: object) -> bool:
        """Compare what two records say, wherever they lie."""
        return isinstance(other, Record) and super(Record, self.kept_in(None)).__eq__(other.kept_in(None))

    @property
    def file(self) -> Path | None:
        """The file that holds this record; None for a record in memory."""
        return self._file

    def kept_in(self, file: Path | None) -> Record:
        """Return a copy of the record that knows the path of its file; None for a record in memory only."""
        copy = self.model_copy()
        copy._file = file
        return copy

    @property
    def table(self) -> ExampleTable:
        """A table of all usable examples in the data's order, read row by row since it may not fit into memory.

        The columns are the fields of :class:`ExampleRecord` except ``importance``, with ``fields.NAME`` and
        ``scores.NAME`` in place of the mappings.
        """
        if self._table is None:
            return ExampleRows([example.model_dump() for example in self.examples])
        return self._table

    def every_example(self) -> Iterator[ExampleRecord]:
        """Read all usable examples, in the data's order, without the importance of words.

        Raises:
            UsageError: The file of all examples is missing or malformed.
        """
        if self._table is None:
            yield from self.examples
        else:
            yield from map(ExampleRecord.model_validate, nested(self._table))

    @property
    def example_by_id(self) -> dict[str, ExampleRecord]:
        """Id to example, for ``examples``."""
        return {example.id: example for example in self.examples}

    def look_up(self, ids: Collection[str]) -> dict[str, ExampleRecord]:
        """Find usable examples by id, whether a check tested them or not.

        Raises:
            UsageError: An example was not tested, and the file of all examples is missing or malformed.
        """
        found = {example.id: example for example in self.examples if example.id in ids}
        if self._table is not None and len(found) < len(set(ids)):
            others = (example for example in self.every_example() if example.id in ids)
            found |= {example.id: example for example in others if example.id not in found}
        return found

    def with_table(self, table: ExampleTable) -> Record:
        """Return a copy with a table of all usable examples, if the table holds more than ``examples``."""
        found = self.model_copy()
        found._table = table if len(table) > len(self.examples) else None
        return found

    @property
    def left_out(self) -> tuple[int, int]:
        """The largest numbers of examples that a check left out: wrong before any edit, and without a gold label."""
        return max((check.wrong_before for check in self.checks), default=0), max(
            (check.unlabelled for check in self.checks), default=0
        )

    @property
    def symbols(self) -> dict[str, str]:
        """Name to symbol, for the scores that reports show beside an example."""
        return {score.name: score.symbol for score in self.scores if score.symbol}

    @property
    def rows(self) -> Database:
        """The database with the rows of the run, for a record that was loaded without them.

        Raises:
            UsageError: The record names no database, since its file holds all rows.
        """
        if self._file is None or self.database is None:
            raise UsageError(
                f"{self._file or 'the record'} has no database: the file itself holds all rows, as a baseline does. "
                "Name the results.json that 'robustfim run' wrote."
            )
        return Database(self._file.with_name(self.database.file), self.database.run)

    def dump_text(self, path: Path) -> Path:
        """Write the record as one JSON file with all its rows, which Git can compare.

        Args:
            path: The file; an existing file is replaced.

        Raises:
            OSError: The file cannot be written; an existing file is left unchanged.
        """
        return write_text(path, self, self._table)

    @classmethod
    def load(cls, path: Path, *, rows: bool = True) -> Record:
        """Read the record of a run from its file.

        Args:
            path: A ``results.json``, or the folder that holds it.
            rows: Whether to read all rows, which needs the database. If not, the record has the first hundred failures
                of each check, their examples, and no other list of examples.

        Raises:
            UsageError: The file or its database does not exist, is not a record, or was written by a newer robustfim.
        """
        path = path / "results.json" if path.is_dir() else path
        hint = "'robustfim run SUITE' writes one."
        file = Completed(path, rows=rows)
        record = read_versioned(
            path, cls, key="schema", version=SCHEMA, what="run record", hint=hint, until=UNTIL, complete=file.content
        ).kept_in(path)
        return record if file.table is None else record.with_table(file.table)


def _tests(comparisons: Any) -> Iterator[tuple[dict[str, Any], dict[tuple[str, str], dict[str, Any]]]]:
    """Yield each written comparison with its tests of checks, by check id and kind of error."""
    for comparison in comparisons:
        if isinstance(comparison, dict):
            yield (
                comparison,
                {
                    (check["id"], kind): test
                    for check in comparison["checks"]
                    for kind, test in {"": check, **check.get("errors", {})}.items()
                },
            )
