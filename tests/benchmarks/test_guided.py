"""The comparison of searches: it counts what a run of the tool counts, and reads as it should."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import torch

pytest.importorskip("transformers")

from benchmarks.environment import environment
from benchmarks.greedy import Remaining, greedy_search
from benchmarks.guided import Found, Order, Search, compare, guided
from benchmarks.minilm import LABELS, MeanPooled, fit_head
from benchmarks.results import Results, render
from benchmarks.transformer import Transformer, open_transformer
from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.seeds import random_for
from robustfim.session.open import open_session
from robustfim_fisher.geometry import FisherGeometry
from robustfim_reference.bundled import Reviews
from robustfim_reference.model import FastText
from tests.plugins.robustfim_textattack.library import Library
from tests.plugins.robustfim_textattack.library import library as library  # the fixture, which pytest finds by its name

TITLES = ("guided", "guided, two gradients", "guided, three gradients")
REVIEWS = list(Reviews(limit=24).load())
SOURCE = Example({"text": "a dull plot and a fine cast"}, "negative")
EDITS = [
    Edit("text", 0, 6, "a dull", "a grey"),
    Edit("text", 0, 6, "a dull", "an odd"),
    Edit("text", 7, 11, "plot", "tale"),
    Edit("text", 18, 22, "fine", "great"),
]


@pytest.fixture(scope="module")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> Transformer:
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    return open_transformer(None, tmp_path_factory.mktemp("transformer"), **shape)


@pytest.mark.slow
def test_the_searches_find_what_checks_of_a_suite_find(tmp_path: Path) -> None:
    lines = [
        "suite: searches",
        "model: reference/fasttext",
        f"data: {{use: reviews, limit: {len(REVIEWS)}}}",
        "checks:",
    ]
    for gradients, most in ((1, 1), (3, 8)):
        perturb = f"use: neighbours, words: 0.1, candidates: {most}, order: {{use: guided, gradients: {gradients}}}"
        lines.append(f"  with-{gradients}: {{perturb: {{{perturb}}}, limit: 1}}")
    suite = tmp_path / "searches.yaml"
    suite.write_text("\n".join([*lines, "reports: []"]), encoding="utf-8")
    record, _ = open_session(suite).run()
    found = compare("reference/fasttext", FastText(), REVIEWS, tested=REVIEWS, absent="not asked for")
    assert found.accuracy == record.model.accuracy
    failing = {search.name: search.failing for search in found.searches}
    assert [each.failing for each in record.checks] == [
        failing["guided, one candidate"],
        failing["guided, three gradients, up to 8"],
    ]
    assert {each.tested for each in record.checks} == {found.texts}
    calls = {search.name: search.calls for search in found.searches}
    assert calls["guided, one candidate"] == pytest.approx(found.texts * (2 + found.gradient))
    assert calls["guided, three gradients, one candidate"] == pytest.approx(found.texts * (2 + 3 * found.gradient))
    assert calls["random, one candidate"] == 2 * found.texts
    # Each text that random choice never flips has cost its hundred candidates, or as many as there are.
    assert 2 * found.texts < calls["random, up to 8"] <= 9 * found.texts < calls["random, up to 100"]
    assert found.many == found.searches[-1].failing >= max(order.found[-1] for order in found.orders) > 0
    assert all(list(order.found) == sorted(order.found) for order in found.orders)
    assert [order.calls[0] for order in found.orders] == [calls[f"{each}, one candidate"] for each in TITLES]
    assert [order.gradients for order in found.orders if order.default] == [1]
    assert calls["order: queries, most: 0, one candidate"] == 2 * found.texts


def test_the_edits_that_remain_are_those_that_fit_and_no_more_than_are_wanted() -> None:
    remaining = Remaining(SOURCE, EDITS, 2)
    texts = set()
    for first in remaining.edits(SOURCE, Random(0)):
        one = Candidate(SOURCE, (first,)).example
        for second in remaining.edits(one, Random(0)):
            two = Candidate(one, (second,)).example
            texts.add(two.text)
            assert list(remaining.edits(two, Random(0))) == []
    pairs = [(a, b) for a in EDITS for b in EDITS if a < b and not a.overlaps(b)]
    assert texts == {Candidate(SOURCE, pair).example.text for pair in pairs}
    assert [(edit.before, edit.after) for edit in remaining.edits(SOURCE, Random(0))][:2] == [
        ("dull", "grey"),
        ("a dull", "an odd"),
    ]


def test_the_greedy_search_counts_each_text_that_it_asks_for(library: Library) -> None:
    class Counted:
        """Says positive as often as good words turn up."""

        labels: tuple[str, ...] = LABELS
        fingerprint = "counted"

        def __init__(self) -> None:
            self.asked: list[str] = []

        def predict(self, examples: Sequence[Example]) -> Any:
            self.asked += [example.text for example in examples]
            good = [sum(word in example.text.split() for word in ("great", "tale")) for example in examples]
            return np.array([[0.7 - 0.15 * n, 0.3 + 0.15 * n] for n in good])

    model = Counted()
    space = [(Remaining(SOURCE, EDITS, 2), SOURCE, "negative")]
    assert greedy_search(model, space) == (1, len(model.asked))
    assert len(model.asked) == len(set(model.asked)) > len(SOURCE.text.split())
    assert "a dull tale and a great cast" in model.asked
    assert greedy_search(Counted(), [(Remaining(SOURCE, EDITS, 1), SOURCE, "negative")])[0] == 0


def test_the_mean_pooled_model_reads_padded_texts_alone(transformer: Transformer) -> None:
    model = MeanPooled(transformer.folder)
    model.head.weight[:] = torch.eye(2, 16)
    together = model.predict(REVIEWS[:3])
    for row, example in zip(together, REVIEWS, strict=False):
        assert row == pytest.approx(model.predict([example])[0], abs=1e-6)
        embedded = model.embed([example])
        hidden = model.bert(**model._tokenizer(example.text, return_tensors="pt")).last_hidden_state
        logits = model.logits(embedded.embeddings, embedded)
        assert logits[0].tolist() == pytest.approx(hidden[0].mean(0)[:2].tolist(), abs=1e-5)
        words = [example.text[span[1] : span[2]] for span in embedded.spans[0] if span]
        assert "".join(words).lower() == "".join(example.text.split()).lower()
    assert FisherGeometry(model).at(REVIEWS[:1])[0].lambda_max > 0


def test_the_head_is_fitted_to_the_training_data(transformer: Transformer, tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    (tmp_path / "rotten_tomatoes").mkdir()
    random = random_for(0, "texts")
    words = dict(zip(LABELS, (["film", "story", "cast"], ["plot", "song", "joke"]), strict=True))
    texts = [(label, " ".join(random.choices(words[label], k=6))) for label in LABELS for _ in range(30)]
    lines = ["text,label", *(f"{text},{label}" for label, text in texts)]
    (tmp_path / "rotten_tomatoes" / "train.csv").write_text("\n".join(lines), encoding="utf-8")
    model = fit_head(transformer, tmp_path)
    found = model.predict([Example({"text": text}) for _, text in texts]).argmax(1)
    assert np.mean([LABELS[row] == label for row, (label, _) in zip(found, texts, strict=True)]) > 0.8


def test_without_data_nothing_is_measured(transformer: Transformer) -> None:
    assert list(guided(transformer, None)) == [("all models", "no --data")]


def test_the_results_say_how_much_of_the_aim_is_reached() -> None:
    searches = (Search("guided, one candidate", 30, 5500), Search("random, up to 100", 40, 50_000))
    orders = (
        Order(1, (37, 37, 38, 39, 40, 40, 40, 40), tuple(5000.0 + 100 * k for k in range(8)), default=True),
        Order(3, (38, 38, 39, 39, 40, 40, 40, 40), tuple(6000.0 + 100 * k for k in range(8)), default=False),
    )
    none = Order(1, (0,) * 8, (100.0,) * 8, default=True)
    results = Results(environment(), "python -m benchmarks")
    results.found = [
        Found("a CNN", 2.25, 0.8, 1000, 40, orders, searches, "textattack is not installed", "a tagger"),
        Found("a BERT", 2.0, 0.9, 150, 40, orders[:1], searches, None, "a tagger"),
        Found("a rock", 1.0, 0.5, 10, 0, (none,), (), None, "a tagger"),
        ("MiniLM", "sklearn is not installed"),
    ]
    text = render(results)
    lines = [line for line in text.splitlines() if line.startswith("| a ")]
    shares = "92.5% [80.1%, 97.4%] | 100.0% [91.2%, 100.0%]"
    assert lines[0].endswith(f"| 40 | 1 (default) | 2.25 | {shares} | missed | 3, 5,200 calls | least |")
    assert lines[1].endswith(
        "| 40 | 3 | 2.25 | 95.0% [83.5%, 98.6%] | 100.0% [91.2%, 100.0%] | met | 1, 6,000 calls |  |"
    )
    assert lines[2].startswith("| a BERT | 90.0% | 150 | 40 | 1 (default) | 2.00 |")
    assert lines[3].endswith("| 1 (default) | 1.00 | none to find | none to find | missed |  |  |")
    assert lines[4] == "| a CNN | guided, one candidate | 3.0% [2.1%, 4.3%] | 5,500 | 5.5 |"
    assert "- TextAttack's search, a CNN: not measured: textattack is not installed" in text
    assert "- MiniLM: not measured: sklearn is not installed" in text
    results.found = [("all models", "no --data")]
    assert "## The guided order\n\n- all models: not measured: no --data\n" in render(results)
