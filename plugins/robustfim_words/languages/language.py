"""Languages: each has a grammar, written by hand in one file, and tables, which are made from libraries."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from robustfim.candidate import Edit
from robustfim.errors import UsageError, suggestions
from robustfim.example import Example
from robustfim_texts import guarded_spans, touches
from robustfim_words.text.analysed import Analysed
from robustfim_words.text.casing import like
from robustfim_words.text.tokens import tokenise

__all__ = ["Grammar", "Language", "Names", "Paradigm", "Rule", "Token", "known_languages", "language"]

TABLES = Path(__file__).parent / "tables"
_RANK = 3000
"""The rank up to which a frequent word is not taken for a name of another origin."""
_QUOTED = re.compile("„[^„“”]*[“”]|«[^«»]*»|»[^«»]*«|\"[^\"\n]*\"|“[^“”]*”|(?<!\\w)[‘'‚][^‘’'\n]*[’‘'](?!\\w)")
_SOURCE = re.compile(
    r"""(?:
        (?: (?:^|(?<=[.!?…"'”“’»)\]*]))\s*(?:--+|[–—―](?!.*[.!?…]\W*$))\ ? | \s--+\ (?!.{80}|.*--) )
        ["'“„«([]*[^\W\d_a-zß-ÿ].*
        | (?<=[.!?…"”“»])\s*\([^\W\d_a-zß-ÿ][^()\n]*\)\ *
    )$""",
    re.MULTILINE | re.VERBOSE,
)
"""The source of a quotation, at the end of a line and with a capital: after a sentence and a dash, in brackets, or
short after two hyphens. A whole sentence after a dash is direct speech and does not count."""


class Token(NamedTuple):
    """A word of a text.

    Attributes:
        text: The token as written, ``text[start:end]``.
        start: Index of the first character, from 0.
        end: Index after the last character.
    """

    text: str
    start: int
    end: int


class Paradigm(BaseModel):
    """Words with the same inflection: a form of one word is swapped for the form of another word in the same place.

    Attributes:
        forms: The forms of a word in a fixed order, separated by blanks, with ``~`` for the stem: ``~er ~ers ~erin``.
        of: The stems of the words, separated by blanks.
        rows: Words with several stems; each row lists all forms of one word, separated by blanks.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    forms: str
    of: str = ""
    rows: tuple[str, ...] = ()

    @cached_property
    def inflected(self) -> Mapping[str, tuple[str, ...]]:
        """A mapping from each stem to the forms of its word; a word of ``rows`` is found by its first form."""
        endings = self.forms.split()
        rows = (tuple(row.split()) for row in self.rows)
        return {stem: tuple(form.replace("~", stem) for form in endings) for stem in self.of.split()} | {
            row[0]: row for row in rows
        }

    @model_validator(mode="after")
    def _complete(self) -> Self:
        """See that every word has every form."""
        if short := [row for row in self.rows if len(row.split()) != len(self.forms.split())]:
            raise ValueError(f"each row must have as many forms as {self.forms!r}; these rows have not: {short}")
        return self


class Names(BaseModel):
    """Names of people in a language: the usual names, and the contexts in which a word is not a name.

    Attributes:
        origins: Origins, as in the tables of names, of the names that are usual in the language.
        others: Origins of foreign names that speakers of the language have, for ``name_origins``.
        words: Names that are also ordinary words.
        gendered: Words that show the gender of a person.
        agreeing: A regular expression that finds words whose form may agree with a person's gender.
        not_after: Words such as ``Sankt``; a name after them is not the name of a person.
        not_before: Words such as ``von``; a name before them goes on after them.
        titles: Titles that stand before a last name: ``Frau``, ``Mme``.
        roles: A regular expression that finds capitalised words for a person's role: ``Trainer``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    origins: str = ""
    others: str = ""
    words: str = ""
    gendered: str = ""
    agreeing: str = ""
    not_after: str = ""
    not_before: str = ""
    titles: str = ""
    roles: str = ""

    def __bool__(self) -> bool:
        """Tell whether a language has names of its own."""
        return bool(self.origins)


class Rule(BaseModel):
    """A regular expression (``find``) and its replacement (``put``), as in ``re.sub(find, put, text)``."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    find: str
    put: str


class Grammar(BaseModel):
    """The contents of ``tables/CODE/language.yaml``, the file of a language that is written by hand.

    Every attribute with a default may be left out. A perturbation that needs a missing attribute does not change texts
    in the language.

    Attributes:
        name: The language's English name.
        home: ISO codes of the countries where the language is spoken. The tables list their cities.
        nouns_capital: Whether all nouns begin with a capital letter.
        keyboard: The rows of letters of the usual keyboard, from top to bottom.
        spelled: How to write each letter with an accent or umlaut without it (``ä``: ``ae``). A letter that is not in
            this table only loses its mark.
        elided: A regular expression that finds words without their vowel before an apostrophe (``l``, ``qu``).
        onsets: Regular expressions for the beginning of a word, if the word before depends on it (French ``l'``
            before a vowel).
        suffixes: Endings that a name may take, each with a regular expression that finds names that cannot take it.
        names: Names of people.
        introduces: Capitalised words that may stand before a name without being a part of it: ``Frau``.
        places_words: Names of cities and countries that are also ordinary words, or that nobody uses.
        articles: Groups of articles that learners confuse.
        countries: ISO codes of countries, by the kind of article they take. A country is swapped for another of the
            same kind.
        paradigms: Words by topic (``nationalities``, ``religions``).
        ages: Regular expressions that find ages; the group ``n`` is the number.
        classes: Closed classes of words that rules ask for, by their names in ``classes.tsv``.
        date_words: Months and days of the week that also mean something else.
        number_words: Number words that also mean something else.
        contractions: Pairs of a long and a short form: ``in das = ins`` in both directions, ``auf das > aufs`` in one.
        abbreviations: Pairs of a long and a short form, as in ``contractions``.
        negators: Negations, and words that change the sense of a negation ("not only"). Sentences with one of these
            words are not negated.
        negation: Rules that negate a sentence.
        praise: Words that praise, whatever the topic, grouped by inflection.
        blame: Words that blame, whatever the topic, grouped by inflection.
        joining: Words that join clauses: ``und``.
        inside: Words that begin a subordinate clause: ``weil``.
        openers: Words that may be put before a sentence, followed by a comma.
        lowered: Words whose first letter becomes small when an opener is put before them.
        neutral: Sentences without an opinion.
        positive: Sentences of praise.
        negative: Sentences of blame.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    home: str
    nouns_capital: bool = False
    keyboard: tuple[str, ...] = ()
    spelled: Mapping[str, str] = Field(default_factory=dict)
    elided: str = ""
    onsets: tuple[str, ...] = ()
    suffixes: Mapping[str, str] = Field(default_factory=dict)
    names: Names = Names()
    introduces: str = ""
    places_words: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()
    countries: Mapping[str, str] = Field(default_factory=dict)
    paradigms: Mapping[str, tuple[Paradigm, ...]] = Field(default_factory=dict)
    ages: tuple[str, ...] = ()
    classes: Mapping[str, str] = Field(default_factory=dict)
    date_words: tuple[str, ...] = ()
    number_words: str = ""
    contractions: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    negators: str = ""
    negation: tuple[Rule, ...] = ()
    praise: tuple[Paradigm, ...] = ()
    blame: tuple[Paradigm, ...] = ()
    joining: str = ""
    inside: str = ""
    openers: tuple[str, ...] = ()
    lowered: str = ""
    neutral: tuple[str, ...] = ()
    positive: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()


_RARE = 10_000
"""The rank from which on words may be last names in a language whose nouns have capital letters."""


class Language:
    """A language, with its grammar and tables.

    Args:
        folder: A folder with the grammar and the tables that :mod:`robustfim_words.make_tables` writes. The
            folder's name is the language's code.
        grammar: The name of the grammar's file.

    Attributes:
        code: The ISO 639-1 code.
        grammar: The contents of the grammar's file.

    Raises:
        UsageError: The grammar cannot be read.
    """

    code = ""

    def __init__(self, folder: Path, grammar: str = "language.yaml") -> None:
        self.code, self._folder = self.code or folder.name, folder
        path = folder / grammar
        try:
            self.grammar = Grammar(**yaml.safe_load(path.read_text(encoding="utf-8")))
        except (OSError, yaml.YAMLError, TypeError, ValidationError) as error:
            raise UsageError(f"{path}: {error}. docs/new-language.md says what a language holds.") from error
        elided = f"(?:{self.grammar.elided})['’](?=\\w)|" if self.grammar.elided else ""
        self._token = re.compile(rf"\b{elided}\w+(?:[-'’]\w+)*".replace("|\\w", "|\\b\\w"), re.IGNORECASE)
        self._onsets = [re.compile(onset, re.IGNORECASE) for onset in self.grammar.onsets]

    @cached_property
    def version(self) -> str:
        """The language's code and a hash of its tables, which records of runs name."""
        digest = hashlib.sha256()
        for path in sorted([*self._folder.iterdir(), *TABLES.glob("*.tsv")]):
            digest.update(path.read_bytes())
        return f"{self.code} {digest.hexdigest()[:12]}"

    def tokens(self, text: str) -> list[Token]:
        """Find the words of a text. ``l'`` counts as a word, and so does a compound with hyphens."""
        return [Token(match.group(), *match.span()) for match in self._token.finditer(text)]

    def read(self, example: Example) -> list[Analysed]:
        """Read the fields of an example; without a tagger, tokens have no parts of speech."""
        return [_Spoken(field, text, tokenise(text), self) for field, text in example.fields.items()]

    def edit(self, read: Analysed, index: int, after: str, why: str, end: int) -> Edit:
        """Make the edit that replaces a token, up to a place, and what must agree with it."""
        start = read.tokens[index].start
        before = read.text[start:end]
        return Edit(read.field, start, end, before, like(before, after), why)

    def closed(self, name: str) -> frozenset[str]:
        """Return the words of a closed class; none if the grammar lacks the class."""
        return frozenset(self.grammar.classes.get(name, "").split())

    def value(self, word: str) -> int | None:
        """Return the number of a number word from 3 on; None for another word ("two" stands in many phrases)."""
        return next((number for known, number in self.numbers.items() if known == word.lower() and number > 2), None)

    def spell(self, number: int) -> str | None:
        """Write a number in letters; None for a number that no table has."""
        return next((word for word, known in self.numbers.items() if known == number), None)

    def ordinal(self, word: str) -> int | None:
        """Return the number of an ordinal in letters; None for another word."""
        return None

    def fixed(self, text: str) -> list[tuple[int, int]]:
        """Find the parts of a text that no edit may change: quotations and their sources, addresses, markup."""
        kinds = (_QUOTED, _SOURCE)
        return [*guarded_spans(text), *(match.span() for kind in kinds for match in kind.finditer(text))]

    def quotes(self, text: str) -> bool:
        """Check whether a text names the source of a quotation: "… -- Goethe", "… (Voltaire)"."""
        return _SOURCE.search(text) is not None

    def onset(self, word: str) -> int:
        """Return the index of the first ``onsets`` pattern of the grammar that matches a word's beginning; else -1."""
        return next((place for place, onset in enumerate(self._onsets) if onset.match(word)), -1)

    def side(self, text: str) -> bool | None:
        """Return True if the words of a text only praise, False if they only blame, and None otherwise."""
        said = {self._judging[word] for token in self.tokens(text) if (word := token.text.lower()) in self._judging}
        return said.pop() if len(said) == 1 else None

    @cached_property
    def _judging(self) -> Mapping[str, bool]:
        """The forms of the words that praise (True) or blame, in small letters."""
        sides = ((self.grammar.praise, True), (self.grammar.blame, False))
        return {
            form.lower(): praises
            for paradigms, praises in sides
            for paradigm in paradigms
            for forms in paradigm.inflected.values()
            for form in forms
        }

    def knows(self, word: str) -> bool:
        """Check whether a word is in the table of frequent words, ignoring case."""
        return word.casefold() in self._words

    def rank(self, word: str) -> int:
        """Return a word's frequency rank: how many words are more frequent. A word not in the table ranks last."""
        return self._words.get(word.casefold(), len(self._words))

    @cached_property
    def _words(self) -> Mapping[str, int]:
        """Its frequent words and the rank of each, the most frequent first."""
        return {row[0]: rank for rank, row in enumerate(_read(self._folder / "words.tsv"))}

    @cached_property
    def first_names(self) -> Mapping[str, tuple[str, str]]:
        """A mapping from each first name to its gender (``f`` or ``m``) and origin, without names that are words."""
        return {name: (gender, origin) for name, gender, origin in self._names("first_names.tsv")}

    @cached_property
    def genders(self) -> Mapping[str, str]:
        """A mapping from each first name of one gender to that gender, including names that are also words.

        A name that is not usual in the language has the gender that it has elsewhere.
        """
        names = self.grammar.names
        origins = frozenset(f"{names.origins} {names.others}".split())
        usual, foreign = dict[str, set[str]](), dict[str, set[str]]()
        for name, gender, origin in _read(TABLES / "first_names.tsv"):
            (usual if origin in origins else foreign).setdefault(name, set()).add(gender)
        return {name: gender for name, (gender, *others) in (foreign | usual).items() if not others}

    def gender(self, name: str) -> str | None:
        """Return the gender of a first name; None if it is unknown. *Anna-Lena* has the gender of *Anna*."""
        parts = name.split("-")
        return self.genders.get(parts[0]) if all(part in self.genders for part in parts) else self.genders.get(name)

    def may_be_last_name(self, word: str) -> bool:
        """Check whether a word beside a first name or title may be a last name.

        True for a word in the table of last names, and for a capitalised word that is neither a noun nor a first name.
        """
        written = len(word) > 2 and word[0].isupper() and not word.isupper()
        inflected = any(
            word.endswith(end) and not re.search(never, word.removesuffix(end))
            for end, never in self.grammar.suffixes.items()
        )
        noun = self.grammar.nouns_capital and (inflected or self.rank(word) < _RARE)
        return word in self._anyones or (written and not noun and word not in self.all_names)

    @cached_property
    def _anyones(self) -> frozenset[str]:
        """The last names of all origins."""
        return frozenset(row[0] for row in _read(TABLES / "last_names.tsv"))

    @cached_property
    def all_names(self) -> frozenset[str]:
        """The first names of all languages, including names that are also words."""
        return frozenset(row[0] for row in _read(TABLES / "first_names.tsv"))

    @cached_property
    def last_names(self) -> Mapping[str, str]:
        """A mapping from each last name of the language to its origin."""
        return {row[0]: row[1] for row in self._names("last_names.tsv")}

    def _names(self, table: str) -> list[Sequence[str]]:
        """The rows of a table of names; of a name with several origins the language's own, and none of two genders."""
        names = self.grammar.names
        ranked = {origin: place for place, origin in enumerate(f"{names.origins} {names.others}".split())}
        rows = [row for row in _read(TABLES / table) if row[-1] in ranked]
        genders: dict[str, set[str]] = {}
        for row in rows:
            genders.setdefault(row[0], set()).add(row[1] if len(row) > 2 else "")
        known = sorted(rows, key=lambda row: -ranked[row[-1]])
        words = frozenset(names.words.split()) if table.startswith("first") else frozenset()
        return [row for row in known if not self._is_word(row[0], words) and len(genders[row[0]]) == 1]

    def _is_word(self, name: str, words: frozenset[str]) -> bool:
        """Whether a name is a word as well: it is listed, or the name of one other people and a very frequent word."""
        return name in words or (name in self._rare_names and self.rank(name) < _RANK)

    @cached_property
    def _rare_names(self) -> frozenset[str]:
        """The first names that one people has, and not the speakers of the language."""
        origins: dict[str, set[str]] = {}
        for name, _, origin in _read(TABLES / "first_names.tsv"):
            origins.setdefault(name, set()).add(origin)
        own = set(self.grammar.names.origins.split())
        return frozenset(name for name, known in origins.items() if len(known) == 1 and not known & own)

    @cached_property
    def world(self) -> Mapping[str, Mapping[str, str]]:
        """A mapping from each kind (``country``, ``city``, ``month``, ``weekday``) to a mapping from names to keys.

        The key of a country or city is a country; the key of a month or day of the week is its number.
        """
        kinds: dict[str, dict[str, str]] = {}
        barred = frozenset(self.grammar.places_words)
        for kind, key, name in _read(self._folder / "world.tsv"):
            if name not in barred:
                kinds.setdefault(kind, {})[name] = key
        return kinds

    @cached_property
    def months(self) -> frozenset[str]:
        """The names of the months, in small letters."""
        return frozenset(name.lower() for name in self.world["month"])

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """A mapping from number words to numbers, from 2 on, without words that also mean something else."""
        barred = frozenset(self.grammar.number_words.split())
        return {word: int(value) for value, word in _read(self._folder / "numbers.tsv") if word not in barred}


@dataclass(frozen=True)
class _Spoken(Analysed):
    """A text in a language whose quotations and their sources stay."""

    language: Language

    @cached_property
    def fixed(self) -> frozenset[int]:
        """Indices of the tokens that no perturbation changes."""
        spans = self.language.fixed(self.text)
        return frozenset(index for index, token in enumerate(self.tokens) if touches(spans, token.start, token.end))


@cache
def _read(path: Path) -> tuple[tuple[str, ...], ...]:
    """Read the rows of a made table; the first two lines say where it comes from and what its columns are."""
    return tuple(tuple(line.split("\t")) for line in path.read_text(encoding="utf-8").splitlines()[2:])


@cache
def known_languages() -> tuple[str, ...]:
    """List the codes of the languages that have a grammar."""
    return tuple(sorted(path.parent.name for path in TABLES.glob("*/language.yaml")))


@cache
def language(code: str) -> Language:
    """Load a language by its code.

    Args:
        code: ISO 639-1, such as ``de``.

    Raises:
        UsageError: No such language has a grammar.
    """
    if code not in known_languages():
        known = known_languages()
        raise UsageError(f"language: {code!r} is not known.{suggestions(code, known, 'Known')}")
    return Language(TABLES / code)
