"""Ages: a person's age is swapped for another age of the same time of life."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.languages.english import english
from robustfim_words.languages.language import Language
from robustfim_words.languages.perturbation import InLanguage
from robustfim_words.tagging.resourced import Proposing
from robustfim_words.text.analysed import Analysed, analysed

__all__ = ["Ages", "AgesInLanguage", "other_ages"]

_DECADE = re.compile(r"(\d\d|[a-z]+t)(ies|['’]?s)", re.IGNORECASE)
_STAGES = (2, 5, 9, 13, 18, 30, 50, 65, 80, 96)
"""The ages, in years, at which a time of life begins. An age is swapped only for one of the same time of life."""
_APART = 6
"""The largest difference, in years, between an age and its replacement."""


def other_ages(age: int) -> list[int]:
    """List ages similar to a given age: in the same time of life, at most six years apart.

    >>> other_ages(17)
    [13, 14, 15, 16]
    """
    stage = bisect(_STAGES, age)
    near = range(age - _APART, age + _APART + 1)
    return [other for other in near if other != age and 0 < bisect(_STAGES, other) == stage < len(_STAGES)]


class Ages(Proposing):
    """Swaps a person's age for another age of the same time of life, everywhere in the text.

    Ages are recognised in forms such as "a 34-year-old woman", "she was nine years old", "aged 34", "at the age of
    nine", "he is 83.", "Ann Lee, 49," and "in her thirties". A decade becomes the decade before or after. An age is not
    swapped if the text also uses the same number for something else.
    """

    contract = Contract(carries=True)

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one age swapped at all its mentions."""
        yield from _aged(english(), example, analysed(example, self._read(example)), random)


class AgesInLanguage(InLanguage):
    """Swaps the age of a person or thing for a similar age, on the same side of 13, 18 and 65 years."""

    needs = ("ages",)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one age swapped at all its mentions."""
        if spoken := self._spoken(example):
            yield from _aged(spoken, example, spoken.read(example), random)


def _aged(spoken: Language, example: Example, read: Sequence[Analysed], random: Random) -> Iterator[Candidate]:
    """Yield candidates in which one age is swapped."""
    ages: dict[int, dict[tuple[str, int], tuple[Analysed, str]]] = {}
    for each in read:
        places = {token.start: index for index, token in enumerate(each.tokens)}
        for match in (match for form in spoken.grammar.ages for match in re.finditer(form, each.text)):
            index, years = places.get(match.start("n")), _years(spoken, match["n"])
            if index is not None and index not in each.fixed and years > 1:
                ages.setdefault(years, {})[each.field, index] = each, match["n"]
    said = Counter(_years(spoken, re.split("[-‐‑]", token.text)[0]) for each in read for token in each.tokens)
    for years, found in ages.items():
        decade = {_DECADE.fullmatch(age) is not None for _, age in found.values()}
        if len(decade) > 1 or said[years] > len(found):
            continue
        near = [ten for ten in (years - 10, years + 10) if 20 <= ten <= 80] if decade.pop() else other_ages(years)
        for new in random.sample(near, len(near)):
            if not said[new]:
                edits = [_edit(spoken, each, index, age, new) for (_, index), (each, age) in found.items()]
                yield Candidate(example, tuple(edits))


def _years(spoken: Language, age: str) -> int:
    """Return an age in years, or the first year of a decade; 0 for another word."""
    decade = _DECADE.fullmatch(age)
    word = age if decade is None else decade[1] + ("" if decade[1].isdigit() else "y")
    return int(word) if word.isdecimal() else spoken.value(word) or 0


def _edit(spoken: Language, read: Analysed, index: int, old: str, new: int) -> Edit:
    """Make the edit of one mention, in its notation."""
    decade = _DECADE.fullmatch(old)
    after = str(new) if old[0].isdigit() else spoken.spell(new) or ""
    if decade is not None:
        after = after.removesuffix("y") + decade[2]
    end = read.tokens[index].start + len(old)
    return spoken.edit(read, index, after, f"ages: {old} → {after}", end)
