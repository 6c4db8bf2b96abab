"""What is reviewed on a page is, byte for byte, what is reviewed on the terminal."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from robustfim.errors import ModelError, UsageError
from robustfim.plugin.manager import PluginManager
from robustfim_sears.mining.mining import measured, mine
from robustfim_sears.mining.result_file import MineResult
from robustfim_sears.mining.review import review
from robustfim_sears.mining.rule_review import RuleReview
from robustfim_sears.rule.file import read_rules, write_rules
from tests.plugins.robustfim_sears.mining.test_mining import SWAPS, TEXTS
from tests.plugins.robustfim_sears.small import Swaps, context, examples

EXAMPLES = examples(*TEXTS)
MINED = mine(EXAMPLES, context(), Swaps(SWAPS))
PROVENANCE = {
    "suite": "toy",
    "model": {"use": "counting", "fingerprint": context().model.fingerprint},
    "paraphraser": {"use": "swaps", "identity": None},
    "tau": MINED.tau,
    "seed": MINED.seed,
}


@pytest.fixture(autouse=True)
def swaps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RuleReview, "_paraphraser", lambda self, context: Swaps(SWAPS))


@pytest.fixture
def result(tmp_path: Path) -> Path:
    """The result of mining, written to a file."""
    return MineResult.of(MINED, EXAMPLES, PROVENANCE).dump(tmp_path / "rules.json")


def opened(path: Path, out: Path | None = None) -> RuleReview:
    return RuleReview(path, out=out, examples=EXAMPLES, manager=PluginManager())


def asked(page: RuleReview) -> str:
    return str(page.told(None)["proposed"][0]["rule"])


def test_the_page_and_the_terminal_write_the_same_bytes(result: Path, tmp_path: Path) -> None:
    keys = iter(["n", "b", "e", "good → dull", "n", "y", "q"])
    found = review(
        MINED, Console(file=io.StringIO()), lambda _: next(keys),
        lambda rule: measured([rule], MINED, EXAMPLES, context(), Swaps(SWAPS))[0],
    )  # fmt: skip
    terminal = write_rules(tmp_path / "terminal" / "rules.yaml", found.rules, PROVENANCE)
    page = opened(result, tmp_path / "page" / "rules.yaml")
    model = context()
    page.answer({"rule": asked(page), "answer": "reject"}, None)
    page.answer({"answer": "back"}, None)
    told = page.answer({"rule": asked(page), "answer": "edit", "text": "good -> dull"}, model)
    assert (told["proposed"][0]["rule"], told["proposed"][0]["chosen"]) == ("good → dull", [0, 7])
    page.answer({"rule": "good → dull", "answer": "reject"}, None)
    page.answer({"rule": asked(page), "answer": "accept"}, None)
    assert page.out.read_bytes() == terminal.read_bytes()
    assert read_rules(page.out)


def test_a_review_goes_on_where_it_ended_without_the_model(result: Path) -> None:
    first = opened(result)
    assert first.out == result.with_name("rules.accepted.yaml")
    first.answer({"rule": asked(first), "answer": "edit", "text": "good → dull"}, context())
    told = first.answer({"rule": asked(first), "answer": "accept"}, None)
    again = opened(result)
    assert again.told(None) == told
    assert [each["rule"] for each in told["accepted"]] == ["good → dull"]
    first.answer({"answer": "back"}, None)
    assert again.told(None)["accepted"] == []  # two pages keep one another's answers
    assert not again.out.exists()


def test_every_flip_is_told_as_a_pair(result: Path) -> None:
    rule = opened(result).told(None)["proposed"][0]
    assert rule["rule"] == "good → bad"
    assert [(each["before"], each["after"]) for each in rule["pairs"]] == [
        flip.texts for flip in MINED.candidates[MINED.chosen[0]].flips
    ]


def test_a_file_of_rules_is_measured_on_the_run_s_examples(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("- good -> bad\n- {rule: day → night, note: mine}\n", encoding="utf-8")
    page = opened(path)
    with pytest.raises(ModelError, match="no live one"):
        page.told(None)
    told = page.told(context())
    assert [(each["rule"], each["chosen"]) for each in told["proposed"]] == [("good → bad", [5, 7])]
    assert told["silent"] == ["day → night"]
    page.answer({"rule": "good → bad", "answer": "accept"}, context())
    assert [each.text for each in read_rules(tmp_path / "own.accepted.yaml")] == ["good → bad"]


def test_what_cannot_be_answered_is_refused_and_nothing_is_written(result: Path, tmp_path: Path) -> None:
    page = opened(result)
    for answer, message in (
        ({"rule": asked(page), "answer": "perhaps"}, "that is no answer: answer"),
        ({"rule": "a → b", "answer": "accept"}, "'a → b' is not asked about"),
        ({"rule": asked(page), "answer": "edit", "text": "no arrow"}, "'no arrow' is no rule"),
        ({"rule": asked(page), "answer": "edit", "text": asked(page)}, "is the same rule"),
        ({"answer": "back"}, "no answer to take back"),
    ):
        with pytest.raises(UsageError, match=message):
            page.answer(answer, context())
    with pytest.raises(ModelError, match="no live one"):
        page.answer({"rule": asked(page), "answer": "edit", "text": "good → dull"}, None)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["rules.json"]


def test_files_of_others_are_left_alone(result: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("- my -> own\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"mine.yaml is there already, .* --rules-out"):
        opened(result, tmp_path / "mine.yaml")
    page = opened(result)
    page.answer({"rule": asked(page), "answer": "accept"}, None)
    other = tmp_path / "other.yaml"
    other.write_text("- a -> b\n", encoding="utf-8")
    with pytest.raises(UsageError, match="answers about other rules"):
        opened(other, page.out)


def test_an_edit_asks_the_model_that_the_rules_were_mined_from(tmp_path: Path) -> None:
    foreign = {**PROVENANCE, "model": {"fingerprint": "another"}}
    page = opened(MineResult.of(MINED, EXAMPLES, foreign).dump(tmp_path / "rules.json"))
    with pytest.raises(ModelError, match="mined from another model"):
        page.answer({"rule": asked(page), "answer": "edit", "text": "good → dull"}, context())
