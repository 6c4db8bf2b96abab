"""Gender: women become men and men become women, with their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from robustfim_words.text.articles import swap
from robustfim_words.text.casing import capitalised, like, like_name
from robustfim_words.text.guard import fixed
from robustfim_words.text.leftovers import left_over
from robustfim_words.text.lexicon import LEXICONS, closed_class, read_table
from robustfim_words.text.tokens import Token, base_of

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
        titles = {field: fixed(text, tokens[field]) for field, text in example.fields.items()}
        words = [
            edit
            for field, text in example.fields.items()
            for index in range(len(tokens[field]))
            if index not in titles[field] and (edit := self._word(field, text, tokens[field], index))
        ]
        persons = Persons.find(example, tokens, register()) if self._names else Persons()
        for _ in range(_TRIES if persons.mentions else 1):
            named = list(self._renamed(example, tokens, persons, random))
            free = [edit for edit in words if not any(edit.overlaps(name) for name in named)]
            if free or named:
                yield Candidate(example, (*free, *named))
            if not named:
                return

    def _word(self, field: str, text: str, tokens: Sequence[Token], index: int) -> Edit | None:
        """Swap one pronoun or noun."""
        token = tokens[index]
        word, end = base_of(token)
        whole = token.small
        if whole in self._words and whole != word.lower():
            word, end = token.text, token.end
        small = word.lower().replace("’", "'")
        pronoun = small in pronouns() or "'" in small
        beside = [tokens[place] for place in (index - 1, index + 1) if 0 <= place < len(tokens)]
        titled = _before_name(tokens, index) and word in self._words
        named = any(capitalised(each) and not each.starts for each in beside)
        if capitalised(token) and named and not (token.starts or titled or word.isupper()):
            return None
        if not pronoun and token.tag[:2] == "VB":
            return None  # "to groom a horse"
        other: str | None
        if small in pronouns():
            other = pronouns()[small][_case(tokens, index)][0]
        else:
            other = self._words.get(word if titled else small)
            owns = end < token.end
            if not owns and small in _ADJECTIVES and index + 1 < len(tokens) and _named_by(tokens[index + 1]):
                other = _ADJECTIVES[small]  # "woman warriors"
        if other is None:
            return None
        near = {each.text.lower() for each in tokens[max(0, index - 3) : index + 4]} - {small}
        if (
            other.lower() in near
            and any(each.tag == "CC" for each in tokens[max(0, index - 3) : index + 4])
            and other not in self._words
        ):
            return None  # "actors and actresses" name both
        other = other.replace("'", "’") if "’" in text else other
        return swap(field, text, tokens, index, other, f"gender: {small} → {other.lower()}", end=end, case=like)

    def _renamed(
        self, example: Example, tokens: dict[str, tuple[Token, ...]], persons: Persons, random: Random
    ) -> Iterator[Edit]:
        """Give the persons first names of the other gender, and other family names beside these."""
        taken = {base_of(token)[0].casefold() for field in tokens.values() for token in field}
        covered, known, new = places(tokens, persons.mentions), register(), dict[Key, str]()
        for person in entities([mention.key for mention in persons.mentions], persons.links):
            genders = {
                key: frozenset(_OTHER[gender] for gender in known.genders(key[1]))
                for key in sorted(person)
                if key[0] == "given" and not (key[1] in known.places or known.clue(key[1]))
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


def _named_by(token: Token) -> bool:
    """Tell whether a word is a noun that another before it tells the kind of."""
    return token.tag in ("NN", "NNS") and token.text.lower() not in closed_class("days told by now")


def _before_name(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a title stands before a name."""
    place = index + 1
    if place < len(tokens) and tokens[place].text == ".":
        place += 1
    return capitalised(tokens[index]) and place < len(tokens) and capitalised(tokens[place])


def _case(tokens: Sequence[Token], index: int) -> str:
    """Return the case of a pronoun; of two that it may be, by the part of speech."""
    token = tokens[index]
    cases = pronouns()[base_of(token)[0].lower()]
    if len(cases) == 1:
        return next(iter(cases))
    behind = [each for each in tokens[index + 1 : index + 7] if each.text not in _QUOTES]  # 'his "memoir"'
    follower = behind[0] if behind and (behind[0].kind != "mark") else None
    if follower is None:
        return "object" if "object" in cases else "owned"
    if "object" in cases and follower.tag in _AFTER_EITHER:
        owns = _before_a_noun(behind)
    else:
        owns = token.tag == "PRP$" or follower.tag.startswith(_NOUN_LIKE)
    return "owner" if owns else "object" if "object" in cases else "owned"


def _before_a_noun(behind: Sequence[Token]) -> bool:
    """Tell whether a noun ends the words behind "her": "her younger sister", but "leaves her unprotected".

    Adjectives and adverbs may stand between, but no time behind a participle: "the charges against her reduced
    yesterday".
    """
    for place, token in enumerate(behind):
        if token.tag[:2] == "NN":
            return not (place and token.small in closed_class("days told by now"))
        if token.tag[:2] not in ("JJ", "RB", "CC") and token.tag not in ("VBN", "VBG", "CD") and token.text != ",":
            return False
    return False
