"""Ages: a person's age is swapped for another age of the same time of life."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.tagging.resourced import Proposing, WithTagger
from robustfim_words.text.articles import swap
from robustfim_words.text.guard import fixed
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.numerals import spell, value
from robustfim_words.text.tokens import Token

__all__ = ["Ages"]

_NUMBER = r"(?P<age>\d{1,2}|[a-z]+(?:-[a-z]+)?)"
_OLD = re.compile(rf"(?<![\w.,/$-]){_NUMBER}[- ](?:year|yr)s?[- ]olds?\b", re.IGNORECASE)
_AGED = re.compile(rf"\b(?:aged|at age|at the (?:\w+ )?age of) {_NUMBER}\b", re.IGNORECASE)
_IS = re.compile(rf"\b(?:he|she|i)(?: (?:is|was|am)|['’](?:s|m)) {_NUMBER}(?=\s*[.,;!](?!\d))", re.IGNORECASE)
_NAMED = re.compile(r"\b[A-Z][a-z]+ [A-Z][\w'’-]+, (?P<age>[2-9]\d), ")
_DECADE = re.compile(
    r"\bin (?P<owner>\w+) (?:\w+[- ])?"
    r"(?P<age>[a-z]+ties|[2-8]0['’]?s)\b",
    re.IGNORECASE,
)
_FORMS = (_OLD, _AGED, _IS, _NAMED, _DECADE)
_STAGES = ((2, 4), (5, 8), (9, 12), (13, 17), (18, 29), (30, 49), (50, 64), (65, 79), (80, 95))
"""Times of life, in years, both ends included. An age is swapped only within one of these ranges."""
_APART = 6
"""The largest difference, in years, between an age and its replacement."""
_DRAWS = 24


class Ages(WithTagger, Proposing):
    """Swaps a person's age for another age of the same time of life, everywhere in the text.

    Ages are recognised in forms such as "a 34-year-old woman", "she was nine years old", "aged 34", "at the age of
    nine", "he is 83.", "Ann Lee, 49," and "in her thirties". A decade becomes the decade before or after. An age is not
    swapped if the text also uses the same number for something else.
    """

    contract = Contract(carries=True)

    def foresee(self, examples: Sequence[Example]) -> None:
        """Tag the texts of several examples together, which is faster than one by one."""
        super().foresee([example for example in examples if _says_one(example)])

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one age swapped at all its mentions."""
        if not _says_one(example):
            return
        tokens = self._read(example)
        ages: dict[int, list[tuple[str, re.Match[str]]]] = {}
        for field, text in example.fields.items():
            for match in _ages(text, tokens[field]):
                ages.setdefault(_years(match), []).append((field, match))
        numbers = [number for its in tokens.values() for token in its if (number := _number(token))]
        seen: set[tuple[int, int]] = set()
        for _ in range(_DRAWS):
            for age, places in ages.items():
                new = _other(age, places[0][1].re is _DECADE, random)
                mixed = len({match.re is _DECADE for _, match in places}) > 1
                if new in numbers or mixed or (age, new) in seen or numbers.count(age) > len(places):
                    continue
                seen.add((age, new))
                edits = [_edit(field, example.fields[field], tokens[field], match, new) for field, match in places]
                yield Candidate(example, tuple(edits))


def _says_one(example: Example) -> bool:
    """Tell whether a text has what could be an age, before anything is tagged."""
    return any(form.search(text) for text in example.fields.values() for form in _FORMS)


def _ages(text: str, tokens: Sequence[Token]) -> Iterator[re.Match[str]]:
    """Find the ages of persons, each once."""
    taken, kept = set[int](), fixed(text, tokens)
    at = {token.start: index for index, token in enumerate(tokens)}
    for form in _FORMS:
        for match in form.finditer(text):
            index = at.get(match.start("age"))
            owner = match["owner"].lower() if form is _DECADE else ""
            if owner and owner not in closed_class("owners"):
                continue
            beside = tokens[index + 1].text.lower() if index is not None and index + 1 < len(tokens) else ""
            if form is _AGED and beside in closed_class("between numbers"):
                continue
            if index is None or index in kept or match.start("age") in taken or _years(match) < 2:
                continue
            taken.add(match.start("age"))
            yield match


def _years(match: re.Match[str]) -> int:
    """Return the age in years, 0 for what is none; of a decade its first year."""
    word = match["age"].lower()
    if match.re is _DECADE:
        return int(word[:2]) if word[0].isdigit() else value(f"{word[:-3]}y") or 0
    return int(word) if word.isdigit() else value(word) or 0


def _number(token: Token) -> int:
    """Return the number that a token begins with, 0 for none."""
    head = re.match(r"\d+", token.text)
    if head is not None:
        return int(head.group())
    parts = re.split("[-‐‑]", token.text.lower())
    return value("-".join(parts[:2])) or value(parts[0]) or 0


def _other(age: int, decade: bool, random: Random) -> int:
    """Draw another age of the same time of life, or a neighbouring decade."""
    if decade:
        return random.choice([other for other in (age - 10, age + 10) if 20 <= other <= 80])
    stage = next((stage for stage in _STAGES if stage[0] <= age <= stage[1]), (age, age))
    years = range(max(stage[0], age - _APART), min(stage[1], age + _APART) + 1)
    return random.choice([other for other in years if other != age] or [age])


def _edit(field: str, text: str, tokens: Sequence[Token], match: re.Match[str], new: int) -> Edit:
    """Make the edit of one mention, in its notation."""
    old, start, end = match["age"], match.start("age"), match.end("age")
    if match.re is _DECADE:
        after = f"{new}{old[2:]}" if old[0].isdigit() else f"{spell(new)[:-1]}ies"
    else:
        after = str(new) if old.isdigit() else spell(new)
    index = next(index for index, token in enumerate(tokens) if token.start == start)
    return swap(field, text, tokens, index, after, f"ages: {old} → {after}", end=end)
