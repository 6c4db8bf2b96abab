"""Paraphrases by a masked language model, which predicts other words for the place of a word."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import PositiveInt

from robustfim.contract import ParaphraserContract
from robustfim.errors import ModelError
from robustfim.roles import Paraphrase
from robustfim_checkpoints.pretrained import Pretrained, check, load
from robustfim_sears.paraphrase.rewrite import Rewrite, apply
from robustfim_sears.paraphrase.sentence_similarity import SentenceSimilarity
from robustfim_sears.paraphrase.surface import words
from robustfim_sears.paraphrase.variants import surest

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["MaskedWords"]

_LIKELIHOOD = ParaphraserContract(score="pseudo-likelihood", tau=0.1)


class MaskedWords:
    """Paraphrases by replacing a word with words that a masked language model finds likely at its place.

    A likely word need not have the same meaning: "good" and "bad" are likely at the same places. Name an ``encoder``,
    so that paraphrases are scored by the cosine of sentence embeddings. Without it the score is the pseudo-likelihood
    of what changed, S = min(1, P(new | rest) / P(old | rest)), all changed tokens being masked at once (after Salazar
    et al. 2020); a text that only loses words has the score 0. A text that a model would not read to its end is skipped
    and counted. Needs ``pip install 'robustfim[huggingface]'``.

    Args:
        path: A model of ``AutoModelForMaskedLM``, a folder or a name on the hub.
        encoder: A sentence encoder, a folder or a name on the hub.
        top: The number of words tried at each place.
        most: The largest number of paraphrases of a text.
        batch_size: The number of texts in a forward pass.
        device: ``auto``, ``cpu``, ``cuda``, ``cuda:1``, ``mps``.
        dtype: The precision of weights and activations.
        offline: Fetch nothing from any hub.
    """

    libraries: ClassVar = {"torch": "robustfim[torch]", "transformers": "robustfim[huggingface]"}

    def __init__(
        self,
        *,
        path: Path | str,
        encoder: Path | str | None = None,
        top: PositiveInt = 8,
        most: PositiveInt = 64,
        batch_size: PositiveInt = 32,
        device: str = "auto",
        dtype: Literal["float32", "float16", "bfloat16"] = "float32",
        offline: bool = False,
    ) -> None:
        check("path", path)
        self._path, self._top, self._most = path, top, most
        self._batch_size, self._device, self._dtype, self._offline = batch_size, device, dtype, offline
        self._similarity = None if encoder is None else SentenceSimilarity(encoder, device=device, offline=offline)
        self._loaded: Pretrained | None = None
        self._skipped: Counter[str] = Counter()

    @property
    def contract(self) -> ParaphraserContract:
        """Return the paraphraser's contract: the name of its score S and the default threshold τ.

        The score is ``pseudo-likelihood``, and τ accepts a word a tenth as likely as the old word. With an encoder, the
        score is the encoder's similarity.
        """
        return self._similarity.contract if self._similarity else _LIKELIHOOD

    @property
    def skipped(self) -> Counter[str]:
        """Return the number of texts left out, by reason."""
        return self._skipped + (self._similarity.skipped if self._similarity else Counter())

    def resources(self) -> dict[str, str]:
        """Return the models, with hashes after loading, and the options that affect the paraphrases."""
        digest = f" {self._loaded.digest}" if self._loaded else ""
        encoder = f", {self._similarity.identity}" if self._similarity else ""
        return {"paraphraser": f"masked-lm {Path(self._path).name}{digest}, top {self._top}{encoder}"}

    def prepare(self, context: Context) -> None:
        """Load the models."""
        self._offline = self._offline or context.offline
        self._network()
        if self._similarity is not None:
            self._similarity.prepare(context)

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[list[Paraphrase]]:
        """Replace words of texts by words that the model finds likely.

        Returns:
            ``[texts][paraphrases]``, the highest score first; the ``most`` likeliest replacements of a text.
        """
        network = self._network()
        mask = network.tokenizer.mask_token
        readable = [self._readable(text) for text in texts]
        places = [
            (row, place, apply(text, (_mask(place, mask),)))
            for row, text in enumerate(texts)
            if readable[row]
            for place in words(text)
        ]
        lists: list[list[tuple[float, str]]] = [[] for _ in texts]
        for (row, place, _), fills in zip(places, self._fill([masked for *_, masked in places]), strict=True):
            lists[row] += self._made(texts[row], place, fills)
        chosen = [
            [text for _, text in sorted(found, key=lambda pair: (-pair[0], pair[1]))[: self._most]] for found in lists
        ]
        return surest(texts, [list(dict.fromkeys(each)) for each in chosen], self.score)

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> list[float]:
        """Return the score of each pair of a text and a candidate; see :class:`MaskedWords`."""
        if self._similarity is not None:
            return self._similarity.score(texts, candidates)
        from robustfim_sears.paraphrase.pseudo_likelihood import log_ratios

        ratios = log_ratios(self._network(), list(zip(texts, candidates, strict=True)), self._batch_size)
        return [0.0 if ratio is None else math.exp(min(0.0, ratio)) for ratio in ratios]

    def _readable(self, text: str) -> bool:
        network = self._network()
        mask = network.tokenizer.mask_token
        fits = mask not in text and network.reads(text)
        self._skipped["too long for the language model"] += not fits
        return fits

    def _fill(self, masked: Sequence[str]) -> list[list[tuple[float, str]]]:
        """Return the likeliest words for the mask of each text, with the logarithms of their probabilities."""
        import torch

        network = self._network()
        tokenizer = network.tokenizer
        found: list[list[tuple[float, str]]] = [[] for _ in masked]
        order = sorted(range(len(masked)), key=lambda row: len(masked[row]))
        for start in range(0, len(order), self._batch_size):
            rows = order[start : start + self._batch_size]
            inputs = tokenizer([masked[row] for row in rows], return_tensors="pt", padding=True).to(network.device)
            with torch.inference_mode():
                logits = network.model(**inputs).logits.float()
            here = (inputs["input_ids"] == tokenizer.mask_token_id).int().argmax(1)
            places = logits[torch.arange(len(rows), device=here.device), here].log_softmax(-1)
            best = places.topk(min(self._top + 1, places.shape[-1]))
            for row, values, tokens in zip(rows, best.values.tolist(), best.indices.tolist(), strict=True):
                found[row] = [
                    (value, word)
                    for value, token in zip(values, tokens, strict=True)
                    if (word := _word(tokenizer, token))
                ]
        return found

    def _made(
        self, text: str, place: tuple[int, int], fills: Sequence[tuple[float, str]]
    ) -> Iterator[tuple[float, str]]:
        """Write each word in its place, with the capital of the old one."""
        start, end = place
        old = text[start:end]
        for value, word in [fill for fill in fills if fill[1].casefold() != old.casefold()][: self._top]:
            after = word[:1].upper() + word[1:] if old[:1].isupper() else word
            yield value, apply(text, (Rewrite(start, end, after, 1.0, place),))

    def _network(self) -> Pretrained:
        if self._loaded is None:
            self._loaded = load(
                "path", self._path, lambda _: "AutoModelForMaskedLM", device=self._device, dtype=self._dtype,
                offline=self._offline,
            )  # fmt: skip
            if self._loaded.tokenizer.mask_token is None:
                raise ModelError(f"path: the tokenizer of {str(self._path)!r} has no mask: it is not a masked model's.")
        return self._loaded


def _mask(place: tuple[int, int], mask: str) -> Rewrite:
    return Rewrite(*place, mask, 1.0, place)


def _word(tokenizer: Any, token: int) -> str:
    """Return the word that a token is, ``""`` where it is the inner piece of one, a mark or special."""
    if token in tokenizer.all_special_ids:
        return ""
    piece = tokenizer.convert_ids_to_tokens(token)
    word = tokenizer.decode([token]).strip()
    # "##ing" of word pieces; the byte-level and unigram ones mark where a word begins instead.
    whole = piece.startswith(("Ġ", "▁")) if _marks_beginnings(tokenizer) else not piece.startswith("##")
    return word if whole and word.isalpha() else ""


def _marks_beginnings(tokenizer: Any) -> bool:
    return any(each.startswith(("Ġ", "▁")) for each in tokenizer.tokenize("a word"))
