"""The page of evidence and the section of a model card, as cmark-gfm reads them, and their hashes."""

from __future__ import annotations

import json
from pathlib import Path

import cmarkgfm
from cmarkgfm.cmark import Options

from robustfim.printable import printable
from robustfim.record import Record
from robustfim_ci.evidence import EvidenceReport, digests
from tests.plugins.robustfim_ci.hostile import HOSTILE, hostile
from tests.plugins.robustfim_html.document import Element, parse
from tests.robustfim.command_line import CommandLine

OURS = {
    "#document",
    "h1",
    "h2",
    "p",
    "em",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "code",
    "br",
    "pre",
    "ul",
    "li",
}
"""Every element that the two write."""


def page(text: str) -> Element:
    html = cmarkgfm.github_flavored_markdown_to_html(text, options=Options.CMARK_OPT_UNSAFE)
    return parse("<!doctype html>\n" + html.replace("<!-- -->", ""))


def test_a_run_that_is_repeated_has_the_same_hashes_and_another_has_others(robustfim: CommandLine) -> None:
    found = []
    for number, options in enumerate(("", "", "--seed 3", "-o checks.both.limit=0.4")):
        robustfim(f"run toy.yaml -q --no-store --reports r{number} {options}")
        found.append(digests(robustfim.record(reports=f"r{number}")))
    first, again, seed, limit = found
    assert first == again
    assert first["data"] == seed["data"] == limit["data"]
    assert first["findings"] != limit["findings"]
    robustfim.suite("{rename: {perturb: rename}}", name="toy", data="{use: films, rows: [[a film, positive]]}")
    robustfim("run toy.yaml -q --no-store --reports other")
    assert digests(robustfim.record(reports="other"))["data"] != first["data"]


def test_the_page_names_the_command_that_runs_it_again_and_what_is_not_proved(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml -q -k 'not calm' --model seconds=0 -o checks.both.limit=0.1")
    robustfim("report reports/toy.partial --to evidence=evidence.md")
    again = "robustfim run toy.yaml --model seconds=0 -o checks.both.limit=0.1"
    document = page(Path("evidence.md").read_text(encoding="utf-8"))
    assert document.one("pre").text == f"{again}\n"
    open_ = [item.words for item in document.all("li")]
    assert any(item.startswith("rename: inconclusive.") for item in open_)
    assert "calm: left out of this run." in open_
    words = document.words
    record = robustfim.record("toy.partial")
    assert all(digest in words for digest in digests(record).values())
    assert record.model.fingerprint is not None


def test_the_same_record_gives_the_same_page(record: Record) -> None:
    copy = Record.model_validate(json.loads(record.model_dump_json(by_alias=True)))
    assert EvidenceReport().text(copy) == EvidenceReport().text(record)


def test_every_check_has_its_limit_rate_and_outcome(record: Record) -> None:
    table = page(EvidenceReport().text(record)).all("tbody")[1]
    rows = {row.all("td")[0].words: [cell.words for cell in row.all("td")] for row in table.all("tr")}
    assert {name: row[-1] for name, row in rows.items()} == {check.name: check.outcome for check in record.checks}


def test_nothing_of_a_record_acts_as_markup() -> None:
    record = hostile()
    text = EvidenceReport().text(
        record.model_copy(update={"command": f"robustfim run {HOSTILE[2]}", "warnings": [*HOSTILE]})
    )
    document = page(text)
    assert {element.tag for element in document.walk()} <= OURS
    assert all(printable(check.name).strip() in document.text for check in record.checks)
