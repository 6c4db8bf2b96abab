"""Back-decoders: compute the probability of a text given translations of another, and search for likely texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from robustfim_sears.paraphrase.translator import Translator

__all__ = ["BackDecoders", "Pivot"]


@dataclass(frozen=True)
class Pivot:
    """A translation of a text x into another language.

    Attributes:
        text: The translation z.
        back: The index of the back-decoder that translates z back.
        log_weight: log w, where the weight w is proportional to P(z|x) and the weights of all translations of x sum to
            1.
    """

    text: str
    back: int
    log_weight: float


class BackDecoders:
    """Computes P(x′|x), the probability of a paraphrase, by translating x to other languages and back.

    Each translation z of x (pivot), with weight w_z, has a back-decoder. If all back-decoders share a target
    vocabulary, their distributions of the next token are combined, as in the paper (Ribeiro, Singh and Guestrin 2018,
    after Mallinson, Sennrich and Lapata 2017): P(x′|x) = ∏ᵢ Σ_z w_z P(x′ᵢ | x′₁ … x′ᵢ₋₁, z). Otherwise the
    probabilities of whole texts are combined: P(x′|x) = Σ_z w_z P(x′|z).

    Attributes:
        by_token: Whether the distributions of the next token are combined.
    """

    def __init__(self, translators: Sequence[Translator]) -> None:
        self._translators = translators
        first = translators[0]
        self.by_token = all(
            translator.vocabulary == first.vocabulary and translator.end == first.end for translator in translators[1:]
        )

    def log_probabilities(self, pairs: Sequence[tuple[Sequence[Pivot], str]]) -> list[float]:
        """Return log P(x′|x), the log-probability that x is paraphrased as x′, for pairs of texts.

        Args:
            pairs: For each pair the pivots (translations) of x, and the text x′; ``[pairs]``.
        """
        rows: dict[int, list[tuple[int, Pivot, list[int]]]] = {}
        for number, (pivots, text) in enumerate(pairs):
            for pivot in pivots:
                target = self._translators[pivot.back].target(text)
                rows.setdefault(pivot.back, []).append((number, pivot, target))
        parts: list[list[Tensor]] = [[] for _ in pairs]
        for back, group in rows.items():
            found = self._translators[back].log_probabilities(
                [pivot.text for _, pivot, _ in group], [target for _, _, target in group]
            )
            for (number, pivot, _), each in zip(group, found, strict=True):
                # log w + log P, a number a token or one for the whole text.
                parts[number].append((each if self.by_token else each.sum()[None]) + pivot.log_weight)
        return [float(torch.stack(part).logsumexp(0).sum()) for part in parts]

    def candidates(self, pivots: Sequence[Pivot], *, beams: int, longest: int) -> list[str]:
        """Return the most likely paraphrases of a text by beam search, given its translations (pivots).

        Args:
            pivots: The translations of the text, at least one.
            beams: The number of beams, and of texts from each search.
            longest: The largest number of tokens of a text.
        """
        if self.by_token:
            return self._decode_together(pivots, beams, longest)
        found: list[str] = []
        for back, texts in _by_back(pivots).items():
            for each in self._translators[back].translate([pivot.text for pivot in texts], beams=beams, best=beams):
                found += each
        return list(dict.fromkeys(found))

    def _decode_together(self, pivots: Sequence[Pivot], beams: int, longest: int) -> list[str]:
        """Search with beams over the combined distribution of the next token."""
        first = self._translators[0]
        mixture = _Mixture([(self._translators[back], each) for back, each in _by_back(pivots).items()])
        live = torch.tensor([[] if first.forced is None else [first.forced]], dtype=torch.long)
        scores, rows = torch.zeros(1, dtype=torch.float64), torch.zeros(1, dtype=torch.long)
        finished: list[tuple[float, list[int]]] = []
        while len(live) and live.shape[1] < longest:
            totals = scores[:, None] + mixture.next_tokens(live, rows)
            values, places = totals.flatten().topk(min(2 * beams, totals.numel()))
            rows, tokens = places // totals.shape[1], places % totals.shape[1]
            possible = values > float("-inf")
            ended = ((tokens == first.end) & possible).nonzero()[:, 0]
            finished += [(float(values[each]), live[rows[each]].tolist()) for each in ended]
            finished = sorted(finished, key=lambda pair: -pair[0])[:beams]
            going = ((tokens != first.end) & possible).nonzero()[:beams, 0]
            rows, scores = rows[going], values[going]
            live = torch.cat([live[rows], tokens[going, None]], 1)
            # A longer text is never likelier than its beginning.
            if len(finished) == beams and len(scores) and finished[-1][0] >= float(scores[0]):
                break
        texts = (first.text(tokens) for _, tokens in finished)
        return [text for text in dict.fromkeys(texts) if text]


class _Mixture:
    """Σ_z w_z P(t | t₁ … tᵢ₋₁, z) for several prefixes at once, which grow by a token each time."""

    def __init__(self, groups: Sequence[tuple[Translator, Sequence[Pivot]]]) -> None:
        self._groups = [
            (translator, pivots, *translator.encoded([pivot.text for pivot in pivots])) for translator, pivots in groups
        ]
        self._past: list[Any] = [None] * len(groups)
        self._prefixes = 1

    def next_tokens(self, live: Tensor, rows: Tensor) -> Tensor:
        """Return log P of every next token, ``[prefixes, vocabulary]``, float64.

        Args:
            live: The prefixes, ``[prefixes, tokens]``.
            rows: For each prefix, the index of the prefix of the previous call that it extends, ``[prefixes]``.
        """
        parts = []
        for number, (translator, pivots, states, mask) in enumerate(self._groups):
            past = self._past[number]
            new = torch.cat([torch.full((len(live), 1), translator.start), live], 1)
            if past is not None:
                new = new[:, -1:]
                # Rows are grouped by pivot.
                old = torch.arange(len(pivots))[:, None] * self._prefixes + rows
                past.reorder_cache(old.flatten().to(mask.device))
            found, self._past[number] = translator.next_tokens(
                type(states)(last_hidden_state=states.last_hidden_state.repeat_interleave(len(live), 0)),
                mask.repeat_interleave(len(live), 0), new.to(mask.device).repeat(len(pivots), 1), past,
            )  # fmt: skip
            weights = torch.tensor([pivot.log_weight for pivot in pivots], dtype=torch.float64)
            parts.append(found.cpu().double().view(len(pivots), len(live), -1) + weights[:, None, None])
        self._prefixes = len(live)
        return torch.cat(parts).logsumexp(0)


def _by_back(pivots: Sequence[Pivot]) -> dict[int, list[Pivot]]:
    found: dict[int, list[Pivot]] = {}
    for pivot in pivots:
        found.setdefault(pivot.back, []).append(pivot)
    return found
