"""``study cues``: what is trained on what, what is counted, and what a user types."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from robustfim import Example
from robustfim.cli import main
from robustfim.collect.lookup import named_part
from robustfim.errors import DataError
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.statistics import percent
from robustfim_cues.choices.choice import alternatives
from robustfim_cues.copa.data import Copa
from robustfim_cues.measures.measures import measure
from robustfim_cues.models.bag_of_words import BagOfWords
from robustfim_cues.models.trainer import BagOfWordsTrainer
from robustfim_cues.sensitivity.measure import sensitivities
from robustfim_cues.study.accuracy import MEASURES, Accuracy, accuracies, comparisons
from robustfim_cues.study.folds import REGIMES, Pair, Training, complete_pairs, trainings
from robustfim_cues.study.study import answer
from robustfim_cues.study.training import Asked, merged, train_and_ask
from tests.plugins.robustfim_cues.choosing import Choosing
from tests.plugins.robustfim_cues.conftest import make

pytest.importorskip("sklearn")
HERE = "tests.plugins.robustfim_cues"


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return complete_pairs(list(Copa().load()))


def names(part: Sequence[Example]) -> set[str]:
    return {str(example.meta["pair"]) for example in part}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("folds", [2, 7])
def test_no_mirror_of_a_held_out_instance_is_learnt_from(pairs: list[Pair], folds: int, seed: int) -> None:
    for training in trainings(pairs, list(REGIMES), folds=folds, dev=0.2, seed=seed):
        parts = training.train, training.dev, training.held
        for one, other in ((0, 1), (0, 2), (1, 2)):
            assert not names(parts[one]) & names(parts[other])
            texts = [{frozenset(alternatives(example)) for example in parts[place]} for place in (one, other)]
            assert not texts[0] & texts[1]


def test_every_pair_is_held_out_once_and_every_regime_has_its_instances(pairs: list[Pair]) -> None:
    planned = trainings(pairs, list(REGIMES), folds=5, dev=0.1, seed=3)
    everything = sorted(example.id for example in chain.from_iterable(pairs))
    for regime in REGIMES:
        own = [training for training in planned if training.regime == regime]
        assert sorted(example.id for part in own for example in part.held) == everything
    for original, balanced, half in zip(*[iter(planned)] * 3, strict=True):
        assert original.held == balanced.held == half.held
        assert not any(each.meta["mirrored"] for each in (*original.train, *original.dev))
        assert len(balanced.train) == 2 * len(original.train)
        assert 0 <= len(half.train) - len(original.train) <= 1
        assert names(half.train) < names(balanced.train) == names(original.train)
        assert names(balanced.dev) == names(original.dev)
        assert len(original.dev) == round(0.1 * (81 - len(original.held) / 2))


def test_pairs_with_the_same_alternatives_stand_in_one_fold() -> None:
    given = [
        (
            make(f"first {row // 2}", "second", "1", f"{row}", pair=str(row), mirrored=False),
            make(f"first {row // 2}", "second", "2", f"not {row}", pair=str(row), mirrored=True),
        )
        for row in range(12)
    ]
    for training in trainings(given, ["balanced"], folds=3, dev=0.3, seed=0):
        held = {int(name) // 2 for name in names(training.held)}
        assert held.isdisjoint(int(name) // 2 for name in names((*training.train, *training.dev)))


def test_data_without_pairs_or_gold_labels_is_refused(pairs: list[Pair]) -> None:
    with pytest.raises(DataError, match="no instance has a mirror"):
        complete_pairs([original for original, _ in pairs])
    bare = Example(pairs[0][1].fields, None, pairs[0][1].meta)
    with pytest.raises(DataError, match="1 instances have no gold label"):
        complete_pairs([pairs[0][0], bare])
    with pytest.raises(DataError, match="too few for 50 folds"):
        trainings(pairs, ["original"], folds=50, dev=0.1, seed=0)


def test_right_answers_are_counted_instance_by_instance_and_pair_by_pair(pairs: list[Pair]) -> None:
    few = pairs[:6]
    held = tuple(chain.from_iterable(few))
    right = {"original": "101100 010000", "balanced": "111110 110111"}  # the originals, then the mirrors
    asked = []
    for regime, told in right.items():
        bits = dict(
            zip(
                [*(example.id for example, _ in few), *(example.id for _, example in few)],
                told.replace(" ", ""),
                strict=True,
            )
        )
        wrong = {"1": "2", "2": "1"}
        answers = {
            example.id: str(example.label) if bits[example.id] == "1" else wrong[str(example.label)] for example in held
        }
        asked.append(Asked(Training(regime, 1, (), (), held), answers, None))
    sides: dict[str, Any] = {example.id: "easy" if row < 4 else "hard" for row, (example, _) in enumerate(few)}
    found = accuracies(asked, few, sides)
    counts = {(accuracy.regime, accuracy.measure): (accuracy.rate.count, accuracy.rate.tested) for accuracy in found}
    assert list(counts.values()) == [(3, 4), (0, 2), (3, 6), (1, 6), (0, 6), (4, 4), (1, 2), (5, 6), (5, 6), (4, 6)]
    compared = {comparison.measure: comparison for comparison in comparisons(found)}
    assert {name: (comparison.wins, comparison.losses) for name, comparison in compared.items()} == {
        "easy": (1, 0), "hard": (1, 0), "original": (2, 0), "mirrored": (4, 0), "pairs": (4, 0),
    }  # fmt: skip
    assert compared["pairs"].p_value == pytest.approx(2 * 0.5**4)
    assert compared["pairs"].adjusted == pytest.approx(5 * 2 * 0.5**4)
    unanswered = Asked(asked[1].training, {}, None)
    assert accuracies([unanswered], few, sides)[2].rate.count == 0


def test_the_sensitivities_of_folds_add_up_to_those_of_all(pairs: list[Pair]) -> None:
    pytest.importorskip("torch")
    examples = list(chain.from_iterable(pairs[:12]))
    cues = measure(examples, minimum=2).found
    model = Choosing({"was": 3.0, "the": 0.5, "a": 2.0})
    whole = {cue.cue.text: cue for cue in sensitivities(model, examples, cues).cues}
    parts = merged([sensitivities(model, examples[:9], cues), sensitivities(model, examples[9:], cues)])
    assert parts.examples == len(examples)
    assert len(parts.cues) == len(whole) > 5
    for cue in parts.cues:
        same = whole[cue.cue.text]
        assert (cue.norm, cue.relative) == pytest.approx((same.norm, same.relative))
        assert cue.places == same.places


def study(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[dict[str, Any], str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["study", "cues", "--reports", str(folder), *words])
    shown = capsys.readouterr()
    path = folder / "study-cues.json"
    found = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found, shown.out, f"{stop.value.code} {shown.err}"


def test_the_answer_claims_no_more_than_the_test_of_pairs_tells() -> None:
    def told(original: int, balanced: int, *regimes: str) -> str:
        numbers = {"original": original, "balanced": balanced}
        found = [
            Accuracy(regime, measure, {str(row): row < numbers[regime] for row in range(40)})
            for regime in regimes
            for measure in MEASURES
        ]
        return answer(found, comparisons(found))

    both = ("original", "balanced")
    assert told(1, 30, *both).startswith("Yes: of 40 pairs are solved, trained on original 2.5 % [")
    assert told(1, 30, *both).endswith("; surely more on balanced than on original.")
    assert told(30, 1, *both).startswith("No: ")
    assert told(30, 1, *both).endswith("; surely more on original than on balanced.")
    assert told(9, 10, *both).startswith("Not shown: ")
    assert told(9, 10, *both).endswith("; no difference is sure.")
    assert told(9, 10, "balanced").startswith("Of 40 pairs are solved, trained on balanced 25 % [")
    assert told(9, 10, "balanced").endswith("; chance is 25 %.")


def planted(folder: Path) -> tuple[str, ...]:
    """Write pairs of which "was" is right in every original, and wrong in every mirror; the options that name them."""
    lines = []
    for row in range(24):
        gold = 1 + row % 2
        texts = [f"It was thing {row}.", f"They saw item {row}."]
        given = dict(zip(("choice1", "choice2"), texts if gold == 1 else texts[::-1], strict=True))
        own = {"id": str(row + 1), "premise": f"Premise {row}.", "question": "cause", "answer": gold, **given}
        mirror = {**own, "id": str(row + 1001), "premise": f"Other {row}.", "answer": 3 - gold, "mirrors": own["id"]}
        lines += [json.dumps(own), json.dumps(mirror)]
    (folder / "planted.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return "--data", "use=copa", "--data", f"path={folder / 'planted.jsonl'}"


@pytest.mark.slow
def test_every_number_follows_from_the_instances_that_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found, shown, _ = study(tmp_path, capsys, "--folds", "2")
    assert shown.count(": fold ") == 6
    assert found["title"] == "Does training on balanced instances solve more pairs of an instance and its mirror?"
    results = found["results"]
    by_id = {instance["id"]: instance for instance in results["instances"]}
    originals = [each for each in by_id.values() if not each["mirrored"]]
    mirror_of = {each["pair"]: each for each in by_id.values() if each["mirrored"]}

    def right(each: dict[str, Any], regime: str) -> bool:
        return bool(each["answers"][regime] == each["label"])

    for row in results["accuracy"]:
        regime, counted = row["regime"], row["measure"]
        of = {
            "easy": [original for original in originals if original["split"] == "easy"],
            "hard": [original for original in originals if original["split"] == "hard"],
            "mirrored": list(mirror_of.values()),
        }.get(counted, originals)
        hits = [
            each["id"]
            for each in of
            if right(each, regime) and (counted != "pairs" or right(mirror_of[each["pair"]], regime))
        ]
        assert (row["right"], row["tested"]) == (len(hits), len(of))
        low, high = row["interval"]
        assert low <= len(hits) / len(of) <= high
        assert percent(len(hits) / len(of), (low, high)) in shown
    assert len(results["comparisons"]) == 3 * len(MEASURES)
    (bars,) = found["figures"]
    assert bars["names"] == list(MEASURES)
    assert {(each["name"], each["kind"], len(each["points"])) for each in bars["series"]} == {
        (f"trained on {regime}", "bars", len(MEASURES)) for regime in REGIMES
    }
    assert found["data"]["examples"] == 162
    assert "no gradients" in found["findings"][-1]
    text = json.dumps(found)
    assert not any(value in text for example in Copa(limit=9).load() for value in alternatives(example))
    page = (tmp_path / "study-cues.html").read_text(encoding="utf-8")
    assert page.count("<figure") == 1


@pytest.mark.slow
def test_the_same_seed_finds_the_same_and_kept_models_are_not_trained_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (*planted(tmp_path), "--folds", "2", "--regime", "original", "--keep", str(tmp_path / "kept"))
    first, shown, _ = study(tmp_path, capsys, *words)
    assert shown.count("features, dev accuracy") == 2
    again, shown, _ = study(tmp_path, capsys, *words)
    assert "features, dev accuracy" not in shown
    assert again["results"] == first["results"]


def test_a_kept_model_is_that_of_its_settings_and_data(pairs: list[Pair], tmp_path: Path) -> None:
    manager = load_plugins(PluginOptions())
    first, second = trainings(pairs[:20], ["original"], folds=2, dev=0.2, seed=0)

    def trained(training: Training, minimum: int, seed: int) -> int:
        lines: list[str] = []
        part = named_part("trainers", "cues/bag-of-words", manager, "--trainer", [f"minimum={minimum}"])
        train_and_ask(part, part.make(), training, tmp_path, [], seed=seed, report=lines.append)
        return len(lines)

    asked = [(first, 3, 0), (first, 3, 0), (first, 4, 0), (first, 4, 1), (second, 4, 1), (second, 4, 1)]
    assert [trained(*each) for each in asked] == [1, 0, 1, 1, 1, 0]
    (tmp_path / "study.json").write_text("{", encoding="utf-8")
    assert trained(second, 4, 1) == 1, "what was not finished is trained again"


@pytest.mark.slow
def test_a_cue_in_every_original_is_learnt_and_fails_on_every_mirror(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found, shown, _ = study(tmp_path, capsys, *planted(tmp_path), "--folds", "3")
    rates = {(each["regime"], each["measure"]): each["right"] for each in found["results"]["accuracy"]}
    assert [rates["original", name] for name in MEASURES] == [24, 0, 24, 0, 0]
    # Among the mirrors, the cue tells the answer together with the premise alone: that is learnt instead.
    assert [rates["balanced", name] for name in MEASURES] == [24, 0, 24, 24, 24]
    assert re.search(r"hard +0 +– +– +–", shown)


@pytest.mark.slow
def test_models_with_gradients_are_compared_by_their_sensitivity(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    plugins = ("-p", f"{HERE}.choosing", "-p", f"{HERE}.answering")
    found, shown, _ = study(tmp_path, capsys, *plugins, "--trainer", "{use: weighing, word: was}", "--folds", "2")
    assert "weighed by 36, stopped by 4" in shown
    assert [figure["title"] for figure in found["figures"]] == [
        "Accuracy by what was trained on",
        "Sensitivity to cues by their productivity",
    ]
    assert "Sensitivity by productivity" in shown
    # ‖∂z/∂x‖ = 5 a, and a is the number of instances that were learnt from.
    table = next(each for each in found["tables"] if each["title"] == "Sensitivity to single cues")
    (row,) = (each for each in table["rows"] if each[0] == "was")
    assert 5 * 36 <= float(row[4]) < float(row[7])
    assert float(row[7]) == pytest.approx(2 * float(row[4]), rel=0.02)
    banded = found["results"]["sensitivity"]
    assert list(banded) == list(REGIMES)
    assert all(each["examples"] == 162 for each in banded.values())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--trainer", "cues/bag-of-word"), "unknown trainer 'cues/bag-of-word'. Did you mean 'cues/bag-of-words'?"),
        (("--trainer", "[a"), "--trainer '[a' is no trainer: give a name, or '{use: NAME, …}'."),
        (("-o", "minimun=2"), "unknown option 'minimun'. Did you mean 'minimum'?"),
        (("-o", "minimum=0"), "'minimum': input should be greater than 0, not 0"),
        (("--folds", "60"), "81 pairs with different alternatives are too few for 60 folds."),
        (("--data", "use=copa", "--data", "part=original"), "no instance has a mirror"),
        (("--data", "use=reviews"), "has no column 'pair', which links an instance to its mirror"),
        (("--regime", "orignal"), "'orignal' is not one of 'original', 'balanced', 'balanced-half'"),
    ],
)
def test_what_cannot_be_studied_is_told(
    words: tuple[str, ...], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found, _, err = study(tmp_path, capsys, *words)
    assert found == {}
    assert err.startswith("4 ")
    assert told in " ".join(err.split())


@pytest.mark.slow
def test_the_trainer_writes_the_same_weights_whatever_the_seed(tmp_path: Path) -> None:
    examples = list(Copa(part="original", limit=30).load())
    BagOfWordsTrainer().train(examples, examples[:5], tmp_path / "first", seed=0, report=lambda line: None)
    spec = BagOfWordsTrainer().train(examples, examples[:5], tmp_path / "trainer", seed=5, report=lambda line: None)
    assert spec == {"use": "cues/bag-of-words", "path": str(tmp_path / "trainer")}
    assert BagOfWords(tmp_path / "trainer").fingerprint == BagOfWords(tmp_path / "first").fingerprint
    with pytest.raises(DataError, match="learns from choices"):
        BagOfWordsTrainer().train(
            [Example({"text": "x"}, "1")], [], tmp_path / "none", seed=0, report=lambda line: None
        )
