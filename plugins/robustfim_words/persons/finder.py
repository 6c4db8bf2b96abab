"""Finds the names of persons in one text, by lists, capitals, tags and the words beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from robustfim_words.persons.names import Key, Mention, likely, stands_alone
from robustfim_words.persons.register import Register
from robustfim_words.text import inflection
from robustfim_words.text.analysed import Analysed
from robustfim_words.text.casing import capitalised
from robustfim_words.text.clauses import FINITE
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.stop_words import stop_words

__all__ = ["Finder"]

_PARTICLES = closed_class("particles of names")
_DESCRIBED = ("DT", "JJ", "PRP$", "CD", "NNP")
"""Tags of words before a name that show another thing: "the Jetta"."""


class Finder:
    """Finds the names of persons in one field of an example.

    Args:
        read: The text field to search, with tokens and tags.
        register: The known names.

    Attributes:
        taken: Indices of tokens that cannot be part of a person's name that is still to be found.
    """

    def __init__(self, read: Analysed, register: Register) -> None:
        self._read, self._register = read, register
        self._storm = any(token.small in closed_class("called by given names") for token in read.tokens)
        self.taken = set(read.fixed)
        for index, token in enumerate(read.tokens):
            match = register.things.match(read.tokens, index) if capitalised(token) or read.low else None
            if match is not None and match.last > match.first:
                self.taken.update(range(match.first, match.last + 1))

    def full_names(self) -> Iterator[tuple[Mention, Mention, str]]:
        """Find full names: the given name, the family name, and the kind of the title before them.

        A run of capitalised words is a full name if it has a listed given or family name, or a title before it, or
        consists of two words that are not in the dictionary. Where capitals show nothing, both names must be listed.
        The words of the names become ``taken``.
        """
        place = 0
        while place < len(self._read.tokens):
            run = self._run(place)
            found = self._split(run)
            place = run[-1] + 1 if run else place + 1
            if found:
                self.taken.update(range(run[0], run[-1] + 1))
                if self._family_first(run):
                    yield (
                        self._mention("given", run[1], run[1]),
                        self._mention("family", run[0], run[0]),
                        "family first",
                    )
                    continue
                given, family = run[found[0]], run[found[1]]
                yield (
                    self._mention("given", given, given if family == given + 1 else family - 1),
                    self._mention("family", family, run[-1]),
                    self._title(given),
                )

    def _family_first(self, run: Sequence[int]) -> bool:
        """Tell whether a name of two syllables stands behind the name of a family: "Kim Hae-rin", "Tung Chee-hwa"."""
        _, hyphen, tail = self._read.word(run[-1]).partition("-")
        return len(run) == 2 and bool(hyphen) and tail.islower()

    def partner(self, given: Mention) -> Mention | None:
        """Find the person who shares the family name of a full name: "Bill and Melinda Gates"."""
        first, token = given.first - 2, self._read.at(given.first - 2)
        joined = self._read.tokens[given.first - 1].small in ("and", "&")
        if not joined or first in self.taken or not self._register.is_given(token.text):
            return None
        self.taken.add(first)
        return self._mention("given", first, first)

    def lone_names(self, named: Set[Key]) -> Iterator[tuple[Mention, str]]:
        """Find names that stand alone, each with the kind of the title before it.

        Args:
            named: Names that certainly are names at another place of the example.
        """
        last = -1
        for index, token in enumerate(self._read.tokens):
            if index <= last or index in self.taken or token.kind != "word":
                continue
            word, match = self._read.word(index).casefold(), self._register.families.match(self._read.tokens, index)
            at = match.last if match else index
            key = self._lone(index, at, [("given", word), ("family", match.entry if match else word)], named)
            if key is not None:
                last = at
                yield self._mention(key[0], index, at, key[1]), self._title(index)

    def _mention(self, kind: str, first: int, last: int, name: str = "") -> Mention:
        """Make a mention; a given name is known by its first word, a family name by all its words."""
        words = range(first, last + 1) if kind == "family" else (first,)
        key = name or " ".join(self._read.word(at).casefold() for at in words)
        return Mention(self._read.field, first, self._read.end(last), (kind, key))

    def _title(self, index: int) -> str:
        """Return the kind of the title directly before a word ("Mr. Smith"), or ``""`` without a title."""
        tokens, before = self._read.tokens, index - 1
        if index < 1 or tokens[index].starts:
            return ""
        clue = self._register.clue(tokens[before - (tokens[before].text == ".")].text)
        return clue if "title" in clue else ""

    def _named(self, index: int) -> bool:
        """Check whether a word could be part of a person's name."""
        token, word, known = self._read.tokens[index], self._read.word(index), self._register
        clue = known.clue(word)
        if index in self.taken or token.kind != "word" or "title" in clue or clue == "no_person":
            return False
        if index in self._read.silent or (word.isupper() and len(word) > 1):
            strange = self._read.low and len(word) > 3 and word.isalpha() and not self._plain(index)
            return strange or known.is_given(word) or known.is_family(word)
        return capitalised(token) and re.split("['’]", word)[0].lower() not in stop_words() - {"o", "d"}

    def _initial(self, index: int) -> bool:
        text = self._read.tokens[index].text
        return text.isupper() and len(text) == 1 and text != "I"

    def _run(self, first: int) -> list[int]:
        """List the words that could be one name: capitalised words, and the initials and particles among them."""
        tokens, run, between = self._read.tokens, [first], list[int]()
        if not self._named(first):
            return []
        for at in range(first + 1, len(tokens)):
            if not self._read.adjacent(at - 1, at):
                break
            if tokens[at].text == "." and self._initial(at - 1):
                continue
            between.append(at)
            if self._named(at) or self._initial(at):
                run, between = [*run, *between], []
            elif tokens[at].text not in _PARTICLES:
                break
        while run and tokens[run[-1]].text in ("Jr", "Sr", "II", "III"):
            run.pop()
        while (
            run and tokens[run[0]].starts and self._plain(run[0]) and not self._register.is_given(tokens[run[0]].text)
        ):
            run.pop(0)
        return run

    def _plain(self, index: int) -> bool:
        return inflection.is_word(self._read.word(index))

    def _split(self, run: Sequence[int]) -> tuple[int, int] | None:
        """Return where the given and the family name begin in a run; None if it is no person's full name."""
        words, known, tokens = [self._read.word(at) for at in run], self._register, self._read.tokens
        if sum(not self._initial(at) for at in run) < 2:
            return None
        given = next((place for place, word in enumerate(words[:-1]) if known.is_given(word)), 0)
        whole = ((place, known.families.match(tokens, run[place])) for place in range(given + 1, len(run)))
        family = next((place for place, match in whole if match is not None and match.last == run[-1]), len(run) - 1)
        while family > given + 1 and words[family - 1].lower() in _PARTICLES:
            family -= 1
        return (given, family) if self._person(run, given, family) else None

    def _person(self, run: Sequence[int], given: int, family: int) -> bool:
        """Weigh whether a run is a person."""
        read, known, first = self._read, self._register, run[given]
        if all(read.tokens[at].entity[2:] == "PERSON" for at in run):
            return True
        whole = [read.word(at) for at in run]
        listed = known.is_given(whole[given]), known.is_family(" ".join(whole[family:]))
        words = self._plain(first), self._plain(run[-1])
        named = known.things.match(read.tokens, run[0]) is not None and not listed[0]
        if named or any(known.clue(word) == "thing" for word in whole) or known.is_family(" ".join(whole)):
            return False
        silent = first in read.silent or whole[-1].casefold() in known.places
        if all(listed) or (read.low and listed[0] and not any(words)):
            return not silent or not all(words)
        before = read.at(run[0] - 1)
        thing = before.small == "the"  # "the Abu Ghraib prison", "the Rose Bowl"
        if not silent and (listed[0] or self._title(first)):
            return not all(words) or not (thing or read.tokens[first].starts)
        shouted = any(word[1:2].isupper() for word in whole)  # "MEH-risk Oct"
        return not (silent or thing or shouted or words[0] or (words[1] and not listed[1]))

    def _lone(self, index: int, last: int, keys: Sequence[Key], named: Set[Key]) -> Key | None:
        """Decide which name a word is, None for no name."""
        read, register, token, word = self._read, self._register, self._read.tokens[index], self._read.word(index)
        title, plain, before = self._title(index), self._plain(index), read.at(index - 1)
        known, listed = [key for key in keys if key in named], [key for key in keys if key in register.by_key]
        titles = {each.small for each in read.tokens[max(0, index - 2) : index]} if title else ()
        if not stands_alone(read.text, read.tokens, index, last, titles=titles):
            return None
        if known:
            shown = capitalised(token) or read.low or self._only_given(index)
            return known[0] if shown and not (plain and (token.starts or not capitalised(token))) else None
        other = register.things.match(read.tokens, index) is not None or register.clue(word) != ""
        long = len(word) > 2 or last > index
        written = long and capitalised(token) and not word.isupper() and word.replace("-", "").isalpha()
        if title:
            ordered = keys[::-1] if title.startswith("title") else keys
            fitting = [key for key in ordered if key in listed] or ordered
            return fitting[0] if written and (listed or not (plain or other)) else None
        placed = before.small in closed_class("before a place")
        if other or self._storm or (placed and read.end(last) == read.tokens[last].end):
            return None
        if self._only_given(index):
            return keys[0]
        if not written or not likely(read.text, token):
            return None
        if listed and register.origins_of(keys[0]):
            return listed[0]
        after = read.at(last + 1)
        acts = token.tag == "NNP" and after.tag in FINITE
        described = not token.starts and before.tag in _DESCRIBED
        if described or len(word) < 4 or (plain and not acts):
            return None
        return listed[0] if listed else keys[1] if acts and not plain else None

    def _only_given(self, index: int) -> bool:
        """Check whether a word is nothing but a given name, so that its case shows nothing: "justin", "JAKE"."""
        word, register = self._read.word(index), self._register
        beside = [self._read.at(at).base for at in (index - 1, index + 1)]
        return (
            self._read.tokens[index].tag in ("NN", "NNP")
            and len(word) > 3
            and register.genders(word) != frozenset()
            and not self._plain(index)
            and self._read.at(index - 1).tag not in _DESCRIBED[:-1]
            and all(not each.isalpha() or inflection.is_word(each) or each.lower() in stop_words() for each in beside)
        )
