"""Gender: women become men and men become women, with their names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.persons.gender import GENDER_WORDS, pronouns
from robustfim_words.persons.names import Key, entities, places
from robustfim_words.persons.people import new_names, register
from robustfim_words.persons.persons import Persons
from robustfim_words.tagging.resourced import Proposing, WithTagger
from robustfim_words.text.analysed import Analysed, analysed
from robustfim_words.text.articles import swap
from robustfim_words.text.casing import capitalised, like, like_name
from robustfim_words.text.leftovers import left_over
from robustfim_words.text.lexicon import LEXICONS, closed_class, read_table
from robustfim_words.text.tokens import Tagged, Tokens

__all__ = ["Gender"]

_OTHER = {"female": "male", "male": "female"}
_TRIES = 8
_DEFAULT = "english"
"""The origin of the new first name if the person's names are not listed."""
_QUOTES = frozenset(["'", '"', "`", "‘", "“", "«", "``", "quot;", "&quot;"])
_NOUN_LIKE = ("NN", "JJ", "CD", "RB", "VBN", "VBG")
_AFTER_EITHER = ("JJ", "JJR", "JJS", "NN", "NNS", "VBN", "RB")
"""Tags of words that may stand behind "her" as an object, and behind "her" as an owner."""


class Gender(WithTagger, Proposing):
    """Swaps the gender of all persons in the text: pronouns, nouns such as "actress" and "father", and names.

    The part of speech decides how "her" and "his" are replaced ("her film" becomes "his film", "saw her" becomes "saw
    him"). A first name becomes a first name of the other gender, of the same origin if the list has such a name. The
    family name beside it changes as well. First names without a gender in the list and words in a quoted title are not
    changed.

    Args:
        names: Whether names are swapped as well.
        source: A table of female word, male word and direction (both, to_male); the shipped table by default.

    Raises:
        UsageError: The table is malformed.
    """

    contract = Contract(carries=True)

    def __init__(self, *, names: bool = True, source: Path | None = None) -> None:
        self._names = names
        self._words = _read(source or LEXICONS / "gender_words.tsv")

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose the text with all genders swapped; several times, with other names, where it has any."""
        tokens = self._read(example)
        words = [
            edit
            for read in analysed(example, tokens)
            for index in range(len(read.tokens))
            if index not in read.fixed and (edit := self._word(read, index))
        ]
        persons = Persons.find(example, tokens, register()) if self._names else Persons()
        for _ in range(_TRIES if persons.mentions else 1):
            named = list(self._renamed(example, tokens, persons, random))
            free = [edit for edit in words if not any(edit.overlaps(name) for name in named)]
            if free or named:
                yield Candidate(example, (*free, *named))
            if not named:
                return

    def _word(self, read: Analysed, index: int) -> Edit | None:
        """Swap one pronoun or noun."""
        token, word, end, after = read.tokens[index], read.word(index), read.end(index), read.at(index + 1)
        before = read.at(index - 1)
        if before.text == "]" and before.end == token.start:
            return None  # "[t]his"
        if token.small in self._words and token.small != word.lower():
            word, end = token.text, token.end
        small = word.lower().replace("’", "'")
        titled = word in self._words and _before_name(read, index)
        named = any(capitalised(each) and not each.starts for each in (before, after))
        if capitalised(token) and named and not (token.starts or titled or word.isupper()):
            return None
        if small in pronouns():
            other: str | None = pronouns()[small][_case(read, index)][0]
        elif token.tag[:2] == "VB" and "'" not in small:
            return None  # "to groom a horse"
        elif end == token.end and small in _ADJECTIVES and after.tag in ("NN", "NNS"):
            other = _ADJECTIVES[small]  # "woman warriors"
        else:
            other = self._words.get(word if titled else small)
        beside = read.tokens[max(0, index - 3) : index + 4]
        both = other not in self._words and any(each.tag == "CC" for each in beside)
        if other is None or (both and other.lower() in {each.small for each in beside} - {small}):
            return None  # "he or she" names both
        other = other.replace("'", "’") if "’" in read.text else other
        why = f"gender: {small} → {other.lower()}"
        return swap(read.field, read.text, read.tokens, index, other, why, end=end, case=like)

    def _renamed(self, example: Example, tokens: Tagged, persons: Persons, random: Random) -> Iterator[Edit]:
        """Give the persons first names of the other gender, and other family names beside these."""
        taken = {token.base.casefold() for field in tokens.values() for token in field}
        covered, known, new = places(tokens, persons.mentions), register(), dict[Key, str]()
        for person in entities([mention.key for mention in persons.mentions], persons.links):
            genders = {
                key: frozenset(_OTHER[gender] for gender in known.genders(key[1]))
                for key in sorted(person)
                if key[0] == "given"
            }
            given = [key for key, others in genders.items() if len(others) == 1]
            family = [key for key in sorted(person) if key[0] == "family" and not left_over(tokens, covered, [key[1]])]
            origins = {origin for key in given for origin in known.origins_of(key)} or {
                origin for key in family for origin in known.origins_of(key)
            }
            pool = partial(known.pool, taken=taken)
            named = new_names([*given, *family], genders, sorted(origins or {_DEFAULT}), pool, random)
            new |= (given and named) or {}
        for mention in persons.mentions:
            if mention.key in new:
                text, chosen = example.fields[mention.field], new[mention.key]
                old = text[tokens[mention.field][mention.first].start : mention.end]
                yield swap(
                    mention.field, text, tokens[mention.field], mention.first, chosen,
                    f"gender: {old} → {chosen}", end=mention.end, case=like_name,
                )  # fmt: skip


@lru_cache(maxsize=8)
def _read(path: Path) -> dict[str, str]:
    """Read the table, both ways."""
    words: dict[str, str] = {}
    for female, male, direction in read_table(path, GENDER_WORDS):
        if direction != "to_female":
            words[female.rstrip(".")] = male.rstrip(".")
        if direction != "to_male":
            words[male.rstrip(".")] = female.rstrip(".")
    return words


_ADJECTIVES = {"woman": "male", "women": "male"}
"""The adjective that replaces "woman" and "women" before a noun ("women doctors")."""


def _before_name(read: Analysed, index: int) -> bool:
    """Tell whether a title stands before a name."""
    after = read.at(index + 1)
    name = read.at(index + 2) if after.text == "." else after
    return capitalised(read.tokens[index]) and capitalised(name)


def _case(read: Analysed, index: int) -> str:
    """Return the case of a pronoun; of two that it may be, by the part of speech."""
    token, cases = read.tokens[index], pronouns()[read.word(index).lower()]
    if len(cases) == 1:
        return next(iter(cases))
    other = "object" if "object" in cases else "owned"
    behind = [each for each in read.tokens[index + 1 : index + 7] if each.text not in _QUOTES]  # 'his "memoir"'
    if not behind or behind[0].kind == "mark":
        return other
    if other == "object" and behind[0].tag in _AFTER_EITHER:
        return "owner" if _before_a_noun(behind) else other
    noun = behind[0].tag.startswith(_NOUN_LIKE) and (other == "owned" or token.tag == "")  # "keep her moving"
    return "owner" if token.tag == "PRP$" or noun else other


def _before_a_noun(behind: Tokens) -> bool:
    """Tell whether a noun ends the words behind "her": "her younger sister", but "leaves her unprotected".

    Adjectives and adverbs may stand between, but no time behind a participle: "the charges against her reduced
    yesterday".
    """
    for token in behind:
        if token.tag[:2] == "NN":
            return token.small not in closed_class("days told by now")
        if token.tag[:2] not in ("JJ", "RB", "CC") and token.tag not in ("VBN", "VBG", "CD") and token.text != ",":
            return False
    return False
