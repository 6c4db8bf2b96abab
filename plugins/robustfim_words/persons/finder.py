"""Finds the names of persons in one text, by lists, capitals, tags and the words beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from robustfim_words.persons.names import Key, Mention, likely, stands_alone, ties
from robustfim_words.persons.register import Register
from robustfim_words.text import inflection
from robustfim_words.text.analysed import Analysed
from robustfim_words.text.casing import capitalised
from robustfim_words.text.clauses import FINITE
from robustfim_words.text.gazetteer import Gazetteer
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
                given, family = run[found[0]], run[found[1]]
                yield (
                    self._mention("given", given, given if family == given + 1 else family - 1),
                    self._mention("family", family, run[-1]),
                    self._title(given),
                )

    def partner(self, given: Mention) -> Mention | None:
        """Find the person who shares the family name of a full name: "Bill and Melinda Gates"."""
        first, read = given.first - 2, self._read
        before, token = read.at(first - 1), read.at(first)
        if token is None or read.tokens[first + 1].text.lower() not in ("and", "&"):
            return None
        alone = before is None or token.starts or not capitalised(before)
        if alone and first not in self.taken and self._register.is_given(token.text):
            self.taken.add(first)
            return self._mention("given", first, first)
        return None

    def lone_names(self, named: Set[Key]) -> Iterator[tuple[Mention, str]]:
        """Find names that stand alone, each with the kind of the title before it.

        Args:
            named: Names that certainly are names at another place of the example.
        """
        read, last = self._read, -1
        seen = Gazetteer((name, name) for kind, name in sorted(named) if kind == "family")
        for index, token in enumerate(read.tokens):
            if index <= last or index in self.taken or token.kind != "word":
                continue
            match = seen.match(read.tokens, index) or self._register.families.match(read.tokens, index)
            at = index if match is None else match.last
            keys = [
                ("given", read.word(index).casefold()),
                ("family", match.entry if match else read.word(index).casefold()),
            ]
            key = self._lone(index, at, keys, named)
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
        before -= before > 0 and tokens[before].text == "."
        clue = self._register.clue(tokens[before].text)
        return clue if "title" in clue else ""

    def _named(self, index: int) -> bool:
        """Check whether a word could be part of a person's name."""
        token, word = self._read.tokens[index], self._read.word(index)
        clue = self._register.clue(word)
        listed = self._register.is_given(word) or self._register.is_family(word)
        shouted = word.isupper() and len(word) > 1
        if index in self.taken or token.kind != "word" or "title" in clue or clue == "no_person":
            return False
        if index in self._read.silent or shouted:
            return listed or (self._read.low and word.isalpha() and len(word) > 3 and not inflection.is_word(word))
        return capitalised(token) and word.partition("'")[0].partition("’")[0].lower() not in stop_words() - {"o", "d"}

    def _initial(self, index: int) -> bool:
        text = self._read.tokens[index].text
        return text[0].isupper() and (text.endswith(".") or (len(text) == 1 and text != "I"))

    def _run(self, first: int) -> list[int]:
        """List the words that could be one name: capitalised words, and the initials and particles among them."""
        tokens, run = self._read.tokens, [first]
        if not self._named(first):
            return []
        while True:
            after = run[-1] + 1
            after += self._initial(run[-1]) and after < len(tokens) and tokens[after].text == "."
            last = after
            while last < len(tokens) and tokens[last].text in _PARTICLES:
                last += 1
            inside = range(run[-1], last + 1)
            if last >= len(tokens) or any(tokens[at].starts for at in inside[1:]):
                break
            if not all(self._read.adjacent(at, at + 1) for at in inside[:-1]) or not (
                self._named(last) or self._initial(last)
            ):
                break
            run += range(after, last + 1)
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
        words, known = [self._read.word(at) for at in run], self._register
        if sum(not self._initial(at) for at in run) < 2 or self._tied(run[0], run[-1]):
            return None
        given = next((place for place, word in enumerate(words[:-1]) if known.is_given(word)), 0)
        family = len(run) - 1
        for place in range(given + 1, len(run)):
            match = known.families.match(self._read.tokens, run[place])
            if match is not None and match.last == run[-1]:
                family = place
                break
        while family > given + 1 and words[family - 1].lower() in _PARTICLES:
            family -= 1
        return (given, family) if self._person(run, given, family) else None

    def _tied(self, first: int, last: int) -> bool:
        """Check whether a mark ties a run to a word beside it, as in "Barnes & Noble"."""
        return any(
            ties(
                self._read.tokens[mark], self._read.text[self._read.tokens[one].end : self._read.tokens[one + 1].start]
            )
            for mark, one in ((first - 1, first - 1), (last + 1, last))
            if 0 <= mark < len(self._read.tokens)
        )

    def _before(self, index: int) -> tuple[str, ...]:
        """List the word before a token, if it may stand before a whole name: a title, a nationality, an opener."""
        return tuple(token.text.lower() for token in self._read.tokens[max(0, index - 2) : index])

    def _person(self, run: Sequence[int], given: int, family: int) -> bool:
        """Weigh whether a run is a person."""
        known, first, last = self._register, run[given], run[-1]
        if all(self._read.tokens[at].entity[2:] == "PERSON" for at in run):
            return True
        name, surname = self._read.word(first), " ".join(self._read.word(at) for at in run[family:])
        listed = known.is_given(name), known.is_family(surname)
        thing = any(known.clue(self._read.word(at)) == "thing" for at in run)
        thing |= known.things.match(self._read.tokens, run[0]) is not None and not listed[0]
        whole = " ".join(self._read.word(at) for at in run)
        if thing or known.is_family(whole) or (len(surname) < 3 and not listed[1]):
            return False
        words = self._plain(first), self._plain(last)
        silent = first in self._read.silent
        before = self._read.at(first - 1)
        described = before is not None and before.tag in ("DT", "JJ") and not self._read.tokens[first].starts
        if all(listed) or (self._read.low and listed[0] and not (described or any(words))):
            return not silent or not all(words)
        if silent or self._read.word(last).casefold() in known.places:
            return False
        if name.casefold() in known.places:
            return listed[0] and not words[1]
        if listed[0] or self._title(first):
            tagged = self._read.tokens[first].pos == self._read.tokens[last].pos == "PROPN"
            return not all(words) or (tagged and not self._read.tokens[first].starts)
        return not (described or words[0]) and (listed[1] or not words[1])

    def _lone(self, index: int, last: int, keys: Sequence[Key], named: Set[Key]) -> Key | None:
        """Decide which name a word is, None for no name."""
        read, register, token, word = self._read, self._register, self._read.tokens[index], self._read.word(index)
        title, known = self._title(index), [key for key in keys if key in named]
        listed = [key for key in keys if key in register.by_key]
        if not stands_alone(read.text, read.tokens, index, last, titles=self._before(index) if title else ()):
            return None
        plain = self._plain(index)
        if known:
            sure = not plain or (capitalised(token) and not token.starts)
            return known[0] if sure and (capitalised(token) or read.low or self._only_given(index)) else None
        other = register.things.match(read.tokens, index) is not None or register.clue(word) != ""
        written = capitalised(token) and (len(word) > 2 or last > index) and not (word.isupper() or read.low)
        written = written and word.replace("-", "").isalpha()
        if title:
            family_first = keys[::-1] if title.startswith("title") else keys
            fitting = [key for key in family_first if key in listed] or family_first
            sure = written and not (plain and token.starts)
            return fitting[0] if sure and (listed or not (plain or other)) else None
        before, after = read.at(index - 1), read.at(last + 1)
        before_place = before is not None and before.small in closed_class("before a place")
        placed = before_place and read.end(last) == read.tokens[last].end
        if other or placed or self._storm:
            return None
        if self._only_given(index):
            return keys[0]
        if not written or not likely(read.text, token):
            return None
        if listed and register.origins_of(keys[0]):
            return listed[0]
        acts = token.tag == "NNP" and after is not None and after.tag in FINITE
        described = before is not None and not token.starts and before.tag in _DESCRIBED
        if described or len(word) < 4 or (after is not None and after.tag == "CD"):
            return None
        if listed:
            return listed[0] if acts or not plain else None
        return keys[1] if acts and not plain and word.isalpha() else None

    def _only_given(self, index: int) -> bool:
        """Check whether a word is nothing but a given name, so that its case shows nothing: "justin", "JAKE"."""
        word, register = self._read.word(index), self._register
        beside = [self._read.word(at) for at in (index - 1, index + 1) if 0 <= at < len(self._read.tokens)]
        return (
            self._read.tokens[index].tag in ("NN", "NNP")
            and len(word) > 3
            and register.genders(word) != frozenset()
            and not (self._plain(index) or register.clue(word))
            and (index == 0 or self._read.tokens[index - 1].tag not in _DESCRIBED[:-1])
            and all(not each.isalpha() or inflection.is_word(each) or each.lower() in stop_words() for each in beside)
        )
