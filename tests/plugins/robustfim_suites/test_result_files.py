"""Other tools' result files: a record of each, whose rates are those that the tools print."""

from __future__ import annotations

import csv
import io

import pytest

from robustfim.outcome import Outcome
from robustfim.record import Record
from tests.plugins.robustfim_suites.conftest import Folder

TEXTATTACK = (
    "original_text",
    "perturbed_text",
    "original_score",
    "perturbed_score",
    "original_output",
    "perturbed_output",
    "ground_truth_output",
    "num_queries",
    "result_type",
)


def log(rows: list[tuple[object, ...]], head: tuple[str, ...] = TEXTATTACK) -> str:
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerows([head, *rows])
    return out.getvalue()


ATTACKS: list[tuple[object, ...]] = [
    ("a [[fine]] film", "a [[good]] film", 0.2, 0.7, 1, 0, 1, 12, "Successful"),
    ("a <b>bold</b> film", "a <b>bald</b> film", 0.1, 0.3, 0, 0, 0, 40, "Failed"),
    ("a dull\xa0film", "a dull\xa0film", 0.8, 0.8, 1, 1, 0, 1, "Skipped"),
    ("a [[long]] [[film]]", "a [[wide]] [[movie]]", 0.4, 0.6, 0, 1, 0, 9, "Successful"),
]


def test_a_log_of_textattack_is_a_record_with_its_success_rate(folder: Folder) -> None:
    folder.write("attack.csv", log(ATTACKS))
    shown = folder("import textattack attack.csv -o limit=0.2")
    assert shown.code == 0, shown.err
    assert "look at it: robustfim report reports/attack/results.json" in shown.out
    record = Record.load(folder.path / "reports" / "attack" / "results.json")
    (check,) = record.checks
    # AttackSuccessRate: successful / (successful + failed); original accuracy: (successful + failed) / all.
    assert (check.failing, check.tested, check.rate) == (2, 3, 2 / 3)
    assert record.model.accuracy.rate == 3 / 4
    assert record.model_calls == 12 + 40 + 1 + 9
    assert check.outcome is Outcome.INCONCLUSIVE
    first = record.failures[0]
    assert first.fields == {"text": "a good film"}
    assert [(edit.before, edit.after) for edit in first.edits] == [("fine", "good")]
    assert (first.before.label, first.after.label) == ("1", "0")
    assert record.model.labels == ["0", "1"]
    assert first.before.probabilities == pytest.approx([0.2, 0.8])  # the score is 1 − P(gold)
    assert first.after.probabilities == pytest.approx([0.7, 0.3])
    assert [example.fields["text"] for example in record.examples if example.arm is None] == ["a dull\xa0film"]


def test_texts_of_several_fields_keep_their_names(folder: Folder) -> None:
    row = (
        "[[[[Premise]]]]: A [[hat]].<SPLIT>[[[[Hypothesis]]]]: No hat.",
        "[[[[Premise]]]]: A [[cap]].<SPLIT>[[[[Hypothesis]]]]: No hat.",
        0.1,
        0.9,
        2,
        0,
        2,
        5,
        "Successful",
    )
    other = (
        "[[[[Premise]]]]: B<SPLIT>[[[[Hypothesis]]]]: C",
        "[[[[Premise]]]]: B<SPLIT>[[[[Hypothesis]]]]: C",
        0.1,
        0.1,
        1,
        1,
        1,
        5,
        "Failed",
    )
    folder.write("nli.csv", log([row, other]))
    assert folder("import textattack nli.csv").code == 0
    record = Record.load(folder.path / "reports" / "nli" / "results.json")
    assert record.failures[0].fields == {"premise": "A cap.", "hypothesis": "No hat."}
    assert record.model.labels == []  # three classes: the log does not tell their probabilities
    assert record.failures[0].after.probabilities == []


LANGTEST = ("category", "test_type", "original", "test_case", "expected_result", "actual_result", "pass")


def test_results_of_langtest_have_a_check_for_each_test_type(folder: Folder) -> None:
    rows: list[tuple[object, ...]] = [
        ("robustness", "uppercase", "a fine film", "A FINE FILM", "positive", "negative", False),
        ("robustness", "uppercase", "a dull film", "A DULL FILM", "negative", "negative", True),
        ("robustness", "add_typo", "a fine film", "a fnie film", "positive", "positive", True),
        ("accuracy", "min_micro_f1_score", "-", "-", "0.7", "0.6", False),
    ]
    folder.write("results.csv", log([("", *row) for row in rows], ("", *LANGTEST)))
    shown = folder("import langtest results.csv --out kept.json -o limits.uppercase=0.5")
    assert shown.code == 0, shown.err
    record = Record.load(folder.path / "kept.json")
    assert {check.name: (check.failing, check.tested, check.limit) for check in record.checks} == {
        "uppercase": (1, 2, 0.5),
        "add_typo": (0, 1, 0.35),
    }
    assert record.data.skipped == {"no text": 1}
    assert record.failures[0].reason == "positive -> negative"


@pytest.mark.parametrize("option", ["--html", "--markdown", "--junit-xml"])
def test_the_record_of_another_tool_can_be_reported(folder: Folder, option: str) -> None:
    row = ("robustness", "uppercase", "a fine film", "A <FINE> FILM", "positive", "negative", False)
    folder.write("results.csv", log([row], LANGTEST))
    folder("import langtest results.csv")
    shown = folder(f"report reports/results/results.json {option} written")
    assert shown.code == 0, shown.err
    assert "<FINE>" not in (folder.path / "written").read_text() or option == "--markdown"
    assert "FINE" in (folder.path / "written").read_text()


def test_a_log_that_is_none_is_refused(folder: Folder) -> None:
    folder.write("attack.csv", log([(*ATTACKS[0][:-1], "Won")]))
    assert "'result_type' is 'Won', which TextAttack does not write." in folder("import textattack attack.csv").err
    folder.write("attack.csv", log([ATTACKS[2]]))
    assert "every attack was skipped" in folder("import textattack attack.csv").err
    folder.write("attack.csv", log([(*ATTACKS[0][:2], "high", *ATTACKS[0][3:])]))
    assert "the score 'high' is not a number" in folder("import textattack attack.csv").err
    folder.write("results.csv", log([("a", "b", "c", "d", "e", "f", "perhaps")], LANGTEST))
    assert "'pass' is 'perhaps', neither True nor False." in folder("import langtest results.csv").err
    folder.write("attack.csv", log(ATTACKS))
    assert "so --model has no effect" in folder("import textattack attack.csv --model use=x").err
    assert not (folder.path / "reports").exists()
