"""Partial-input models: what they find, what they cannot find, and the split that is kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from robustfim import DataError, Example
from robustfim_cues.copa.data import Copa
from robustfim_cues.models.linear import LinearModel
from robustfim_cues.models.partial_input import partial_input
from robustfim_cues.models.split import read_split, write_split
from tests.plugins.robustfim_cues.conftest import make

pytest.importorskip("sklearn")
NOUNS = [f"noun{number}" for number in range(60)]


def given_away(share: float, size: int = 60) -> list[Example]:
    """Choices of which the right alternative has the word "was" in that share, and else the wrong one."""
    random = Random(4)
    examples = []
    for index in range(size):
        right, wrong = f"{NOUNS[index]} was", f"{NOUNS[-index]} is{index}"
        if index >= share * size:
            right, wrong = wrong, right
        gold = random.choice("12")
        first, second = (right, wrong) if gold == "1" else (wrong, right)
        examples.append(make(first, second, gold, premise=f"Premise {index}."))
    return examples


def test_a_cue_that_is_always_right_solves_everything() -> None:
    found = partial_input(given_away(1.0), leave_out=["premise"], repeats=1)
    assert found.rate.rate == 1
    assert found.ties == 0
    assert min(found.given) > 0.5
    assert found.p_value < 1e-15
    assert found.rate.ends[0] > 0.9


@pytest.mark.slow
def test_the_hard_instances_are_those_that_the_cue_gets_wrong() -> None:
    examples = given_away(0.8)
    found = partial_input(examples, leave_out=["premise"])
    assert [index for index, solved in enumerate(found.solved) if not solved] == list(range(48, 60))


def test_a_mirror_stands_in_the_fold_of_its_original_so_that_nothing_leaks() -> None:
    found = partial_input(list(Copa().load()), leave_out=["premise"], repeats=1)
    # In balanced training data every weight is 0: all held-out instances are ties.
    assert found.ties == 162
    assert found.given == pytest.approx([0.5] * 162, abs=1e-6)
    assert found.p_value > 0.05


def test_the_order_of_the_alternatives_tells_nothing() -> None:
    examples = given_away(0.9)
    turned = [
        Example(
            {**example.fields, "choice1": example.fields["choice2"], "choice2": example.fields["choice1"]},
            "2" if example.label == "1" else "1",
        )
        for example in examples
    ]
    model = LinearModel(["premise"]).fit(examples)
    assert model.probabilities(turned)[:, ::-1] == pytest.approx(model.probabilities(examples))


def test_the_weights_are_at_the_optimum_of_the_penalised_likelihood() -> None:
    from math import exp

    from robustfim_cues.models.features import features

    examples = given_away(0.7, 20)
    weights = LinearModel(["premise", "question"]).fit(examples).weights
    gradient = dict(weights)  # ∇ ½‖w‖² = w, less Σ (y − σ(w·x)) x over the differences x
    for example in examples:
        first, second = (
            features(example.fields, example.fields[f"choice{n}"], ["premise", "question"]) for n in (1, 2)
        )
        score = sum(weights.get(name, 0) for name in first) - sum(weights.get(name, 0) for name in second)
        error = (example.label == "1") - 1 / (1 + exp(-score))
        for name in first ^ second:
            gradient[name] = gradient.get(name, 0) - error * (1 if name in first else -1)
    assert max(map(abs, gradient.values())) < 1e-3
    assert max(weights.values()) == weights["was"]


def test_a_hypothesis_alone_gives_labels_away() -> None:
    pairs = [
        Example({"premise": f"{noun} eats", "hypothesis": f"{noun} does {'not ' * (index % 2)}eat"}, "ny"[index % 2])
        for index, noun in enumerate(NOUNS)
    ]
    assert partial_input(pairs, leave_out=["premise"], repeats=1).rate.rate == 1
    blind = partial_input(pairs, leave_out=["hypothesis"], repeats=1)
    assert blind.chance == 0.5
    assert (blind.rate.rate or 0) < 0.7


def test_one_seed_gives_one_result() -> None:
    examples = list(Copa(part="original", limit=40).load())
    first, again, other = (partial_input(examples, leave_out=["premise"], repeats=1, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.given != other.given


@pytest.mark.parametrize(
    ("leave_out", "message"),
    [
        (["premises"], r"no field 'premises' to leave out\. Did you mean 'premise'"),
        (["choice1"], "a choice needs both alternatives, so 'choice1' cannot"),
    ],
)
def test_a_field_that_cannot_be_left_out_is_refused(leave_out: list[str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        partial_input(given_away(1), leave_out=leave_out)


def test_what_cannot_be_cross_validated_is_refused() -> None:
    with pytest.raises(DataError, match="no example"):
        partial_input([])
    with pytest.raises(DataError, match="no gold label"):
        partial_input([make("a", "b", None)] * 20)
    with pytest.raises(DataError, match="1 different examples are too few for 10 folds"):
        partial_input([make("a", "b")] * 20)
    with pytest.raises(DataError, match="nothing is left to read"):
        partial_input([Example({"text": str(n)}, str(n % 2)) for n in range(20)], leave_out=["text"])


def test_the_split_is_kept_beside_the_data_and_becomes_a_column(tmp_path: Path) -> None:
    examples = list(Copa(part="original").load())
    found = partial_input(examples, leave_out=["premise"], repeats=1)
    path = write_split(examples, found, tmp_path / "split.jsonl")
    sides = read_split(path)
    assert [sides[example.id] == "easy" for example in examples] == list(found.solved)
    loaded = list(Copa(part="original", split=path).load())
    assert [example.meta["split"] == "easy" for example in loaded] == list(found.solved)
    with pytest.raises(DataError, match="no line for instance 1001"):
        list(Copa(split=path).load())


@pytest.mark.parametrize("line", ["{", "[]", '{"id": 3, "split": "easy"}', '{"id": "a", "split": "mild"}'])
def test_a_malformed_split_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "split.jsonl"
    path.write_text(f"\n{line}\n")
    with pytest.raises(DataError, match=r"split\.jsonl:2: (a line is|a line holds one|malformed)"):
        read_split(path)
    with pytest.raises(DataError, match=r"no file .*none\.jsonl"):
        read_split(tmp_path / "none.jsonl")


def test_on_original_copa_the_premise_oblivious_model_is_reported_with_its_interval(
    released: Sequence[Example],
) -> None:
    found = partial_input(
        [example for example in released if not example.meta["mirrored"]], leave_out=["premise"], repeats=1
    )
    low, high = found.rate.ends
    assert low < (found.rate.rate or 0) < high
    assert 0.45 < (found.rate.rate or 0) < 0.65
    assert len(found.solved) == 400
