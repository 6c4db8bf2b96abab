"""The perturbations inside the harness, over the bundled reviews."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import robustfim_reference
import robustfim_words
from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.propose.proposal import Proposer
from robustfim_words.constraints.same_part_of_speech import SamePartOfSpeech
from tests.plugins.robustfim_words.samples import ENGLISH
from tests.robustfim.toys import Bench, check

NAMES = sorted({*ENGLISH} - {"neighbours"})
"""All but the one that needs a model with embeddings; test_neighbours.py runs it with one."""
ROWS = (
    (Path(robustfim_reference.__file__).parent / "reviews" / "reviews.jsonl").read_text(encoding="utf-8").splitlines()
)
ALL = [Example({"text": json.loads(row)["text"]}) for row in ROWS]
REVIEWS = ALL[:60]
RARE = ("ages", "identities", "negation", "organisations", "religions")
"""Perturbations for which the first reviews have nothing."""


def propose(examples: Sequence[Example], made: Any, **options: Any) -> tuple[list[list[Candidate]], Proposer]:
    bench = Bench(examples)
    proposer = Proposer(check(made, **options), bench.context)
    proposer.prepare()
    return proposer.candidates(bench.examples), proposer


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    import importlib

    targets = {name: target.split(":") for name, target in robustfim_words.robustfim_offers()["perturbations"].items()}
    return {name: getattr(importlib.import_module(module), cls)() for name, (module, cls) in targets.items()}


@pytest.mark.parametrize("name", NAMES)
def test_no_candidate_of_a_review_is_the_review_again(shipped: dict[str, Any], name: str) -> None:
    reviews = [*ALL, Example({"text": "It was a good film for gay men."})] if name in RARE else REVIEWS
    found, proposer = propose(reviews, shipped[name], perturb={"candidates": 4})
    assert proposer.counts.unchanged == 0
    assert max(map(len, found)) <= 4
    for source, candidates in zip(reviews, found, strict=True):
        texts = [candidate.example.text for candidate in candidates]
        assert source.text not in texts
        assert len(set(texts)) == len(texts)
    assert any(found)


def test_constraints_of_the_plugin_judge_its_synonyms(shipped: dict[str, Any]) -> None:
    constraint = {"same_part_of_speech": SamePartOfSpeech()}
    found, proposer = propose(REVIEWS, shipped["synonyms"], constraints=constraint)
    assert any(found)
    assert 0 < proposer.counts.edits_rejected.total() < 0.3 * proposer.counts.edits
