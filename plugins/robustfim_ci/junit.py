"""The report ``junit``: a testcase for each check, for GitLab, Jenkins, Azure Pipelines, CircleCI and others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

from robustfim.commands import printable
from robustfim.contract import ReportContract
from robustfim.judge import failures_by_check, limit_text
from robustfim.outcome import Outcome
from robustfim.record import CheckRecord, Comparison, Failure, Record
from robustfim_ci.baseline import against_baseline, answers, has_regressed
from robustfim_ci.output import FileReport
from robustfim_ci.pair import make_pair
from robustfim_ci.place import suite_line, suite_path
from robustfim_ci.ranking import fails, level_of
from robustfim_ci.rates import more_examples

__all__ = ["JUnitReport"]

_PAIRS = 10


class JUnitReport(FileReport):
    """Writes a run as JUnit XML, in the dialect of pytest's ``--junit-xml`` (family ``xunit1``, with file and line).

    Args:
        path: The file to write; ``junit.xml`` in the suite's report folder when None.
        pairs: The largest number of failing pairs (source and perturbed text) shown for each check, the worst first.
    """

    file = "junit.xml"
    contract = ReportContract(suffix=".xml", summary=True)

    def __init__(self, path: Path | None = None, pairs: int = _PAIRS) -> None:
        super().__init__(path)
        self.pairs = pairs

    def text(self, record: Record) -> str:
        """Return the report as XML."""
        failures = failures_by_check(record)
        cases = [_case(check, record, failures[check.id][: self.pairs]) for check in record.checks]
        compared = zip(record.comparisons, answers(record), strict=True)
        cases += [_comparison_case(comparison, answer, record) for comparison, answer in compared]
        cases += _association_case(record)
        counts = {
            "tests": str(len(cases)),
            "failures": str(sum(case.find("failure") is not None for case in cases)),
            "errors": str(sum(case.find("error") is not None for case in cases)),
            "skipped": str(sum(case.find("skipped") is not None for case in cases)),
            "time": _seconds(record.duration_s),
        }
        root = ElementTree.Element("testsuites", {"name": "robustfim", **counts})
        suite = ElementTree.SubElement(root, "testsuite", {"name": printable(record.suite), **counts})
        suite.set("timestamp", printable(record.started))
        _properties(
            suite,
            {
                "model": record.model.use,
                "model_fingerprint": record.model.fingerprint or "",
                "data": record.data.use,
                "examples": str(record.data.examples),
                "seed": str(record.seed),
                "exit_code": str(record.exit_code),
                "robustfim": record.environment.robustfim,
            },
        )
        suite.extend(cases)
        if said := [*filter(None, [record.message]), *record.warnings]:
            ElementTree.SubElement(suite, "system-err").text = "\n".join(map(printable, said))
        ElementTree.indent(root, " ")
        return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, "unicode")}\n'


def _case(check: CheckRecord, record: Record, failures: Sequence[Failure]) -> ElementTree.Element:
    path = suite_path(record)
    case = ElementTree.Element(
        "testcase",
        {
            "classname": ".".join(PurePosixPath(path).with_suffix("").parts),
            "name": printable(check.name),
            "file": path,
            "line": str(suite_line(check)),
            "time": _seconds(check.duration_s),
        },
    )
    candidates = check.candidates
    interval = ", ".join(f"{100 * end:.1f}" for end in check.interval or ())
    _properties(
        case,
        {
            "outcome": check.outcome.value,
            "unseen_by_model": "true" if check.unseen else "",
            "rate": "" if check.rate is None else f"{check.rate:.6g}",
            "interval": interval and f"{interval} %",
            "limit": limit_text(check),
            "examples_tested": str(check.tested),
            "examples_failing": str(check.failing),
            "fails": "" if check.fails["use"] == "any" else " ".join(map(str, check.fails.values())),
            "candidates_proposed": str(candidates.proposed),
            "candidates_tested": str(candidates.tested),
            "candidates_failed": str(candidates.failed),
            "marks": ", ".join(check.marks),
        },
    )
    _verdict(case, check, record)
    examples = record.example_by_id
    shown = [make_pair(failure, examples.get(failure.example)).text for failure in failures]
    if shown:
        rest = check.failing - len(shown)
        more = [f"… and {more_examples(rest)}"] if rest > 0 else []
        ElementTree.SubElement(case, "system-out").text = "\n\n".join([*shown, *more])
    return case


def _comparison_case(comparison: Comparison, answer: str, record: Record) -> ElementTree.Element:
    """One testcase a baseline: a run may be worse as a whole although no check alone shows it."""
    path = suite_path(record)
    name = f"baseline {comparison.name}" if comparison.name else "baseline"
    classname = ".".join(PurePosixPath(path).with_suffix("").parts)
    case = ElementTree.Element("testcase", {"classname": classname, "name": printable(name), "file": path, "time": "0"})
    if (matters := level_of(comparison, record)) != "note":
        tag, kind = ("failure", "refused") if matters == "error" else ("skipped", "measured")
        if matters != "error" and comparison.inconclusive:
            tag, kind = _open(record), "inconclusive"
        ElementTree.SubElement(case, tag, {"type": f"robustfim.{kind}", "message": printable(answer)}).text = printable(
            answer
        )
    return case


def _association_case(record: Record) -> list[ElementTree.Element]:
    """A testcase of whether answers go with the gold labels, where the suite asks for that and it is not shown."""
    found = record.model.association
    if not found.asked or found.verdict == "positive":
        return []
    path = suite_path(record)
    classname = ".".join(PurePosixPath(path).with_suffix("").parts)
    case = ElementTree.Element("testcase", {"classname": classname, "name": "association", "file": path, "time": "0"})
    tag = "failure" if found.verdict == "negative" else _open(record)
    sentence = f"answers and gold labels: Matthews' coefficient {found}"
    ElementTree.SubElement(case, tag, {"type": f"robustfim.{found.verdict}", "message": sentence}).text = sentence
    return [case]


def _verdict(case: ElementTree.Element, check: CheckRecord, record: Record) -> None:
    """Add ``error``, ``failure`` or ``skipped``; a check that passed has none of them."""
    message = " ".join(filter(None, (printable(check.message), against_baseline(check, record))))
    if check.outcome is Outcome.ERROR:
        tag, kind, body = "error", "robustfim.error", check.traceback or message
    elif fails(check, record):
        regressed = has_regressed(check, record)
        tag, kind, body = "failure", f"robustfim.{'regressed' if regressed else check.outcome}", message
    elif check.outcome is Outcome.PASSED:
        return
    elif check.outcome is Outcome.INCONCLUSIVE:
        tag, kind, body = _open(record), "robustfim.inconclusive", message
    else:
        excused = check.outcome is Outcome.FAILED
        tag, kind, body = "skipped", "robustfim.above_limit" if excused else f"robustfim.{check.outcome}", message
    element = ElementTree.SubElement(case, tag, {"type": kind, "message": message})
    element.text = "\n".join(map(printable, body.split("\n")))


def _open(record: Record) -> str:
    """Name the element of what is inconclusive: an error, since readers colour a skipped case green."""
    return "skipped" if record.inconclusive == "pass" else "error"


def _properties(parent: ElementTree.Element, values: dict[str, str]) -> None:
    told = {name: value for name, value in values.items() if value}
    properties = ElementTree.SubElement(parent, "properties")
    for name, value in told.items():
        ElementTree.SubElement(properties, "property", {"name": name, "value": printable(value)})


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"
