"""A causal language model as a text classifier, through label words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Unpack

from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_huggingface.causal.completion import Answers, Completion, Normalise
from robustfim_huggingface.causal.model import CausalModel
from robustfim_huggingface.causal.prompt import FilledPrompt
from robustfim_huggingface.checkpoint.saved_model import Loading, without_surrogates

__all__ = ["CausalClassifier"]


class CausalClassifier(CausalModel):
    r"""A language model as a classifier, from a folder or the hub; it predicts the label of the likeliest label word.

    Every architecture of ``AutoModelForCausalLM`` with safetensors weights works; code of a model is never run. The
    distribution is the softmax over the log-likelihoods of the label words after the prompt. The log-likelihood of a
    word is the sum over its tokens; several words of a label are added (log Σ exp). Gradients are taken at the
    example's text, while the words of the template count as special tokens. If a text is too long, its end is cut off;
    the template is never cut. Needs ``pip install 'robustfim[huggingface]'``.

    Args:
        prompt: The prompt, with the names of fields in braces: ``"Review: {text}\nIt was"``.
        labels: The word or words of each label, with the blank that follows the prompt: ``{positive: " great",
            negative: " bad"}``.
        normalise: ``none``, or by ``tokens`` (the mean over a word's tokens), or ``pmi`` (minus the word's
            log-likelihood behind ``neutral``).
        neutral: For ``pmi``, a prompt without the example's text, such as ``"It was"``.
    """

    def __init__(
        self,
        path: Path | str,
        prompt: str,
        labels: dict[str, str | list[str]],
        normalise: Normalise = "none",
        neutral: str | None = None,
        **loading: Unpack[Loading],
    ) -> None:
        if neutral is not None and normalise != "pmi":
            raise UsageError(f"'neutral' is for normalise: pmi, and {normalise=}.")
        super().__init__(path, prompt=prompt, neutral=neutral, normalise=normalise, **loading)
        self._words = _label_words(labels, self._prompt.end, self._prompt.blanks)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the columns of ``predict``."""
        return tuple(self._words)

    def _deciding(self) -> list[object]:
        return ["huggingface/causal", *super()._deciding(), list(self._words.items())]

    def _answers(self) -> Answers:
        words = [word for each in self._words.values() for word in each]
        numbers = iter(range(len(words)))
        return Answers(
            anchor=self._prompt.anchor,
            groups=tuple(tuple(next(numbers) for _ in word) for word in self._words.values()),
            fixed=tuple(FilledPrompt((("", word),)) for word in words),
            normalise=self._normalise,
        )

    def _completion(self, example: Example) -> Completion:
        texts = {name: without_surrogates(text) for name, text in example.fields.items()}
        neutral = None if self._baseline is None else self._baseline.fill(texts)
        return Completion(self._prompt.fill(texts), neutral=neutral)


def _label_words(labels: Mapping[str, str | list[str]], end: str, blanks: str) -> dict[str, tuple[str, ...]]:
    """Check label words, and give each the blanks that the prompt ended with, or its own."""
    if len(labels) < 2:
        raise UsageError(f"'labels' must give the words of at least two labels, not of {len(labels)}.")
    found: dict[str, tuple[str, ...]] = {}
    seen: dict[str, str] = {}
    for label, given in labels.items():
        words = [given] if isinstance(given, str) else given
        if not words or not all(word.strip() for word in words):
            raise UsageError(f"the label {label!r} has no word, or an empty one: {given!r}.")
        found[label] = tuple(word if word[0].isspace() else blanks + word for word in words)
        for word in found[label]:
            if word in seen:
                raise UsageError(f"the labels {seen[word]!r} and {label!r} have the same word {word!r}.")
            if all(each.isascii() and each.isalnum() for each in (end[-1:], word[0])):
                raise UsageError(
                    f"the label word {word!r} would be glued to the end of the prompt, '…{end[-12:]}{word}': "
                    f"write {' ' + word!r}, or end the prompt with a blank."
                )
            seen[word] = label
    return found
