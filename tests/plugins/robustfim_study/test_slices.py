"""``robustfim slices``: planted slices are found, noise holds none, and the suite's lines hold what was told."""

from __future__ import annotations

import json
import random
import re
from itertools import product
from pathlib import Path

import pytest
import yaml
from scipy.stats import fisher_exact

from robustfim.example import Example
from robustfim.record import Record
from robustfim.suite import slices
from robustfim_study import slice_search
from robustfim_study.slice_search import (
    LEVEL,
    TRIED,
    FoundSlice,
    Literal,
    SliceRow,
    find_slices,
    smallest_slice,
    stratified_tail,
)
from tests.robustfim.command_line import CommandLine, refused

WORDS = [f"w{number}" for number in range(200)]
COMMONNESS = [1 / (number + 2) for number in range(200)]


def noise(number: int, seed: int, *, share: float = 0.03, times: float = 1.0, base: float = 0.3) -> list[SliceRow]:
    """Examples of random words; those with 'zebra' fail so many times as often."""
    chance, found = random.Random(seed), []
    for each in range(number):
        words = sorted(set(chance.choices(WORDS, COMMONNESS, k=chance.randint(5, 30))))
        planted = chance.random() < share
        fails = chance.random() < base * (times if planted else 1.0)
        text = " ".join(["zebra"] * planted + words)
        label = chance.choice("ab")
        found.append(SliceRow(f"{seed}-{each}", text, fails, chance.choice(["difficult", "control"]), label, label))
    return found


def test_the_tail_of_one_arm_is_fishers_and_of_two_the_sum_over_all_tables() -> None:
    table = (100, 30, 20, 12)
    reference = fisher_exact([[12, 8], [18, 62]], alternative="greater").pvalue
    assert stratified_tail([table]) == pytest.approx(reference)
    arms = [(10, 4, 5, 3), (12, 6, 4, 3)]

    def chance(size: int, failing: int, held: int, both: int) -> float:
        from math import comb

        return comb(failing, both) * comb(size - failing, held - both) / comb(size, held)

    literal = sum(
        chance(10, 4, 5, one) * chance(12, 6, 4, other)
        for one, other in product(range(5), range(5))
        if one + other >= 6
    )
    assert stratified_tail(arms) == pytest.approx(literal)


def test_a_planted_slice_is_found_by_the_half_that_did_not_suggest_it() -> None:
    found = find_slices(noise(6000, 1, share=0.05, times=2.0))
    best = found.found[0]
    assert best.definition == {"zebra": {"contains": "zebra"}}
    assert best.failing / best.tested > 0.45
    assert best.tested + best.others == found.halves[1]
    assert all(each.e_value >= TRIED / (LEVEL * len(found.found)) for each in found.found)


def test_a_slice_of_two_things_at_once_is_found_as_both() -> None:
    chance, examples = random.Random(5), []
    for number in range(6000):
        words, label = chance.sample(WORDS, 12), chance.choice("ab")
        rare = words[0] < "w13"
        both = rare and label == "a"
        words[1] = "refund" if rare else words[1]
        fails = chance.random() < (0.7 if both else 0.2)
        examples.append(SliceRow(str(number), " ".join(words), fails, "all", label, "b"))
    best = find_slices(examples).found[0]
    assert best.definition == {"refund-a": {"contains": "refund", "label": "a"}}


def test_two_words_at_once_are_found_and_written_as_a_slice_within_another() -> None:
    chance, examples = random.Random(5), []
    for number in range(6000):
        words = chance.sample(WORDS, 12)
        refund, late = chance.random() < 0.3, chance.random() < 0.3
        words[0], words[1] = "refund" if refund else words[0], "late" if late else words[1]
        fails = chance.random() < (0.7 if refund and late else 0.2)
        examples.append(SliceRow(str(number), " ".join(words), fails, "all", "a", "b"))
    best = find_slices(examples).found[0]
    assert {each.value for each in best.literals} == {"refund", "late"}
    (first, outer), (name, inner) = best.definition.items()
    assert (first, name) == (outer["contains"], f"{first}-{inner['contains']}")
    assert inner["within"] == [first]
    assert {outer["contains"], inner["contains"]} == {"refund", "late"}


def test_what_a_slice_shares_with_one_of_the_suite_stays_in_its_lines() -> None:
    literals = (Literal("slice", "short", ""), Literal("contains", "late", ""), Literal("slice", "old", ""))
    found = FoundSlice(literals, 10, 5, 10, 1, 0.01)
    assert found.definition == {"late": {"contains": "late", "within": ["short", "old"]}}
    assert FoundSlice(literals[:1], 10, 5, 10, 1, 0.01).definition == {}
    assert FoundSlice(literals[::2], 10, 5, 10, 1, 0.01).definition == {"short-old": {"within": ["short", "old"]}}


def test_the_seed_alone_halves_the_examples_whatever_their_order() -> None:
    examples = noise(2000, 3, share=0.1, times=2.0)
    assert find_slices(examples).found[0].tested == find_slices(examples[::-1]).found[0].tested


@pytest.mark.slow
def test_of_planted_slices_of_3_percent_most_are_found_and_in_noise_hardly_any() -> None:
    hits = false = anything = 0
    for seed in range(20):
        found = find_slices(noise(10_000, seed, times=2.0), seed=seed).found
        planted = [any(literal.value == "zebra" for literal in each.literals) for each in found]
        hits += any(planted)
        false += planted.count(False)
        anything += bool(find_slices(noise(10_000, 100 + seed), seed=seed).found)
    assert hits >= 16, "80 %"
    assert false <= 2
    assert anything <= 3, "5 % of 20, with two standard errors"


def test_the_smallest_slice_that_is_told_is_found_in_four_of_five_cases() -> None:
    size = smallest_slice(2000, 600)
    assert size is not None
    hits = 0
    for seed in range(8):
        found = find_slices(noise(4000, seed, share=1.15 * size / 2000, times=2.0, base=0.28), seed=seed).found
        hits += any(literal.value == "zebra" for each in found for literal in each.literals)
    assert hits >= 5
    assert smallest_slice(100, 1) is None
    assert smallest_slice(100, 60) is None, "nothing can fail twice as often"


def test_a_runs_slices_are_told_with_texts_and_lines_that_hold_the_same_examples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    robustfim, chance = CommandLine(tmp_path, capsys), random.Random(2)
    words = ["good", "bad", "calm", "story", "long", "short", "actor"]
    texts = []
    for number in range(600):
        some = chance.choices(words, k=chance.randint(4, 9))
        texts.append(" ".join(["film", *some, *["refund"] * (number % 5 == 0), f"n{number}"]))
    robustfim.write("data.csv", "\n".join(["text,label", *(f"{text},positive" for text in texts)]) + "\n")
    robustfim.write(
        "verdicts.py",
        "def judge(texts):\n    calm = lambda text: text if 'refund' in text.lower() else text.lower()\n"
        "    return ['positive' if 'film' in calm(text) else 'negative' for text in texts]\n",
    )
    suite = {
        "suite": "gathered", "model": {"use": "python", "call": "verdicts:judge", "labels": ["negative", "positive"]},
        "data": {"use": "csv", "path": "data.csv"}, "one_label": True,
        "checks": {"loud": {"perturb": "case", "expect": "invariant"}},
    }  # fmt: skip
    robustfim.write("gathered.yaml", yaml.safe_dump(suite))
    assert robustfim("run gathered.yaml --no-store").code == 0
    shown = robustfim("slices reports/gathered --json found.json")
    assert shown.code == 0
    assert "120 of 600 tested examples fail; " in shown.out
    told = re.search(r"examples with 'refund': (\d+) of \1 fail, 100 % .*; of the others 0.0 %", shown.out)
    assert told, shown.out
    (best, *_) = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert best["tested"] == int(told[1])
    assert best["definition"] == {"refund": {"contains": "refund"}}
    lines = yaml.safe_load(re.findall(r"slices: .*", shown.out)[0])
    assert lines == {"slices": {"refund": {"contains": "refund"}}}
    robustfim.write("gathered.yaml", yaml.safe_dump(suite | lines))
    robustfim("run gathered.yaml --no-store")
    (held,) = Record.load(tmp_path / "reports" / "gathered").slices
    assert held.examples == 120
    assert sorted(held.members) == sorted(best["examples"])
    refused(robustfim("slices reports/gathered --check lowd"), "no check 'lowd'. Did you mean 'loud'?")


def test_lengths_are_counted_as_a_suites_slices_count_them() -> None:
    chance = random.Random(8)
    rows = [
        SliceRow(str(n), " ".join(["well-known isn't"] * chance.randint(1, 20)), chance.random() < 0.2, "all")
        for n in range(2000)
    ]
    long = [SliceRow(f"long {n}", " ".join(["it's"] * 60), chance.random() < 0.8, "all") for n in range(300)]
    best = find_slices(rows + long).found[0]
    low, high = next(each.value for each in best.literals if each.key == "words")
    assert high is None
    assert 30 <= low <= 60
    assert f"of at least {low} words" in best.said
    for row in long[:3] + rows[:20]:
        number = slices._words(Example({"text": row.text}))
        held = [slice_search._holds(Literal("words", (n, n), ""), row) for n in (number - 1, number, number + 1)]
        assert held == [False, True, False]
