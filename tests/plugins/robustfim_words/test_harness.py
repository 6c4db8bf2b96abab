"""The perturbations inside the harness: words, candidates, fields and both orders, over the bundled reviews."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import robustfim_reference
import robustfim_words
from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.predict.context import RunContext
from robustfim.propose.proposal import Proposer
from robustfim_words.constraints.same_part_of_speech import SamePartOfSpeech
from tests.plugins.robustfim_words.samples import ENGLISH, perturbation
from tests.robustfim.toys import Bench, check

NAMES = sorted({*ENGLISH} - {"neighbours"})
"""All but the one that needs a model with embeddings; test_neighbours.py runs it with one."""
ROWS = (
    (Path(robustfim_reference.__file__).parent / "reviews" / "reviews.jsonl").read_text(encoding="utf-8").splitlines()
)
ALL = [Example({"text": json.loads(row)["text"]}) for row in ROWS]
REVIEWS = ALL[:60]
RARE = ("ages", "identities", "organisations", "religions")
"""Perturbations for which the first reviews have nothing."""
PAIR = Example({"premise": "Kirsten Dunst saw two good films in Paris.", "hypothesis": "Dunst saw a film, it is said."})


class Shortest:
    """An order that tries first what makes the text short."""

    def effects(self, candidates: Sequence[Candidate], context: RunContext) -> list[float]:
        return [-float(len(candidate.example.text)) for candidate in candidates]


def propose(examples: Sequence[Example], made: Any, **options: Any) -> tuple[list[list[Candidate]], Proposer]:
    bench = Bench(examples)
    proposer = Proposer(check(made, **options), bench.context, bench.store)
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


def test_a_share_of_the_words_is_changed(shipped: dict[str, Any]) -> None:
    found, _ = propose(REVIEWS, shipped["typos"], perturb={"words": 0.2, "candidates": 2})
    for source, candidates in zip(REVIEWS, found, strict=True):
        size = len(source.text.split())
        assert candidates
        assert all(len(candidate.edits) <= round(0.2 * size) + 2 for candidate in candidates)
        assert size < 30 or all(len(candidate.edits) >= 4 for candidate in candidates)


def test_a_count_of_words_is_changed(shipped: dict[str, Any]) -> None:
    found, _ = propose(REVIEWS[:10], shipped["typos"], perturb={"words": 3})
    assert all(len(candidate.edits) == 3 for candidates in found for candidate in candidates)


@pytest.mark.parametrize("name", ["synonyms", "people", "typos", "contractions", "case"])
def test_only_the_named_fields_change(tmp_path: Path, name: str) -> None:
    made = perturbation(name, tmp_path)
    (candidates,), _ = propose([PAIR], made, perturb={"fields": ["hypothesis"]})
    assert candidates
    assert {edit.field for candidate in candidates for edit in candidate.edits} <= {"hypothesis"}


@pytest.mark.parametrize("name", ["typos", "people"])
def test_a_guided_order_puts_the_strongest_candidate_first(shipped: dict[str, Any], name: str) -> None:
    found, _ = propose(REVIEWS, shipped[name], perturb={"candidates": 4, "order": "guided"}, order=Shortest())
    ranked = [[len(candidate.example.text) for candidate in candidates] for candidates in found if candidates]
    assert ranked
    assert all(lengths == sorted(lengths) for lengths in ranked)


def test_constraints_of_the_plugin_judge_its_synonyms(shipped: dict[str, Any]) -> None:
    constraint = {"same_part_of_speech": SamePartOfSpeech()}
    found, proposer = propose(REVIEWS, shipped["synonyms"], constraints=constraint)
    assert any(found)
    assert 0 < proposer.counts.edits_rejected.total() < 0.3 * proposer.counts.edits


def test_a_typo_stays_close_to_its_word(shipped: dict[str, Any]) -> None:
    found, _ = propose(REVIEWS[:20], shipped["typos"])
    for candidates in found:
        for candidate in candidates:
            (edit,) = candidate.edits
            assert difflib.SequenceMatcher(None, edit.before, edit.after).ratio() >= 0.6
