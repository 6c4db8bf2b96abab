"""Variants of a text: what its rewrites make of it, alone and two at once, and how sure each is."""

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
    """Make paraphrases of single rewrites and, while there is room, of two at once.

    Args:
        text: The text.
        rewrites: Its rewrites, those to prefer first.
        most: Paraphrases, at most.
        together: Rewrites in one of them, at most: 1 or 2.
        seed: Draws the pairs.

    Returns:
        Distinct texts, none of them the text itself.
    """
    made = dict.fromkeys(apply(text, (each,)) for each in rewrites[:most])
    if together > 1 and len(made) < most:
        pairs = [pair for pair in combinations(rewrites[:most], 2) if not pair[0].excludes(pair[1])]
        random = random_for(seed, "paraphrase", text)
        made |= dict.fromkeys(apply(text, pair) for pair in random.sample(pairs, min(most, len(pairs))))
    made.pop(text, None)
    return list(made)[:most]


def surest(texts: Sequence[str], lists: Sequence[Sequence[str]], score: Score) -> list[list[Paraphrase]]:
    """Score the paraphrases of all texts at once.

    Args:
        texts: The texts x, ``[texts]``.
        lists: What each became, ``[texts][paraphrases]``.
        score: Gives S of pairs.

    Returns:
        ``[texts][paraphrases]``, the surest first, without those whose score is 0.
    """
    pairs = [(text, each) for text, found in zip(texts, lists, strict=True) for each in found]
    scores = iter(score([text for text, _ in pairs], [each for _, each in pairs]))
    scored = [[Paraphrase(each, next(scores)) for each in found] for found in lists]
    return [
        sorted((each for each in found if each.score > 0), key=lambda each: (-each.score, each.text))
        for found in scored
    ]
