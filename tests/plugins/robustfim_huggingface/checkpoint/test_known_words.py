"""The words of a vocabulary, of each kind of tokenizer."""

from __future__ import annotations

from typing import Any

import pytest

from robustfim_huggingface.checkpoint.known_words import known_words

tokenizers: Any = pytest.importorskip("tokenizers")
transformers: Any = pytest.importorskip("transformers")

UNKNOWN = {"unk_token": "<unk>"}


def fast(model: Any, **options: str) -> Any:
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizers.Tokenizer(model), **options)


def test_of_wordpiece_the_pieces_that_go_on_and_the_special_ones_are_left_out() -> None:
    rows = {"<unk>": 0, "[CLS]": 1, "film": 2, "##ing": 3, "a": 4, ",": 5}
    tokenizer = fast(tokenizers.models.WordPiece(rows, **UNKNOWN), **UNKNOWN, **{"cls_token": "[CLS]"})
    assert known_words(tokenizer) == ["film", "a", ","]


def test_of_a_byte_level_vocabulary_those_that_begin_a_word_are_read() -> None:
    accented = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=True).pre_tokenize_str("café")[0][0]
    rows = {"<s>": 0, "ing": 1, "Ġfilm": 2, accented: 3, "Ġ": 4}
    backend = tokenizers.Tokenizer(tokenizers.models.BPE(rows, []))
    backend.decoder = tokenizers.decoders.ByteLevel()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=backend, **{"bos_token": "<s>"})
    assert known_words(tokenizer) == ["film", "café"]


def test_of_a_sentencepiece_vocabulary_the_mark_goes() -> None:
    tokenizer = fast(
        tokenizers.models.Unigram([("<unk>", 0.0), ("▁film", -1.0), ("s", -2.0), ("▁", -3.0)], 0), **UNKNOWN
    )
    assert known_words(tokenizer) == ["film"]


def test_of_whole_words_all_are_taken() -> None:
    tokenizer = fast(tokenizers.models.WordLevel({"<unk>": 0, "film": 1, "slow": 2}, **UNKNOWN), **UNKNOWN)
    assert known_words(tokenizer) == ["film", "slow"]
