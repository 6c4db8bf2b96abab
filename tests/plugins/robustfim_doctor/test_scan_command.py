"""``robustfim scan``."""

from __future__ import annotations

import json

import pytest

from robustfim.record import Record
from tests.robustfim.command_line import CommandLine, refused

MODEL = "--model use=python --model call=critic:judge --model 'labels=[negative, positive]'"
CRITIC = """\
def judge(texts):
    return ["positive" if "great" in text else "negative" for text in texts]
"""


@pytest.fixture
def line(robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.syspath_prepend(robustfim.folder)
    robustfim.write("critic.py", CRITIC)
    rows = [
        f"The film number {n} is {word} and it's long.,{label}"
        for n in range(40)
        for word, label in (("great", "positive"), ("awful", "negative"))
    ]
    robustfim.write("films.csv", "text,label\n" + "\n".join(rows) + "\n")
    return robustfim


def test_one_call_finds_what_breaks_tells_it_first_and_writes_page_and_suite(line: CommandLine) -> None:
    shown = line(f"scan {MODEL} --data use=csv --data path=films.csv --examples 40 --write found.yaml")
    assert shown.code == 0, shown
    record = Record.load(line.folder / "reports/scan-found/results.json")
    told, (table,) = record.sections[0].findings, record.sections[0].tables
    causes = record.causes
    assert causes
    assert [each.rpartition(" (")[0] for each in told[: len(causes)]] == [cause.sentence for cause in causes]
    assert told[len(causes)].startswith("The model is right on 100 %")
    assert "GREAT" in causes[0].edit or "great" in causes[0].edit + causes[0].where
    assert " ".join(f"- {finding}" for finding in told[:-1]) in shown.unbroken
    assert shown.out.splitlines()[-1] == told[-1] == "Next: robustfim run found.yaml"
    assert table.rows[0][2].endswith((" (positive → negative)", " (negative → positive)"))
    changed = [row.split() for row in shown.out.splitlines() if row.split()[:1] == [table.rows[0][0]]]
    assert len(changed) == 1, "a line for each change"
    page = (line.folder / "reports/scan-found/report.html").read_text(encoding="utf-8")
    assert page.index("What changes the answers</h2>") < page.index('id="checks"')
    before = (line.folder / "reports/scan-found/results.json").read_bytes()
    again = line("run found.yaml")
    assert again.code == 0, again.out
    assert (line.folder / "reports/scan-found/results.json").read_bytes() == before, "the scan's record stays"
    refused(line(f"scan {MODEL} --data use=csv --data path=films.csv --write found.yaml"), "exists already")


def test_labels_that_do_not_fit_are_told_before_anything_is_measured(line: CommandLine) -> None:
    line.write("odd.csv", "text,label\n" + "\n".join(f"film {n} great,{n % 2}" for n in range(40)) + "\n")
    shown = line(f"scan {MODEL} --data use=csv --data path=odd.csv")
    assert shown.code == 1
    assert "problem   labels" in shown.out
    assert not [*(line.folder / "reports").iterdir()]


def test_answers_that_go_against_the_labels_of_all_texts_are_the_first_finding_and_write_no_suite(
    line: CommandLine,
) -> None:
    line.write(
        "odd.py",
        "def judge(texts):\n    return [text.split()[2 * (int(text.split()[1]) % 10 < 4)] for text in texts]\n",
    )
    rows = [
        f"{1 - label} {n} {label} is what the film number {n} is worth,{label}" for n in range(300) for label in (0, 1)
    ]
    line.write("films.csv", "text,label\n" + "\n".join(rows) + "\n")
    shown = line(
        "scan --model odd:judge --model 'labels=[0, 1]' --data films.csv --seed 27 --examples 20 --write odd.yaml"
    )
    assert shown.code == 1
    assert "no problem found, 1 note: labels" in shown.out
    first, second = Record.load(line.folder / "reports/scan-odd/results.json").sections[0].findings[:2]
    assert first.startswith("The answers go against the gold labels (Matthews' coefficient −0.")
    assert "--allow-weak" in first
    assert second.startswith("The model is right on 40 %")
    assert "odd.yaml is not written" in shown.unbroken
    assert not (line.folder / "odd.yaml").exists()


def test_a_tagger_is_tested_on_as_many_texts_with_spans_though_most_have_none(line: CommandLine) -> None:
    line.write(
        "finder.py",
        "def find(texts):\n"
        "    places = [text.find('Anna') for text in texts]\n"
        "    return [[(place, place + 4, 'NAME')] if place >= 0 else [] for place in places]\n",
    )
    rows = [
        {"text": f"{name} saw the long film number {n}.", "spans": [[0, 4, "NAME"]] * (name == "Anna")}
        for n in range(200)
        for name in (("Anna",) if n % 5 == 0 else ("Nobody",))
    ]
    line.write("names.jsonl", "\n".join(map(json.dumps, rows)) + "\n")
    tagger = "--model finder:find --model task=spans"
    shown = line(f"scan {tagger} --data names.jsonl --data spans=spans --examples 20 --write names.yaml")
    assert shown.code == 0, shown
    record = Record.load(line.folder / "reports/scan-names/results.json")
    tested = {check.name: check.tested for check in record.checks}
    assert min(tested["typos"], tested["punctuation"]) >= 20
    (section,) = (record_section for record_section in record.sections if record_section.name == "digest")
    assert section.tables[-1].header == ["gold spans", "found", "after the worst change", ""]
    (row,) = section.tables[-1].rows
    worst = min((recall for check in record.checks for recall in check.recall), key=lambda recall: recall.after.ends[1])
    assert row[:3] == ["NAME", "100 %", str(worst.after)]
    assert "select: {testable: 20}" in (line.folder / "names.yaml").read_text(encoding="utf-8")
    assert line("run names.yaml").code == 0
