"""A completion: a prompt, and the answers that may follow it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from robustfim_huggingface.causal.prompt import FilledPrompt

__all__ = ["Answers", "Completion", "Normalise"]

Normalise: TypeAlias = Literal["none", "tokens", "pmi"]
"""What is made of an answer's log-likelihood."""


@dataclass(frozen=True)
class Completion:
    """One example as it is put to the model.

    Attributes:
        prompt: What is read first.
        answers: What may follow; empty where the same answers follow every prompt.
        neutral: A prompt without the example's own words, for :data:`Normalise` ``pmi``.
    """

    prompt: FilledPrompt
    answers: tuple[FilledPrompt, ...] = ()
    neutral: FilledPrompt | None = None


@dataclass(frozen=True)
class Answers:
    """How answers are read, and what they say.

    Attributes:
        anchor: Words that end as every prompt does.
        groups: For each class the numbers of its answers.
        fixed: The answers, where they follow every prompt.
        normalise: ``none`` is log p(answer | prompt), the sum over its tokens; ``tokens`` that sum by their number;
            ``pmi`` the sum minus log p(answer | neutral prompt), the pointwise mutual information of Holtzman et al.
            (2021, "Surface form competition").
    """

    anchor: str
    groups: tuple[tuple[int, ...], ...]
    fixed: tuple[FilledPrompt, ...] = ()
    normalise: Normalise = "none"
