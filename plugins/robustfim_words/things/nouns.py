"""Nouns: a thing gives way to another of its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

from robustfim.candidate import Edit
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.persons.names import in_name, stands_alone
from robustfim_words.tagging.resourced import WithTagger
from robustfim_words.tagging.tagger import check_pipeline, tagger
from robustfim_words.text import inflection
from robustfim_words.text.articles import swap
from robustfim_words.text.casing import capitalised
from robustfim_words.text.collocations import in_collocation
from robustfim_words.text.guard import fixed
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.stop_words import STOP_WORDS, read_stop_words
from robustfim_words.text.tokens import Token, base_of, sentence_bounds

__all__ = ["Nouns"]

_MONTHS = frozenset(
    """
    January February March April May June July August September October November December Jan Feb Mar Apr Jun Jul Aug
    Sep Sept Oct Nov Dec
    """.split()  # noqa: SIM905  # words read better as a text
)
_NAMES_TOO = frozenset(["April", "June", "March", "May", "August"])
_DATES = frozenset("in of last next since by until till this early late mid through".split())  # noqa: SIM905  # words read better as a text


class Nouns(WithTagger):
    """Swaps a noun for another of its group: "coffee" for "tea", "uncles" for "cousins".

    The text then says something else, and something of the same kind: a sentiment, a topic or a question's type
    should stay. Number, case and the article before it are kept. Words not tagged as common nouns stay, and so do those
    beside another noun ("ice cream", "jury duty") and in idioms; an entry with a capital ("Friday") is swapped where
    it is written with one. Without spaCy only nouns with a single reading in lemminflect's dictionary are swapped.

    Args:
        source: A table of noun (singular) and group; the shipped one by default.
        alternatives: Group-mates offered for each word, drawn at random, at least 1.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: The lexicon or pipeline is unknown or malformed, or ``alternatives`` is below 1.
    """

    def __init__(
        self, *, source: Path | None = None, alternatives: int = 8, pipeline: Path | str | None = None
    ) -> None:
        check_pipeline(pipeline)
        if alternatives < 1:
            raise UsageError(f"alternatives: {alternatives} is below 1")
        self._alternatives = alternatives
        self._pipeline = pipeline
        self._groups: dict[str, list[str]] = {}
        self._group_of: dict[str, list[str]] = {}
        for noun, group in read_table(source or LEXICONS / "nouns.tsv", ("noun", "group")):
            self._groups.setdefault(group, []).append(noun)
            self._group_of.setdefault(noun.lower(), []).append(group)
        self._capitalised = {noun for mates in self._groups.values() for noun in mates if noun[:1].isupper()}

    def foresee(self, examples: Sequence[Example]) -> None:
        """Tag the texts of a block in batches."""
        tagger(self._pipeline).prepare(examples)

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List swaps of each noun.

        Args:
            example: The source example.
            random: Draws the group-mates.
        """
        for field, text in example.fields.items():
            tokens = tagger(self._pipeline).tag(text)
            kept, stems = fixed(text, tokens), Counter(map(_stem, tokens))
            for index in range(len(tokens)):
                found = None if index in kept else self._entry(text, tokens, index, stems)
                if found is None:
                    continue
                base, plural = found
                groups = self._group_of[base.lower()]
                mates = sorted({mate for group in groups for mate in self._groups[group]} - {base})
                mates = [mate for mate in mates if mate.lower().removesuffix("s") not in stems]
                end = base_of(tokens[index])[1]
                for mate in random.sample(mates, min(self._alternatives, len(mates))):
                    form = inflection.inflect(mate, "NNS") if plural else mate
                    if form is not None and not (plural and form == mate):
                        yield swap(field, text, tokens, index, form, f"nouns: {base} → {mate}", end=end)

    def _entry(
        self, text: str, tokens: Sequence[Token], index: int, stems: Mapping[str, int]
    ) -> tuple[str, bool] | None:
        """Return the entry that a word is a form of, and whether it is a plural; None where it is none."""
        token, word = tokens[index], base_of(tokens[index])[0]
        if word in self._capitalised or word.removesuffix("s") in self._capitalised:
            after = tokens[index + 1] if index + 1 < len(tokens) else None
            if after is not None and after.kind == "number" and after.text.isdecimal() and 28 < int(after.text) < 32:
                return None  # not every month has a 31st
            if word == "September" and any(
                tokens[place].text in ("11", "11th") for place in (index - 1, index + 1) if 0 <= place < len(tokens)
            ):
                return None  # a date that everybody knows
            if stems[_stem(token)] > 1 or _with_another_day(tokens, index, self._group_of.get(word.lower(), [])):
                return None  # another mention would stay, or the order of the days would be another one
            first, last = sentence_bounds(tokens, index)
            if word in _MONTHS and sum(each.text in _MONTHS for each in tokens[first:last]) > 1:
                return None  # "in May or June": nor that of the months
            if _with_a_date(tokens, index) or self._tied(tokens, self._group_of.get(word.lower(), [])):
                return None  # the day that a date falls on, the month of a feast
            if not stands_alone(text, tokens, index, index) or (word in _NAMES_TOO and not _dated(tokens, index)):
                return None
            return (word, False) if word in self._capitalised else (word.removesuffix("s"), True)
        if (
            token.tag not in ("NN", "NNS")
            or token.pos != "NOUN"
            or in_name(tokens, index)
            or _beside_noun(tokens, index)
            or in_collocation(tokens, index)
            or (token.starts and token.tag == "NNS" and capitalised(token))  # it may be a team: "Lions win again"
        ):
            return None
        if index and tokens[index - 1].text.lower() == "to" and token.tag == "NN":
            return None  # it may be a verb
        base = inflection.lemma(word, token.tag)
        if [other.text.lower() for other in tokens[index + 1 : index + 3]] in (["of", "a"], ["of", "an"]):
            return None  # "this dog of a film"
        if stems[_stem(token)] > 1:
            return None  # another mention would stay
        groups = self._group_of.get(base or "", [])
        if token.tag == "NNS" and _NAMELESS.intersection(groups):
            return None  # "crickets" are no game
        if self._mate_said(tokens, index, groups):
            return None  # what is said of one kind may hold for one of them only
        if self._tied(tokens, groups):
            return None
        if index and _small(tokens[index - 1]) in _COMPARING and token.tag == "NN":
            return None  # "unlike wine": what is known of it is meant
        if any(tokens[place].text in _JOINING for place in (index - 1, index + 1) if 0 <= place < len(tokens)):
            return None  # "burgers/american food"
        if token.tag == "NN" and groups and _bare(tokens, index) and not _UNCOUNTED.intersection(groups):
            return None  # a name or an idiom: a thing has an article
        return (base, token.tag == "NNS") if base in self._group_of else None

    def _mate_said(self, tokens: Sequence[Token], index: int, groups: Sequence[str]) -> bool:
        """Tell whether the text has another noun of a group: "cats" beside "kittens"."""
        mine = _stem(tokens[index])
        for token in tokens:
            word = _stem(token)
            if token.kind == "word" and word != mine and not set(groups).isdisjoint(self._group_of.get(word, ())):
                return True
        return False

    def _tied(self, tokens: Sequence[Token], groups: Sequence[str]) -> bool:
        """Tell whether the text says what holds for one noun of a group only: "my dog" beside "barks"."""
        ties = {word for group in groups for word in _ties().get(group, ())}
        return any(not ties.isdisjoint(_small(token).split("-")) for token in tokens)


@lru_cache(maxsize=1)
def _ties() -> Mapping[str, frozenset[str]]:
    rows = read_table(LEXICONS / "noun_ties.tsv", ("group", "words"))
    return {group: frozenset(words.split(", ")) for group, words in rows}


_COMPARING = frozenset(["like", "unlike", "than", "as"])
_JOINING = frozenset(["/", "&", "+"])
_UNCOUNTED = frozenset(
    """
    day_part sport metal fabric meat spice dairy drink_alcohol drink_soft school_subject season weather game dance
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Groups whose nouns stand without an article."""


_NAMELESS = frozenset(["sport", "game", "dance", "school_subject", "weather"])
"""Groups whose nouns have no plural in the sense of the group."""
_DAY_GROUPS = frozenset(["weekday", "weekend"])
_DAYS = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday tonight weekend weekends
    """.split()  # noqa: SIM905  # words read better as a text
)


def _with_another_day(tokens: Sequence[Token], index: int, groups: Sequence[str]) -> bool:
    """Tell whether a text names another day beside a day of the week."""
    if _DAY_GROUPS.isdisjoint(groups):
        return False
    word = _small(tokens[index]).removesuffix("s")
    return any(_small(token).removesuffix("s") in _DAYS - {word} for token in tokens)


def _stem(token: Token) -> str:
    """Cut the ending of a plural and a possessive off."""
    word = base_of(token)[0].lower()
    return word.removesuffix("es") if word.endswith(("ches", "shes", "sses")) else word.removesuffix("s")


def _small(token: Token) -> str:
    return base_of(token)[0].lower()


def _with_a_date(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a day of the week stands beside the date that it falls on: "Sunday, March 3"."""
    after = [token for token in tokens[index + 1 : index + 5] if token.kind != "mark"]
    before = [token for token in tokens[max(0, index - 4) : index] if token.kind != "mark"]
    dated = any(token.kind == "number" for token in after[1:2]) and after[0].text in _MONTHS
    return dated or any(token.text in _MONTHS for token in before[-2:])


def _bare(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether nothing but words of no article stands before a noun."""
    before = tokens[index - 1] if index else None
    return before is None or (before.tag not in ("DT", "PRP$", "JJ", "JJR", "JJS", "CD", "POS", "VBN", "WP$"))


def _dated(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a month that is a person's name as well stands where months do: "in June", "June 3"."""
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    return (index > 0 and tokens[index - 1].text.lower() in _DATES) or (after is not None and after.kind == "number")


def _beside_noun(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a noun is a part of a compound: another noun stands before it, or behind it."""
    before = tokens[index - 1] if index else None
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    word = base_of(before)[0] if before is not None and before.kind == "word" else ""
    if word and not inflection.is_word(word) and word.lower() not in read_stop_words(STOP_WORDS):
        return True  # a name in small letters
    if before is not None and base_of(before)[1] == before.end and before.tag in ("NN", "NNS", "NNP", "VBG"):
        return True
    owns = base_of(tokens[index])[1] < tokens[index].end
    return (
        after is not None
        and not owns
        and (after.tag in ("NN", "NNS", "VBG") or after.text[-3:] == "ing" or "-" in after.text[1:])
    )
