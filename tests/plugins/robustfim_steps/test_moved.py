"""Training on steps: the steps are those of the geometry, and what is learnt is less easily moved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim_reference.trainers import CnnTrainer
from robustfim_steps import STEP, read_steps

torch = pytest.importorskip("torch")

TEXTS = [
    Example({"text": text}, label)
    for text, label in [("good film", "yes"), ("a good one", "yes"), ("bad film", "no"), ("a bad one", "no")]
]


@pytest.mark.parametrize("classes", [2, 3])
def test_steps_go_along_the_top_eigenvector_of_the_information(classes: int) -> None:
    from robustfim_steps.moved import steps_along_eigenvector

    generator = torch.Generator().manual_seed(0)
    layer = torch.randn(classes, 8, generator=generator, dtype=torch.float64)
    x = torch.randn(2, 4, 2, generator=generator, dtype=torch.float64, requires_grad=True)
    fixed = torch.tensor([[False, False, False, True], [False, True, False, False]])
    logits = torch.tanh(x.reshape(2, 8)) @ layer.T
    steps = steps_along_eigenvector(logits, x, fixed, torch.tensor([0.5, -2.0]))
    for row, norm in enumerate((0.5, -2.0)):
        moved = x[row].detach().clone().requires_grad_()
        p = torch.log_softmax(torch.tanh(moved.reshape(8)) @ layer.T, dim=0)
        information = torch.zeros(8, 8, dtype=torch.float64)
        for each in p:
            (g,) = torch.autograd.grad(each, moved, retain_graph=True)
            g = g.masked_fill(fixed[row][:, None], 0).reshape(8)
            information += each.exp().detach() * torch.outer(g, g)
        top = torch.linalg.eigh(information)[1][:, -1]
        found = steps[row].reshape(8)
        assert abs(float(found @ top)) == pytest.approx(abs(norm))
        assert float(found.norm()) == pytest.approx(abs(norm))
        likeliest, second = p.topk(2).indices.tolist()
        (slope,) = torch.autograd.grad(p[likeliest] - p[second], moved)
        assert float(found @ slope.reshape(8)) * norm < 0  # + is where the predicted label loses


def test_a_step_is_learnt_beside_the_text_itself(tmp_path: Path) -> None:
    moved = [Example(text.fields, text.label, {STEP: 5.0}) for text in TEXTS]
    said: list[str] = []
    weights = []
    for name, examples in (("plain", TEXTS), ("twice", TEXTS * 2), ("moved", TEXTS + moved)):
        CnnTrainer(epochs=2).train(examples, TEXTS, tmp_path / name, seed=0, report=said.append)
        weights.append((tmp_path / name / "model.safetensors").read_bytes())
    assert len(set(weights)) == 3


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"text": "good", "label": "yes"}, "has no row with 'text', 'label' and 'eigenvector_step'"),
        ({"text": "good", "label": "yes", STEP: "far"}, "'far' is not the length of a step"),
    ],
)
def test_what_is_no_step_is_refused(tmp_path: Path, row: dict[str, str], message: str) -> None:
    path = tmp_path / "steps.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_steps(path, ["text"])
