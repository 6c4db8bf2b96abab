"""The three small networks over word embeddings. Padding never changes a result.

Each network maps embeddings ``[batch, tokens, dims]`` and a mask ``[batch, tokens]`` to logits ``[batch, classes]``.
The mask is True at tokens, which come first, and False at padding.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from robustfim_reference.vocabulary import PADDING

__all__ = ["CnnNetwork", "FastTextNetwork", "LstmNetwork", "Network", "build"]


class Network(nn.Module):
    """Base class of the networks: an embedding table, features of a text, and a linear layer.

    Args:
        rows: The number of embeddings in the table.
        classes: The number of labels.
        dims: The number of dimensions of an embedding.
        features: The number of features that the method ``features`` returns.
        dropout: The fraction of features dropped in training, in [0, 1).
    """

    def __init__(self, *, rows: int, classes: int, dims: int, features: int, dropout: float) -> None:
        super().__init__()
        self.embedding = nn.Embedding(rows, dims, padding_idx=PADDING)
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(features, classes)

    def features(self, embeddings: Tensor, mask: Tensor) -> Tensor:
        """Return the features of each text, ``[batch, features]``."""
        raise NotImplementedError

    def forward(self, embeddings: Tensor, mask: Tensor) -> Tensor:
        """Map embeddings to logits ``[batch, classes]``."""
        logits: Tensor = self.output(self.dropout(self.features(embeddings, mask)))
        return logits


class FastTextNetwork(Network):
    """A network with a linear layer over the mean of word and bigram embeddings (Joulin et al. 2016)."""

    def __init__(self, *, rows: int, classes: int, dims: int, dropout: float) -> None:
        super().__init__(rows=rows, classes=classes, dims=dims, features=dims, dropout=dropout)

    def features(self, embeddings: Tensor, mask: Tensor) -> Tensor:
        """Return the mean embedding of each text's tokens."""
        return _mean(embeddings, mask)


class CnnNetwork(Network):
    """A network with convolutions of several widths, and max-pooling of each filter over the text (Kim 2014)."""

    def __init__(self, *, rows: int, classes: int, dims: int, dropout: float, widths: list[int], filters: int) -> None:
        super().__init__(rows=rows, classes=classes, dims=dims, features=filters * len(widths), dropout=dropout)
        self.convolutions = nn.ModuleList(nn.Conv1d(dims, filters, width, padding=width // 2) for width in widths)

    def features(self, embeddings: Tensor, mask: Tensor) -> Tensor:
        """Return each filter's maximum over the windows centred on a token."""
        # max, not amax: among equals the first takes the gradient, and the backward pass is several times faster.
        # Zeros stand beyond both ends of a text, whether the batch is padded there or not.
        inputs = embeddings.masked_fill(~mask[..., None], 0).transpose(1, 2)
        windows = ~mask[:, None, :]
        return torch.cat(
            [
                layer(inputs)[..., : mask.shape[1]].masked_fill(windows, -torch.inf).max(2).values.relu()
                for layer in self.convolutions
            ],
            dim=1,
        )


class LstmNetwork(Network):
    """A network with a bidirectional LSTM, and mean and maximum of the states over the text."""

    def __init__(self, *, rows: int, classes: int, dims: int, dropout: float, hidden: int) -> None:
        super().__init__(rows=rows, classes=classes, dims=dims, features=4 * hidden, dropout=dropout)
        self.rightward = nn.LSTM(dims, hidden, batch_first=True)
        self.leftward = nn.LSTM(dims, hidden, batch_first=True)

    def features(self, embeddings: Tensor, mask: Tensor) -> Tensor:
        """Return the mean and the maximum of the states of both directions."""
        inputs = self.dropout(embeddings)
        # Each direction meets the padding last, so that it changes no state that counts: token i of n changes
        # places with token n − 1 − i, padding stays. (Packed sequences do the same, many times slower.)
        places = torch.arange(mask.shape[1], device=mask.device)
        mirrored = mask.sum(1, keepdim=True) - 1 - places
        order = torch.where(mask, mirrored, places)
        # cuDNN refuses gradients of a recurrent layer in evaluation mode.
        with torch.backends.cudnn.flags(enabled=False):
            forth, _ = self.rightward(inputs)
            back, _ = self.leftward(_take(inputs, order))
        states = torch.cat([forth, _take(back, order)], dim=2)
        largest = states.masked_fill(~mask[..., None], -torch.inf).amax(1)
        return torch.cat([_mean(states, mask), largest], dim=1)


def build(architecture: str, **sizes: Any) -> Network:
    """Create an untrained network.

    Raises:
        KeyError: The architecture is unknown.
        TypeError: A size is missing or unknown.
    """
    kinds: dict[str, type[Network]] = {"fasttext": FastTextNetwork, "cnn": CnnNetwork, "lstm": LstmNetwork}
    return kinds[architecture](**sizes)


def _mean(values: Tensor, mask: Tensor) -> Tensor:
    """Average ``[batch, tokens, dims]`` over the tokens of the mask."""
    kept = values.masked_fill(~mask[..., None], 0).sum(1)
    return kept / mask.sum(1, keepdim=True)


def _take(values: Tensor, order: Tensor) -> Tensor:
    """Reorder the tokens of ``[batch, tokens, dims]`` by ``[batch, tokens]``."""
    return values.gather(1, order[..., None].expand(-1, -1, values.shape[2]))
