"""What a script has of a run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from markupsafe import escape

from robustfim.candidate import Candidate, Edit
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.judge import first_failures
from robustfim.outcome import ExitCode, Outcome
from robustfim.result import Perturbed, Run, Scored
from tests.robustfim.command_line import CommandLine


@pytest.fixture
def toy(robustfim: CommandLine) -> Run:
    robustfim("run toy.yaml")
    return Run.load("reports/toy")


def test_a_run_is_read_from_its_record_and_says_how_it_ended(toy: Run) -> None:
    assert list(toy.checks) == ["rename", "both", "calm"]
    assert (toy.outcome, toy.exit_code) == (Outcome.FAILED, ExitCode.FAILED)
    assert repr(toy).startswith("<Run of toy: failed; ")
    broken = toy.record.model_copy(update={"message": "the model is gone"})
    assert Run(broken).outcome is Outcome.ERROR
    passing = toy.record.model_copy(update={"exit_code": 0, "checks": []})
    assert Run(passing).outcome is Outcome.PASSED


def test_failures_and_examples_are_rows_of_plain_values(toy: Run) -> None:
    assert json.loads(json.dumps(toy.failures)) == toy.failures
    row = toy.failures[0]
    assert row["text"] != row["perturbed"]
    assert row["before"] != row["after"]
    assert " → " in row["edits"]
    assert {row["example"] for row in toy.failures} <= {row["id"] for row in toy.examples}
    assert all(set(row) >= {"id", "text", "label", "prediction", "confidence", "arm"} for row in toy.examples)


def test_each_kind_of_row_becomes_a_data_frame(toy: Run) -> None:
    pytest.importorskip("pandas")
    assert len(toy.to_pandas()) == len(toy.failures)
    assert list(toy.to_pandas("checks")["check"]) == list(toy.checks)
    assert len(toy.to_pandas("examples")) == len(toy.examples)
    with pytest.raises(UsageError, match=r"'of' takes 'failures', 'examples' or 'checks'\. Did you mean 'checks'"):
        toy.to_pandas("check")  # type: ignore[arg-type]  # which is the point


@pytest.mark.parametrize("name", ["page.html", "deep/results.json", "junit.xml", "comment.md", "found.sarif"])
def test_a_report_is_chosen_by_its_suffix(toy: Run, name: str) -> None:
    written = toy.report(name)
    assert written == Path(name).absolute()
    assert written.stat().st_size > 0


def test_a_report_is_named_where_the_suffix_does_not_tell(toy: Run) -> None:
    assert toy.report("quality.json", name="gitlab").is_file()
    assert Run.load(toy.report("copy.json")).record == toy.record
    with pytest.raises(UsageError, match=r"no report is known by the suffix '\.docx'\. Known: .*\.html \(html\)"):
        toy.report("report.docx")
    with pytest.raises(UsageError, match=r"unknown report 'htlm'\. Did you mean 'html'"):
        toy.report("x.html", name="htlm")


def test_a_run_is_compared_with_a_run_a_record_or_a_file(toy: Run) -> None:
    comparisons = [toy.compare(each) for each in (toy, toy.record, "reports/toy", Path("reports/toy/results.json"))]
    assert all(comparison == comparisons[0] for comparison in comparisons)
    assert not any(check.newly_broken for check in comparisons[0].checks)


def test_a_notebook_shows_a_table_in_which_every_text_is_escaped(toy: Run) -> None:
    shown = toy._repr_html_()
    assert shown.count("<tr>") == 1 + len(toy.checks)
    check = toy.record.checks[0].model_copy(update={"message": "<script>alert(1)</script>"})
    evil = Run(toy.record.model_copy(update={"checks": [check]}))._repr_html_()
    assert "<script>" not in evil
    assert "&lt;script&gt;" in evil


def test_a_notebook_shows_three_failing_texts_with_its_edits_marked(toy: Run) -> None:
    shown, first = toy._repr_html_(), first_failures(toy.record, 3)
    assert shown.count("<li>") == len(first) > 0
    for failure in first:
        for edit in failure.edits:
            assert f"<del>{escape(edit.before)}</del> → <ins>{escape(edit.after)}</ins>" in shown
    marked = re.sub(r"<del>.*?</del>(?: → )?|</?ins>", "", shown)
    assert all(text in marked for text in first[0].fields.values() if len(text) < 50)


def test_thousands_of_scores_or_candidates_are_shown_by_the_first_ten() -> None:
    examples = tuple(Example({"text": f"film {number}"}) for number in range(2000))
    scored = repr(Scored("margin", "lowest", examples, tuple(map(float, range(2000)))))
    assert scored.splitlines()[:2] == ["2,000 examples by margin, the most difficult first:", "  0  'film 0'"]
    assert scored.splitlines()[-1] == "  … and 1,990 more"
    edited = tuple((Candidate(example, (Edit("text", 0, 4, "film", "movie"),)),) for example in examples)
    made = repr(Perturbed(examples, edited, {}))
    assert made.splitlines()[1] == "  'film 0' → 'movie 0'"
    assert len(made.splitlines()) == len(scored.splitlines()) == 12
