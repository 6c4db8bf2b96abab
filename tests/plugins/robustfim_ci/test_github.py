"""Annotations, read as GitHub's runner reads them, and the summary of the step."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim.outcome import Outcome
from robustfim.printable import printable
from robustfim.record import Record
from robustfim_ci.github import GitHubReport, commands
from tests.plugins.robustfim_html.synthetic import claimed


@dataclass(frozen=True)
class Command:
    """A workflow command as actions/runner parses it (ActionCommand.TryParseV2)."""

    name: str
    properties: dict[str, str]
    data: str

    @classmethod
    def parse(cls, line: str) -> Command | None:
        line = line.lstrip()
        if not line.startswith("::"):
            return None
        head, found, data = line[2:].partition("::")
        if not found:
            return None
        name, _, rest = head.partition(" ")
        pairs = [pair.partition("=") for pair in rest.split(",") if pair]
        return cls(name, {key.strip(): _unescape(value, True) for key, _, value in pairs}, _unescape(data, False))


def _unescape(text: str, is_property: bool) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), *((("%3A", ":"), ("%2C", ",")) if is_property else ())):
        text = text.replace(code, character)
    return text.replace("%25", "%")


def parsed(record: Record) -> tuple[list[Command], list[str]]:
    """The commands, and the lines that are none."""
    lines = commands(record).splitlines()
    found = [(Command.parse(line), line) for line in lines]
    return [command for command, _ in found if command], [line for command, line in found if not command]


def test_each_check_that_did_not_pass_is_annotated_at_its_line(record: Record) -> None:
    found, others = parsed(record)
    assert not others
    lines = {check.name: str(check.line) for check in record.checks}
    assert [(command.name, command.properties["title"]) for command in found] == [
        ("error", "synonyms: failed"),
        ("error", "eigenvector: failed"),
        ("error", "typos: failed"),
        ("error", "neighbours: error"),
        ("warning", "numbers: inconclusive"),
        ("notice", "rules: xfailed"),
    ]
    for command in found:
        name = command.properties["title"].partition(":")[0]
        assert command.properties == {
            "file": "suites/sentiment.yaml",
            "line": lines[name],
            "title": command.properties["title"],
        }


def test_the_check_furthest_above_its_limit_comes_first(record: Record) -> None:
    limits = {"synonyms": [(0.28, 0.1)], "typos": [(0.35, 0.2), (0.06, 0.05)], "eigenvector": [(0.1, 0.25), (0.8, 0.1)]}
    checks = []
    for check in record.checks:
        if check.name not in limits:
            continue
        pairs = limits[check.name]
        arms = {
            arm: check_arm.model_copy(
                update={"tested": 100, "failing": round(100 * rate), "rate": rate, "limit": limit}
            )
            for (arm, check_arm), (rate, limit) in zip(check.arms.items(), pairs, strict=False)
        }
        checks.append(claimed(check.model_copy(update={"rate": pairs[0][0]} if len(pairs) == 1 else {"arms": arms})))
    found, _ = parsed(record.model_copy(update={"checks": checks}))
    assert [command.properties["title"].partition(":")[0] for command in found] == ["eigenvector", "synonyms", "typos"]


def test_an_annotation_shows_the_worst_pair_over_several_lines(record: Record) -> None:
    first = parsed(record)[0][0]
    worst = max(
        (failure for failure in record.failures if failure.check == "sentiment.yaml::synonyms"),
        key=lambda failure: failure.margin,
    )
    message, *pair = first.data.split("\n")
    assert message == record.checks[0].message
    assert pair[-1] == worst.reproduce


def test_ten_annotations_of_a_kind_are_the_most(record: Record) -> None:
    template = record.checks[0]
    checks = [
        claimed(template.model_copy(update={"name": f"c{number}", "rate": number / 20, "limit": 0.0}))
        for number in range(13)
    ]
    unsure = [
        template.model_copy(update={"name": f"w{number}", "outcome": Outcome.INCONCLUSIVE, "limit": 0.99})
        for number in range(11)
    ]
    found, others = parsed(record.model_copy(update={"checks": checks + unsure}))
    errors = [command.properties["title"] for command in found if command.name == "error"]
    assert errors == [f"c{number}: failed" for number in range(12, 2, -1)]
    assert len([command for command in found if command.name == "warning"]) == 10
    assert others == [
        "robustfim: 3 more checks would be annotated as error; GitHub takes 10 from a step.",
        "robustfim: 1 more check would be annotated as warning; GitHub takes 10 from a step.",
    ]


def test_what_stopped_the_run_is_said_once(record: Record) -> None:
    checks = [check.model_copy(update={"outcome": Outcome.ERROR, "message": "no model"}) for check in record.checks]
    found, _ = parsed(record.model_copy(update={"message": "no model", "checks": checks, "failures": []}))
    assert found == [Command("error", {"file": "suites/sentiment.yaml", "title": "robustfim"}, "no model")]
    found, _ = parsed(record.model_copy(update={"message": "stopped after 1 failure.", "checks": []}))
    assert [(command.name, command.data) for command in found] == [("notice", "stopped after 1 failure.")]


def test_a_run_that_passes_is_not_annotated(record: Record) -> None:
    passed = [check for check in record.checks if check.outcome in (Outcome.PASSED, Outcome.SKIPPED)]
    assert commands(record.model_copy(update={"checks": passed})) == ""


def test_hostile_texts_survive_as_text_and_forge_no_command(hostile_record: Record) -> None:
    for check in hostile_record.checks:
        found, others = parsed(hostile_record.model_copy(update={"checks": [check], "message": check.message}))
        assert not others
        assert {command.name for command in found} <= {"error", "warning", "notice"}
        assert {command.properties["file"] for command in found} == {"suites/<a>,b:c%.yaml"}
        assert found[0].data == printable(check.message)
        for command in found[1:]:
            assert set(command.properties) == {"file", "line", "title"}
            assert command.properties["title"] == printable(f"{check.name}: {check.outcome}")
            assert command.data.startswith(f"{printable(check.message)}\n")
        assert len(found) == (1 if check.outcome is Outcome.ERROR else 2)


def test_the_commands_are_printed_and_kept(record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = GitHubReport().write(record, tmp_path)
    assert path == tmp_path / "annotations.txt"
    assert path.read_text(encoding="utf-8") == commands(record)
    # The terminal report may have left the line begun, and GitHub reads a command only where a line begins.
    assert capsys.readouterr().out == "\n" + commands(record)


def test_a_stdout_that_knows_only_ascii_gets_escapes(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    GitHubReport().write(record, tmp_path)
    stream.seek(0)
    assert "\\u2192" in stream.read()


def test_the_summary_is_appended_to(record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("earlier\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    GitHubReport().write(record, tmp_path)
    text = summary.read_text(encoding="utf-8")
    assert text.startswith("earlier\n\n### sentiment: 3 of 9 checks failed")
    GitHubReport().write(record, tmp_path)
    assert summary.read_text(encoding="utf-8").count("### sentiment") == 2


@pytest.mark.parametrize(("earlier", "many"), [(0, 3_000), (1_000_000, 300), (1_048_000, 30), (1_048_576, 30)])
def test_the_summary_stays_below_a_mebibyte(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, earlier: int, many: int
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("x" * earlier, encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    checks = [
        record.checks[0].model_copy(update={"id": f"{number}", "name": f"check → {number}"}) for number in range(many)
    ]
    failures = [record.failures[0].model_copy(update={"check": check.id}) for check in checks]
    GitHubReport().write(record.model_copy(update={"checks": checks, "failures": failures}), tmp_path)
    size = summary.stat().st_size
    assert earlier <= size <= 1024 * 1024
    assert size > 1_000_000
    if earlier == 0:
        assert "more checks with failures: see the other reports." in summary.read_text(encoding="utf-8")


def test_a_summary_that_cannot_be_written_is_named(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "missing" / "summary.md"))
    with pytest.raises(UsageError, match=r"GITHUB_STEP_SUMMARY\): No such file"):
        GitHubReport().write(record, tmp_path)
    assert (tmp_path / "annotations.txt").is_file()
