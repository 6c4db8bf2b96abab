"""``report --to card``: the hub's own reader finds in a card what the run found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from robustfim.judge import write_record
from robustfim.statistics import Rate
from tests.robustfim.command_line import CommandLine, refused

hub = pytest.importorskip("huggingface_hub")

RESULTS = "reports/toy/results.json"


@pytest.fixture
def robustfim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """A folder with the record of a run."""
    monkeypatch.chdir(tmp_path)
    commands = CommandLine(tmp_path, capsys)
    commands("run toy.yaml")
    return commands


def test_the_hub_reads_accuracy_and_failure_rates_from_a_new_card(robustfim: CommandLine) -> None:
    shown = robustfim(f"report {RESULTS} --to card=README.md")
    assert shown.code == 0, shown.err
    card = hub.ModelCard.load(robustfim.folder / "README.md")
    record = robustfim.record()
    assert card.data.model_name == "wordsum"
    assert len(card.data.eval_results) == 4
    accuracy, *rates = card.data.eval_results
    assert accuracy.metric_value == pytest.approx(record.model.accuracy.rate, abs=1e-4)
    assert [rate.metric_value for rate in rates] == pytest.approx([check.rate for check in record.checks], abs=1e-4)
    assert [rate.metric_args["outcome"] for rate in rates] == [check.outcome.value for check in record.checks]
    assert all(rate.metric_args["suite"] == "toy" for rate in rates)
    path, use = record.data.options.get("path"), record.data.use
    named = f"{Path(str(path)).stem if path else use} ({record.data.examples:,} examples)"
    assert {result.dataset_name for result in card.data.eval_results} == {named}


def test_a_rate_of_two_arms_is_that_of_all_they_stand_for(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml -o scores=[long] -o 'select={by: long, difficult: 2, control: 2}'")
    (estimate,) = [check for check in robustfim.record().checks if check.name == "rename"]
    assert robustfim(f"report {RESULTS} --to card=README.md").code == 0
    (told,) = [result for result in hub.ModelCard.load(robustfim.folder / "README.md").data.eval_results
               if result.metric_name == "Failure rate under rename"]  # fmt: skip
    assert told.metric_value == pytest.approx(estimate.rate, abs=1e-4)
    assert told.metric_args["interval"] == pytest.approx(estimate.interval, abs=1e-4)


def test_data_of_a_file_are_called_by_its_name(robustfim: CommandLine) -> None:
    robustfim.write("held-out.csv", "text,label\na good film,positive\na bad film,negative\n")
    robustfim("run toy.yaml --data use=csv --data path=held-out.csv")
    assert robustfim(f"report {RESULTS} --to card=README.md").code == 0
    card = hub.ModelCard.load(robustfim.folder / "README.md")
    assert card.data.eval_results[0].dataset_name == "held-out (2 examples)"


def test_a_card_that_is_there_keeps_its_text_its_keys_and_the_results_of_others(robustfim: CommandLine) -> None:
    other = hub.EvalResult("text-classification", "imdb", "IMDb", "accuracy", 0.9)
    data = hub.ModelCardData(license="mit", model_name="old", eval_results=[other])
    robustfim.write("README.md", f"---\n{data}\n---\n\n# Old\n\nWhat it is for.\n")
    for _ in range(2):
        assert robustfim(f"report {RESULTS} --to card=README.md").code == 0
    card = hub.ModelCard.load(robustfim.folder / "README.md")
    assert (card.data.license, card.data.model_name) == ("mit", "old")
    assert "What it is for." in card.text
    assert [result.dataset_type for result in card.data.eval_results].count("imdb") == 1
    assert len(card.data.eval_results) == 5


def test_results_on_other_data_have_no_leaderboard(robustfim: CommandLine) -> None:
    assert robustfim(f"report {RESULTS} --to card=README.md").code == 0
    assert not (robustfim.folder / ".eval_results").exists()


@pytest.mark.parametrize("text", ["---\n- a\n---\n", "---\n: : :\n---\n", "---\nmodel-index: 3\n---\n"])
def test_a_file_that_is_no_card_is_refused_and_left_as_it_is(robustfim: CommandLine, text: str) -> None:
    robustfim.write("README.md", text)
    refused(robustfim(f"report {RESULTS} --to card=README.md"), "README.md is not a model card")
    assert (robustfim.folder / "README.md").read_text(encoding="utf-8") == text


def test_a_record_without_any_rate_is_refused(robustfim: CommandLine) -> None:
    record = robustfim.record()
    model = record.model.model_copy(update={"accuracy": Rate(0, 0)})
    write_record(record.model_copy(update={"checks": [], "model": model}), robustfim.folder / "empty.json")
    refused(robustfim("report empty.json --to card=README.md"), "no rate for a model card")


def test_without_the_hubs_library_the_extra_is_told(robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    refused(robustfim(f"report {RESULTS} --to card=README.md"), "pip install 'robustfim[huggingface]'")
