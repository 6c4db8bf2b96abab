"""Variants of a text: the results of its rewrites, alone and in pairs, with their scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TypeAlias

from robustfim.roles import Paraphrase
from robustfim.seeds import random_for
from robustfim_sears.paraphrase.rewrite import Rewrite, apply

__all__ = ["combined", "surest"]

Score: TypeAlias = Callable[[Sequence[str], Sequence[str]], Sequence[float]]
"""Gives S of pairs of texts."""


def combined(text: str, rewrites: Sequence[Rewrite], most: int, together: int, seed: int) -> list[str]:
    """Make paraphrases by single rewrites and, up to ``most``, by pairs of rewrites.

    Args:
        text: The text.
        rewrites: The rewrites of the text, preferred rewrites first.
        most: The largest number of paraphrases.
        together: The largest number of rewrites in a paraphrase: 1 or 2.
        seed: The seed for drawing pairs.

    Returns:
        Distinct texts, all different from ``text``.
    """
    made = dict.fromkeys(apply(text, (rewrite,)) for rewrite in rewrites[:most])
    if together > 1 and len(made) < most:
        pairs = [pair for pair in combinations(rewrites[:most], 2) if not pair[0].excludes(pair[1])]
        random = random_for(seed, "paraphrase", text)
        made |= dict.fromkeys(apply(text, pair) for pair in random.sample(pairs, min(most, len(pairs))))
    made.pop(text, None)
    return list(made)[:most]


def surest(texts: Sequence[str], lists: Sequence[Sequence[str]], score: Score) -> list[list[Paraphrase]]:
    """Score the paraphrases of all texts at once, and sort each text's paraphrases by score.

    Args:
        texts: The texts x, ``[texts]``.
        lists: The paraphrases of each text, ``[texts][paraphrases]``.
        score: A function that returns the score S(x, x′) of pairs of texts.

    Returns:
        ``[texts][paraphrases]``, the highest score first, without paraphrases whose score is 0.
    """
    pairs = [(text, each) for text, found in zip(texts, lists, strict=True) for each in found]
    scores = iter(score([text for text, _ in pairs], [each for _, each in pairs]))
    scored = [[Paraphrase(each, next(scores)) for each in found] for found in lists]
    return [
        sorted(
            (paraphrase for paraphrase in found if paraphrase.score > 0),
            key=lambda paraphrase: (-paraphrase.score, paraphrase.text),
        )
        for found in scored
    ]
