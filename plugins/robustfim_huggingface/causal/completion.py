"""A completion: a prompt, and the answers that may follow it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from robustfim_huggingface.causal.prompt import FilledPrompt

__all__ = ["Answers", "Completion", "Normalise"]

Normalise: TypeAlias = Literal["none", "tokens", "pmi"]
"""The normalisation of an answer's log-likelihood."""


@dataclass(frozen=True)
class Completion:
    """One example as a causal language model reads it: a prompt and possible answers.

    Attributes:
        prompt: The text before the answer.
        answers: The possible answers; empty if every prompt has the same answers.
        neutral: A prompt without the example's own words, for :data:`Normalise` ``pmi``.
    """

    prompt: FilledPrompt
    answers: tuple[FilledPrompt, ...] = ()
    neutral: FilledPrompt | None = None


@dataclass(frozen=True)
class Answers:
    """The possible answers of a language model, grouped by class, and how an answer is scored.

    Attributes:
        anchor: A text with the same end as every prompt; the answers are tokenized after it.
        groups: For each class, the indices of its answers.
        fixed: The answers, if all prompts have the same answers.
        normalise: The score of an answer. ``none`` is log p(answer | prompt), the sum over the answer's tokens.
            ``tokens`` is this sum divided by the number of tokens. ``pmi`` is this sum minus log p(answer | neutral
            prompt), the pointwise mutual information of Holtzman et al. (2021, "Surface form competition").
    """

    anchor: str
    groups: tuple[tuple[int, ...], ...]
    fixed: tuple[FilledPrompt, ...] = ()
    normalise: Normalise = "none"
