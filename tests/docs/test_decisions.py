"""The suites of docs/decisions.md run as they are printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import robustfim
from robustfim.judge.verdicts import error_text
from robustfim.statistics import wilson
from robustfim.statistics.threshold import Threshold
from tests.docs.page import Page

PAGE = Page.read("decisions.md")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the page's files into an empty current folder."""
    monkeypatch.chdir(tmp_path)
    PAGE.write_files()


@pytest.mark.slow
@pytest.mark.usefixtures("files")
def test_the_moderator_is_judged_at_its_threshold(capsys: pytest.CaptureFixture[str]) -> None:
    PAGE.check("A label at a threshold", capsys)


@pytest.mark.slow
def test_a_long_text_is_read_window_by_window() -> None:
    suite = yaml.safe_load(PAGE.sections["Long texts, window by window"].partition("```yaml\n")[2].partition("```")[0])
    record = robustfim.run(suite).record
    assert record.checks[0].tested
    assert "in windows of 8 words every 4, most negative" in str(record.model.fingerprint)
    whole = robustfim.run({**suite, "model": {**suite["model"], "size": 500, "stride": 500}})
    alone = robustfim.run({**suite, "model": {"use": suite["model"]["model"], "decide": suite["model"]["decide"]}})
    told = [
        [(example.id, example.prediction, example.scores, example.arm) for example in made.record.examples]
        for made in (whole, alone)
    ]
    assert told[0] == told[1], "texts of one window are read as they are"


@pytest.mark.slow
def test_an_abstention_after_the_edits_fails_and_one_before_them_is_wrong_before() -> None:
    suite = yaml.safe_load(PAGE.sections["Abstentions"].partition("```yaml\n")[2].partition("```")[0])
    unsure = robustfim.run(suite)
    del suite["model"]["decide"]
    sure = robustfim.run(suite)
    assert unsure.checks["typos"].wrong_before > sure.checks["typos"].wrong_before
    turned = {
        (failure.before.label == "(abstains)", failure.after.label == "(abstains)")
        for failure in unsure.record.failures
    }
    assert (False, True) in turned
    assert not any(before for before, _ in turned)


def test_a_threshold_from_data_reaches_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    section = PAGE.sections["A threshold from data"]
    rows = [f"a film about {number} things,positive" for number in range(199)]
    Path("benign.csv").write_text("\n".join(["text,label", *rows, "bad,negative"]) + "\n", encoding="utf-8")
    rest = "suite: s\ndata: {use: reviews, limit: 20}\nchecks: {typos: {perturb: typos}}\n"
    Path("s.yaml").write_text(section.partition("```yaml\n")[2].partition("```")[0] + rest, encoding="utf-8")
    threshold = robustfim.run("s.yaml").record.model.threshold
    assert threshold is not None
    assert threshold.alarms.tested == 199
    low, high = Threshold(0.5, 10, 199).interval
    assert f"{100 * low:.1f} to {100 * high:.1f} %" in section


@pytest.mark.slow
def test_both_kinds_of_error_are_held_to_limits() -> None:
    section = PAGE.sections["Two kinds of error, two limits"]
    check = robustfim.run(yaml.safe_load(section.partition("```yaml\n")[2].partition("```")[0])).record.checks[0]
    limits = {name: error.limit for name, error in check.errors.items() if error.limit}
    assert limits == {"missed": 0.9, "false_alarm": 0.05}
    PAGE.check_text(
        re.findall(r"missed [\d,]+ of .*? before any change", section)[0],
        error_text("missed", check.errors["missed"]),
        "the message",
    )
    assert wilson(0, 381)[1] < 0.01 < wilson(0, 380)[1]  # type: ignore[index]  # there is an interval
