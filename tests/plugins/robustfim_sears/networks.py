"""Small networks for the tests of the paraphrasers, saved as ``save_pretrained`` saves them."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

ENGLISH = ["the", "a", "film", "movie", "story", "is", "was", "good", "bad", "dull"]
FOREIGN = {
    **{"the": "der", "a": "ein", "film": "streifen", "movie": "streifen", "story": "sage"},
    **{"is": "ist", "was": "war", "good": "gut", "bad": "mies", "dull": "fad"},
}
"""A language in which film and movie are one word."""

SPECIAL = ["<pad>", "</s>", "<unk>", "<mask>", ">>de<<", ">>en<<"]


def save_tokenizer(folder: Path, words: Sequence[str], *, longest: int = 32, end: bool = True) -> Any:
    """Save a tokenizer of whole words."""
    tokenizers, transformers = pytest.importorskip("tokenizers"), pytest.importorskip("transformers")
    vocabulary = {word: number for number, word in enumerate(dict.fromkeys([*SPECIAL, *words]))}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<unk>"))  # noqa: S106  # a word, no password
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    if end:
        tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
            single="$A </s>", special_tokens=[("</s>", vocabulary["</s>"])]
        )
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", mask_token="<mask>",  # noqa: S106  # words, no passwords
        model_max_length=longest, model_input_names=["input_ids", "attention_mask"],
    )  # fmt: skip
    fast.save_pretrained(folder)
    return fast


def save_seq2seq(folder: Path, words: Sequence[str], *, seed: int, longest: int = 32) -> Path:
    """Save a translator with random weights."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    tokenizer = save_tokenizer(folder, words, longest=longest)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = transformers.MarianMTModel(_marian(transformers, len(tokenizer), longest))
    model.save_pretrained(folder)
    return folder


def save_trained(folder: Path) -> Path:
    """Train a network to translate English of a few words and back, and save it.

    Which of film and movie is meant cannot be told from the translation; film is twice as frequent.
    """
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    tokenizer = save_tokenizer(folder, [*ENGLISH, *FOREIGN.values()])
    sentences = [
        f"{article} {noun} {verb} {quality}"
        for article in ("the", "a")
        for noun in ("film", "film", "movie", "story")
        for verb in ("is", "was")
        for quality in ("good", "bad", "dull")
    ]
    foreign = [" ".join(FOREIGN[word] for word in sentence.split()) for sentence in sentences]
    sources = [f">>de<< {sentence}" for sentence in sentences] + [f">>en<< {each}" for each in foreign]
    inputs = tokenizer(sources, return_tensors="pt", padding=True)
    labels = tokenizer([*foreign, *sentences], return_tensors="pt", padding=True)["input_ids"]
    labels[labels == tokenizer.pad_token_id] = -100
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = transformers.MarianMTModel(_marian(transformers, len(tokenizer), 32)).train()
        optimiser = torch.optim.Adam(model.parameters(), lr=0.005)
        for _ in range(150):
            optimiser.zero_grad()
            model(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], labels=labels).loss.backward()
            optimiser.step()
    model.eval().save_pretrained(folder)
    return folder


def _marian(transformers: Any, vocabulary: int, longest: int) -> Any:
    sizes = {
        f"{side}_{key}": size
        for side in ("encoder", "decoder")
        for key, size in (("layers", 1), ("attention_heads", 2), ("ffn_dim", 32))
    }
    return transformers.MarianConfig(
        vocab_size=vocabulary, d_model=32, max_position_embeddings=longest, pad_token_id=0, eos_token_id=1,
        decoder_start_token_id=0, forced_eos_token_id=None, dropout=0.0, init_std=0.3, **sizes,
    )  # fmt: skip


def save_bert(folder: Path, words: Sequence[str], *, masked: bool, longest: int = 16) -> Path:
    """Save an encoder, or a masked language model, with random weights."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    tokenizer = save_tokenizer(folder, words, longest=longest)
    config = transformers.BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=longest, pad_token_id=0,
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(7)
        model = transformers.BertForMaskedLM(config) if masked else transformers.BertModel(config)
        for weight in model.parameters():
            weight.data += 0.3 * torch.randn_like(weight)
    model.save_pretrained(folder)
    return folder


def save_sentencepiece(folder: Path) -> Path:
    """Save a Marian network with random weights, and Marian's own tokenizer."""
    pieces = pytest.importorskip("sentencepiece")
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    text = [
        "the film is good",
        "this movie was bad",
        "what is the name of the book",
        "a great story and a dull plot",
    ] * 20
    pieces.SentencePieceTrainer.train(
        sentence_iterator=iter(text), model_prefix=str(folder / "source"), vocab_size=60, hard_vocab_limit=False,
        minloglevel=2,
    )  # fmt: skip
    model = folder / "source.model"
    for side in ("source.spm", "target.spm"):
        (folder / side).write_bytes(model.read_bytes())
    read = pieces.SentencePieceProcessor(model_file=str(model))
    known = [read.id_to_piece(number) for number in range(read.get_piece_size())]
    words = dict.fromkeys(["</s>", "<unk>", *(each for each in known if each[0] != "<"), "<pad>"])
    vocabulary = {word: number for number, word in enumerate(words)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    files = {"source_spm": "source.spm", "target_spm": "target.spm", "vocab": "vocab.json"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a package that it can do without
        tokenizer = transformers.MarianTokenizer(**{key: str(folder / name) for key, name in files.items()})
    tokenizer.save_pretrained(folder)
    config = _marian(transformers, len(vocabulary), 32)
    config.pad_token_id = config.decoder_start_token_id = vocabulary["<pad>"]
    config.eos_token_id = vocabulary["</s>"]
    with torch.random.fork_rng():
        torch.manual_seed(0)
        transformers.MarianMTModel(config).save_pretrained(folder)
    return folder
