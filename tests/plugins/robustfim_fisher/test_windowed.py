"""λmax and the boundary of a model that reads window by window, against a literal implementation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from robustfim.decision import DecisionRule
from robustfim.example import Example
from robustfim.predict.decided import decided
from robustfim.predict.windowed import Windows, windowed
from robustfim_fisher.scorers import Boundary, Fisher
from robustfim_reference.model import FastText
from tests.plugins.robustfim_fisher.models import Run, model_of, sentences
from tests.plugins.robustfim_fisher.reference import largest_eigenvalue

RULE = DecisionRule(0.7, "class 1")
SIZE, STRIDE = 4, 3


def cut(text: str) -> list[tuple[int, str]]:
    """The windows of a text of words and single blanks, with their places."""
    words, found = text.split(" "), []
    for first in range(0, len(words), STRIDE):
        start = len(" ".join(words[:first])) + (first > 0)
        found.append((start, " ".join(words[first : first + SIZE])))
        if first + SIZE >= len(words):
            break
    return found


def literal(model: Any, rule: DecisionRule | None, join: str, example: Example) -> tuple[float, float]:
    """λmax over the embeddings of all tokens, each once, and the distance to the boundary; one window at a time."""
    tokens: dict[Any, torch.Tensor] = {}
    rows = []
    for start, text in cut(example.text):
        embedded = model.embed([Example({"text": text})])
        x = []
        for place, span in enumerate(embedded.spans[0]):
            special = bool(embedded.special[0, place])
            key = ("special", start, place) if span is None or special else (span[1] + start, span[2] + start)
            value = embedded.embeddings[0, place].detach()
            if key not in tokens:
                tokens[key] = value.clone().requires_grad_(not special)
            assert torch.equal(tokens[key].detach(), value), "both windows read the word alike"
            x.append(tokens[key])
        rows.append(model.logits(torch.stack(x)[None], embedded).double().softmax(1)[0])
    if join == "mean":
        p = torch.stack(rows).mean(0)
    else:
        assert rule is not None
        column = model.labels.index(rule.label)
        p = max(rows, key=lambda row: float(row[column].detach()))
    if rule is None:
        o = p.log()
    else:
        taken = p[model.labels.index(rule.label)]
        o = torch.stack([torch.log(taken / (1 - taken)) - np.log(rule.at / (1 - rule.at)), torch.zeros_like(taken)])
    leaves = [each for each in tokens.values() if each.requires_grad]

    def flat(number: torch.Tensor) -> torch.Tensor:
        found = torch.autograd.grad(number, leaves, retain_graph=True, allow_unused=True)
        return torch.cat([torch.zeros_like(x) if g is None else g for g, x in zip(found, leaves, strict=True)]).double()

    log_q = o.log_softmax(0)
    gradients = torch.stack([flat(each) * each.exp().detach().sqrt() for each in log_q])
    best = int(o.argmax())
    distances = [float((o[best] - o[d]).detach() / flat(o[best] - o[d]).norm()) for d in range(len(o)) if d != best]
    return largest_eigenvalue(gradients.T @ gradients), min(distances)


def long_texts() -> list[Example]:
    """Texts of up to a dozen words."""
    short = [each.text for each in sentences(12)]
    return [Example({"text": " ".join(short[row : row + 3])}) for row in range(0, 12, 2)]


@pytest.mark.parametrize(("rule", "join"), [(RULE, "max"), (RULE, "mean"), (None, "mean")])
@pytest.mark.parametrize("architecture", ["linear", "cnn"])
def test_lambda_max_and_boundary_are_those_of_all_tokens_through_all_windows(
    architecture: str, rule: DecisionRule | None, join: Any
) -> None:
    model = model_of(architecture, classes=3, special=True)
    model.module.double()
    examples = long_texts()
    assert all(len(cut(each.text)) > 1 for each in examples)
    wrapped: Any = windowed(model, Windows(SIZE, STRIDE, join), rule)
    run = Run(wrapped if rule is None else decided(wrapped, rule))
    expected = [literal(model, rule, join, each) for each in examples]
    np.testing.assert_allclose(Fisher().score(examples, run), [each[0] for each in expected], rtol=1e-6)
    np.testing.assert_allclose(Boundary().score(examples, run), [each[1] for each in expected], rtol=1e-6)


@pytest.mark.parametrize(("rule", "join"), [(DecisionRule(0.7, "positive"), "max"), (None, "mean")])
def test_a_model_that_differentiates_itself_gives_what_torch_gives(
    rule: DecisionRule | None, join: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [
        "a dull film that never ends and then a grand scene, so funny",
        "grand, and funny, and it rains all day",
    ]
    examples = [Example({"text": text}) for text in texts]

    def scored() -> list[Any]:
        model: Any = windowed(FastText(), Windows(SIZE, STRIDE, join), rule)
        run = Run(model if rule is None else decided(model, rule))
        return [[*each.score(examples, run)] for each in (Fisher(), Boundary())]

    expected = scored()
    plain = FastText.__init__

    def without_torch(self: Any, **options: Any) -> None:
        plain(self, **options)
        self._plain = True

    monkeypatch.setattr(FastText, "__init__", without_torch)
    np.testing.assert_allclose(scored(), expected, rtol=1e-5)


def test_the_joined_logits_give_the_joined_probabilities() -> None:
    model = model_of("cnn", classes=3, special=True)
    model.module.double()
    ways: list[tuple[Any, DecisionRule | None]] = [("max", RULE), ("mean", None)]
    for join, rule in ways:
        wrapped: Any = windowed(model, Windows(SIZE, STRIDE, join), rule)
        embedded = wrapped.embed(long_texts())
        found = wrapped.logits(embedded.embeddings, embedded).softmax(1).detach().numpy()
        np.testing.assert_allclose(found, wrapped.predict(long_texts()), rtol=1e-6)
