"""λmax, boundary and margin at a threshold, against a literal implementation of the tilted decision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from robustfim.contract import ModelContract
from robustfim.decision import DecisionRule, EachRule
from robustfim.example import Example
from robustfim.predict.decided import decided
from robustfim_fisher.scorers import Boundary, Entropy, Fisher, Margin
from robustfim_reference.model import FastText
from tests.plugins.robustfim_fisher.models import Run, model_of, sentences
from tests.plugins.robustfim_fisher.reference import largest_eigenvalue

RULES = [DecisionRule(0.7, "class 1"), DecisionRule(0.9, "class 0"), DecisionRule(0.3, "class 1"), DecisionRule(0.8)]


def scores_of_decisions(model: Any, rule: DecisionRule, x: torch.Tensor, embedded: Any) -> torch.Tensor:
    """The numbers o = log p/(1 − p) − log τ/(1 − τ) of every label that can be decided for, and 0, literally."""
    p: torch.Tensor = model.logits(x, embedded).double().softmax(1)[0]
    columns = range(len(p)) if rule.label is None else [model.labels.index(rule.label)]
    taken = [torch.log(p[c] / (1 - p[c])) - np.log(rule.at / (1 - rule.at)) for c in columns]
    return torch.stack([*taken, torch.zeros_like(taken[0])])


def literal(model: Any, rule: DecisionRule, example: Example) -> tuple[float, float]:
    """λmax of Σ_d q_d ∇log q_d ∇log q_dᵀ, and the distance min_d (o_best − o_d)/‖∇(o_best − o_d)‖."""
    embedded = model.embed([example])
    part = embedded.mask[0] & ~embedded.special[0]
    x = embedded.embeddings.detach().clone().requires_grad_()
    o = scores_of_decisions(model, rule, x, embedded)
    log_q = o.log_softmax(0)

    def flat(number: torch.Tensor) -> torch.Tensor:
        gradient: torch.Tensor = torch.autograd.grad(number, x, retain_graph=True)[0]
        return gradient[0][part].flatten()

    rows = torch.stack([flat(each) * each.exp().detach().sqrt() for each in log_q])
    best = int(o.argmax())
    distances = [float((o[best] - o[d]).detach() / flat(o[best] - o[d]).norm()) for d in range(len(o)) if d != best]
    return largest_eigenvalue(rows.T @ rows), min(distances)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.sentence)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("architecture", ["linear", "cnn"])
def test_lambda_max_and_boundary_lie_at_the_threshold(architecture: str, classes: int, rule: DecisionRule) -> None:
    model = model_of(architecture, classes=classes, special=True)
    model.module.double()
    examples = sentences(6)
    run = Run(decided(model, rule))
    fisher, boundary = Fisher().score(examples, run), Boundary().score(examples, run)
    expected = [literal(model, rule, example) for example in examples]
    np.testing.assert_allclose(fisher, [pair[0] for pair in expected], rtol=1e-6)
    np.testing.assert_allclose(boundary, [pair[1] for pair in expected], rtol=1e-6)


def test_of_two_outcomes_the_information_is_that_of_the_tilted_probability() -> None:
    model, rule = model_of("cnn", classes=4), DecisionRule(0.6, "class 2")
    model.module.double()
    examples = sentences(5)
    found = Fisher().score(examples, Run(decided(model, rule)))
    for example, score in zip(examples, found, strict=True):
        embedded = model.embed([example])
        x = embedded.embeddings.detach().clone().requires_grad_()
        p = model.logits(x, embedded).softmax(1)[0, 2]
        tilted = 1 / (1 + (1 - p) / p * (0.6 / 0.4))
        (gradient,) = torch.autograd.grad(tilted, x)
        assert score == pytest.approx(float(gradient.square().sum() / (tilted * (1 - tilted)).detach()), rel=1e-6)


@pytest.mark.parametrize("rule", [DecisionRule(0.7, "positive"), DecisionRule(0.8)], ids=lambda rule: rule.sentence)
def test_a_model_that_differentiates_itself_gives_what_torch_gives(
    rule: DecisionRule, monkeypatch: pytest.MonkeyPatch
) -> None:
    examples = [Example({"text": text}) for text in ("a dull film", "grand, and so funny", "it rains all day")]
    expected = [literal(FastText(), rule, example) for example in examples]
    plain = FastText()
    monkeypatch.setattr(plain, "_plain", True)
    run = Run(decided(plain, rule))
    np.testing.assert_allclose(Fisher().score(examples, run), [pair[0] for pair in expected], rtol=1e-5)
    np.testing.assert_allclose(Boundary().score(examples, run), [pair[1] for pair in expected], rtol=1e-5)


def test_margin_and_entropy_are_those_of_the_tilted_numbers() -> None:
    model, rule = model_of("linear"), DecisionRule(0.7, "class 1")
    examples = sentences(8)
    straight, tilted = Run(model), Run(decided(model, rule))
    p = np.asarray(model.predict(examples))[:, 1]
    t = 1 / (1 + (1 - p) / p * (0.7 / 0.3))
    np.testing.assert_allclose(Margin().score(examples, tilted), np.abs(2 * t - 1), rtol=1e-6)
    np.testing.assert_allclose(
        Entropy().score(examples, tilted), -t * np.log(t) - (1 - t) * np.log(1 - t), rtol=1e-6, atol=1e-9
    )
    assert Margin().score(examples, straight) != Margin().score(examples, tilted)


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_of_several_labels_the_information_is_that_of_independent_outcomes_and_the_nearest_threshold_is_the_boundary(
    classes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = model_of("cnn", classes=classes, special=True)
    model.module.double()
    # Each logit is that of its label alone.
    monkeypatch.setattr(model, "contract", ModelContract(several=True), raising=False)
    rule = EachRule.of({label: 0.2 + 0.2 * number for number, label in enumerate(model.labels)})
    examples = sentences(6)
    run = Run(decided(model, rule))
    fisher, boundary = Fisher().score(examples, run), Boundary().score(examples, run)
    for example, score, distance in zip(examples, fisher, boundary, strict=True):
        embedded = model.embed([example])
        part = embedded.mask[0] & ~embedded.special[0]
        x = embedded.embeddings.detach().clone().requires_grad_()
        logits = model.logits(x, embedded)[0]
        rows, distances = [], []
        for number, logit in enumerate(logits):
            at = 0.2 + 0.2 * number
            odds = logit - np.log(at / (1 - at))
            (gradient,) = torch.autograd.grad(odds, x, retain_graph=True)
            tilted = float(torch.sigmoid(odds.detach()))
            rows.append(gradient[0][part].flatten() * (tilted * (1 - tilted)) ** 0.5)
            distances.append(abs(float(odds.detach())) / float(gradient[0][part].norm()))
        matrix = torch.stack(rows)
        assert score == pytest.approx(largest_eigenvalue(matrix.T @ matrix), rel=1e-6)
        assert distance == pytest.approx(min(distances), rel=1e-6)
