"""``robustfim report``: reports of a run that is over."""

from __future__ import annotations

import html
import re
import shutil
import xml.etree.ElementTree as ET

import pytest

from robustfim.record import Record
from robustfim.record.review import ReviewAnswer, ReviewFile, pair_hash
from robustfim_ci.markdown import escaped
from tests.robustfim.command_line import SUITE, TOY, CommandLine, refused


@pytest.fixture
def finished(robustfim: CommandLine) -> CommandLine:
    """A folder in which the toy suite has run, without its model and data."""
    robustfim("run toy.yaml")
    for name in ("toy.py", "toy.yaml"):
        (robustfim.folder / name).unlink()
    return robustfim


def test_a_record_becomes_html_junit_and_markdown_without_the_model(finished: CommandLine) -> None:
    shown = finished(
        "report reports/toy/results.json --html out/page.html --junit-xml out/junit.xml --markdown out/comment.md"
    )
    assert shown.code == 0, shown
    out = finished.folder / "out"
    assert shown.out.count("wrote ") == 3
    assert (out / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert {case.get("name") for case in ET.parse(out / "junit.xml").iter("testcase")} == {"rename", "both", "calm"}  # noqa: S314  # our own file
    assert "toy" in (out / "comment.md").read_text(encoding="utf-8")


def test_without_an_option_the_html_report_stands_beside_the_record(finished: CommandLine) -> None:
    page = finished.folder / "reports/toy/report.html"
    page.unlink(missing_ok=True)
    assert finished("report reports/toy").code == 0
    assert page.is_file()


def test_any_report_that_a_plugin_offers_can_be_named(finished: CommandLine) -> None:
    assert finished("report reports/toy --to sarif=found.sarif --to json=copy.json").code == 0
    assert (finished.folder / "found.sarif").is_file()
    copy = finished.read("copy.json").replace("copy.sqlite", "results.sqlite")
    assert copy == finished.read("reports/toy/results.json")
    database = finished.folder / "reports" / "toy" / "results.sqlite"
    assert (finished.folder / "copy.sqlite").read_bytes() == database.read_bytes()


def test_reports_of_the_summary_need_no_database(finished: CommandLine) -> None:
    command = "report reports/toy --junit-xml {0}.xml --to markdown={0}.md --to gitlab={0}.json"
    assert finished(command.format("whole")).code == 0
    (finished.folder / "reports/toy/results.sqlite").unlink()
    assert finished(command.format("alone")).code == 0
    for suffix in ("xml", "md", "json"):
        assert finished.read(f"alone.{suffix}") == finished.read(f"whole.{suffix}")
    assert finished("index reports").code == 0
    refused(finished("report reports/toy"), "results.sqlite, which is not beside its record", "run the suite again")
    refused(finished("report reports/toy --to evidence=evidence.md"), "results.sqlite, which is not beside its record")


def test_the_next_step_names_the_record_that_the_page_shows(finished: CommandLine) -> None:
    def command(page: str) -> str:
        found = re.search(r"robustfim (?:review|accept) [^<]*", finished.read(page))
        return found[0] if found else ""

    assert command("reports/toy/report.html").endswith(" reports/toy/results.json")
    shutil.copytree(finished.folder / "reports/toy", finished.folder / "new run/toy")
    finished("compare reports/toy 'new run/toy/results.json' --html both.html")
    assert html.unescape(command("both.html")).endswith(" 'new run/toy/results.json'")
    assert finished("report 'new run/toy' --html page.html").code == 0
    assert html.unescape(command("page.html")).endswith(" 'new run/toy/results.json'")


def test_a_page_in_another_folder_of_reports_names_the_record_there(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml --reports candidate")
    page = robustfim.read("candidate/toy/report.html")
    assert " candidate/toy/results.json" in page
    assert " reports/toy/results.json" not in page


def test_what_cannot_be_written_is_said(finished: CommandLine) -> None:
    refused(finished("report reports/nothing.json"), "no run record at reports/nothing.json")
    refused(finished("report reports/toy --to sarif"), "write NAME=FILE")
    refused(finished("report reports/toy --to htlm=page.html"), "unknown report 'htlm'", "Did you mean 'html'?")
    refused(finished("report reports/toy --html a.html --to html=b.html"), "name the report 'html' twice")
    finished.write("other.json", '{"schema": 999}')
    refused(finished("report other.json"), "schema 999", "upgrade")


def test_what_people_said_of_the_failures_is_shown(finished: CommandLine) -> None:
    record = finished.record()
    sources = {example.id: example for example in record.examples}
    first, second = (failure for failure in record.failures if failure.check == "toy.yaml::both")
    hashes = [pair_hash(sources[failure.example].fields, failure.shown.fields) for failure in (first, second)]
    when = "2026-01-01T00:00:00Z"
    valid = ReviewAnswer(pair=hashes[0], answer="valid", when=when)
    invalid = ReviewAnswer(pair=hashes[1], answer="invalid", when=when)
    ReviewFile(answers=[valid, invalid]).save(finished.folder / "reviews/toy.json")
    assert (
        finished(
            "report reports/toy --review reviews/toy.json --html page.html --to json=reviewed.json --to markdown=c.md"
        ).code
        == 0
    )
    told = Record.load(finished.folder / "reviewed.json")
    answers = dict(zip(hashes, ("valid", "invalid"), strict=True))
    rated = {
        failure.id: answers.get(pair_hash(sources[failure.example].fields, failure.shown.fields))
        for failure in told.failures
    }
    assert {failure.id: failure.review for failure in told.failures} == rated
    assert rated[first.id] == "valid"
    assert rated[second.id] == "invalid"
    (checked,) = [check.validity for check in told.checks if check.validity is not None and check.name == "both"]
    assert (checked.valid, checked.invalid, checked.failing) == (1, 1, 2)
    page = finished.read("page.html")
    assert "What people say" in page
    (line,) = [check.by_review for check in told.checks if check.name == "both"]
    assert line.startswith("40 % fail, 20 % [")
    assert line.endswith("1 of 2 failing examples looked at are valid, of 2")
    assert escaped(line) in finished.read("c.md")
    finished.write("toy.py", TOY.read_text(encoding="utf-8"))
    finished.write("toy.yaml", SUITE + "review: reviews/toy.json\n")
    assert f"both: {line}" in finished("run toy.yaml -v").unbroken
    refused(finished("report reports/toy --review nothing.json"), "no review file nothing.json", "robustfim review")
