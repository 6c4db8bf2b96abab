"""Scorer, perturbations, expectation and model inside a run."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from robustfim import Example, Prediction
from robustfim.candidate import Candidate
from robustfim.cli import main
from robustfim.judgement import Verdict
from robustfim.record import Record
from robustfim.statistics import percent
from robustfim.statistics.gap import Gap
from robustfim_cues.choices.choice import partners
from robustfim_cues.copa.alterations import CueRemoval, CueSwap
from robustfim_cues.copa.data import Copa
from robustfim_cues.copa.mirror import BothRight
from robustfim_cues.models.bag_of_words import BagOfWords
from tests.plugins.robustfim_cues.conftest import make
from tests.robustfim.command_line import unbroken

SUITE = Path(__file__).parents[3] / "suites" / "copa.yaml"


def run(folder: Path, suite: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], int, str]:
    path = folder / "s.yaml"
    path.write_text(yaml.safe_dump({"suite": "s", "reports": ["json"], **suite}))
    with pytest.raises(SystemExit) as stop:
        main(["run", str(path)])
    shown = capsys.readouterr()
    results = folder / "reports" / "s" / "results.json"
    record = Record.load(results).model_dump(mode="json", by_alias=True) if results.is_file() else {}
    return record, int(stop.value.code or 0), shown.out + shown.err


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def texts(candidates: object) -> list[dict[str, str]]:
    return [dict(candidate.example.fields) for candidate in candidates]  # type: ignore[attr-defined]  # an iterable of candidates


def altered(made: CueRemoval, first: str, second: str) -> list[tuple[str, str]]:
    from random import Random

    found = texts(made.propose(make(first, second), Random(0)))
    return [(each["choice1"], each["choice2"]) for each in found]


def test_a_cue_is_removed_with_the_blank_behind_it() -> None:
    made = CueRemoval(["a", "was", "it's"])
    assert altered(made, "It was a dog, a big one.", "The cat ran.") == [("It dog, big one.", "The cat ran.")]
    assert altered(made, "The dog was", "The cat ran.") == [("The dog", "The cat ran.")]
    assert altered(made, "It’s gone; it isn't a's.", "x") == [("gone; it isn't a's.", "x")]


def test_a_word_in_both_alternatives_is_no_cue_and_stays() -> None:
    assert altered(CueRemoval(["a"]), "A dog ran.", "It was a cat.") == []
    assert altered(CueRemoval(["was"]), "A dog ran.", "was") == [], "nothing would be left"


def test_a_swapped_cue_stands_at_the_beginning_of_the_other_alternative() -> None:
    made = CueSwap(["a", "was"])
    assert altered(made, "A dog ran.", "It was wet.") == [("was dog ran.", "a It wet.")]


@pytest.mark.parametrize("cues", [[], ["two words"]])
def test_cues_that_are_no_single_words_are_refused(cues: list[str]) -> None:
    with pytest.raises(ValueError, match=r"not \["):
        CueRemoval(cues)


def judged(before: str, after: str) -> tuple[Verdict, str]:
    labels = ("1", "2")

    def says(label: str) -> Prediction:
        return Prediction.of([0.9, 0.1] if label == "1" else [0.1, 0.9], labels)

    candidate = Candidate.replacing(make("x", "y", "1"), {"premise": "It shone."})
    judgement = BothRight().judge(says(before), says(after), Candidate(candidate.source, candidate.edits, label="2"))
    return judgement.verdict, judgement.reason or ""


def test_a_pair_is_solved_only_when_both_are_right() -> None:
    assert judged("1", "2")[0] is Verdict.PASSED
    assert judged("1", "1") == (Verdict.FAILED, "original right, mirror wrong")
    assert judged("2", "2") == (Verdict.FAILED, "mirror right, original wrong")
    assert judged("2", "1") == (Verdict.FAILED, "none right")


def test_the_suite_that_ships_catches_the_model_that_ships(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["run", str(SUITE)])
    capsys.readouterr()
    record = Record.load(tmp_path / "reports" / "copa").model_dump(mode="json", by_alias=True)
    checks = {check["id"].partition("::")[2]: check for check in record["checks"]}
    assert stop.value.code == 1
    assert {name: check["outcome"] for name, check in checks.items()} == {
        "pairs": "failed", "without_cues": "failed", "swapped_cues": "failed", "typos": "passed",
    }  # fmt: skip
    assert checks["pairs"]["candidates"]["tested"] == 81, "each pair once"
    # The bag of words lives on the alternatives alone: what it wins on originals it loses on their mirrors.
    right = [example["prediction"] == example["label"] for example in record["examples"]]
    card = (Path(BagOfWords.__init__.__globals__["__file__"]).parents[1] / "weights" / "MODEL_CARD.md").read_text()
    assert f"{sum(right)} of 162 right" in card
    assert checks["pairs"]["rate"] == 1.0
    assert "in none of 81 pairs" in card


def test_an_instance_without_its_mirror_is_an_error_of_the_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = {
        "model": {"use": "cues/bag-of-words"}, "data": {"use": "copa", "limit": 100},
        "checks": {"pairs": {"perturb": "mirror", "expect": "both_right"}},
    }  # fmt: skip
    _, code, shown = run(tmp_path, suite, capsys)
    assert code == 1
    assert "62 of the pairs do not hold one original and one mirrored instance: 20, 21, 22, 23, 24 …" in unbroken(shown)


def test_data_without_a_sure_cue_skips_the_checks_of_cues(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = {
        "model": {"use": "cues/bag-of-words"}, "data": "copa",
        "checks": {"removal": {"perturb": "cue_removal"}},
    }  # fmt: skip
    record, _, shown = run(tmp_path, suite, capsys)
    assert record["checks"][0]["outcome"] == "skipped"
    assert "no word in 81 original instances is surely a cue" in unbroken(shown)


def biased(folder: Path) -> Path:
    """Choices of which all right alternatives, but for the last tenth, have the word "was"."""
    rows = []
    for index in range(60):
        right, wrong = f"The thing{index} was gone.", f"Some thing{index} stood still."
        if index >= 54:
            right, wrong = wrong, right
        one, two = (right, wrong) if index % 2 else (wrong, right)
        rows.append({"premise": f"Premise {index}.", "question": "cause", "choice1": one, "choice2": two,
                     "answer": 1 if index % 2 else 2})  # fmt: skip
    path = folder / "biased.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


CHANGES = {"use": "invariant", "counts": "changes"}
"""A choice that follows the cue, right or wrong."""


def test_cues_are_measured_and_a_model_that_follows_them_is_caught(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sklearn")
    biased(tmp_path)
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "weights.json").write_text('{"weights": {"was": 2.0}}')
    suite = {
        "model": {"use": "cues/bag-of-words", "path": "m"},
        "data": {"use": "copa", "path": "biased.jsonl"},
        "scores": ["cue"],
        "select": {"by": "cue", "difficult": 6, "control": 0},
        "checks": {
            "swap": {"perturb": {"use": "cue_swap", "level": 0.05}, "expect": CHANGES, "limit": {"difficult": 0.1}},
            "right": {"perturb": "itself", "expect": "correct", "limit": {"difficult": 0.1}},
        },
    }
    record, code, _ = run(tmp_path, suite, capsys)
    assert code == 1
    # The hardest by 'cue' are the six that the cue gets wrong, and there the model is wrong each time.
    chosen = [example for example in record["examples"] if example.get("arm") == "difficult"]
    assert sorted(each["fields"]["premise"] for each in chosen) == [f"Premise {n}." for n in range(54, 60)]
    assert all(each["scores"]["cue"] < 0.5 for each in chosen)
    assert {check["rate"] for check in record["checks"]} == {1.0}


def lives_on_was(folder: Path) -> dict[str, Any]:
    """A suite of a model that chooses by the word "was", on the choices of :func:`biased`."""
    pytest.importorskip("sklearn")
    biased(folder)
    (folder / "m").mkdir()
    (folder / "m" / "weights.json").write_text('{"weights": {"was": 2.0}}')
    return {
        "model": {"use": "cues/bag-of-words", "path": "m"},
        "data": {"use": "copa", "path": "biased.jsonl"},
        "checks": {
            "gap": {"perturb": "itself", "expect": "correct", "fails": "hard_as_easy", "limit": 0.1},
            "hang": {"perturb": {"use": "cue_removal", "cues": ["was"]}},
        },
    }


def test_a_model_that_is_worse_on_hard_examples_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = lives_on_was(tmp_path)
    suite["reports"] = ["json", "html", "junit", "markdown"]
    record, code, shown = run(tmp_path, suite, capsys)
    assert code == 1
    gap, hang = record["checks"]
    # The cue is right in 54 of 60: these are easy, the others hard, and the model is right on the easy ones alone.
    counts = {name: (group["count"], group["tested"]) for name, group in gap["gap"]["groups"].items()}
    assert counts == {"hard": (6, 6), "easy": (0, 54)}
    assert (gap["rate"], gap["outcome"], gap["arms"]) == (1.0, "failed", {})
    assert gap["interval"] == pytest.approx(Gap((6, 6), (0, 54)).interval)
    assert gap["message"].startswith("6 of 6 hard examples fail and 0 of 54 easy examples fail, 100 points more: above")
    assert re.search(r"gap +FAILED +100 points \[\d+.\d, \d+.\d\] of 60, limit 10 points", shown)
    assert "100 points [" in html.unescape((tmp_path / "reports" / "s" / "comment.md").read_text())
    assert 'name="limit" value="10 points"' in (tmp_path / "reports" / "s" / "junit.xml").read_text()
    assert "100 points" in (tmp_path / "reports" / "s" / "report.html").read_text()
    # Without the cue the model knows nothing, and gives both alternatives one half: of a tie it takes the first.
    assert hang["wrong_before"] == 6
    assert hang["tested"] == 54
    lost = {failure["example"] for failure in record["failures"] if failure["check"] == hang["id"]}
    assert {example["label"] for example in record["examples"] if example["id"] in lost} == {"2"}


def test_a_stored_split_and_one_that_is_made_for_the_run_say_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = lives_on_was(tmp_path)
    with pytest.raises(SystemExit):
        main(["cues", "split", "biased.jsonl", "--repeats", "1", "--out", "split.jsonl"])
    capsys.readouterr()
    suite["checks"] = {
        "stored": {"perturb": "itself", "expect": "correct", "fails": {"use": "hard_as_easy", "split": "split.jsonl"}},
        "made": {"perturb": "itself", "expect": "correct", "fails": {"use": "hard_as_easy", "repeats": 1}},
    }
    record, _, _ = run(tmp_path, suite, capsys)
    stored, made = (check["gap"] for check in record["checks"])
    assert stored == made


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ({"limit": {"difficult": 0.1}}, "'fails: hard_as_easy' does not support a limit for each arm"),
        (
            {"budget": 10},
            "support 'budget': the share of failing examples is needed, and this reducer compares two groups",
        ),
        ({"of": "file", "limit": 0.1}, "'fails: hard_as_easy' does not support 'of: file'"),
        ({"limit": {"valid": 0.1}}, "a limit for 'valid' does not support 'fails: hard_as_easy'"),
        ({"fails": {"use": "hard_as_easy", "model": "gpt"}}, "option 'model'"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], check: dict[str, Any], message: str
) -> None:
    suite = {
        "model": "cues/bag-of-words", "data": "copa", "select": {"by": "margin", "difficult": 9, "control": 9},
        "checks": {"gap": {"perturb": "itself", "expect": "correct", "fails": "hard_as_easy", **check}},
    }  # fmt: skip
    _, code, shown = run(tmp_path, suite, capsys)
    assert code == 4
    assert message in shown


def test_a_split_of_other_data_is_an_error_of_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "split.jsonl").write_text('{"id": "x", "split": "hard"}\n')
    check = {"perturb": "itself", "expect": "correct", "fails": {"use": "hard_as_easy", "split": "split.jsonl"}}
    _, code, shown = run(tmp_path, {"model": "cues/bag-of-words", "data": "copa", "checks": {"gap": check}}, capsys)
    assert code == 1
    assert "no example of the run is hard in" in shown
    assert "was it made for the same data?" in shown


def test_where_no_word_tells_the_answer_nothing_is_easy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sklearn")
    check = {
        "perturb": "itself",
        "expect": "correct",
        "fails": {"use": "hard_as_easy", "repeats": 1},
    }
    suite = {"model": "cues/bag-of-words", "data": "copa", "checks": {"gap": check}}
    record, code, _ = run(tmp_path, suite, capsys)
    assert (code, record["checks"][0]["outcome"]) == (0, "skipped")
    assert record["checks"][0]["message"] == (
        "no word predicts the answer in any of 162 examples, so that the easy part of the data is empty."
    )


def test_the_pairs_of_which_one_both_or_none_is_right_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = {
        "model": {"use": "cues/bag-of-words"}, "data": "copa",
        "checks": {"pairs": {"perturb": "mirror", "expect": "both_right"}},
    }  # fmt: skip
    record, _, shown = run(tmp_path, suite, capsys)
    answers = {example["id"]: example["prediction"] == example["label"] for example in record["examples"]}
    right = Counter(tuple(answers[example.id] for example in pair) for pair in partners(list(Copa().load())).values())
    one = right[True, False] + right[False, True]
    told = f"one {one} (the mirror {right[False, True]} times), none {right[False, False]}"
    assert f"pairs: both right {percent(right[True, True] / 81)}" in shown
    assert told in unbroken(shown)
    (section,) = (each for each in record["sections"] if each["name"] == "pairs")
    assert told in section["findings"][0]
    assert [row[1].split(" ")[0] for row in section["tables"][0]["rows"]] == [
        percent(right[case] / 81).removesuffix(" %")
        for case in ((True, True), (True, False), (False, True), (False, False))
    ]


def test_the_score_is_nan_without_a_gold_label() -> None:
    pytest.importorskip("sklearn")
    from math import isnan

    from robustfim_cues.models.scorer import CueScore
    from tests.robustfim.toys import Bench

    examples = [make(f"right{n} was", f"wrong{n} is", "1") for n in range(12)]
    blank = make("some was", "none is", None)
    scores = CueScore(repeats=1).score([blank, *examples], Bench([*examples, blank]).context)
    assert isnan(scores[0])
    assert all(score > 0.5 for score in scores[1:])


def test_malformed_weights_are_refused(tmp_path: Path) -> None:
    from robustfim import ModelError, UsageError

    with pytest.raises(UsageError, match=r"holds no weights\.json"):
        BagOfWords(tmp_path)
    for text in ("{", '{"weights": [1]}', '{"weights": {"a": "b"}}', '{"weights": {"a": NaN}}'):
        (tmp_path / "weights.json").write_text(text)
        with pytest.raises(ModelError, match=r"malformed|not finite"):
            BagOfWords(tmp_path).predict([make("a", "b")])


def test_the_bag_of_words_is_a_logistic_function_of_the_difference(tmp_path: Path) -> None:
    (tmp_path / "weights.json").write_text('{"weights": {"good": 1.0, "effect>bad": -0.5, "rained>>good": 0.25}}')
    rows = BagOfWords(tmp_path).predict([make("good", "bad"), make("x", "y"), Example(make("bad", "good").fields)])
    assert rows[0][0] == pytest.approx(1 / (1 + 2.718281828459045 ** -(1.25 + 0.5)))
    assert rows[1] == [0.5, 0.5]
    assert rows[2] == pytest.approx(rows[0][::-1])


def test_the_weights_that_ship_are_learned_from_what_their_card_says(released: Sequence[Example]) -> None:
    pytest.importorskip("sklearn")
    from robustfim_cues.models.linear import LinearModel

    shipped = BagOfWords()._weights
    learned = LinearModel().fit([example for example in released if not example.meta["mirrored"]]).weights
    assert len(shipped) < len(learned) / 5, "rare features, which would spell sentences out, are left out"
    assert {name: learned[name] for name in shipped} == pytest.approx(shipped, abs=1e-3)
