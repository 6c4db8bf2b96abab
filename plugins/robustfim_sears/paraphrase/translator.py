"""A translator: a sequence-to-sequence network that translates texts, and computes the probability of translations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from robustfim_checkpoints.pretrained import Pretrained

__all__ = ["Translator"]

_GROWTH = 2
_ROOM = 10
"""A translation has at most twice as many tokens as its source, and ten."""


class Translator:
    """A network that translates texts in one direction.

    Args:
        network: A network of ``AutoModelForSeq2SeqLM``, loaded.
        prefix: The prefix of each text: ``"translate English to German: "`` (T5), ``">>fr<< "``.
        batch_size: The number of texts in a forward pass.
    """

    def __init__(self, network: Pretrained, *, prefix: str, batch_size: int) -> None:
        self.network, self.prefix, self._batch_size = network, prefix, batch_size
        self._tokenizer, self._model = network.tokenizer, network.model
        generation = self._model.generation_config
        self.start = int(self._model.config.decoder_start_token_id)
        self.end = int(self._tokenizer.eos_token_id)
        self.forced: int | None = getattr(generation, "forced_bos_token_id", None)
        self._padding = int(self._tokenizer.pad_token_id)

    @property
    def vocabulary(self) -> dict[str, int]:
        """Return the target vocabulary: the id of each token."""
        # Marian alone may have another vocabulary for each side.
        separate = getattr(self._tokenizer, "separate_vocabs", False)
        found: dict[str, int] = self._tokenizer.target_encoder if separate else self._tokenizer.get_vocab()
        return found

    def reads(self, text: str) -> bool:
        """Return whether the network can read the whole text."""
        return self.network.reads(self.prefix + text)

    def target(self, text: str) -> list[int]:
        """Tokenize a text in the target language, and return the token ids, including the end token."""
        tokens: list[int] = self._tokenizer(text_target=text)["input_ids"]
        return tokens

    def text(self, tokens: Sequence[int]) -> str:
        """Decode token ids into a text."""
        decoded: str = self._tokenizer.decode(tokens, skip_special_tokens=True)
        return decoded.strip()

    def translate(self, texts: Sequence[str], *, beams: int, best: int) -> list[list[str]]:
        """Translate texts by beam search.

        Args:
            texts: The texts, ``[texts]``.
            beams: The number of beams, at least ``best``.
            best: The number of translations of a text.

        Returns:
            ``[texts][translations]``: distinct and not empty, the most likely first.
        """
        found: list[list[str]] = [[] for _ in texts]
        for rows in self._batches([len(text) for text in texts]):
            inputs = self._encode([texts[row] for row in rows])
            with torch.inference_mode():
                made = self._model.generate(
                    **inputs, num_beams=max(beams, best), num_return_sequences=best, do_sample=False, max_length=None,
                    max_new_tokens=min(_GROWTH * inputs["input_ids"].shape[1] + _ROOM, self.network.longest - 1),
                )  # fmt: skip
            for place, tokens in enumerate(made.tolist()):
                found[rows[place // best]].append(self.text(tokens))
        return [[each for each in dict.fromkeys(one) if each] for one in found]

    def log_probabilities(self, sources: Sequence[str], targets: Sequence[Sequence[int]]) -> list[Tensor]:
        """Return the log-probability of each token of a translation given the earlier tokens, by teacher forcing.

        Args:
            sources: The texts, ``[pairs]``.
            targets: The tokens of one translation of each text, including the end token.

        Returns:
            log P(tᵢ | t₁ … tᵢ₋₁, source), ``[tokens]`` of each pair, float64. The probability of the padding token is
            0.
        """
        found: list[Tensor] = [torch.empty(0)] * len(sources)
        for rows in self._batches([len(target) for target in targets]):
            inputs = self._encode([sources[row] for row in rows])
            labels = torch.nn.utils.rnn.pad_sequence(
                [torch.tensor(targets[row]) for row in rows], batch_first=True, padding_value=self._padding
            ).to(self.network.device)
            begin = torch.full_like(labels[:, :1], self.start)
            with torch.inference_mode():
                # What stands behind the end of a shorter translation is not looked at.
                logits = self._model(**inputs, decoder_input_ids=torch.cat([begin, labels[:, :-1]], 1)).logits
                each = self.normalised(logits).gather(-1, labels[..., None])[..., 0].cpu().double()
            for row, values in zip(rows, each, strict=True):
                found[row] = values[: len(targets[row])]
        return found

    def encoded(self, texts: Sequence[str]) -> tuple[Any, Tensor]:
        """Encode texts once for :meth:`next_tokens`, and return the encoder's states and the attention mask."""
        inputs = self._encode(texts)
        with torch.inference_mode():
            return self._model.get_encoder()(**inputs), inputs["attention_mask"]

    def next_tokens(self, states: Any, mask: Tensor, tokens: Tensor, past: Any) -> tuple[Tensor, Any]:
        """Predict the next token of each prefix.

        Args:
            states: The encoder's states of :meth:`encoded`, a row for each prefix.
            mask: The attention mask of :meth:`encoded`.
            tokens: The new tokens of each prefix, ``[rows, tokens]``; in the first call all tokens from the start
                token.
            past: The cache that the previous call returned, with rows in the order of ``tokens``; None in the first
                call.

        Returns:
            log P(t | tokens so far, source), ``[rows, vocabulary]``, and the cache for the next call.
        """
        with torch.inference_mode():
            found = self._model(
                encoder_outputs=states, attention_mask=mask, decoder_input_ids=tokens, past_key_values=past,
                use_cache=True,
            )  # fmt: skip
        return self.normalised(found.logits[:, -1]), found.past_key_values

    def normalised(self, logits: Tensor) -> Tensor:
        """Convert logits to log-probabilities; the padding token gets minus infinity."""
        logits = logits.float().clone()
        logits[..., self._padding] = float("-inf")
        return logits.log_softmax(-1)

    def _encode(self, texts: Sequence[str]) -> dict[str, Tensor]:
        encoding = self._tokenizer([self.prefix + text for text in texts], return_tensors="pt", padding=True)
        return {name: encoding[name].to(self.network.device) for name in ("input_ids", "attention_mask")}

    def _batches(self, lengths: Sequence[int]) -> Iterator[list[int]]:
        """Group rows of about the same length."""
        order = sorted(range(len(lengths)), key=lambda row: lengths[row])
        for start in range(0, len(order), self._batch_size):
            yield order[start : start + self._batch_size]
