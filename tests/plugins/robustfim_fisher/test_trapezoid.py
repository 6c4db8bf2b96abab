"""Effects from several gradients: against the literal rule, and against the exact fall of a quadratic margin."""

from __future__ import annotations

from typing import Literal

import pytest
import torch
from torch import Tensor, nn

from robustfim.candidate import Candidate, Edit
from robustfim.contract import ModelContract
from robustfim.example import Example
from robustfim_fisher.guided import Guided
from robustfim_fisher.trapezoid import trapezoid_effects
from tests.plugins.robustfim_fisher.models import Run, WordModel, model_of, seeded, sentences
from tests.plugins.robustfim_fisher.test_guided import edits_of, margin_fall


class Quadratic(nn.Module):
    """z = (xᵀ A x + b·x, 0), x being the mean token."""

    def __init__(self, dims: int) -> None:
        super().__init__()
        self.quadratic = nn.Bilinear(dims, dims, 1, bias=False)
        self.linear = nn.Linear(dims, 1)

    def forward(self, embeddings: Tensor, mask: Tensor) -> Tensor:
        mean = embeddings.masked_fill(~mask[..., None], 0).sum(1) / mask.sum(1, keepdim=True).to(embeddings)
        first = self.quadratic(mean, mean) + self.linear(mean)
        return torch.cat([first, torch.zeros_like(first)], dim=1)


def singles_of(example: Example) -> list[Candidate]:
    return [Candidate(example, (edit,)) for edit in edits_of(example)]


def pushed_together(singles: list[Candidate], effects: list[float]) -> Candidate:
    """The source with the best word at every place where that lowers the margin."""
    best: dict[int, tuple[float, Edit]] = {}
    for candidate, effect in zip(singles, effects, strict=True):
        (edit,) = candidate.edits
        if effect > max(0, best.get(edit.start, (0.0, edit))[0]):
            best[edit.start] = effect, edit
    return Candidate(singles[0].source, tuple(edit for _, edit in best.values()))


@pytest.mark.parametrize("tokens", ["text", "all"])
@pytest.mark.parametrize(("architecture", "classes", "gradients"), [("cnn", 2, 2), ("lstm", 4, 3), ("bert", 4, 5)])
def test_the_effects_are_those_of_the_mean_gradient_of_the_path(
    architecture: str, classes: int, gradients: int, tokens: Literal["text", "all"]
) -> None:
    model = model_of(architecture, classes=classes, special=True)
    candidates = [single for example in sentences(3, longest=6) for single in singles_of(example)]
    run = Run(model)
    first = Guided(tokens).effects(candidates, run)
    found = trapezoid_effects(run, candidates, gradients=gradients, tokens=tokens)
    changed = 0
    for source in {candidate.source: None for candidate in candidates}:
        own = [row for row, candidate in enumerate(candidates) if candidate.source is source]
        end = pushed_together([candidates[row] for row in own], [first[row] for row in own])
        embedded = model.embed([source, end.example])
        start, last = embedded.embeddings
        logits = model.logits(embedded.embeddings, embedded)[0]
        above, below = logits.argsort(descending=True)[:2]
        along = torch.linspace(0, 1, gradients)
        at = torch.stack([start + share * (last - start) for share in along]).requires_grad_()
        ours = model.embed([source] * gradients)
        margins = model.logits(at, ours)[:, above] - model.logits(at, ours)[:, below]
        gradient = torch.trapezoid(torch.autograd.grad(margins.sum(), at)[0], along, dim=0)
        for row in own:
            (after,) = model.embed([candidates[row].example]).embeddings
            assert found[row] == pytest.approx(
                -float((gradient * (after - embedded.embeddings[0])).sum()), rel=1e-3, abs=1e-5
            )
            changed += abs(found[row] - first[row]) > 1e-3
    assert changed > len(candidates) / 2


def test_the_effects_of_a_quadratic_margin_add_up_to_its_fall() -> None:
    with seeded(1):
        model = WordModel(Quadratic(6), dims=6)
    for example in sentences(6, seed=4):
        candidates = singles_of(example)
        run = Run(model)
        first = list(Guided().effects(candidates, run))
        effects = Guided(gradients=2).effects(candidates, run)
        end = pushed_together(candidates, first)
        together = sum(effects[row] for row, candidate in enumerate(candidates) if candidate.edits[0] in end.edits)
        assert together == pytest.approx(margin_fall(model, end), rel=1e-3, abs=1e-5)
        assert sum(max(0.0, effect) for effect in first) > 0


def test_a_word_in_the_shadow_of_another_is_seen() -> None:
    class Loudest(nn.Module):
        """z = (the largest first coordinate of a token, 0)."""

        def forward(self, embeddings: Tensor, mask: Tensor) -> Tensor:
            first = embeddings[..., 0].masked_fill(~mask, -torch.inf).amax(1)
            return torch.stack([first, torch.zeros_like(first)], dim=1)

    model = WordModel(Loudest(), dims=2)
    rows = {word: model.tokens(Example({"text": word}))[0][0] for word in ("great", "good", "poor", "the")}
    with torch.no_grad():
        for word, value in (("great", 3.0), ("good", 2.0), ("poor", -2.0), ("the", 0.5)):
            model.module.embedding.weight[rows[word]] = torch.tensor([value, 0.0])
    example = Example({"text": "the great good"})
    great, good = (
        Candidate(example, (Edit("text", start, end, before, "poor"),))
        for start, end, before in ((4, 9, "great"), (10, 14, "good"))
    )
    both = Candidate(example, (*great.edits, *good.edits))
    assert Guided().effects([great, good], Run(model)) == pytest.approx([5, 0])
    # "good" is in the shadow of "great": only with both gone does the maximum fall to that of "the".
    found = Guided(gradients=2).effects([both, great, good], Run(model))
    assert found == pytest.approx([2.5, 2.5, 0])
    assert margin_fall(model, both) == pytest.approx(2.5)


def test_words_of_other_numbers_of_pieces_move_as_for_one_gradient() -> None:
    model = model_of("cnn", pieces=True, special=True)
    example = Example({"text": "a slow remembers film"})  # [CLS] | a | slow | reme mber s | film | [SEP]
    more = Candidate(example, (Edit("text", 2, 6, "slow", "steadily"),))
    fewer = Candidate(example, (Edit("text", 7, 16, "remembers", "sees"),))
    embedded = model.embed([example])
    x = embedded.embeddings

    def row(piece: str) -> Tensor:
        found: Tensor = model.embed([Example({"text": piece})]).embeddings[0, 1]
        return found

    moves = torch.zeros(2, *x.shape[1:])
    moves[0, 2] = (row("stea") + row("dily")) / 2 - x[0, 2]
    moves[1, 3:6] = row("sees") - x[0, 3:6]

    def gradient(at: Tensor) -> Tensor:
        at = at.clone().requires_grad_()
        logits = model.logits(at, embedded)
        above, below = logits_of_source.argsort(descending=True)
        return torch.autograd.grad(logits[0, above] - logits[0, below], at)[0][0]

    logits_of_source = model.logits(x, embedded)[0].detach()
    near = gradient(x)
    pushes = [-float((near * move).sum()) > 0 for move in moves]
    assert any(pushes)
    far = gradient(x + moves[torch.tensor(pushes)].sum(0))
    expected = [-float(((near + far) / 2 * move).sum()) for move in moves]
    assert Guided(gradients=2).effects([more, fewer], Run(model)) == pytest.approx(expected, rel=1e-4)
    assert Guided().effects([more, fewer], Run(model)) != pytest.approx(expected, rel=1e-2)


def test_each_gradient_costs_one_more_pass_an_example_and_none_a_candidate() -> None:
    model = model_of("lstm")
    examples = sentences(7)
    run = Run(model)
    Guided().effects([single for example in examples for single in singles_of(example)], run)
    before = sum(model.forwards)
    Guided(gradients=3).effects([single for example in examples for single in singles_of(example)], run)
    assert run.steps == 2 * 7
    assert sum(model.forwards) == before + 3 * 7  # The queue of a run knows the sources' predictions already.


def test_a_source_that_nothing_pushes_keeps_its_first_order_effects() -> None:
    model = model_of("cnn")
    example = sentences(1)[0]
    candidates = singles_of(example)
    run = Run(model)
    effects = Guided().effects(candidates, run)
    up = [candidate for candidate, effect in zip(candidates, effects, strict=True) if effect < 0]
    assert up
    assert Guided(gradients=2).effects(up, run) == pytest.approx(Guided().effects(up, run))
    assert run.steps == 0


def test_a_second_gradient_that_is_not_finite_leaves_the_first() -> None:
    model = model_of("cnn")
    candidates = singles_of(sentences(1)[0])
    run = Run(model)
    first = Guided().effects(candidates, run)

    def spoil(embeddings: Tensor) -> None:
        if embeddings.requires_grad:
            embeddings.data[:] = torch.inf

    model.on_embeddings = spoil
    assert Guided(gradients=2).effects(candidates, run) == pytest.approx(first)
    with torch.no_grad():
        model.module.network.linear.bias[0] = torch.nan
    model.on_embeddings = lambda _: None
    assert set(Guided(gradients=2).effects(candidates, Run(model))) == {0.0}


def test_a_batch_of_many_candidates_gives_what_each_source_gives_alone() -> None:
    model = model_of("lstm", special=True)
    examples = sentences(8, seed=6, longest=9)
    candidates = [single for example in examples for single in singles_of(example)]
    found = Guided(gradients=2).effects(candidates, Run(model))
    model.contract = ModelContract(batch_size=1)
    alone = [effect for example in examples for effect in Guided(gradients=2).effects(singles_of(example), Run(model))]
    assert found == pytest.approx(alone, rel=1e-3, abs=1e-5)
    assert len(candidates) > 4 * 128
