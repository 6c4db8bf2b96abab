"""The objects that the Python API returns: a run, scores and candidates, with their exports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from robustfim.candidate import Candidate
from robustfim.errors import UsageError, did_you_mean, shown
from robustfim.example import Example
from robustfim.outcome import ExitCode, Outcome
from robustfim.words import first_words, last_words

if TYPE_CHECKING:
    from robustfim.record import CheckRecord, Comparison, Failure, Record

__all__ = ["Perturbed", "Run", "Scored"]

_SHOWN = 10
"""The most rows that a notebook shows."""
_NEAR = 50
"""Characters of a failing text that a notebook shows on each side of an edit."""

_KINDS = ("failures", "examples", "checks")


@dataclass(frozen=True, repr=False)
class Scored:
    """Examples with their difficulty scores.

    Attributes:
        by: The name of the score.
        hardest: The end of the scale, highest or lowest, at which examples are difficult.
        examples: The usable examples, in the order of the data.
        values: The difficulty score of each example, ``[examples]``; NaN if the score is undefined.
    """

    by: str
    hardest: Literal["highest", "lowest"]
    examples: tuple[Example, ...]
    values: tuple[float, ...]

    def __iter__(self) -> Iterator[float]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        """Write the hardest ten, one a line."""
        rows = [f"  {value:.4g}  {shown(example.text, 80)}" for example, value in self.hardest_first()[:_SHOWN]]
        return _listed(f"{len(self):,} examples by {self.by}, the most difficult first:", rows, len(self))

    def hardest_first(self) -> list[tuple[Example, float]]:
        """Return pairs of example and score, the most difficult first; examples with an undefined score come last."""
        sign = -1 if self.hardest == "highest" else 1
        pairs = zip(self.examples, self.values, strict=True)
        return sorted(pairs, key=lambda pair: (pair[1] != pair[1], sign * pair[1]))

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame`` with one row per example: text fields, label, and the difficulty score."""
        rows = zip(self.examples, self.values, strict=True)
        return _data_frame([{**example.fields, "label": example.label, self.by: value} for example, value in rows])


@dataclass(frozen=True, repr=False)
class Perturbed:
    """The result of perturbing texts: a sequence with one list of perturbed texts (candidates) per text.

    Attributes:
        examples: The original texts.
        candidates: The perturbed texts of each original, ``[examples][candidates]``.
        counts: The number of candidates by what became of them: ``proposed``, ``unchanged`` (equal to the original),
            ``there already`` (a repeat), or the reason for which a constraint rejected them.
    """

    examples: tuple[Example, ...]
    candidates: tuple[tuple[Candidate, ...], ...]
    counts: Mapping[str, int]

    def __iter__(self) -> Iterator[tuple[Candidate, ...]]:
        return iter(self.candidates)

    def __len__(self) -> int:
        return len(self.candidates)

    def __getitem__(self, index: int) -> tuple[Candidate, ...]:
        return self.candidates[index]

    def __repr__(self) -> str:
        """Write the first ten texts that were changed, each with its first candidate."""
        made = [candidate[0] for candidate in self.candidates if candidate]
        rows = [
            f"  {shown(candidate.source.text, 60)} → {shown(candidate.example.text, 60)}" for candidate in made[:_SHOWN]
        ]
        number = sum(map(len, self.candidates))
        return _listed(f"{number:,} candidates of {len(made):,} of {len(self):,} texts:", rows, len(made))

    @property
    def texts(self) -> list[list[str]]:
        """The perturbed texts as strings."""
        return [[candidate.example.text for candidate in each] for each in self.candidates]


class Run:
    """The results of a run.

    Args:
        record: The stored results.
        plugins: Names of plugins whose reports :meth:`report` may write, as for the option ``-p``.

    Attributes:
        record: All results, as stored in ``results.json``.
        checks: The checks by name, each with ``outcome``, ``rate``, ``interval``, ``tested`` and more.
    """

    def __init__(self, record: Record, plugins: Sequence[str] = ()) -> None:
        self.record, self._plugins = record, tuple(plugins)
        self.checks: Mapping[str, CheckRecord] = {check.name: check for check in record.checks}

    @classmethod
    def load(cls, path: str | Path, plugins: Sequence[str] = ()) -> Run:
        """Read a run from its ``results.json``.

        Args:
            path: The file, or the folder that holds it.
            plugins: Names of plugins to load for reports, as for the option ``-p``.

        Raises:
            UsageError: The file does not exist, or does not hold the results of a run.
        """
        from robustfim.record import Record

        return cls(Record.load(Path(path)), plugins)

    @property
    def exit_code(self) -> ExitCode:
        """The exit code that ``robustfim run`` would have had."""
        return ExitCode(self.record.exit_code)

    @property
    def outcome(self) -> Outcome:
        """The worst outcome of all checks, in the order *error*, *failed*, *inconclusive*, *passed*, *measured*."""
        outcomes = {check.outcome for check in self.record.checks}
        if self.record.message or Outcome.ERROR in outcomes:
            return Outcome.ERROR
        if self.exit_code not in (ExitCode.OK, ExitCode.INCONCLUSIVE):
            return Outcome.FAILED
        if self.exit_code is ExitCode.INCONCLUSIVE or Outcome.INCONCLUSIVE in outcomes:
            return Outcome.INCONCLUSIVE
        return Outcome.MEASURED if Outcome.MEASURED in outcomes and Outcome.PASSED not in outcomes else Outcome.PASSED

    @property
    def failures(self) -> list[dict[str, Any]]:
        """The failing candidates, one row each: the text, its changes, and the model's answers."""
        sources = self.record.example_by_id
        names = {check.id: check.name for check in self.record.checks}
        return [
            {
                "check": names.get(failure.check, failure.check),
                "example": failure.example,
                "arm": failure.arm,
                "label": sources[failure.example].label,
                "text": "\n".join(sources[failure.example].fields.values()),
                "perturbed": "\n".join(failure.fields.values()),
                "edits": "; ".join(f"{edit.before} → {edit.after}" for edit in failure.edits),
                "before": failure.before.label,
                "confidence_before": failure.before.confidence,
                "after": failure.after.label,
                "confidence_after": failure.after.confidence,
                "reason": failure.reason,
                "reproduce": failure.reproduce,
            }
            for failure in self.record.failures
        ]

    @property
    def examples(self) -> list[dict[str, Any]]:
        """The examples of the run, one row each: texts, label, prediction, group (arm) and a column for each score."""
        return [
            {
                "id": example.id,
                **example.fields,
                "label": example.label,
                "prediction": example.prediction,
                "confidence": max(example.probabilities) if example.probabilities else None,
                "correct": example.correct,
                "arm": example.arm,
                **example.scores,
            }
            for example in self.record.every_example()
        ]

    def rows(self, of: Literal["failures", "examples", "checks"] = "failures") -> list[dict[str, Any]]:
        """Return the failures, examples or checks of the run as rows of plain values.

        Args:
            of: The kind of rows: perturbed texts that fail, examples, or checks.

        Raises:
            UsageError: ``of`` has another value.
        """
        if of not in _KINDS:
            raise UsageError(f"of={of!r}: 'of' takes 'failures', 'examples' or 'checks'.{did_you_mean(of, _KINDS)}")
        found: list[dict[str, Any]] = (
            [_row(check) for check in self.record.checks] if of == "checks" else getattr(self, of)
        )
        return found

    def to_pandas(self, of: Literal["failures", "examples", "checks"] = "failures") -> Any:
        """Return the failures, examples or checks of the run as a data frame.

        Args:
            of: The kind of rows: perturbed texts that fail, examples, or checks.

        Returns:
            A ``pandas.DataFrame``.

        Raises:
            UsageError: pandas is not installed, or ``of`` has another value.
        """
        return _data_frame(self.rows(of))

    def report(self, path: str | Path, name: str | None = None) -> Path:
        """Write a report of the run.

        Args:
            path: The file.
            name: The name of the report; by default the suffix of the file decides: ``.html``, ``.json``, …

        Returns:
            The file written.

        Raises:
            UsageError: No report has this name or suffix, or the file cannot be written.
            PluginError: The code of the report raised an error.
        """
        from robustfim.parts import ReportPart
        from robustfim.plugin.factory import make_offered
        from robustfim.plugin.sources import PluginOptions, load_plugins
        from robustfim.session.report_files import write_reports
        from robustfim.suite.file import SuiteFile
        from robustfim.suite.format import Use

        target = Path(path).absolute()
        manager = load_plugins(PluginOptions.parse(self._plugins))
        if name is None:
            reports = manager.offers("reports")
            suffixes = {suffix: each for each in reports if (suffix := ReportPart(reports[each].cls).contract.suffix)}
            if target.suffix not in suffixes:
                known = ", ".join(f"{suffix} ({each})" for suffix, each in suffixes.items())
                raise UsageError(
                    f"no report is known by the suffix {target.suffix!r}. Known: {known}. For another report write "
                    "name=NAME; 'robustfim plugins' lists the names."
                )
            name = suffixes[target.suffix]
        use = Use.model_validate({"use": name, "path": str(target)})
        made, _ = make_offered(manager, SuiteFile.of({}), "reports", use, ())
        written, problem = write_reports({name: made}, self.record, target.parent)
        if problem is not None:
            raise problem
        return written[0]

    def without_texts(self) -> Run:
        """Return a copy of the run with a hash in place of each text, and without fields that may quote a text.

        Use the copy for reports to people who must not see the texts: :func:`robustfim.record.textless.without_texts`.
        """
        from robustfim.record.textless import without_texts

        return Run(without_texts(self.record), self._plugins)

    def compare(
        self,
        other: Run | Record | str | Path,
        fail_on: Literal["regression", "new", "any"] = "regression",
        margin: float | None = None,
    ) -> Comparison:
        """Compare the run with an earlier one of the same suite.

        Args:
            other: The earlier run: a run, its record, or the file of the record.
            fail_on: When the comparison fails, as for ``--fail-on``.
            margin: The tolerated loss of accuracy and of robustness, in [0, 1]; by default the margin in this run's
                suite.

        Returns:
            For each check, the examples that fail only in this run or only in the earlier one, and whether the
            difference exceeds chance.

        Raises:
            UsageError: The file cannot be read, or the two runs share no check.
        """
        from robustfim.judge.comparison import compare

        if isinstance(other, str | Path):
            other = Run.load(other)
        return compare(other.record if isinstance(other, Run) else other, self.record, fail_on=fail_on, margin=margin)

    def __repr__(self) -> str:
        return f"<Run of {self.record.suite}: {self.outcome.value}{self._counts()}>"

    def _counts(self) -> str:
        unseen = sum(check.unseen for check in self.record.checks if check.outcome is Outcome.PASSED)
        told = {"passed": f" ({unseen} not seen by the model)"} if unseen else {}
        counts = [f"{number} {name}{told.get(name, '')}" for name, number in self.record.summary.items() if number]
        return f"; {', '.join(counts)}" if counts else ""

    def _repr_html_(self) -> str:
        """Show the run in a notebook: a line, three failing texts, a table of its checks; every text is escaped."""
        from jinja2 import Environment

        from robustfim.exhibit import DIGEST
        from robustfim.judge import first_failures

        record, texts = self.record, self.record.example_by_id
        failures = [(failure, _pieces(failure, texts[failure.example].fields)) for failure in first_failures(record, 3)]
        return Environment(autoescape=True).from_string(_HTML).render(
            record=record, outcome=self.outcome.value, counts=self._counts(), failures=failures,
            rows=[_shown(check) for check in record.checks],
            findings=[line for section in record.sections if section.name == DIGEST for line in section.findings],
        )  # fmt: skip


_HTML = """<p><b>{{ record.suite }}</b>: {{ outcome }}{{ counts }}; {{ record.model.use }} on {{ record.data.use }}</p>
{%- if record.message %}<p>{{ record.message }}</p>{% endif %}
{%- if findings %}<ul>{% for line in findings %}<li>{{ line }}</li>{% endfor %}</ul>{% endif %}
{%- if failures %}<ul>
{%- for failure, pieces in failures %}<li>{{ failure.before.told(".0%") }} → {{ failure.after.told(".0%") }} (
{{- failure.check.rpartition("::")[2] }}): {% for mark, text in pieces -%}
{% if mark %}<{{ mark }}>{{ text }}</{{ mark }}>{% else %}{{ text }}{% endif %}{% endfor %}</li>
{%- endfor %}</ul>{% endif -%}
<table><thead><tr>{% for head in rows[0] %}<th>{{ head }}</th>{% endfor %}</tr></thead><tbody>
{%- for row in rows %}<tr>{% for cell in row.values() %}<td>{{ cell }}</td>{% endfor %}</tr>
{%- endfor %}</tbody></table>"""


def _pieces(failure: Failure, fields: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Cut a failing text into pieces, each with its mark: what was removed, what was put in, and what stands near."""
    for name in dict.fromkeys(edit.field for edit in failure.edits):
        text, at = fields.get(name, ""), 0
        for edit in sorted((edit for edit in failure.edits if edit.field == name), key=attrgetter("start")):
            yield "", _near(text[at : edit.start], bool(at), True)
            yield "del", edit.before
            yield "", " → " if edit.before and edit.after else ""
            yield "ins", edit.after
            at = edit.end
        yield "", _near(text[at:], True, False)


def _near(text: str, after: bool, before: bool) -> str:
    """Cut an unchanged stretch to what stands near the edits after which and before which it stands."""
    if len(text) <= 2 * _NEAR:
        return text
    return f"{first_words(text, _NEAR) + ' ' if after else ''}…{' ' + last_words(text, _NEAR) if before else ''}"


def _listed(head: str, rows: Sequence[str], number: int) -> str:
    """Write a head, the rows below it, and how many of all rows are left out."""
    more = [f"  … and {number - _SHOWN:,} more"] if number > _SHOWN else []
    return "\n".join([head, *rows, *more])


def _data_frame(rows: list[dict[str, Any]]) -> Any:
    try:
        return import_module("pandas").DataFrame(rows)
    except ModuleNotFoundError:
        raise UsageError("a data frame needs pandas: pip install 'robustfim[data]'.") from None


def _row(check: CheckRecord) -> dict[str, Any]:
    low, high = check.interval or (None, None)
    return {
        "check": check.name,
        "outcome": check.outcome.value,
        "failing": check.failing,
        "tested": check.tested,
        "rate": check.rate,
        "low": low,
        "high": high,
        "limit": check.limit,
        "message": check.message,
    }


def _shown(check: CheckRecord) -> dict[str, str]:
    """A row as a reader sees it: rates in percent, each with its interval and its count."""
    from robustfim.judge import limit_text, rate_text

    return {
        "check": check.name,
        "outcome": check.outcome.value,
        "rate": rate_text(check),
        "limit": limit_text(check),
        "message": check.message,
    }
