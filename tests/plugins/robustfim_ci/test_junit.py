"""JUnit XML, read by junitparser and compared with what pytest writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import junitparser
import pytest

from robustfim.judge import failures_by_check
from robustfim.outcome import Outcome
from robustfim.printable import printable
from robustfim.record import AssociationRecord, CheckRecord, Record, ScoreRecord
from robustfim_ci.junit import JUnitReport
from robustfim_ci.rates import first_line


@pytest.fixture(scope="module")
def suite(record: Record, tmp_path_factory: pytest.TempPathFactory) -> junitparser.TestSuite:
    path = JUnitReport().write(record, tmp_path_factory.mktemp("junit"))
    assert path.name == "junit.xml"
    (suite,) = junitparser.JUnitXml.fromfile(str(path))
    return suite


def test_each_check_is_a_testcase_with_its_duration_file_and_line(record: Record, suite: junitparser.TestSuite) -> None:
    for check, case in zip(record.checks, suite, strict=True):
        assert (case.name, case.classname) == (check.name, "suites.sentiment")
        assert case.time == round(check.duration_s, 3)
        assert case._elem.get("file") == "suites/sentiment.yaml"
        assert case._elem.get("line") == str(check.line)


def properties(element: junitparser.TestCase | junitparser.TestSuite) -> dict[str, str]:
    found = element.child(junitparser.Properties)  # type: ignore[no-untyped-call]  # junitparser's types have gaps
    return {each.name: each.value for each in found}


def results(case: junitparser.TestCase) -> list[tuple[type, str, str]]:
    return [(type(final), final.type, final.message) for final in case.result]


def test_the_outcome_decides_the_element(record: Record, suite: junitparser.TestSuite) -> None:
    for check, case in zip(record.checks, suite, strict=True):
        expected: dict[Outcome, list[tuple[type, str, str]]] = {
            Outcome.FAILED: [(junitparser.Failure, "robustfim.failed", check.message)],
            Outcome.INCONCLUSIVE: [(junitparser.Error, "robustfim.inconclusive", check.message)],
            Outcome.ERROR: [(junitparser.Error, "robustfim.error", check.message)],
            Outcome.SKIPPED: [(junitparser.Skipped, "robustfim.skipped", check.message)],
            Outcome.XFAILED: [(junitparser.Skipped, "robustfim.xfailed", check.message)],
            Outcome.PASSED: [],
        }
        assert results(case) == expected[check.outcome]


def alone(record: Record, **changes: object) -> tuple[CheckRecord, Record]:
    """The record with its first check only, changed."""
    check = record.checks[0].model_copy(update=changes)
    return check, record.model_copy(update={"checks": [check], "failures": []})


@pytest.mark.parametrize(
    ("inconclusive", "kind"),
    [(None, junitparser.Error), ("pass", junitparser.Skipped), ("fail", junitparser.Failure)],
)
def test_an_inconclusive_check_is_skipped_only_where_what_is_inconclusive_passes(
    record: Record, inconclusive: str | None, kind: type
) -> None:
    _, changed = alone(record, outcome=Outcome.INCONCLUSIVE, limit=0.99, rate=0.5, failing=100, tested=200)
    text = JUnitReport().text(changed.model_copy(update={"inconclusive": inconclusive}))
    (suite,) = junitparser.JUnitXml.fromstring(text.encode())
    assert [type(final) for final in next(iter(suite)).result] == [kind]


@pytest.mark.parametrize("limit", [0.9, None])
def test_answers_that_are_not_shown_to_go_with_the_labels_fail_only_a_run_with_a_limit(
    record: Record, limit: float | None
) -> None:
    _, changed = alone(record, outcome=Outcome.PASSED if limit else Outcome.MEASURED, limit=limit)
    model = changed.model.model_copy(update={"association": AssociationRecord(verdict="inconclusive")})
    text = JUnitReport().text(changed.model_copy(update={"model": model, "comparisons": []}))
    (suite,) = junitparser.JUnitXml.fromstring(text.encode())
    assert [type(final) for final in [*suite][-1].result] == [junitparser.Error if limit else junitparser.Skipped]


BROKEN = ScoreRecord(name="steep", hardest="highest", message="the score raised an error", broken=True)


@pytest.mark.parametrize(
    ("limit", "changes", "said"),
    [
        (0.9, {"scores": [BROKEN]}, "the score raised an error"),
        (None, {"scores": [], "inconclusive": "fail"}, "nothing is gated: no check has a limit"),
    ],
)
def test_what_fails_a_run_beside_its_checks_is_a_failure(
    record: Record, limit: float | None, changes: dict[str, Any], said: str
) -> None:
    _, changed = alone(record, outcome=Outcome.PASSED if limit else Outcome.MEASURED, limit=limit)
    text = JUnitReport().text(changed.model_copy(update={"comparisons": [], **changes}))
    (suite,) = junitparser.JUnitXml.fromstring(text.encode())
    (final,) = [*suite][-1].result
    assert (type(final), final.message, suite.failures) == (junitparser.Failure, said, 1)
    assert (BROKEN in changes["scores"]) is ("1 broken score" in first_line(changed.model_copy(update=changes)))


def test_a_check_that_passes_though_it_was_expected_to_fail_is_a_failure(record: Record) -> None:
    _, changed = alone(record, outcome=Outcome.XPASSED)
    (suite,) = junitparser.JUnitXml.fromstring(JUnitReport().text(changed).encode())
    assert [type(final) for final in next(iter(suite)).result] == [junitparser.Failure]


def test_the_counts_are_those_that_junitparser_finds(suite: junitparser.TestSuite) -> None:
    written = (suite.tests, suite.failures, suite.errors, suite.skipped)
    assert written == (9, 3, 2, 2)
    suite.update_statistics()  # type: ignore[no-untyped-call]  # junitparser's types have gaps
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == written


def test_the_properties_hold_the_numbers_of_the_verdict(record: Record, suite: junitparser.TestSuite) -> None:
    for check, case in zip(record.checks, suite, strict=True):
        told = properties(case)
        assert told["outcome"] == check.outcome.value
        assert told["candidates_proposed"] == str(check.candidates.proposed)
        assert told["examples_failing"] == str(check.failing)
        if check.rate is None or check.interval is None:
            assert "rate" not in told
        else:
            low, high = (float(end) for end in told["interval"].removesuffix(" %").split(", "))
            assert float(told["rate"]) == pytest.approx(check.rate, abs=1e-5)
            assert (low, high) == pytest.approx([100 * end for end in check.interval], abs=0.05)
        for claim in check.limit_claims if check.rate is not None else ():
            of = f" of {claim.where}" * bool(claim.where)
            assert told[f"rate{of}"] == f"{claim.estimate.rate:.6g}"
            assert told[f"interval{of}"] == "{:.1f}, {:.1f} %".format(*(100 * end for end in claim.estimate.ends))
    assert properties(suite)["model"] == "reference/cnn"
    typos = next(case for case in suite if case.name == "typos")
    assert properties(typos)["limit"] == "difficult 20 %, control 5 %"


def test_the_output_shows_the_worst_failing_pairs_first(record: Record) -> None:
    root = ElementTree.fromstring(JUnitReport().text(record))  # noqa: S314  # our own output
    for case, check in zip(root.iter("testcase"), record.checks, strict=True):
        own = [failure for failure in record.failures if failure.check == check.id]
        shown = case.findtext("system-out")
        if not own:
            assert shown is None
            continue
        assert shown is not None
        for failure, pair in zip(failures_by_check(record)[check.id][:10], shown.split("\n\n"), strict=False):
            assert pair.endswith(failure.reproduce), "in the order of every other report"
        more = max(0, check.failing - 10)
        assert len(shown.split("\n\n")) == min(check.failing, 10) + (more > 0)
        assert shown.endswith(f"… and {more} more failing examples") == (more > 0)


def test_a_run_that_broke_says_why(record: Record) -> None:
    text = JUnitReport().text(record.model_copy(update={"message": "the model cannot be loaded"}))
    assert ElementTree.fromstring(text).findtext("testsuite/system-err") == "the model cannot be loaded"  # noqa: S314  # our own text


def test_the_shape_is_that_of_pytests_own_file(record: Record, tmp_path: Path) -> None:
    (tmp_path / "test_all.py").write_text(
        "import pytest\n"
        "def test_fails(record_property):\n    record_property('rate', 1)\n    print('out')\n    assert 0\n"
        "def test_passes(): pass\n"
        "@pytest.mark.skip(reason='why')\ndef test_skips(): pass\n"
        "@pytest.fixture\ndef broken(): raise ValueError\n"
        "def test_errs(broken): pass\n",
        encoding="utf-8",
    )
    arguments = ["-q", "--junit-xml=own.xml", "-o", "junit_family=xunit1", "-o", "junit_logging=system-out"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments, "test_all.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout
    pytests = shape(ElementTree.parse(tmp_path / "own.xml").getroot())  # noqa: S314  # pytest's output
    ours = shape(ElementTree.fromstring(JUnitReport().text(record)))  # noqa: S314  # our own output
    for element, attributes in ours.items():
        tag = element[-1]
        assert tag in {"testsuites", "testsuite", "properties", "property"} or element in pytests, element
        known = pytests.get(element, attributes) | {"type", "message", "tests", "failures", "errors", "skipped", "time"}
        assert attributes <= known | {"name"}, element


def shape(root: ElementTree.Element) -> dict[tuple[str, ...], set[str]]:
    """The ways from the root to elements, each with the attributes that such elements have."""
    found: dict[tuple[str, ...], set[str]] = {}

    def walk(element: ElementTree.Element, above: tuple[str, ...]) -> None:
        here = (*above, element.tag)
        found.setdefault(here, set()).update(element.keys())
        for child in element:
            walk(child, here)

    walk(root, ())
    return found


def test_hostile_texts_survive_as_text(hostile_record: Record) -> None:
    data = JUnitReport().text(hostile_record).encode("utf-8")
    (suite,) = junitparser.JUnitXml.fromstring(data)
    cases = list(suite)
    assert [case.name for case in cases] == [printable(check.name) for check in hostile_record.checks]
    for case, check in zip(cases, hostile_record.checks, strict=True):
        (result,) = case.result
        assert result.message == printable(check.message)
        assert printable(check.message) in case.system_out
        assert properties(case)["marks"] == printable(check.message)
