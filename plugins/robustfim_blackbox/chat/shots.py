"""The few examples of PromptAttack's few-shot variant: five sentences, each changed in all nine ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["SHOTS"]

_SENTENCES = (
    "The service was quick and the food was good.",
    "I would not watch this film a second time.",
    "The phone stopped working after a week.",
    "She plays the part with real warmth.",
    "The new rules were announced on Monday.",
)

_CHANGED: Mapping[str, Sequence[str]] = {
    "typos": (
        "The servise was quick and the food was godo.",
        "I would not wacth this film a second time.",
        "The phone stoped working after a week.",
        "She plays the part with reel warmht.",
        "The new rules were anounced on Monday.",
    ),
    "letters": (
        "The service was quack and the food was good.",
        "I would not watch this fylm a second time.",
        "The phone stopped warking after a week.",
        "She plays the part with reel warmth.",
        "The now rules were announced on Monday.",
    ),
    "extra_characters": (
        "The service was quick and the food was good.:",
        "I would not watch this film a second time.!.",
        "The phone stopped working after a week. ;",
        "She plays the part with real warmth.,,",
        "The new rules were announced on Monday.-",
    ),
    "synonyms": (
        "The service was fast and the meal was good.",
        "I would not watch this movie a second time.",
        "The phone quit working after a week.",
        "She plays the role with genuine warmth.",
        "The new regulations were announced on Monday.",
    ),
    "deleted_words": (
        "The service was quick and food was good.",
        "I would not watch this a second time.",
        "Phone stopped working after a week.",
        "She plays the part with warmth.",
        "New rules were announced Monday.",
    ),
    "added_words": (
        "The service was quick and the food there was good.",
        "I would certainly not watch this film a second time.",
        "The phone just stopped working after a week.",
        "She always plays the part with real warmth.",
        "The new rules were announced early on Monday.",
    ),
    "handle": (
        "The service was quick and the food was good. @tq7Lm",
        "I would not watch this film a second time. @wX2bn",
        "The phone stopped working after a week. @oe91z",
        "She plays the part with real warmth. @Ypk4d",
        "The new rules were announced on Monday. @r8uvj",
    ),
    "paraphrase": (
        "We were served fast, and what we ate tasted fine.",
        "Once was enough for me with this film.",
        "A week later the phone was dead.",
        "Her performance is truly warm.",
        "On Monday they made the new rules public.",
    ),
    "syntax": (
        "Quick was the service, and good was the food.",
        "A second time is something I would not watch this film.",
        "After a week, what stopped working was the phone.",
        "It is with real warmth that she plays the part.",
        "On Monday came the announcement of the new rules.",
    ),
}

SHOTS: Mapping[str, Sequence[tuple[str, str]]] = {
    name: tuple(zip(_SENTENCES, changed, strict=True)) for name, changed in _CHANGED.items()
}
"""Pairs of a sentence and what becomes of it, by the name of the instruction."""
