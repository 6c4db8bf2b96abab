"""Small differentiable models over words, and a run around them, for the tests of the Fisher plugin."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from random import Random
from typing import Any, Literal, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from robustfim.contract import ModelContract
from robustfim.errors import PluginError
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.roles import Embedded, Geometry, Span, Tagger
from robustfim.seeds import random_for

T = TypeVar("T")

ROWS = 211
PADDING, BEGIN, END = 0, 1, 2
TEXT = "a film of the slow bright grief that nobody wanted yet remembers fondly after seventeen winters"
WORDS = TEXT.split(" ")


class Whole(nn.Module):
    """An embedding table and what reads its rows."""

    network: Any

    def __init__(self, network: nn.Module, dims: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(ROWS, dims)
        self.network = network


class WordModel:
    """A model over words: whole words, or pieces of four characters; with [CLS] and [SEP], or without."""

    def __init__(
        self,
        network: nn.Module,
        *,
        classes: int = 2,
        dims: int = 6,
        special: bool = False,
        pieces: bool = False,
        left: bool = False,
    ) -> None:
        self.module = Whole(network, dims).eval()
        self.labels = tuple(f"class {index}" for index in range(classes))
        self.fingerprint = f"{type(network).__name__} {classes}"
        self.special, self.pieces, self.left = special, pieces, left
        self.contract = ModelContract(batch_size=5)
        self.forwards: list[int] = []
        self.on_embeddings: Callable[[Tensor], None] = lambda _: None

    def tokens(self, example: Example) -> list[tuple[int, Span]]:
        """The rows and places of an example's tokens."""
        found: list[tuple[int, Span]] = []
        pattern = r"\S{1,4}" if self.pieces else r"\S+"
        for name, text in example.fields.items():
            for match in re.finditer(pattern, text):
                row = 3 + sum((at + 1) * ord(char) for at, char in enumerate(match[0])) % (ROWS - 3)
                found.append((row, (name, match.start(), match.end())))
        return [(BEGIN, None), *found, (END, None)] if self.special else found

    def embed(self, examples: Sequence[Example]) -> Embedded:
        tokens = [self.tokens(example) for example in examples]
        width = max(map(len, tokens))
        pads: list[list[tuple[int, Span]]] = [[(PADDING, None)] * (width - len(row)) for row in tokens]
        full = [pad + row if self.left else row + pad for row, pad in zip(tokens, pads, strict=True)]
        ids = torch.tensor([[token for token, _ in row] for row in full], dtype=torch.long)
        lengths = torch.tensor([len(row) for row in tokens])[:, None]
        places = torch.arange(width)[None]
        mask = places >= width - lengths if self.left else places < lengths
        return Embedded(
            self.module.embedding(ids).detach(),
            mask,
            (ids == BEGIN) | (ids == END),
            [[span for _, span in row] for row in full],
        )

    def logits(self, embeddings: Tensor, embedded: Embedded) -> Tensor:
        self.forwards.append(len(embeddings))
        self.on_embeddings(embeddings)
        result: Tensor = self.module.network(embeddings, embedded.mask)
        return result

    def predict(self, examples: Sequence[Example]) -> Any:
        embedded = self.embed(examples)
        with torch.no_grad():
            return self.logits(embedded.embeddings, embedded).double().softmax(1).numpy()


class MeanLinear(nn.Module):
    """z = W · mean(e) + b."""

    def __init__(self, dims: int, classes: int) -> None:
        super().__init__()
        self.linear = nn.Linear(dims, classes)

    def forward(self, embeddings: Tensor, mask: Tensor) -> Tensor:
        total = embeddings.masked_fill(~mask[..., None], 0).sum(1)
        result: Tensor = self.linear(total / mask.sum(1, keepdim=True).to(total).clamp_min(1))
        return result


class Convolution(nn.Module):
    """One convolution, tanh, and the sum of maximum and mean over tokens."""

    def __init__(self, dims: int, classes: int) -> None:
        super().__init__()
        self.convolution = nn.Conv1d(dims, 7, 3, padding=1)
        self.linear = nn.Linear(7, classes)

    def forward(self, embeddings: Tensor, mask: Tensor) -> Tensor:
        inputs = embeddings.masked_fill(~mask[..., None], 0).transpose(1, 2)
        hidden = self.convolution(inputs).tanh()
        highest = hidden.masked_fill(~mask[:, None], -torch.inf).amax(2)
        result: Tensor = self.linear(highest + hidden.masked_fill(~mask[:, None], 0).sum(2) / 9)
        return result


class Recurrent(nn.Module):
    """A bidirectional LSTM and the sum of its states."""

    def __init__(self, dims: int, classes: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(dims, 5, batch_first=True, bidirectional=True)
        self.linear = nn.Linear(10, classes)

    def forward(self, embeddings: Tensor, mask: Tensor) -> Tensor:
        packed = nn.utils.rnn.pack_padded_sequence(embeddings, mask.sum(1), batch_first=True, enforce_sorted=False)
        states, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        result: Tensor = self.linear(states.sum(1))
        return result


class Transformer(nn.Module):
    """A two-layer BERT with random weights, from its configuration."""

    def __init__(self, dims: int, classes: int) -> None:
        super().__init__()
        transformers: Any = import_module("transformers")
        self.bert = transformers.BertForSequenceClassification(
            transformers.BertConfig(
                vocab_size=8,
                hidden_size=dims,
                num_hidden_layers=2,
                num_attention_heads=2,
                intermediate_size=11,
                max_position_embeddings=40,
                num_labels=classes,
                initializer_range=0.7,
            )
        )

    def forward(self, embeddings: Tensor, mask: Tensor) -> Tensor:
        result: Tensor = self.bert(inputs_embeds=embeddings, attention_mask=mask.long()).logits
        return result


NETWORKS: dict[str, type[nn.Module]] = {
    "linear": MeanLinear,
    "cnn": Convolution,
    "lstm": Recurrent,
    "bert": Transformer,
}


def model_of(
    architecture: str, *, classes: int = 2, dims: int = 6, scale: float = 3.0, seed: int = 0, **options: Any
) -> WordModel:
    """Build a model with random weights, its output layer multiplied by ``scale``."""
    with seeded(seed):
        model = WordModel(NETWORKS[architecture](dims, classes), classes=classes, dims=dims, **options)
    with torch.no_grad():
        for name, parameter in model.module.named_parameters():
            if name.endswith(("linear.weight", "classifier.weight")):
                parameter.mul_(scale)
    return model


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Fence torch's global generator."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


def sentences(count: int, seed: int = 0, longest: int = 12) -> list[Example]:
    """Distinct texts of 1 to ``longest`` words."""
    random = random_for(seed, "sentences")
    texts = {" ".join(random.choices(WORDS, k=random.randint(1, longest))): None for _ in range(4 * count)}
    return [Example({"text": text}) for text in list(texts)[:count]]


class Run:
    """A run's context around one model."""

    def __init__(self, model: Any, geometry: Geometry | None = None, examples: Sequence[Example] = ()) -> None:
        self.model = model
        self.examples = examples
        self.seed = 0
        self.offline = True
        self.max_calls: int | None = None
        self.labelled: bool | None = None
        self.slices: dict[str, frozenset[str]] = {}
        self.steps = 0
        self._geometry = geometry

    @property
    def geometry(self) -> Geometry:
        from robustfim_fisher.geometry import FisherGeometry

        if self._geometry is None:
            self._geometry = FisherGeometry(self.model)
        return self._geometry

    @property
    def tagger(self) -> Tagger:
        raise PluginError("nothing here asks for parts of speech")

    def count_steps(self, number: int) -> None:
        self.steps += number

    def predict(self, examples: Sequence[Example]) -> Sequence[Prediction | None]:
        rows = np.asarray(self.model.predict(examples))
        return [Prediction.of(row, self.model.labels) if np.isfinite(row).all() else None for row in rows]

    def kept(self, what: str, texts: Sequence[str]) -> dict[str, Any]:
        return {}

    def keep(self, what: str, values: Mapping[str, Any]) -> None:
        raise PluginError("nothing here keeps anything")

    def shared(self, cls: Callable[[], T]) -> T:
        raise PluginError("nothing here is shared")

    def random(self, *parts: str) -> Random:
        return random_for(self.seed, *parts)


Tokens = Literal["text", "all"]
