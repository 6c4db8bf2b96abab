"""The rated pairs: complete, and what a reader refused does not come back."""

from __future__ import annotations

import csv
import importlib
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

import robustfim_words
from benchmarks.reach import section as section_of_reach
from benchmarks.reach import table
from benchmarks.readings import digest
from benchmarks.validity import Rated, read_ratings
from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.roles import Substitution
from tests.house.tree import ROOT
from tests.plugins.robustfim_words.samples import ENGLISH

NOT_RATED = {"identities", "neighbours", "random_words"}
"""The noise controls, which may say anything, and one whose pairs nobody has rated yet."""

DATA = ROOT.parent / "shared" / "data"
PATHS = [
    f"{part}/{name}.csv"
    for part in ("rotten_tomatoes", "ag_news", "counterfactual_imdb", "movie_reviews")
    for name in ("train", "dev")
]


@pytest.fixture(scope="module")
def rated() -> list[Rated]:
    return read_ratings()


def perturbation(name: str) -> object:
    module, cls = robustfim_words.robustfim_offers()["perturbations"][name].split(":")
    return getattr(importlib.import_module(module), cls)()


def made(perturbation: object, example: Example, seed: str) -> Iterator[Candidate]:
    """The candidates of an example; of a perturbation with endless draws, the first forty."""
    random = Random(f"{seed}{example.text}")  # reproducible, not secret
    if isinstance(perturbation, Substitution):
        return (Candidate(example, (edit,)) for edit in perturbation.edits(example, random))
    return islice(perturbation.propose(example, random), 40)  # type: ignore[attr-defined]  # the other kind


def test_a_thousand_pairs_of_every_perturbation_are_rated(rated: list[Rated]) -> None:
    assert len(rated) >= 1000
    assert {each.verdict for each in rated} <= {*"VGMX"}
    names = {each.perturbation for each in rated}
    assert names == {*ENGLISH, "rules"} - NOT_RATED


def test_no_text_is_kept(rated: list[Rated]) -> None:
    assert all(len(each.edits) < 400 for each in rated)


def texts() -> Iterator[str]:
    csv.field_size_limit(10_000_000)
    for path in PATHS:
        with (DATA / path).open(encoding="utf-8", newline="") as file:
            yield from (row["text"] for row in csv.DictReader(file))


@pytest.mark.skipif(not DATA.is_dir(), reason="the public data sets lie beside a checkout only")
def test_a_pair_that_was_refused_and_mended_does_not_come_back(rated: list[Rated]) -> None:
    offered = robustfim_words.robustfim_offers()["perturbations"]
    wanted = [each for each in rated if each.state == "mended" and each.perturbation in offered]
    sources = {each.source for each in wanted}
    known = {key: text for text in texts() if (key := digest(text)) in sources}
    perturbations = {}
    back, looked_at = [], 0
    for each in wanted:
        if each.source not in known:
            continue
        looked_at += 1
        if each.perturbation not in perturbations:
            perturbations[each.perturbation] = perturbation(each.perturbation)
        example = Example({"text": known[each.source]})
        for seed in (each.round, "0"):
            found = {digest(c.example.text) for c in made(perturbations[each.perturbation], example, seed)}
            if each.result in found:
                back.append((each.perturbation, each.verdict, each.edits))
    assert looked_at >= 40
    assert not back


def test_reach_counts_texts_and_candidates_of_each_kind() -> None:
    few, many = ({"numbers": {"film": (part, 10, 2 * part), "news": (0, 10, 0)}} for part in (1, 8))  # texts of ten
    assert "| `numbers` | 80% | 0% | 40% | 0.80 | 1,234 |" in table(many, {"numbers": 1234.4}).splitlines()
    assert "is met" in section_of_reach(many, {"numbers": 1.0})
    assert "is missed" in section_of_reach(few, {"numbers": 1.0})
