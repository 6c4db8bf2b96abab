"""Tiny models with random weights, saved as ``save_pretrained`` saves them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from robustfim.cli import main
from robustfim.record import Record
from robustfim_huggingface.classifier.model import SequenceClassifier

LETTERS = "abcdefghijklmnopqrstuvwxyz"
CLASSES = {0: "negative", 1: "positive", 2: "neutral"}


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Path]]:
    """Save each architecture once, when it is first asked for."""
    torch = pytest.importorskip("torch")
    pytest.importorskip("transformers")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # sharing such small matrices costs more than multiplying them
    yield saved_once(save, tmp_path_factory)
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def loaded(folders: Callable[[str], Path]) -> Callable[[str], SequenceClassifier]:
    """Load each architecture once, with the options' defaults."""
    return cache(lambda architecture: SequenceClassifier(folders(architecture)))


@pytest.fixture(scope="session")
def causal(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Save a causal language model of each architecture once."""
    return saved_once(save_causal, tmp_path_factory)


def saved_once(write: Callable[[str, Path], None], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Give the folder of an architecture, which is written when it is first asked for."""

    @cache
    def folder(architecture: str) -> Path:
        path = tmp_path_factory.mktemp(architecture)
        write(architecture, path)
        return path

    return folder


def save_model(
    architecture: str,
    folder: Path,
    head: str,
    *,
    seed: int = 20,
    scale: float = 0.3,
    specifications: dict[str, Any] | None = None,
    **others: Any,
) -> None:
    """Save a model with random weights and its tokenizer.

    Args:
        architecture: One of ``specifications``.
        folder: Where to.
        head: The class of transformers, behind "AutoModel".
        seed: Of the weights.
        scale: Of the noise that is added to them: fresh weights are near 0, and so would all effects be.
        specifications: ``SPECIFICATIONS`` where they are not given.
        others: Further settings of the configuration.
    """
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    tokenizer, config = (specifications or SPECIFICATIONS)[architecture]
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        configuration = transformers.AutoConfig.for_model(**{**config, **others})
        model = getattr(transformers, f"AutoModel{head}").from_config(configuration)
        for weight in model.parameters():
            weight.data += scale * torch.randn_like(weight)
    model.save_pretrained(folder)
    tokenizer(folder)


def save_causal(architecture: str, folder: Path, **others: Any) -> None:
    """Save a causal language model and its tokenizer."""
    save_model(architecture, folder, "ForCausalLM", scale=0.2, specifications=CAUSAL, **others)


def ran(suite: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a suite in the current folder, in which no candidate may end in an error; return its record."""
    Path("s.yaml").write_text(json.dumps({"suite": "s", "reports": ["json"], **suite}))
    with pytest.raises(SystemExit):
        main(["run", "s.yaml"])
    shown = capsys.readouterr()
    record = Record.load(Path("reports/s")).model_dump(mode="json", by_alias=True)
    assert record["summary"]["error"] == 0, shown.out + shown.err
    return record


@cache
def _causal(folder: Path) -> tuple[Any, Any]:
    transformers = pytest.importorskip("transformers")
    model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    return transformers.AutoTokenizer.from_pretrained(folder), model


def likelihood(folder: Path, prompt: str, word: str) -> tuple[float, int]:
    """Σ log p(token | all before it) over the tokens of a word, one forward pass a token, and their number."""
    torch = pytest.importorskip("torch")
    tokenizer, model = _causal(folder)
    ids = tokenizer(prompt)["input_ids"]
    if ids and ids[-1] == tokenizer.sep_token_id:
        ids = ids[:-1]
    total, tokens = 0.0, tokenizer(word, add_special_tokens=False)["input_ids"]
    for token in tokens:
        with torch.no_grad():
            logits = model(input_ids=torch.tensor([ids])).logits[0, -1]
        total += float(logits.double().log_softmax(-1)[token])
        ids = [*ids, token]
    return total, len(tokens)


def save(architecture: str, folder: Path) -> None:
    """Save a classifier of three classes and its tokenizer."""
    save_model(architecture, folder, "ForSequenceClassification", id2label=CLASSES)


def _write(folder: Path, tokenizer: Any, config: dict[str, Any]) -> None:
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {"tokenizer_class": "PreTrainedTokenizerFast", **config}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")


def word_pieces(folder: Path, *, types: bool = True) -> None:
    """Write BERT's kind of tokenizer: lower case, no accents, ``[CLS] text [SEP] pair [SEP]``."""
    tokenizers = pytest.importorskip("tokenizers")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "good", "bad", "film", "the", *LETTERS, *(f"##{c}" for c in LETTERS)]
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))  # noqa: S106  # a word, no password
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if types else [])]
    _write(folder, tokenizer, {"pad_token": "[PAD]", "unk_token": "[UNK]", "model_input_names": names})


def _bytes(specials: list[str]) -> Any:
    tokenizers = pytest.importorskip("tokenizers")
    merges = [("Ġ", "g"), ("o", "o"), ("oo", "d"), ("Ġg", "ood")]
    units = [*specials, *sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet()), *("".join(pair) for pair in merges)]
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE({unit: number for number, unit in enumerate(units)}, merges))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer


def roberta_bytes(folder: Path) -> None:
    """Write RoBERTa's kind of tokenizer: bytes, ``<s> text </s></s> pair </s>``, padding in the middle of the ids."""
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = _bytes(["<s>", "<pad>", "</s>", "<unk>"])
    tokenizer.post_processor = tokenizers.processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=False)
    names = ["input_ids", "attention_mask"]
    special = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "sep_token": "</s>"}
    _write(folder, tokenizer, {**special, "model_input_names": names})


def gpt2_bytes(folder: Path) -> None:
    """Write GPT-2's kind of tokenizer: bytes, no special token around the text, none for padding."""
    names = ["input_ids", "attention_mask"]
    _write(folder, _bytes(["<|endoftext|>"]), {"eos_token": "<|endoftext|>", "model_input_names": names})


def whole_words(folder: Path) -> None:
    """Write a tokenizer of a few whole words in lower case."""
    tokenizers = pytest.importorskip("tokenizers")
    words = ["<end>", "<unk>", "good", "bad", "film", "it", "was", ":", "dull"]
    model = tokenizers.models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="<unk>")  # noqa: S106  # a word, no password
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    names = ["input_ids", "attention_mask"]
    _write(folder, tokenizer, {"eos_token": "<end>", "unk_token": "<unk>", "model_input_names": names})


def slow_bytes(folder: Path) -> None:
    """Write a tokenizer in plain Python, which does not know where its tokens stand."""
    transformers = pytest.importorskip("transformers")
    transformers.ByT5Tokenizer().save_pretrained(folder)


SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
BART = {
    **{
        f"{side}_{key}": size
        for side in ("encoder", "decoder")
        for key, size in (("layers", 1), ("attention_heads", 2), ("ffn_dim", 32))
    },
    "d_model": 16,
}
SPECIFICATIONS: dict[str, tuple[Callable[[Path], None], dict[str, Any]]] = {
    "bert": (word_pieces, {"model_type": "bert", "vocab_size": 60, "max_position_embeddings": 24, **SIZES}),
    "distilbert": (
        partial(word_pieces, types=False),
        {"model_type": "distilbert", "vocab_size": 60, "dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32},
    ),
    "roberta": (
        roberta_bytes,
        {"model_type": "roberta", "vocab_size": 264, "max_position_embeddings": 34, "pad_token_id": 1, **SIZES},
    ),
    "gpt2": (
        gpt2_bytes,
        {"model_type": "gpt2", "vocab_size": 264, "n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 48,
         "bos_token_id": 0, "eos_token_id": 0},
    ),
    "llama": (
        gpt2_bytes,
        {"model_type": "llama", "vocab_size": 264, "bos_token_id": 0, "eos_token_id": 0, **SIZES},
    ),
    "xlnet": (
        roberta_bytes,
        {"model_type": "xlnet", "vocab_size": 264, "d_model": 16, "n_layer": 2, "n_head": 2, "d_inner": 32,
         "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2},
    ),
    "longformer": (
        roberta_bytes,
        {"model_type": "longformer", "vocab_size": 264, "max_position_embeddings": 66, "attention_window": 8,
         "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2, **SIZES},
    ),
    "bart": (
        roberta_bytes,
        {"model_type": "bart", "vocab_size": 264, "max_position_embeddings": 48, "pad_token_id": 1,
         "bos_token_id": 0, "eos_token_id": 2, "decoder_start_token_id": 2, **BART},
    ),
    "t5": (
        slow_bytes,
        {"model_type": "t5", "vocab_size": 400, "d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 1,
         "num_heads": 2, "eos_token_id": 1, "pad_token_id": 0, "decoder_start_token_id": 0},
    ),
    "canine": (slow_bytes, {"model_type": "canine", "num_hash_buckets": 400, **SIZES}),
}  # fmt: skip

ENDS = {"bos_token_id": 0, "eos_token_id": 0}
CAUSAL: dict[str, tuple[Callable[[Path], None], dict[str, Any]]] = {
    "gpt2": SPECIFICATIONS["gpt2"],
    "llama": SPECIFICATIONS["llama"],
    "gpt_neox": (
        gpt2_bytes, {"model_type": "gpt_neox", "vocab_size": 264, "max_position_embeddings": 96, **ENDS, **SIZES},
    ),
    "bloom": (
        gpt2_bytes, {"model_type": "bloom", "vocab_size": 264, "hidden_size": 16, "n_layer": 2, "n_head": 2, **ENDS},
    ),
    "roberta": (
        roberta_bytes,
        {"model_type": "roberta", "vocab_size": 264, "max_position_embeddings": 98, "pad_token_id": 1,
         "is_decoder": True, **SIZES},
    ),
    "bidirectional": (roberta_bytes, {"model_type": "roberta", "vocab_size": 264, "pad_token_id": 1, **SIZES}),
    "words": (
        whole_words, {"model_type": "gpt2", "vocab_size": 9, "n_embd": 8, "n_layer": 1, "n_head": 1, **ENDS},
    ),
}  # fmt: skip
