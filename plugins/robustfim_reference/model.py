"""The reference models, whose weights are loaded at the first prediction."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from robustfim.contract import ModelContract
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.roles import Embedded, Span
from robustfim_checkpoints.places import Places
from robustfim_reference.folder import WEIGHTS
from robustfim_reference.mean_network import MeanNetwork
from robustfim_reference.reference import Reference
from robustfim_reference.tokens import Token, bigrams, keys_of, tokenise
from robustfim_reference.vocabulary import PADDING, UNKNOWN_PAIR, Vocabulary

if TYPE_CHECKING:
    from torch import Tensor, nn

__all__ = ["Bert", "Cnn", "FastText", "Guard", "Lstm"]

_SURROGATE = re.compile("[\ud800-\udfff]")


class _WordModel(Reference):
    """A network over the embeddings of words."""

    pairs: ClassVar[bool] = False
    """Whether it reads bigrams behind the words."""

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The n-grams the model knows."""
        path = self.folder.path / self.vocabulary_file
        try:
            return Vocabulary.parse(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise UsageError(f"{path} cannot be read: {error}.") from error

    def tokens(self, example: Example) -> list[Token]:
        """Cut a text into what the model reads, ``max_tokens`` words at most."""
        return tokenise(example, self.max_tokens)

    def window(self, examples: Sequence[Example]) -> list[list[Span] | None]:
        """Tell the spans that are read of each example; None where it is read whole."""
        most = self.max_tokens  # no token is empty
        cut = [len(example.text) > most and len(tokenise(example)) > most for example in examples]
        return [
            [token.span for token in self.tokens(example)] if part else None
            for example, part in zip(examples, cut, strict=True)
        ]

    def known_words(self) -> list[str]:
        """Return the words of the vocabulary, without bigrams, the commonest of the training data first."""
        return [key for key in self.vocabulary.keys[UNKNOWN_PAIR + 1 :] if " " not in key]

    def load(self) -> nn.Module:
        """Read the network from the folder, float32, on the CPU."""
        from safetensors.torch import load_file

        from robustfim_reference.networks import build

        network = build(
            self.architecture, rows=len(self.vocabulary), classes=len(self.labels), **self.folder.config["sizes"]
        )
        weights = load_file(self.folder.path / WEIGHTS)
        network.load_state_dict({name: tensor.float() for name, tensor in weights.items()})
        return network

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Look up the embeddings of words (and bigrams), padded on the right."""
        texts = [keys_of(example, self.max_tokens) for example in examples]
        rows, mask = _side_by_side([self.vocabulary.rows_in(fields, pairs=self.pairs) for fields in texts])

        def spans(place: int) -> list[Span]:
            cut = [token.span for token in self.tokens(examples[place])]
            return cut + [None] * (mask.shape[1] - len(cut))

        return self._looked_up(rows, mask, Places(len(examples), spans))

    def _looked_up(self, rows: NDArray[np.int64], mask: NDArray[np.bool_], spans: Sequence[Sequence[Span]]) -> Embedded:
        embedding = self.module.get_submodule("embedding")
        import torch

        real = torch.from_numpy(mask).to(self.device)
        found = embedding(torch.from_numpy(rows).to(self.device)).detach()
        return Embedded(found, real, torch.zeros_like(real), spans)

    def logits(self, embeddings: Tensor, embedded: Embedded) -> Tensor:
        """Map input embeddings ``[batch, tokens, dims]`` to logits ``[batch, classes]``."""
        logits: Tensor = self.module(embeddings, embedded.mask)
        return logits


class FastText(_WordModel):
    """A classifier on the mean of word and bigram embeddings, like fastText (Joulin et al. 2016).

    The tokens of a text are the words, then the bigrams. The model computes with PyTorch if PyTorch is installed, else
    with NumPy; the results agree within 1e-6.

    Args:
        device: The device: ``"cpu"``, ``"cuda"``, ``"cuda:1"``…; devices other than ``"cpu"`` need PyTorch.
    """

    libraries: ClassVar = {}
    contract = ModelContract(batch_size=256)  # so small that a call costs more than a text
    architecture = "fasttext"
    pairs = True

    def __init__(self, *, path: Path | None = None, device: str = "cpu") -> None:
        super().__init__(path=path, device=device)
        self._plain = find_spec("torch") is None
        if self._plain and device != "cpu":
            raise ModelError(
                f"device={device!r} needs torch: pip install 'robustfim[torch]'. Leave it out for the CPU."
            )

    def tokens(self, example: Example) -> list[Token]:
        """Return the words of a text, then its bigrams. ``max_tokens`` limits the words."""
        words = super().tokens(example)
        return words + bigrams(words)

    @cached_property
    def network(self) -> MeanNetwork:
        """The network that computes with NumPy.

        Raises:
            UsageError: The weights cannot be read, or do not fit the settings.
        """
        return self._readable(self._load_plain)

    def _looked_up(self, rows: NDArray[np.int64], mask: NDArray[np.bool_], spans: Sequence[Sequence[Span]]) -> Embedded:
        """Look up rows: tensors, or arrays without PyTorch."""
        if not self._plain:
            return super()._looked_up(rows, mask, spans)
        return Embedded(self.network.table[rows], mask, np.zeros_like(mask), spans)

    def logits(self, embeddings: Any, embedded: Embedded) -> Any:
        """Map input embeddings ``[batch, tokens, dims]``, a tensor or an array, to logits ``[batch, classes]``."""
        if isinstance(embeddings, np.ndarray):
            return self.network.logits(embeddings, embedded.mask)
        return super().logits(embeddings, embedded)

    def jacobian(self, embeddings: NDArray[np.float32], embedded: Embedded) -> NDArray[np.float32]:
        """Return the derivative of the logits with respect to the embeddings, ``[batch, classes, tokens, dims]``."""
        return self.network.jacobian(embedded.mask)

    def predict(self, examples: Sequence[Example]) -> NDArray[np.float64]:
        """Return probabilities ``[examples, classes]``, the softmax of the logits."""
        if not self._plain:
            return super().predict(examples)
        from scipy.special import softmax

        embedded = self.embed(examples)
        logits = self.network.logits(embedded.embeddings, embedded.mask)
        probabilities: NDArray[np.float64] = softmax(logits.astype(np.float64), axis=1)
        return probabilities

    def _load_plain(self) -> MeanNetwork:
        from safetensors.numpy import load_file

        dims = self.folder.config["sizes"]["dims"]
        tensors = load_file(self.folder.path / WEIGHTS)
        return MeanNetwork.of(tensors, rows=len(self.vocabulary), classes=len(self.labels), dims=dims)


class Guard(FastText):
    """A classifier of requests to a voice assistant, with the label ``oos`` for requests out of scope.

    This is a fastText model of the 151 labels of CLINC150 (Larson et al. 2019). To use it as a guard that blocks
    ``oos``, set a low threshold, ``decide: {label: oos, at: 0.05}``, since probability is spread over many labels.
    """

    shipped = "guard"


class Cnn(_WordModel):
    """Convolutions over word embeddings (Kim 2014)."""

    architecture = "cnn"
    contract = ModelContract(gradients=2)
    """The maximum over words hides from one gradient what stands in another's shadow."""


class Lstm(_WordModel):
    """A bidirectional LSTM over word embeddings."""

    architecture = "lstm"
    contract = ModelContract(gradients=2)


class Bert(Reference):
    """A tiny BERT in the format of Hugging Face transformers."""

    libraries: ClassVar = {"torch": "robustfim[torch]", "transformers": "robustfim[huggingface]"}
    architecture = "bert"
    vocabulary_file = "tokenizer.json"
    extra = "huggingface"

    @property
    def max_tokens(self) -> int:
        """The largest number of tokens read, including [CLS] and [SEP]."""
        return int(self.folder.config["max_position_embeddings"])

    @cached_property
    def tokenizer(self) -> Any:
        """The WordPiece tokeniser, a fast tokeniser of transformers."""
        from transformers import AutoTokenizer

        untyped: Any = AutoTokenizer
        return untyped.from_pretrained(self.folder.path, local_files_only=True, trust_remote_code=False)

    def known_words(self) -> list[str]:
        """Return the word pieces that can begin a word, in the order of the vocabulary."""
        special = set(self.tokenizer.all_special_tokens)
        rows: dict[str, int] = self.tokenizer.get_vocab()
        return [key for key in sorted(rows, key=rows.__getitem__) if not key.startswith("##") and key not in special]

    def load(self) -> nn.Module:
        """Load the network from the folder, in float32 and on the CPU."""
        from transformers import AutoModelForSequenceClassification

        module: nn.Module = AutoModelForSequenceClassification.from_pretrained(
            self.folder.path,
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            attn_implementation="eager",
        )
        return module.float()

    def window(self, examples: Sequence[Example]) -> list[Sequence[Span] | None]:
        """Return for each example the parts of its text that the model reads; None if it reads the whole example."""
        _ = self.module  # says what is missing when transformers is
        encoded = self.tokenizer([_encodable(example.text) for example in examples], truncation=False, verbose=False)
        cut = [len(ids) > self.max_tokens for ids in encoded["input_ids"]]
        return [self.embed([example]).spans[0] if part else None for example, part in zip(examples, cut, strict=True)]

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Return the WordPiece embeddings of a batch, without position embeddings, padded on the right."""
        embedding: Any = self.module.get_submodule("bert.embeddings.word_embeddings")
        import torch

        encoded = self.tokenizer(
            [_encodable(example.text) for example in examples],
            padding=True,
            truncation=True,
            max_length=self.max_tokens,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
        )
        # By NumPy: of lists, torch and transformers make tensors several times more slowly.
        ids, read, special_ones = (
            torch.from_numpy(np.array(encoded[name], np.int64))
            for name in ("input_ids", "attention_mask", "special_tokens_mask")
        )
        mask = read > 0
        special = (special_ones > 0) & mask

        def spans(place: int) -> list[Span]:
            offsets = zip(encoded["offset_mapping"][place], (mask & ~special)[place].tolist(), strict=True)
            return [_span(examples[place], start, end) if of_text else None for (start, end), of_text in offsets]

        embeddings = embedding(ids.to(self.device)).detach()
        inputs = {"attention_mask": mask.to(self.device).long()}
        found = Places(len(examples), spans)
        return Embedded(embeddings, mask.to(self.device), special.to(self.device), found, inputs)

    def logits(self, embeddings: Tensor, embedded: Embedded) -> Tensor:
        """Map input embeddings ``[batch, tokens, dims]`` to logits ``[batch, classes]``."""
        logits: Tensor = self.module(inputs_embeds=embeddings, **embedded.inputs).logits
        return logits


def _side_by_side(texts: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Lay texts side by side: rows of the vocabulary, ``[texts, tokens]``, and True where one stands."""
    lengths = np.array([len(text) for text in texts])
    mask = np.arange(lengths.max()) < lengths[:, None]
    rows = np.full(mask.shape, PADDING, dtype=np.int64)
    rows[mask] = np.fromiter(chain.from_iterable(texts), np.int64, lengths.sum())
    return rows, mask


def _encodable(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot hold, by one character each."""
    return _SURROGATE.sub("\ufffd", text)


def _span(example: Example, start: int, end: int) -> Span:
    """Map a place in the joined text to its field, and take in the accents after it, which BERT drops."""
    for name, text in example.fields.items():
        if start < len(text):
            while end < len(text) and unicodedata.combining(text[end]):
                end += 1
            return name, start, end
        start, end = start - len(text) - 1, end - len(text) - 1
    return None
