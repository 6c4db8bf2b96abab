"""A chat model as a paraphraser that also judges whether its paraphrases keep the meaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, ClassVar

from pydantic import NonNegativeFloat, PositiveInt

from robustfim.contract import ParaphraserContract
from robustfim.errors import UsageError
from robustfim.roles import Paraphrase
from robustfim_blackbox.chat.judge import Judge
from robustfim_blackbox.chat.service import Chat
from robustfim_blackbox.chat.writer import Writer
from robustfim_blackbox.template import fill, places

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["ChatParaphraser"]

_PROMPT = """\
Say the text in other words, with the same meaning. Answer with the new text and nothing else.

Text: {text}
New text:"""
_LEAST = 1e-6
"""The score of a paraphrase that the judge rejects. It is above 0, since every paraphrase has a positive score."""


class ChatParaphraser:
    """Writes paraphrases with a chat model, and scores each by the model's probability that it has the same meaning.

    Each text takes ``answers`` requests, and each pair one more for its score. Texts changed by rules are scored in the
    same way. Needs ``pip install 'robustfim[http]'``.

    Args:
        chat: The chat model, as for the perturbation ``instruct``.
        answers: The number of paraphrases of each text.
        temperature: The temperature of the paraphrases; null means 0 for one paraphrase, and 1 for several.
        votes: The number of answers sampled for each pair if the endpoint gives no log-probabilities.
        prompt: The prompt, with {text}.
    """

    libraries: ClassVar = {"httpx": "robustfim[http]"}
    contract = ParaphraserContract(score="judgement", tau=0.5)

    def __init__(
        self,
        *,
        chat: Chat,
        answers: PositiveInt = 5,
        temperature: NonNegativeFloat | None = None,
        votes: PositiveInt = 1,
        prompt: str = _PROMPT,
    ) -> None:
        if places(prompt) != {"text"}:
            raise UsageError("'prompt' must contain the place {text} and no other place.")
        self._writer, self._judge, self._prompt = Writer(chat, answers, temperature), Judge(chat, votes), prompt
        self._answers, self._skipped = answers, Counter[str]()

    def resources(self) -> dict[str, str]:
        """Return the identity of the model that writes and judges, for the record."""
        return {"paraphraser": f"chat {self._writer.version}"}

    @property
    def skipped(self) -> dict[str, int]:
        """The number of unusable answers, by reason."""
        return dict(self._skipped)

    def prepare(self, context: Context) -> None:
        """Join the run's chat services."""
        self._writer.prepare(context)
        self._judge.prepare(context)

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[list[Paraphrase]]:
        """Paraphrase texts."""
        prompts = [str(fill(self._prompt, {"text": text})) for text in texts]
        said = self._writer.write(texts, prompts, first=seed * self._answers)
        self._skipped.update(f"an answer of no use ({why})" for own in said for _, why in own if why)
        pairs = [
            (text, new)
            for text, own in zip(texts, said, strict=True)
            for new in dict.fromkeys(n for n, _ in own)
            if new
        ]
        scored = dict(zip(pairs, self.score([one for one, _ in pairs], [new for _, new in pairs]), strict=True))
        found: dict[str, list[Paraphrase]] = {text: [] for text in texts}
        for (text, new), score in scored.items():
            found[text].append(Paraphrase(new, max(score, _LEAST)))
        return [sorted(found[text], key=lambda each: (-each.score, each.text)) for text in texts]

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> list[float]:
        """Ask a chat model, for each pair of texts, whether the candidate has the same meaning as the text.

        Returns:
            For each pair, the probability that both texts have the same meaning; 0 if the judge gives no verdict.
        """
        fractions = self._judge.same(list(zip(texts, candidates, strict=True)))
        return [0.0 if isnan(fraction) else fraction for fraction in fractions]
