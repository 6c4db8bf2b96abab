"""Added sentences, which say nothing, praise or blame, and denied ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from robustfim.contract import Contract
from robustfim_languages.language import Language
from robustfim_languages.perturbation import Change, Editing, cased

__all__ = ["Negation", "NegativeSentence", "NeutralSentence", "PositiveSentence"]

_ENDS = re.compile(r"[.!?…][\"'”“’»)]*\s*\Z")
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_LOWERS = {"use": "directional", "direction": "down", "watch": "gold"}


class _AddedSentence(Editing):
    """Adds a sentence of the language's at the end; a subclass names the table."""

    def _changes(self, spoken: Language, text: str, random: Random) -> Iterator[Change]:
        (table,) = self.needs
        sentences = [each for each in getattr(spoken.grammar, table) if each.lower() not in text.lower()]
        end = len(text.rstrip())
        if end:
            stop = "" if _ENDS.search(text[:end]) else "."
            for sentence in random.sample(sentences, len(sentences)):
                yield end, end, f"{stop} {sentence}", f"{table}: {sentence}"


class NeutralSentence(_AddedSentence):
    """Adds a sentence that holds no opinion to the end of a text."""

    needs = ("neutral",)


class PositiveSentence(_AddedSentence):
    """Adds a sentence of praise to the end of a text: the probability of the label of praise must not fall.

    Args:
        label: The label that stands for praise, as the model and the data call it.
    """

    needs = ("positive",)

    def __init__(self, *, label: str = "positive", language: str = "auto") -> None:
        super().__init__(language=language)
        self.contract = Contract(
            keeps="nothing", expects={"use": "directional", "direction": "up", "label": label}, carries=True
        )


class NegativeSentence(_AddedSentence):
    """Adds a sentence of blame to the end of a text: the probability of the label of blame must not fall.

    Args:
        label: The label that stands for blame, as the model and the data call it.
    """

    needs = ("negative",)

    def __init__(self, *, label: str = "negative", language: str = "auto") -> None:
        super().__init__(language=language)
        self.contract = Contract(
            keeps="nothing", expects={"use": "directional", "direction": "up", "label": label}, carries=True
        )


class Negation(Editing):
    """Denies a sentence that is not denied: the probability of the source's label must not rise.

    Raises:
        UsageError: The language is not known or has no rules of negation.
    """

    contract = Contract(keeps="nothing", expects=_LOWERS, carries=True)
    needs = ("negation", "negators")

    def _changes(self, spoken: Language, text: str, random: Random) -> Iterator[Change]:
        negators = frozenset(spoken.grammar.negators.split())
        for sentence in _SENTENCE.finditer(text):
            words = {token.text.lower() for token in spoken.tokens(sentence.group())}
            if words & negators or sentence.group().endswith("?"):
                continue
            written = sentence.group()
            opens = len(written) - len(written.lstrip(" ¡\"'„“«"))
            inner = written[:opens] + written[opens : opens + 1].lower() + written[opens + 1 :]
            for number, rule in enumerate(spoken.grammar.negation, 1):
                for match in re.finditer(rule.find, inner):
                    start, put = sentence.start() + match.start(), match.expand(rule.put)
                    if match.start() <= opens:
                        put = cased(written[match.start() : match.end()], put)
                    yield start, sentence.start() + match.end(), put, f"negation: rule {number}"
