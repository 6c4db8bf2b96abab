"""Paraphrases by translation into other languages and back."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import PositiveInt

from robustfim.contract import ParaphraserContract
from robustfim.errors import UsageError
from robustfim.roles import Paraphrase
from robustfim_checkpoints.pretrained import check, load
from robustfim_sears.paraphrase.variants import surest

if TYPE_CHECKING:
    from robustfim.roles import Context
    from robustfim_sears.paraphrase.back_decoders import BackDecoders, Pivot
    from robustfim_sears.paraphrase.translator import Translator

__all__ = ["BackTranslation"]


class BackTranslation:
    """Paraphrases by translation into other languages and back, with the score S = min(1, P(x′|x) / P(x|x)).

    The pivots z of a text x are the best translations by every forward model, weighted by P(z|x). The back models are
    combined linearly. If they share a vocabulary (for instance one model for several languages), the distributions of
    the next token are combined, else the probabilities of whole texts. Every model of ``AutoModelForSeq2SeqLM`` works,
    such as Marian models. Needs ``pip install 'robustfim[huggingface,translation]'``. Texts longer than a model can
    read are skipped and counted.

    Args:
        forward: Models that translate into a pivot language, folders or names on the hub.
        back: The models back, one for each of ``forward``, or one for all.
        forward_prefix: The prefix of a text for the forward models, one for each or one for all: ``">>fr<< "``,
            ``"translate English to German: "``. With several, one forward model serves several languages.
        back_prefix: The prefix of a text for the back models.
        pivots: The number of translations used from each forward model.
        beams: The number of beams of every search, and of texts from each back-translation.
        most: The largest number of paraphrases of a text.
        batch_size: The number of texts in a forward pass.
        device: ``auto``, ``cpu``, ``cuda``, ``cuda:1``, ``mps``.
        dtype: The precision of weights and activations; scores are summed in float64.
        offline: Fetch nothing from any hub.
    """

    libraries: ClassVar = {"torch": "robustfim[torch]", "transformers": "robustfim[huggingface]"}
    contract = ParaphraserContract(score="translation", tau=0.0008)
    """With the paper's threshold."""

    def __init__(
        self,
        *,
        forward: list[Path | str],
        back: list[Path | str],
        forward_prefix: list[str] = [],  # noqa: B006  # never changed, and shown as the default
        back_prefix: list[str] = [],  # noqa: B006  # never changed, and shown as the default
        pivots: PositiveInt = 3,
        beams: PositiveInt = 8,
        most: PositiveInt = 32,
        batch_size: PositiveInt = 16,
        device: str = "auto",
        dtype: Literal["float32", "float16", "bfloat16"] = "float32",
        offline: bool = False,
    ) -> None:
        for option, names in (("forward", forward), ("back", back)):
            if not names:
                raise UsageError(f"{option!r} names no model.")
            for name in names:
                check(option, name)
        self._routes = _routes(forward, back, forward_prefix or [""], back_prefix or [""])
        self._pivots, self._beams, self._most = pivots, beams, most
        self._batch_size, self._device, self._dtype, self._offline = batch_size, device, dtype, offline
        self._forward: list[Translator] = []
        self._back: list[Translator] = []
        self._decoders: BackDecoders | None = None
        self._known: dict[str, tuple[Pivot, ...]] = {}
        self._own: dict[str, float] = {}
        self._skipped: Counter[str] = Counter()

    @property
    def skipped(self) -> Counter[str]:
        """Return the number of texts left out, by reason."""
        return +self._skipped

    def resources(self) -> dict[str, str]:
        """Return the models, with hashes after loading, and the way in which their back-decoders are combined."""
        if self._decoders is None:
            return {"paraphraser": f"back-translation by {len(self._routes)} routes"}
        models = ", ".join(
            f"{_shown(there)} and {_shown(back)}" for there, back in zip(self._forward, self._back, strict=True)
        )
        combined = "next token" if self._decoders.by_token else "whole texts"
        how = f"combined by {combined}; {self._pivots} pivots, {self._beams} beams"
        return {"paraphraser": f"{models}; {how}"}

    def prepare(self, context: Context) -> None:
        """Load the models."""
        self._offline = self._offline or context.offline
        self._load()

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[list[Paraphrase]]:
        """Translate texts and translate them back."""
        decoders = self._load()
        self._translate(texts)
        lists = []
        for text in texts:
            pivots, found = self._known[text], []
            if pivots:
                longest = 2 * len(self._back[0].target(text)) + 10
                found = decoders.candidates(pivots, beams=self._beams, longest=longest)
            lists.append([each for each in found if each != text])
        return [each[: self._most] for each in surest(texts, lists, self.score)]

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> list[float]:
        """Score how likely x′ is as a paraphrase of x, for pairs of texts.

        Returns:
            min(1, P(x′|x) / P(x|x)) of each pair; 0 if x has no translation or x′ is too long.
        """
        decoders = self._load()
        self._translate(texts)
        new = [text for text in dict.fromkeys(texts) if self._known[text] and text not in self._own]
        self._own.update(zip(new, decoders.log_probabilities([(self._known[text], text) for text in new]), strict=True))
        pairs = list(zip(texts, candidates, strict=True))
        fit = [pair for pair in dict.fromkeys(pairs) if self._known[pair[0]] and self._readable(pair[1])]
        found = decoders.log_probabilities([(self._known[text], each) for text, each in fit])
        scores = {pair: math.exp(min(0.0, value - self._own[pair[0]])) for pair, value in zip(fit, found, strict=True)}
        return [scores.get(pair, 0.0) for pair in pairs]

    def _readable(self, text: str) -> bool:
        return all(translator.reads(text) for translator in self._back)

    def _translate(self, texts: Iterable[str]) -> None:
        """Find the pivots of the texts that are new."""
        from scipy.special import logsumexp

        from robustfim_sears.paraphrase.back_decoders import Pivot

        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        readers = [*self._forward, *self._back]
        fit = [text for text in new if text.strip() and all(reader.reads(text) for reader in readers)]
        self._skipped["too long or empty to translate"] += len(new) - len(fit)
        found: dict[str, list[tuple[str, int, float]]] = {text: [] for text in new}
        for number, (there, back) in enumerate(zip(self._forward, self._back, strict=True)):
            made = there.translate(fit, beams=self._beams, best=self._pivots)
            pairs = [(text, each) for text, each_text in zip(fit, made, strict=True) for each in each_text]
            pairs = [(text, each) for text, each in pairs if back.reads(each)]
            scores = there.log_probabilities([text for text, _ in pairs], [there.target(each) for _, each in pairs])
            for (text, each), score in zip(pairs, scores, strict=True):
                found[text].append((each, number, float(score.sum())))
        for text, several in found.items():
            whole = float(logsumexp([score for *_, score in several])) if several else 0.0
            self._known[text] = tuple(Pivot(each, number, score - whole) for each, number, score in several)
        self._skipped["without a translation"] += sum(not self._known[text] for text in fit)

    def _load(self) -> BackDecoders:
        if self._decoders is None:
            from robustfim_sears.paraphrase.back_decoders import BackDecoders
            from robustfim_sears.paraphrase.translator import Translator

            networks = {
                str(name): load(
                    option, name, lambda _: "AutoModelForSeq2SeqLM", device=self._device, dtype=self._dtype,
                    offline=self._offline,
                )
                for route in self._routes
                for option, name in (("forward", route[0]), ("back", route[1]))
            }  # fmt: skip
            for there, back, prefix, back_prefix in self._routes:
                for place, name, before in ((self._forward, there, prefix), (self._back, back, back_prefix)):
                    place.append(Translator(networks[str(name)], prefix=before, batch_size=self._batch_size))
            self._decoders = BackDecoders(self._back)
        return self._decoders


def _shown(translator: Translator) -> str:
    network = translator.network
    return f"{Path(network.checkpoint.name).name} {network.digest}"


_Route = tuple[Path | str, Path | str, str, str]
"""A forward model, a back model, and the prefix of each."""


def _routes(
    forward: Sequence[Path | str], back: Sequence[Path | str], prefix: Sequence[str], back_prefix: Sequence[str]
) -> list[_Route]:
    """Pair the models: of each option one for every route, or one for all."""
    number = max(map(len, (forward, back, prefix, back_prefix)))
    for option, given in (
        ("forward", forward), ("back", back), ("forward_prefix", prefix), ("back_prefix", back_prefix),
    ):  # fmt: skip
        if len(given) not in (1, number):
            raise UsageError(
                f"{option!r} has {len(given)} entries; give one entry, or {number} entries as in the longest list."
            )
    return [
        (forward[each % len(forward)], back[each % len(back)], prefix[each % len(prefix)],
         back_prefix[each % len(back_prefix)])
        for each in range(number)
    ]  # fmt: skip
