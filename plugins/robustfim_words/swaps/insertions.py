"""Insertions: a word or a phrase that adds emphasis, or no meaning."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

from robustfim.candidate import Edit
from robustfim_texts import at_least, one_of
from robustfim_words.persons.names import in_name
from robustfim_words.tagging.resourced import Editing, WithTagger
from robustfim_words.text import inflection
from robustfim_words.text.articles import swap
from robustfim_words.text.casing import capitalised, caseless
from robustfim_words.text.clauses import FINITE, NOUNS, clause, stated
from robustfim_words.text.guard import fixed
from robustfim_words.text.lexicon import LEXICONS, closed_class, read_pairs, read_table
from robustfim_words.text.stop_words import stop_words
from robustfim_words.text.text_kind import KINDS, judged, personal, register
from robustfim_words.text.tokens import Token, Tokens, sentence_bounds, token_at
from robustfim_words.text.tone import denied, sided, sides

__all__ = ["Adverbs", "Intensifiers", "Openers"]

_ADVERBS = ("RB", "RBR", "RBS", "WRB")
_RELATIVE = ("WDT", "WP")
_PRONOUNS = ("PRP", "DT", *_RELATIVE)
"""Tags of words that can be the whole subject of the next verb."""
_AGREEING = {**dict.fromkeys(("NN", "NNP"), ("VBZ", "MD")), **dict.fromkeys(("NNS", "NNPS"), ("VBP", "MD"))}
"""Tags of nouns, and of the verbs that agree with each in number."""
_SHORTEST = 4
"""The smallest number of words and marks of a sentence. Shorter ones are exclamations."""
_PAUSES = (",", ":", "-", "–", "—")
"""Marks after which a sentence begins anew, such as the dash after a dateline."""
_FIRST = ("DT", "PDT", "PRP", "PRP$", "CD", "VBG", "JJ", "JJR", "JJS", "NN", "NNS", "NNP", "NNPS")
"""Tags of words that begin a subject."""
_SUPERLATIVES = ("JJS", "RBS")
_DEGREES = ("plain", "extreme")
"""Plain adjectives can be compared and take "very". Extreme adjectives ("superb") take "absolutely"."""


class _Insertions(WithTagger, Editing):
    """Draws a few of the insertions that fit at each place."""

    def __init__(self, name: str, alternatives: int) -> None:
        self._name, self._alternatives = name, at_least("alternatives", alternatives, 1)

    def _edits(self, field: str, text: str, tokens: Tokens, random: Random) -> Iterator[Edit]:
        """List insertions at each place that can bear one."""
        for index in sorted(stated(tokens) - fixed(text, tokens)):
            fitting = self._fitting(text, tokens, index)
            for word in random.sample(fitting, min(self._alternatives, len(fitting))):
                yield self._insert(field, text, tokens, index, word)

    @abstractmethod
    def _fitting(self, text: str, tokens: Tokens, index: int) -> Sequence[str]:
        """List what may be inserted before a token."""

    def _insert(self, field: str, text: str, tokens: Tokens, index: int, word: str) -> Edit:
        """Insert a word before a token; an article before it agrees, and a first capital moves."""
        return swap(field, text, tokens, index, f"{word} {tokens[index].text.lower()}", f"{self._name}: {word}")


class Intensifiers(_Insertions):
    """Strengthens an adjective: "a very good film", "absolutely superb".

    Only gradable adjectives get an adverb, and the adverb fits their degree ("absolutely superb", never "very superb").
    An adjective beside another adverb ("so good", "good enough") gets none, nor does an adjective after a negation,
    where an intensifier would weaken it ("not very good").

    Args:
        alternatives: The number of adverbs offered at each adjective, drawn at random, at least 1.

    Raises:
        UsageError: ``alternatives`` is below 1.
    """

    def __init__(self, *, alternatives: int = 3) -> None:
        super().__init__("intensifiers", alternatives)
        columns = ("adverb", f"strengthens: {'|'.join(_DEGREES)}|both", "in: any|personal")
        self._adverbs = read_table(LEXICONS / "intensifiers.tsv", columns)
        self._degrees = read_pairs(LEXICONS / "gradable.tsv", ("adjective", f"degree: {'|'.join(_DEGREES)}"))

    def _fitting(self, text: str, tokens: Tokens, index: int) -> Sequence[str]:
        token = tokens[index]
        word = token.small
        judges = sided(word) is not None and set(inflection.parts_of_speech(word)) == {"ADJ"}
        degree = self._degrees.get(word, "any" if judges else "")
        if not degree or token.tag != "JJ" or in_name(tokens, index):
            return ()
        before = token_at(tokens, -1 if token.starts else index - 1)
        after = token_at(tokens, index + 1)
        if before.tag[:2] in ("JJ", "NN", "RB", "WR"):
            return ()
        if token_at(tokens, index - 2).small in ("such", "so"):
            return ()  # "such a horrible thing"
        if after.small in closed_class("behind a degree"):
            return ()
        if before.tag in ("IN", "TO") and after.tag[:2] not in ("NN", "JJ"):
            return ()  # "left in dark", "from good to better"
        if (capitalised(after) and not text.isupper()) or index in denied(tokens):
            return ()
        places = ("any",) if register(text) == "news" else ("any", "personal")
        return [adverb for adverb, its, where in self._adverbs if its in (degree, "both") and where in places]


class Adverbs(_Insertions):
    """Puts an adverb of assurance beside a verb and its subject: "I certainly enjoyed it", "The plot is really thin".

    The verb may be in a relative clause ("a film that really moves"). No adverb is put into questions, headlines,
    conditions and comparisons, or beside another adverb. "Really" stands beside verbs that have a degree or judge. In
    news the adverb is one that reports use ("reportedly", "apparently").

    Args:
        alternatives: The number of adverbs offered at each verb, drawn at random, at least 1.
        source: A file of adverbs, one a line; the shipped list by default.

    Raises:
        UsageError: ``alternatives`` is below 1, or the list cannot be read.
    """

    def __init__(self, *, alternatives: int = 3, source: Path | None = None) -> None:
        super().__init__("adverbs", alternatives)
        if source is None:
            columns = ("adverb", "in: personal|news", "with: main|degree|any")
            self._adverbs = read_table(LEXICONS / "adverbs.tsv", columns)
        else:
            self._adverbs = tuple((word, "any", "any") for (word,) in read_table(source, ("adverb",)))

    def _fitting(self, text: str, tokens: Tokens, index: int) -> Sequence[str]:
        if not 0 < index < len(tokens) - 1:
            return ()
        subject, token, after = tokens[index - 1 : index + 2]
        verb = token.tag in FINITE or _denied_verb(token)
        spoken = subject.tag in _PRONOUNS or token.tag in _AGREEING.get(subject.tag, ())
        if not spoken or not verb:
            return ()
        if index > 1 and not subject.starts and subject.tag not in _RELATIVE and tokens[index - 2].tag[:2] == "NN":
            return ()  # "the film I saw"
        if after.kind == "mark" or after.tag in _ADVERBS:
            return ()
        begin, end = sentence_bounds(tokens, index)
        news = register(text) == "news"
        if news and not begin:
            return ()  # a headline without a mark at its end
        known = [row for row in self._adverbs if row[1] in ("news" if news else "personal", "any")]
        if any(each.small == word for each in tokens[begin:end] for word, *_ in known):
            return ()
        fits = {"any", *_verb_kinds(tokens, index, begin)}
        return [word for word, _, verbs in known if verbs in fits]

    def _insert(self, field: str, text: str, tokens: Tokens, index: int, word: str) -> Edit:
        """Insert the adverb behind an auxiliary, and before any other verb."""
        token = tokens[index]
        if token.pos != "AUX":
            return super()._insert(field, text, tokens, index, word)
        return swap(field, text, tokens, index, f"{token.text.lower()} {word}", f"{self._name}: {word}")


class Openers(_Insertions):
    """Opens a sentence with a phrase without content: "To be honest, ", "In my opinion, "; in news "Reportedly, ".

    The phrase fits the kind of the text and the sentence. "Honestly" opens a judgement, a superlative or a sentence
    with "must", "will" or "should", but not a plain fact; "In my opinion" opens a text in which the writer says "I" or
    "my". Questions, requests, conditions, greetings, headlines,
    fragments without a subject, and sentences with a comma or colon near the beginning are not changed.

    Args:
        alternatives: The number of phrases offered at each sentence, drawn at random, at least 1.
        source: A file of phrases for all kinds of texts, one phrase a line, with its comma or colon. By default the
            shipped phrases are used, which differ by the kind of the text.
        texts: The kind of the texts (review, news, question, message). ``auto`` recognises the kind of each text by its
            words.

    Raises:
        UsageError: ``alternatives`` is below 1, the table is malformed, or the kind is unknown.
    """

    def __init__(self, *, alternatives: int = 3, source: Path | None = None, texts: str = "auto") -> None:
        super().__init__("openers", alternatives)
        self._texts = one_of("texts", texts, ("auto", *KINDS))
        columns = ("phrase", "opens: opinion|verdict|frank|blame|message|on|look|news|again")
        self._openers: dict[str, list[str]] = {}
        if source is not None:
            self._openers["any"] = [phrase for (phrase,) in read_table(source, ("phrase",))]
            return
        for phrase, opens in read_table(LEXICONS / "openers.tsv", columns):
            self._openers.setdefault(opens, []).append(phrase)

    def _fitting(self, text: str, tokens: Tokens, index: int) -> Sequence[str]:
        token, sentence = tokens[index], tokens[index : sentence_bounds(tokens, index)[1]]
        if not token.starts or token.kind != "word" or len(sentence) < _SHORTEST:
            return ()
        if text[: token.start].rstrip().endswith(("-", "–", "—")) or any(each.text in _PAUSES for each in sentence[:2]):
            return ()  # behind a dateline; an address
        if token.text.islower() and not caseless(text):
            return ()  # behind "Yahoo!"
        said = _main_clause(sentence)
        if not said or not closed_class("speaks frankly").isdisjoint(each.small for each in sentence):
            return ()
        fitting = (
            opener for opens in self._opens(text, tokens, index, said) for opener in self._openers.get(opens, ())
        )
        return [opener for opener in fitting if personal(text) or not personal(opener)]

    def _opens(self, text: str, tokens: Tokens, index: int, said: Tokens) -> Iterator[str]:
        """List the sorts of phrases that open a sentence with a main clause."""
        kind = register(text) if self._texts == "auto" else self._texts
        small = {token.small for token in said}
        if kind == "question" or (kind == "news" and not index):
            return
        yield "any"
        barred = map(closed_class, ("of writer and reader", "names its source", "of games and markets"))
        exact = any(token.tag in ("CD", "PRP") for token in said)
        if kind == "news" and not exact and all(map(small.isdisjoint, barred)):
            yield "news"
        if kind in ("", "news"):
            return
        subject = next((token.small for token in said if token.tag in NOUNS), "")
        own = subject in closed_class("of the writer") or subject == "we"
        thing = subject in closed_class("judging") or subject in judged()
        parts = ("ADJ", "ADV", "VERB") if thing else ("ADJ", "ADV")
        judges = {side for place, side in sides(said).items() if said[place].pos in parts}
        best = any(token.tag in _SUPERLATIVES for token in said)
        if judges and kind == "review" and not own:
            yield "opinion"
            if thing and (caseless(text) or 3 * index > 2 * len(tokens)):
                yield "verdict"
        ought = not small.isdisjoint(closed_class("of an opinion")) and (thing or kind != "review")
        if judges or best or ought:
            yield "frank"
        if judges == {False}:
            yield "blame"
        if index and judges == {*sides(tokens[slice(*sentence_bounds(tokens, index - 1))]).values()} != set():
            yield "again"
        if kind in ("message", "closed"):
            yield from ("message", "on") if index else ("message",)
            if judges or ought:
                yield "look"
        elif kind == "review" and index and personal(text) and (thing or own):
            yield from ("message", "on")

    def _insert(self, field: str, text: str, tokens: Tokens, index: int, word: str) -> Edit:
        """Insert a phrase before a sentence, whose first word keeps its capital where it is a name or an initialism."""
        token = tokens[index]
        bare = token.text.replace("’", "'").partition("'")[0]
        shouted = token.text.isupper() and len(token.text) > 1
        named = token.pos == "PROPN" or not inflection.is_word(bare)
        kept = bare == "I" or shouted or (named and bare.lower() not in stop_words())
        lowered = token.text if kept else token.text[0].lower() + token.text[1:]
        phrase = word.lower() if caseless(text) else word
        return Edit(field, token.start, token.end, token.text, f"{phrase} {lowered}", f"openers: {word}")


def _main_clause(sentence: Tokens) -> Tokens:
    """Return a sentence up to its next subordinate clause; empty unless its subject comes first, then its verb.

    A clause or a phrase before the subject must end at a comma.
    """
    begins = closed_class("begins a clause") - {"that"}
    comma = next((place for place, token in enumerate(sentence) if token.text == ","), 0)
    before = sentence[0].tag in ("IN", "WRB") or sentence[0].small in ("even", "instead")
    if comma and before and sentence[0].small != "as":
        return _main_clause(sentence[comma + 1 :])
    ends = (place for place, token in enumerate(sentence) if token.tag in _RELATIVE or token.small in begins)
    said = sentence[: next(ends, len(sentence))]
    verb = next((place for place, token in enumerate(said) if token.tag in FINITE or _denied_verb(token)), len(said))
    spoken = next((place + 1 for place, token in enumerate(said) if _contracted(token)), len(said))
    subject = said[: min(verb, spoken)]
    tags = [token.tag or "PRP" for token in subject]
    named = len(subject) < len(said) and not {*NOUNS}.isdisjoint(tags) and "EX" not in tags
    within = any((one[:2], other) == ("NN", "DT") for one, other in pairwise(tags))  # "the effect a fool has"
    paused = any(token.text in _PAUSES for token in subject)
    return said if named and tags[0] in _FIRST and not within and not paused else ()


def _contracted(token: Token) -> bool:
    """Tell whether a token is a pronoun and its verb: "it's"."""
    pronoun, mark, _ = token.small.partition("'")
    return bool(mark) and token.tag != "EX" and pronoun in closed_class("before a contraction")


def _verb_kinds(tokens: Tokens, index: int, begin: int) -> Iterator[str]:
    """Tell whether a verb is one of a main clause that may be assured, and whether it has a degree."""
    heads = (token for token in tokens[index:] if token.pos not in ("AUX", "ADV", "PART") and not _denied_verb(token))
    verb = next(heads, tokens[index])
    lemma = inflection.lemma(verb.small, verb.tag) or ""
    judges = verb.pos == "ADJ" or sided(verb.small) is not None or lemma in closed_class("has a degree")
    if judges:
        yield "degree"
    main = closed_class("begins a clause").isdisjoint(each.small for each in clause(tokens, index, begin))
    possible = tokens[index].small in closed_class("possible")
    if main and not possible and (judges or tokens[index].tag != "VBD" or tokens[index].pos == "AUX"):
        yield "main"


def _denied_verb(token: Token) -> bool:
    """Tell whether a token is two words to the tagger, so that it has no tag: "don't"."""
    return token.small.endswith("n't")
