"""The two-layer network of the plane: trained on points of the two Gaussians, as the paper does."""

from __future__ import annotations

from typing import Any

from robustfim_study.two_gaussians import TwoGaussians, draw_points

__all__ = ["HIDDEN", "STEPS", "TwoLayers"]

HIDDEN = 16
"""Units of the hidden layer."""

STEPS = 500
"""Steps of training, each on all points."""


class TwoLayers(TwoGaussians):
    """A network of two layers, z = W₂ tanh(W₁ x + b₁) + b₂, in place of the log densities.

    It is trained by Adam (learning rate 0.02, no weight decay) on the cross-entropy of points that are drawn for it:
    the study looks at others. Fits :class:`robustfim.roles.DifferentiableModel`.

    Args:
        points: Points a class to train on, ≥ 1.
        seed: The seed of the points and of the first weights.
    """

    def __init__(self, points: int, seed: int) -> None:
        super().__init__()
        torch = self._torch
        self.fingerprint = f"two layers: {points} points a class, seed {seed}"
        examples, _ = draw_points(points, seed)
        inputs = self.embed(examples).embeddings[:, 0]
        gold = torch.tensor([self.labels.index(each.label) for each in examples])
        generator = torch.Generator().manual_seed(seed)

        def drawn(*shape: int) -> Any:
            return torch.randn(*shape, generator=generator, dtype=torch.float64) / shape[-1] ** 0.5

        first, second = drawn(HIDDEN, 2), drawn(2, HIDDEN)
        biases = [torch.zeros(size, dtype=torch.float64) for size in (HIDDEN, 2)]
        self._weights = [each.requires_grad_() for each in (first, biases[0], second, biases[1])]
        optimiser = torch.optim.Adam(self._weights, lr=0.02)
        for _ in range(STEPS):
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(self._network(inputs), gold).backward()
            optimiser.step()
        self._weights = [each.detach() for each in self._weights]

    def logits(self, embeddings: Any, embedded: Any) -> Any:
        """Return the network's logits, ``[batch, classes]``."""
        return self._network(embeddings[:, 0])

    def _network(self, points: Any) -> Any:
        first, bias, second, last = self._weights
        return self._torch.tanh(points @ first.T + bias) @ second.T + last
