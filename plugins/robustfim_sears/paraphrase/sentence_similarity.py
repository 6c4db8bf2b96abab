"""The similarity score: the cosine of the embeddings of two texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustfim.contract import ParaphraserContract
from robustfim_checkpoints.pretrained import Pretrained, check, load

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["SentenceSimilarity"]

_BATCH = 64


class SentenceSimilarity:
    """Scores pairs of texts by the cosine of their embeddings, 0 if it is negative (Reimers and Gurevych 2019).

    The embedding is the mean over a text's tokens, or the first token's embedding if a folder of sentence-transformers
    says so. A text that is too long for the encoder has the score 0 with every text.

    Args:
        encoder: An encoder, a folder or a name on the hub.
        device: The device on which the encoder computes.
        offline: Whether downloads are forbidden.

    Attributes:
        contract: The name and the threshold of the score.
        skipped: The number of texts that were too long, by reason.

    Raises:
        UsageError: The folder is missing, or holds no encoder.
    """

    contract = ParaphraserContract(score="similarity", tau=0.8)

    def __init__(self, encoder: Path | str, *, device: str, offline: bool) -> None:
        check("encoder", encoder)
        self._encoder, self._device, self._offline = encoder, device, offline
        self._loaded: Pretrained | None = None
        self._known: dict[str, Any] = {}
        self.skipped: Counter[str] = Counter()

    @property
    def identity(self) -> str:
        """Return the name of the encoder, with its hash after loading."""
        return f"encoder {Path(self._encoder).name}" + (f" {self._loaded.digest}" if self._loaded else "")

    def prepare(self, context: Context) -> None:
        """Load the encoder."""
        self._offline = self._offline or context.offline
        self._network()

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> list[float]:
        """Score pairs of texts x and x′ by the cosine of their embeddings e.

        Returns:
            max(0, cos(e(x), e(x′))) in [0, 1] of each pair.
        """
        self._embed([*texts, *candidates])
        scores = []
        for text, candidate in zip(texts, candidates, strict=True):
            one, other = self._known[text], self._known[candidate]
            cosine = 0.0 if one is None or other is None else float(one @ other)
            scores.append(min(max(cosine, 0.0), 1.0))
        return scores

    def _network(self) -> Pretrained:
        if self._loaded is None:
            self._loaded = load(
                "encoder", self._encoder, lambda _: "AutoModel", device=self._device, offline=self._offline
            )
        return self._loaded

    def _embed(self, texts: Sequence[str]) -> None:
        """Embed the texts that are new, ``[dims]`` of length 1 each; None where one is too long."""
        import torch

        network = self._network()
        new = sorted((text for text in dict.fromkeys(texts) if text not in self._known), key=len)
        for text in new:
            if not network.reads(text):
                self._known[text] = None
                self.skipped["too long for the encoder"] += 1
        new = [text for text in new if text not in self._known]
        for start in range(0, len(new), _BATCH):
            batch = new[start : start + _BATCH]
            inputs = network.tokenizer(batch, return_tensors="pt", padding=True).to(network.device)
            rows = torch.nn.functional.normalize(network.sentence_vectors(inputs).float(), dim=-1).cpu()
            self._known.update(zip(batch, rows, strict=True))
