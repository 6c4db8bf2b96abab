"""``study sears``: a rule flips a model, training on what it makes mends it, and the numbers are those counted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest

from robustfim.candidate import Candidate
from robustfim.cli import main
from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.statistics import wilson
from robustfim_sears.remedy.gating import Gating
from robustfim_sears.remedy.sensitivity import ask, measures
from robustfim_sears.remedy.study import split
from tests.plugins.robustfim_sears.remedy.texts import Texts

PLUGIN = "tests.plugins.robustfim_sears.remedy.texts"
TRAIN = ("--train", "use=films", "--train", "count=50")
DEV = ("--dev", "use=films", "--dev", "first=100", "--dev", "count=12", "--dev", "odd=true")


def study(
    folder: Path, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[dict[str, Any], str, str]:  # fmt: skip
    """Run the command; return the record, what was printed, and what stood on standard error after the exit code."""
    capsys.readouterr()
    defaults = ("--trainer", "counting", "--paraphraser", "movies", "--reports", str(folder))
    with pytest.raises(SystemExit) as stop:
        main(["study", "sears", "-p", PLUGIN, *defaults, *words])
    printed = capsys.readouterr()
    record = folder / "study-sears.json"
    found = json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
    return found, " ".join(printed.out.split()), f"{stop.value.code} {printed.err}"


def test_training_on_what_a_rule_makes_mends_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found, shown, told = study(tmp_path, capsys, *TRAIN, *DEV)
    assert told.startswith("0 "), told
    # The model knows no movie, so the rule flips all 12 films that it labels rightly; then it has learnt the word.
    assert found["results"]["rules"] == ["film → movie"]
    counted = {
        measure["measure"]: [(measure[part]["errors"], measure[part]["tested"]) for part in ("before", "after")]
        for measure in found["results"]["measures"]
    }
    assert counted == {
        "validation error": [(1, 25), (1, 25)],  # the film that is called bad is wrong before and after
        "sensitivity error": [(12, 12), (0, 12)],
        "sensitive examples": [(12, 12), (0, 12)],
        "changed predictions": [(13, 13), (0, 13)],  # with the film that was labelled wrongly
    }
    p_values = [measure["p_value"] for measure in found["results"]["measures"]]
    assert p_values == [1.0, None, pytest.approx(2 * 0.5**12), pytest.approx(2 * 0.5**13)]
    assert tuple(found["results"]["measures"][1]["before"]["interval"]) == wilson(12, 12)
    fit = split(list(Texts(count=50).load()), Gating(), held=0.2, seed=0).fit
    assert found["results"]["augmentation"]["variants"] == sum("film" in example.text for example in fit)
    assert "sensitivity error: 100 % [75.8, 100.0] of 12 before, 0 % [0.0, 24.2] of 12 after." in shown
    assert "film → movie 12 of 12 0 of 12" in shown
    assert "1 rule made" in shown
    assert "Accuracy" not in shown, "it is the same"
    assert [series["name"] for series in found["figures"][0]["series"]] == ["before", "after"]
    assert found["figures"][0]["series"][0]["points"][1][:2] == [1.0, 1.0]
    assert (tmp_path / "study-sears.html").read_text(encoding="utf-8").count("<figure") == 1
    assert not any(example.fields["text"] in json.dumps(found) for example in Texts(first=100, count=12).load())


def test_both_models_are_trained_with_one_seed_on_data_without_validation_examples(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Five films and five plots of the validation data stand in the training data, too.
    words = ("--train", "use=films", "--train", "count=105", *DEV, "--seed", "7", "--held", "0.25")
    found, _, told = study(tmp_path, capsys, *words)
    assert found["data"]["skipped"] == {"training example among the validation examples": 10}
    train = found["results"]["train"]
    assert (train["fit"], train["held"]) == (150, 50)
    variants = found["results"]["augmentation"]["variants"]
    assert "counted 150 texts, stopped by 50, seed 7" in told
    assert f"counted {150 + variants} texts, stopped by 50, seed 7" in told
    again, _, _ = study(tmp_path, capsys, *words)
    assert again["results"] == found["results"]


def test_rules_that_were_accepted_earlier_are_not_mined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text("- film → movie\n- film → picture\n", encoding="utf-8")
    words = (*TRAIN, *DEV, "--rules", str(path), "--keep", str(tmp_path / "kept"), "--per-example", "1")
    found, shown, told = study(tmp_path, capsys, *words)
    assert found["results"]["mined"] is None
    assert "mining" not in told
    # Each film has one of its two variants, and each of its two texts counts.
    assert found["results"]["augmentation"]["counts"]["not drawn"] == found["results"]["augmentation"]["variants"]
    before, after = (found["results"]["measures"][1][part] for part in ("before", "after"))
    assert (before["errors"], before["tested"]) == (24, 24)
    assert (after["errors"], after["tested"]) == (0, 24)
    assert "film → picture 12 of 12 0 of 12" in shown
    weights = [json.loads((tmp_path / "kept" / name / "weights.json").read_text()) for name in ("before", "after")]
    assert ["movie" in weight for weight in weights] == [False, True]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ((*TRAIN, *DEV, "--trainer", "countin"), 4, "unknown trainer 'countin'. Did you mean 'counting'?"),
        ((*TRAIN, *DEV, "-o", "seeds=1"), 4, "unknown option 'seeds'"),
        ((*TRAIN, *DEV, "--paraphraser", "movie"), 4, "unknown paraphraser 'movie'. Did you mean 'movies'?"),
        ((*TRAIN, *DEV, "--rules", "none.yaml"), 4, "none.yaml"),
        ((*TRAIN, *DEV, "--dev", "bare=true"), 4, "24 validation examples have no gold label"),
        ((*TRAIN, *DEV, "--train", "bare=true"), 4, "100 training examples have no gold label"),
        (("--train", "use=films", "--train", "count=1", *DEV), 4, "2 training examples are too few"),
        ((*TRAIN, *DEV, "--paraphraser", "{use: phrases, source: no.tsv}"), 4, "no.tsv"),
        (TRAIN, 4, "--dev"),
    ],
)
def test_what_cannot_be_studied_is_told(
    words: tuple[str, ...], code: int, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found, _, err = study(tmp_path, capsys, *words)
    assert found == {}
    assert err.startswith(f"{code} ")
    assert told in " ".join(err.split())
    assert "Traceback" not in err


def test_a_model_without_rules_has_nothing_to_mend(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rules.tsv"
    path.write_text("unheard → unseen\tany\t0.9\n", encoding="utf-8")
    found, _, err = study(tmp_path, capsys, *TRAIN, *DEV, "--paraphraser", f"{{use: phrases, source: {path}}}")
    assert found == {}
    assert err.startswith("5 ")
    assert "no rule was found on 20 held-out examples" in err


def test_no_validation_example_is_in_either_part_whatever_its_label() -> None:
    train = [*Texts(count=30).load(), *Texts(count=2).load(), Example({"text": "a film w100"}, "negative")]
    validation = list(Texts(first=100, count=3).load())
    parts = split(train, Gating.of(validation), held=0.2, seed=1)
    assert (len(parts.fit), len(parts.held), parts.repeated, parts.validation) == (48, 12, 4, 1)
    assert not {example.id for example in (*parts.fit, *parts.held)} & {example.id for example in validation}
    assert parts == split(train[::-1], Gating.of(validation), held=0.2, seed=1)
    with pytest.raises(DataError, match="too few"):
        split(validation[:2], Gating(), held=0.1, seed=0)


class Table:
    """Answers texts as a table says, and the empty label's half where it says nothing."""

    labels, fingerprint = ("no", "yes"), "table"

    def __init__(self, answers: dict[str, str | None]) -> None:
        self._answers = answers

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        rows = {"no": [0.9, 0.1], "yes": [0.2, 0.8], None: [float("nan")] * 2}
        return [rows[self._answers[example.text]] for example in examples]


def test_the_measures_are_those_of_the_definitions() -> None:
    """Every way in which two models can answer an example and its two variants, counted the slow way."""
    possible = [*product(("no", "yes", None), repeat=3)]
    cases = [(first, second) for first in possible for second in possible[::5]]
    examples = [Example({"text": f"text {number}"}, "yes") for number in range(len(cases))]
    variants = {
        example.id: [Candidate.replacing(example, {"text": f"{example.text} {place}"}, origin="r") for place in (0, 1)]
        for example in examples
    }
    asked = []
    for side in (0, 1):
        answers: dict[str, str | None] = {}
        for number, case in enumerate(cases):
            answers |= dict(zip([f"text {number}", f"text {number} 0", f"text {number} 1"], case[side], strict=True))
        asked.append(ask(Table(answers), examples, variants))
    error, sensitivity, sensitive, changed = measures(*asked)
    for side in (0, 1):
        own = [case[side] for case in cases]
        right = [case for case in own if case[0] == "yes"]
        texts = [text for case in right for text in case[1:]]
        assert error.rates[side].count == len(own) - len(right)
        assert (sensitivity.rates[side].count, sensitivity.rates[side].tested) == (
            sum(text != "yes" for text in texts), len(texts),
        )  # fmt: skip
        assert sensitive.rates[side].count == sum(case[1:] != ("yes", "yes") for case in right)
        flips = sum(None in case or len(set(case)) > 1 for case in own)
        assert (changed.rates[side].count, changed.rates[side].tested) == (flips, len(own))
    both = [case for case in cases if case[0][0] == case[1][0] == "yes"]
    only = [
        sum(case[side][1:] != ("yes", "yes") and case[1 - side][1:] == ("yes", "yes") for case in both)
        for side in (0, 1)
    ]
    assert (sensitive.common, sensitive.mended, sensitive.broken) == (len(both), *only)
    expected = binomtest(only[0], sum(only)).pvalue
    assert sensitive.p_value == pytest.approx(expected)
    assert sensitivity.p_value is None
