"""The word pieces of the tiny BERT, learned from its training texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

__all__ = ["train_wordpiece"]

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_PLAIN = {"’": "'", "‘": "'", "´": "'", "`": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "..."}
_CHARACTERS = 150  # the most frequent ones; a word with any other is unknown


def train_wordpiece(texts: Sequence[str], *, size: int, max_tokens: int) -> Any:
    """Train a WordPiece tokeniser (Wu et al. 2016) that lower-cases and splits punctuation like BERT's.

    Args:
        texts: The training texts.
        size: The largest number of word pieces, including special tokens.
        max_tokens: The largest number of tokens of a text, including [CLS] and [SEP].

    Returns:
        A ``transformers.PreTrainedTokenizerFast``. The same texts give the same tokeniser.
    """
    from tokenizers import (  # type: ignore[import-untyped]  # has no stubs
        Regex,
        Tokenizer,
        decoders,
        models,
        normalizers,
        pre_tokenizers,
        processors,
    )
    from transformers import PreTrainedTokenizerFast

    wrap: Any = PreTrainedTokenizerFast

    normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(r"(?i)<br\s*/?>"), " "),
            *(normalizers.Replace(odd, plain) for odd, plain in _PLAIN.items()),
            normalizers.BertNormalizer(lowercase=True, strip_accents=True),
        ]
    )
    splitter = pre_tokenizers.BertPreTokenizer()
    words = [[w for w, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text))] for text in texts]
    pieces = {piece: number for number, piece in enumerate(_pieces(words, size))}
    tokenizer = Tokenizer(models.WordPiece(vocab=pieces, unk_token="[UNK]"))  # noqa: S106  # text, no secret
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, splitter
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", pieces["[SEP]"]), ("[CLS]", pieces["[CLS]"]))
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), _SPECIAL, strict=True))
    return wrap(tokenizer_object=tokenizer, model_max_length=max_tokens, padding_side="right", **names)


def _pieces(words: Sequence[Sequence[str]], size: int) -> list[str]:
    """Return the special pieces, the alphabet and the learned pieces, in an order that the texts decide."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    characters = Counter(character for text in words for word in text for character in word)
    alphabet = sorted(characters, key=lambda character: (-characters[character], character))[:_CHARACTERS]
    # The trainer numbers what it was not told in the order of a random hash, and ties follow the numbers.
    tokens = [*_SPECIAL, *alphabet, *(f"##{character}" for character in alphabet)]
    trainer = trainers.WordPieceTrainer(
        vocab_size=max(size, len(tokens)), special_tokens=tokens, show_progress=False, min_frequency=2
    )
    known = set(alphabet)
    kept = (" ".join(word for word in text if known.issuperset(word)) for text in words)
    blank = Tokenizer(models.WordPiece(unk_token="[UNK]"))  # noqa: S106  # text, no secret
    blank.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    blank.train_from_iterator(kept, trainer)
    learned = blank.get_vocab()
    return sorted(learned, key=lambda piece: learned[piece])
