"""Added sentences (neutral, of praise, of blame) and negated sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from random import Random
from typing import TYPE_CHECKING

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.languages.language import Language
from robustfim_words.languages.perturbation import Change, Editing
from robustfim_words.swaps.turning import LOWERS
from robustfim_words.text.casing import like

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Negation", "NegativeSentence", "NeutralSentence", "PositiveSentence"]

_ENDS = re.compile(r"[.!?…][\"'”“’»)]*\s*\Z")
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_WITHIN = re.compile(r"^[^.!?…,;:()\n]*")
_NEAR = 5
"""The number of words after a verb among which its complement stands."""


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
    """Adds a sentence without an opinion to the end of a text."""

    needs = ("neutral",)


class _Opinion(_AddedSentence):
    """Adds a sentence of praise or of blame: the probability of its label must not fall."""

    def __init__(self, *, label: str, language: str) -> None:
        super().__init__(language=language)
        expects = {"use": "directional", "direction": "up", "label": label}
        self.contract = Contract(keeps="nothing", expects=expects, carries=True)


class PositiveSentence(_Opinion):
    """Adds a sentence of praise to the end of a text: the probability of the label of praise must not fall.

    Args:
        label: The label that stands for praise, as the model and the data call it.
    """

    needs = ("positive",)

    def __init__(self, *, label: str = "positive", language: str = "auto") -> None:
        super().__init__(label=label, language=language)


class NegativeSentence(_Opinion):
    """Adds a sentence of blame to the end of a text: the probability of the label of blame must not fall.

    Args:
        label: The label that stands for blame, as the model and the data call it.
    """

    needs = ("negative",)

    def __init__(self, *, label: str = "negative", language: str = "auto") -> None:
        super().__init__(label=label, language=language)


class Negation(Editing):
    """Negates praise in texts labelled as praise, blame in texts labelled as blame: the label must not get likelier.

    A verb is negated if the next five words of its clause include words of praise and no words of blame, or words of
    blame and no words of praise. Questions, subordinate clauses, sentences with a negation and texts of other labels
    are not changed. A text without a label counts as praise if it has words of praise and none of blame, and as blame
    if it has words of blame and none of praise.

    Args:
        praise: The labels that stand for praise, as the data call them, such as ``non-hateful``; ``positive`` by
            default.
        blame: The labels that stand for blame; ``negative`` by default.

    Raises:
        UsageError: The language is not known or has no rules of negation; a label is in both lists, or no label of the
            data is in either.
    """

    contract = Contract(keeps="nothing", expects=LOWERS, carries=True)
    needs = ("negation", "negators", "praise", "blame")

    def __init__(
        self, *, praise: list[str] | None = None, blame: list[str] | None = None, language: str = "auto"
    ) -> None:
        super().__init__(language=language)
        praises, blames = praise or ["positive"], blame or ["negative"]
        if both := sorted({*praises} & {*blames}):
            raise UsageError(
                f"praise, blame: both lists name the label {both[0]!r}; keep the label in one of the lists."
            )
        self._sides = dict.fromkeys(praises, True) | dict.fromkeys(blames, False)

    def prepare(self, context: Context) -> None:
        """Find the main language of the data, and which labels stand for praise or blame.

        Raises:
            UsageError: No label of the data stands for praise or blame.
        """
        super().prepare(context)
        labels = {label for example in context.examples for label in example.gold}
        if labels and not labels & self._sides.keys():
            raise UsageError(
                f"negation: no label of the data ({', '.join(sorted(labels)[:5])}) is known to stand for praise or "
                "blame; name those that do: praise: [...], blame: [...]"
            )

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List edits that negate the statements that speak for the example's label."""
        spoken = self._spoken(example)
        side = None if spoken is None else self._side(spoken, example)
        if spoken is not None and side is not None:
            for edit in super().edits(example, random):
                text = example.fields[edit.field]
                said = text[edit.start : edit.end] + _clause(spoken, _WITHIN.findall(text[edit.end :])[0])
                if spoken.side(said) is side:
                    yield edit

    def _side(self, spoken: Language, example: Example) -> bool | None:
        """Tell whether an example's label stands for praise (True) or blame; None for neither."""
        if len(example.gold) == 1:
            return self._sides.get(example.gold[0])
        return None if example.gold else spoken.side("\n".join(example.fields.values()))

    def _changes(self, spoken: Language, text: str, random: Random) -> Iterator[Change]:
        negators, inside = (frozenset(each.split()) for each in (spoken.grammar.negators, spoken.grammar.inside))
        for sentence in _SENTENCE.finditer(text):
            words = {token.text.lower() for token in spoken.tokens(sentence.group())}
            if words & negators or sentence.group().endswith("?"):
                continue
            written = sentence.group()
            opens = len(written) - len(written.lstrip(" ¡\"'„“«"))
            inner = written[:opens] + written[opens : opens + 1].lower() + written[opens + 1 :]
            for number, rule in enumerate(spoken.grammar.negation, 1):
                for match in re.finditer(rule.find, inner):
                    before = _WITHIN.findall(inner[: match.start()][::-1])[0][::-1]
                    if inside.isdisjoint(token.text.lower() for token in spoken.tokens(before)):
                        start, put = sentence.start() + match.start(), match.expand(rule.put)
                        if match.start() <= opens:
                            put = like(written[match.start() : match.end()], put)
                        yield start, sentence.start() + match.end(), put, f"negation: rule {number}"


def _clause(spoken: Language, text: str) -> str:
    """Cut a text off where another clause begins, or after a few words."""
    ends = frozenset(f"{spoken.grammar.joining} {spoken.grammar.inside}".split())
    said = takewhile(lambda token: token.text.lower() not in ends, spoken.tokens(text)[:_NEAR])
    return text[: max((token.end for token in said), default=0)]
