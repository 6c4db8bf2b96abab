"""The networks against plain formulas, and untouched by padding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from robustfim_reference.networks import Network, build  # noqa: E402  # after the check that torch is there

SIZES: dict[str, dict[str, Any]] = {
    "fasttext": {"dims": 4, "dropout": 0.5},
    "cnn": {"dims": 4, "dropout": 0.5, "widths": [2, 3, 5], "filters": 3},
    "lstm": {"dims": 4, "dropout": 0.5, "hidden": 3},
}


def network(architecture: str) -> Network:
    torch.manual_seed(0)
    return build(architecture, rows=9, classes=3, **SIZES[architecture]).double().eval()


def mean_reference(net: Any, x: Any) -> Any:
    return net.output(x.mean(0))


def convolution_reference(net: Any, x: Any) -> Any:
    features = []
    for layer in net.convolutions:
        width = layer.kernel_size[0]
        beyond = x.new_zeros(width // 2, x.shape[1])
        wide = torch.cat([beyond, x, beyond])
        windows = torch.stack([wide[start : start + width] for start in range(len(x))])
        responses = torch.einsum("wkd,fdk->wf", windows, layer.weight) + layer.bias
        features.append(responses.amax(0).relu())
    return net.output(torch.cat(features))


def recurrent_reference(net: Any, x: Any) -> Any:
    def states(cell: Any, inputs: Any) -> list[Any]:
        hidden = state = x.new_zeros(3)
        found = []
        for token in inputs:
            gates = cell.weight_ih_l0 @ token + cell.bias_ih_l0 + cell.weight_hh_l0 @ hidden + cell.bias_hh_l0
            i, f, g, o = gates.chunk(4)
            state = f.sigmoid() * state + i.sigmoid() * g.tanh()
            hidden = o.sigmoid() * state.tanh()
            found.append(hidden)
        return found

    forth = torch.stack(states(net.rightward, x))
    back = torch.stack(states(net.leftward, x.flip(0))[::-1])
    both = torch.cat([forth, back], dim=1)
    return net.output(torch.cat([both.mean(0), both.amax(0)]))


@pytest.mark.parametrize(
    ("architecture", "reference"),
    [("fasttext", mean_reference), ("cnn", convolution_reference), ("lstm", recurrent_reference)],
)
@pytest.mark.parametrize("tokens", [1, 2, 7])
def test_a_network_computes_its_formula(architecture: str, reference: Callable[[Any, Any], Any], tokens: int) -> None:
    net = network(architecture)
    x = torch.randn(1, tokens, 4, dtype=torch.double)
    mask = torch.ones(1, tokens, dtype=torch.bool)
    torch.testing.assert_close(net(x, mask)[0], reference(net, x[0]), atol=1e-12, rtol=0)


@pytest.mark.parametrize("architecture", SIZES)
def test_padding_changes_nothing_whatever_it_holds(architecture: str) -> None:
    net = network(architecture)
    lengths = [6, 1, 3]
    x = torch.randn(3, 9, 4, dtype=torch.double)
    mask = torch.arange(9) < torch.tensor(lengths)[:, None]
    together = net(x, mask)
    for row, length in enumerate(lengths):
        alone = net(x[row : row + 1, :length], mask[row : row + 1, :length])[0]
        torch.testing.assert_close(together[row], alone, atol=1e-12, rtol=0)


@pytest.mark.parametrize("architecture", SIZES)
def test_gradients_are_right_and_zero_at_padding(architecture: str) -> None:
    net = network(architecture).requires_grad_(False)
    x = torch.randn(2, 5, 4, dtype=torch.double, requires_grad=True)
    mask = torch.tensor([[True] * 5, [True, True, False, False, False]])
    assert torch.autograd.gradcheck(lambda each: net(each, mask), (x,))
    (gradient,) = torch.autograd.grad(net(x, mask).sum(), x)
    assert not gradient[1, 2:].any()
    assert gradient[1, :2].any()
