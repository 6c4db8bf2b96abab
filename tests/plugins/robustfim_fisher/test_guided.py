"""The guided order: first-order effects against exact changes of the logits."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch

from robustfim.candidate import Candidate, Edit, Step
from robustfim.contract import ModelContract
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.seeds import random_for
from robustfim_fisher.geometry import FisherGeometry
from robustfim_fisher.guided import Guided
from tests.plugins.robustfim_fisher.models import WORDS, Run, WordModel, model_of, sentences


def edits_of(example: Example) -> list[Edit]:
    """Every other word of the list in place of every word."""
    found: list[Edit] = []
    start = 0
    for word in example.text.split():
        found.extend(Edit("text", start, start + len(word), word, new) for new in WORDS if new != word)
        start += len(word) + 1
    return found


def margin_fall(model: WordModel, candidate: Candidate) -> float:
    """How far the margin between the source's top label and its runner-up falls, exactly."""
    return margin_falls(model, [candidate])[0]


def margin_falls(model: WordModel, candidates: Sequence[Candidate]) -> list[float]:
    """The same of candidates of one source, by passes through the model."""
    embedded = model.embed([candidates[0].source, *(candidate.example for candidate in candidates)])
    with torch.no_grad():
        logits = model.logits(embedded.embeddings, embedded).double()
    top, runner_up = logits[0].argsort(descending=True)[:2]
    margins = logits[:, top] - logits[:, runner_up]
    found: list[float] = (margins[0] - margins[1:]).tolist()
    return found


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("special", [False, True])
def test_on_a_linear_model_the_effect_is_the_exact_change_of_the_margin(classes: int, special: bool) -> None:
    model = model_of("linear", classes=classes, special=special)
    random = random_for(3, "edits")
    candidates = []
    for example in sentences(6):
        singles = edits_of(example)
        candidates += [Candidate(example, (edit,)) for edit in random.sample(singles, 4)]
        first = random.choice(singles)
        apart = [edit for edit in singles if not edit.overlaps(first)]
        candidates += [Candidate(example, (first, random.choice(apart)))] if apart else []
    random.shuffle(candidates)
    found = Guided().effects(candidates, Run(model))
    np.testing.assert_allclose(found, [margin_fall(model, c) for c in candidates], rtol=1e-4, atol=1e-5)


def test_the_effects_of_edits_of_one_source_add_up() -> None:
    run = Run(model_of("cnn", pieces=True))
    example = Example({"text": "a slow film nobody remembers fondly"})
    edits = [
        Edit("text", 2, 6, "slow", "quick"),  # One piece becomes two.
        Edit("text", 12, 18, "nobody", "all"),  # Two become one.
        Edit("text", 29, 35, "fondly", "gladly"),
    ]
    alone = Guided().effects([Candidate(example, (edit,)) for edit in edits], run)
    (together,) = Guided().effects([Candidate(example, tuple(edits))], run)
    assert together == pytest.approx(sum(alone), rel=1e-5)
    assert all(abs(effect) > 1e-4 for effect in alone)


def test_a_word_of_other_pieces_is_compared_by_its_mean_embedding() -> None:
    model = model_of("cnn", pieces=True, special=True)
    run = Run(model)
    example = Example({"text": "a slow remembers film"})  # a | slow | reme mber s | film
    (point,) = run.geometry.at([example])
    g, e = point.margin_gradient, model.embed([example]).embeddings[0]

    def effect(edit: Edit) -> float:
        return Guided().effects([Candidate(example, (edit,))], run)[0]

    def row(piece: str) -> torch.Tensor:
        found: torch.Tensor = model.embed([Example({"text": piece})]).embeddings[0, 1]
        return found

    more = (row("stea") + row("dily")) / 2
    expected = -(g[2] * (more - e[2])).sum()
    assert effect(Edit("text", 2, 6, "slow", "steadily")) == pytest.approx(float(expected), rel=1e-4)
    less = row("sees")
    expected = -sum((g[token] * (less - e[token])).sum() for token in (3, 4, 5))
    assert effect(Edit("text", 7, 16, "remembers", "sees")) == pytest.approx(float(expected), rel=1e-4)
    mean = e[1:-1].mean(0)
    expected = -(g[2] * (mean - e[2])).sum()
    assert effect(Edit("text", 2, 7, "slow ", "")) == pytest.approx(float(expected), rel=1e-4)
    expected = -((g[1] + g[2]) / 2 * (row("very") - mean)).sum()
    assert effect(Edit("text", 2, 2, "", "very ")) == pytest.approx(float(expected), rel=1e-4)


def test_deletions_and_insertions_of_a_linear_model_are_nearly_exact() -> None:
    model = model_of("linear")
    example = Example({"text": " ".join(WORDS)})
    start = example.text.index("bright ")
    deletion = Candidate(example, (Edit("text", start, start + 7, "bright ", ""),))
    insertion = Candidate(example, (Edit("text", start, start, "", "grey "),))
    n = len(WORDS)
    found = Guided().effects([deletion, insertion], Run(model))
    # Exact on the mean of n tokens: g·(ē − e) · n/(n − 1), and g·(e′ − ē) · n/(n + 1).
    assert found[0] * n / (n - 1) == pytest.approx(margin_fall(model, deletion), rel=1e-4)
    assert found[1] * n / (n + 1) == pytest.approx(margin_fall(model, insertion), rel=1e-4)


@pytest.mark.parametrize("architecture", ["cnn", "lstm"])
def test_the_first_candidates_of_the_order_move_the_margin_most(architecture: str) -> None:
    model = model_of(architecture, dims=8)
    run = Run(model)
    for example in sentences(4, seed=5, longest=9):
        candidates = [Candidate(example, (edit,)) for edit in edits_of(example)]
        exact = np.array(margin_falls(model, candidates))
        found = np.array(Guided().effects(candidates, run))
        first = np.argsort(-found)[:5]
        assert exact[first].mean() > np.quantile(exact, 0.8)


def test_steps_and_unchanged_texts_have_no_effect() -> None:
    example, other = sentences(2)
    word = example.text.split()[0]
    candidates = [
        Candidate(example, step=Step("eigenvector", 1.0)),
        Candidate(example),
        Candidate(example, (Edit("text", 0, len(word), word, word),)),
        Candidate(other, (edits_of(other)[0],)),
    ]
    run = Run(model_of("linear"))
    found = Guided().effects(candidates, run)
    assert found[:3] == [0.0, 0.0, 0.0]
    assert found[3] != 0
    assert Guided().effects(candidates[:2], Run(object())) == [0.0, 0.0]


def test_a_source_without_finite_gradients_gives_no_guidance() -> None:
    model = model_of("linear")
    with torch.no_grad():
        model.module.network.linear.bias[0] = torch.nan
    example = sentences(1)[0]
    assert Guided().effects([Candidate(example, (edits_of(example)[0],))], Run(model)) == [0.0]


def test_without_places_tokens_are_compared_by_position() -> None:
    model = model_of("linear")
    run = Run(model)
    example = Example({"text": "a slow film"})
    pair = Candidate(example, (Edit("text", 0, 1, "a", "the"), Edit("text", 7, 11, "film", "grief")))
    longer = Candidate(example, (Edit("text", 0, 1, "a", "the the"),))
    expected = Guided().effects([pair], run)
    placed = model.embed

    def unplaced(examples: object) -> object:
        embedded = placed(examples)  # type: ignore[arg-type]  # passed on
        return type(embedded)(
            embedded.embeddings, embedded.mask, embedded.special, [[None] * len(row) for row in embedded.spans]
        )

    model.embed = unplaced  # type: ignore[assignment,method-assign]  # a model that knows no places
    assert Guided().effects([pair, longer], run) == pytest.approx([*expected, 0.0])


def test_special_tokens_are_summed_only_when_asked() -> None:
    model = model_of("cnn", special=True)
    geometry = FisherGeometry(model)
    example = sentences(1)[0]
    candidate = Candidate(example, (edits_of(example)[0],))
    run = Run(model, geometry)
    # [CLS] and [SEP] have the same embeddings before and after: the effect is one, the gradients are two.
    assert Guided("all").effects([candidate], run) == pytest.approx(Guided().effects([candidate], run))
    assert geometry.calls == 2


def test_candidates_cost_no_pass_through_the_model() -> None:
    model = model_of("lstm")
    examples = sentences(5)
    candidates = [Candidate(example, (edit,)) for example in examples for edit in edits_of(example)]
    Guided().effects(candidates, Run(model))
    assert sum(model.forwards) == 5


@pytest.mark.slow
def test_thousands_of_candidates_take_seconds() -> None:
    model = model_of("cnn", dims=50)
    model.contract = ModelContract(batch_size=64)
    examples = sentences(50, seed=2, longest=30)
    random = random_for(0, "edits")
    candidates = []
    for example in examples:
        candidates += [Candidate(example, (edit,)) for edit in random.choices(edits_of(example), k=100)]
    started = time.process_time()
    found = Guided().effects(candidates, Run(model))
    assert len(found) == 5_000
    assert np.isfinite(found).all()
    assert time.process_time() - started < 20  # Under 1 s alone, of the processor: others may be at work.


def test_a_model_says_how_many_gradients_are_taken_of_it_and_the_order_has_the_last_word() -> None:
    model: Any = model_of("cnn", dims=8)
    candidates = [Candidate(sentence, (edit,)) for sentence in sentences(3) for edit in edits_of(sentence)[:5]]
    one, two = (Guided(gradients=number).effects(candidates, Run(model)) for number in (1, 2))
    assert one != pytest.approx(two)
    assert Guided().effects(candidates, Run(model)) == one
    model.contract = ModelContract(gradients=2)
    run = Run(model)
    assert Guided().effects(candidates, run) == two
    assert run.steps == 3, "one more gradient a source"
    assert Guided(gradients=1).effects(candidates, Run(model)) == one


def test_a_black_box_cannot_be_guided() -> None:
    class Remote:
        labels = ("no", "yes")

    example = sentences(1)[0]
    with pytest.raises(ModelError, match="Remote has no gradients"):
        Guided().effects([Candidate(example, (edits_of(example)[0],))], Run(Remote()))


@pytest.mark.parametrize("gradients", [1, 3])
def test_a_surrogate_of_the_model_itself_gives_its_own_order(gradients: int) -> None:
    model = model_of("linear", classes=2)
    candidates = [Candidate(sentence, (edit,)) for sentence in sentences(3) for edit in edits_of(sentence)[:5]]
    own = Guided(gradients=gradients).effects(candidates, Run(model))
    assert Guided(gradients=gradients, surrogate=model).effects(candidates, Run(model)) == pytest.approx(own)


class Contrary:
    """Says the other label than a model says."""

    def __init__(self, model: WordModel) -> None:
        self._model, self.labels, self.fingerprint = model, model.labels, "contrary"

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        return [list(row)[::-1] for row in self._model.predict(examples)]


def test_where_a_surrogate_disagrees_it_is_followed_the_other_way() -> None:
    model = model_of("linear", classes=2)
    candidates = [Candidate(sentence, (edit,)) for sentence in sentences(3) for edit in edits_of(sentence)[:5]]
    own = Guided().effects(candidates, Run(model))
    other = Guided(surrogate=model).effects(candidates, Run(Contrary(model)))
    assert other == pytest.approx([-effect for effect in own])


def test_a_surrogate_without_gradients_or_with_other_labels_is_refused() -> None:
    model = model_of("linear", classes=2)
    with pytest.raises(UsageError, match="surrogate: Contrary gives predictions only"):
        Guided(surrogate=Contrary(model))
    strange = Contrary(model)
    strange.labels = ("up", "down")
    candidate = Candidate(sentences(1)[0], (edits_of(sentences(1)[0])[0],))
    with pytest.raises(ModelError, match="the surrogate does not know the model's label"):
        Guided(surrogate=model).effects([candidate], Run(strange))
