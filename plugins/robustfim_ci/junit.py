"""The report ``junit``: a testcase for each check, for GitLab, Jenkins, Azure Pipelines, CircleCI and others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from xml.etree import ElementTree

from robustfim.commands import printable
from robustfim.contract import ReportContract
from robustfim.judge import limit_text
from robustfim.outcome import Outcome
from robustfim.record import CheckRecord, Comparison, Record
from robustfim_ci.baseline import answers, has_regressed, sentences
from robustfim_ci.output import FileReport
from robustfim_ci.pair import Pair, first_pairs
from robustfim_ci.place import suite_line, suite_path
from robustfim_ci.ranking import beside_checks, fails, level_of
from robustfim_drawing import counted

__all__ = ["JUnitReport"]

_PAIRS = 10
"""Failing pairs (source and perturbed text) shown for each check, the worst first."""


class JUnitReport(FileReport):
    """Writes a run as JUnit XML, in the dialect of pytest's ``--junit-xml`` (family ``xunit1``, with file and line).

    Args:
        path: The file to write; ``junit.xml`` in the suite's report folder when None.
    """

    file = "junit.xml"
    contract = ReportContract(suffix=".xml", summary=True)

    def text(self, record: Record) -> str:
        """Return the report as XML."""
        pairs = first_pairs(record, _PAIRS)
        cases = [_check_case(check, record, pairs[check.id]) for check in record.checks]
        compared = zip(record.comparisons, answers(record), strict=True)
        cases += [_comparison_case(comparison, answer, record) for comparison, answer in compared]
        cases += [_beside(record, *each) for each in beside_checks(record) if each[1] != "run"]
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


def _case(record: Record, name: str, seconds: float = 0.0, line: int | None = None) -> ElementTree.Element:
    path = suite_path(record)
    classname = ".".join(PurePosixPath(path).with_suffix("").parts)
    given = {"classname": classname, "name": printable(name), "file": path, "time": _seconds(seconds)}
    return ElementTree.Element("testcase", given if line is None else {**given, "line": str(line)})


def _add(case: ElementTree.Element, tag: str, kind: object, message: str, body: str = "") -> ElementTree.Element:
    """Add ``error``, ``failure`` or ``skipped``."""
    element = ElementTree.SubElement(case, tag, {"type": f"robustfim.{kind}", "message": printable(message)})
    element.text = "\n".join(map(printable, (body or message).split("\n")))
    return case


def _check_case(check: CheckRecord, record: Record, pairs: Sequence[Pair]) -> ElementTree.Element:
    case = _case(record, check.name, check.duration_s, suite_line(check))
    candidates = check.candidates
    own = {f" of {claim.where}" * bool(claim.where): claim.estimate for claim in check.limit_claims}
    rates = {"": check.estimate, **own} if check.rate is not None else {}
    _properties(
        case,
        {
            "outcome": check.outcome.value,
            "unseen_by_model": "true" if check.unseen else "",
            **{f"rate{of}": f"{rate.rate:.6g}" for of, rate in rates.items()},
            **{f"interval{of}": "{:.1f}, {:.1f} %".format(*(100 * e for e in rate.ends)) for of, rate in rates.items()},
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
    message = sentences(check, record)
    if check.outcome is Outcome.ERROR:
        _add(case, "error", "error", message, check.traceback)
    elif fails(check, record):
        _add(case, "failure", "regressed" if has_regressed(check, record) else check.outcome, message)
    elif check.outcome is Outcome.INCONCLUSIVE:
        _add(case, _open(record), check.outcome, message)
    elif check.outcome is not Outcome.PASSED:
        _add(case, "skipped", "above_limit" if check.outcome is Outcome.FAILED else check.outcome, message)
    if pairs:
        rest = check.failing - len(pairs)
        more = [f"… and {counted(rest, 'more failing example')}"] if rest > 0 else []
        ElementTree.SubElement(case, "system-out").text = "\n\n".join([*(pair.text for pair in pairs), *more])
    return case


def _comparison_case(comparison: Comparison, answer: str, record: Record) -> ElementTree.Element:
    """One testcase a baseline: a run may be worse as a whole although no check alone shows it."""
    case = _case(record, f"baseline {comparison.name}".strip())
    matters = level_of(comparison, record)
    if matters == "error":
        return _add(case, "failure", "refused", answer)
    if matters == "note":
        return case
    open_ = comparison.inconclusive
    return _add(case, _open(record) if open_ else "skipped", "inconclusive" if open_ else "measured", answer)


def _beside(record: Record, weight: str, name: str, sentence: str) -> ElementTree.Element:
    """A testcase of what decides the exit code beside the checks; the run's own message is that of its checks."""
    tag = {"error": "failure", "warning": _open(record)}.get(weight, "skipped")
    kind = {"labels": record.model.association.verdict}.get(name, name.partition(" ")[0])
    return _add(_case(record, name), tag, kind, sentence)


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
