"""Insertions: a word or a phrase that adds emphasis, or no meaning."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from random import Random

from robustfim.candidate import Edit
from robustfim_words.persons.names import in_name
from robustfim_words.tagging.resourced import Editing, WithTagger
from robustfim_words.text import inflection
from robustfim_words.text.articles import article_before, indefinite_article
from robustfim_words.text.casing import capitalised, caseless, like, title
from robustfim_words.text.clauses import FINITE
from robustfim_words.text.gradable import DEGREES, gradable
from robustfim_words.text.guard import fixed, in_headline
from robustfim_words.text.lexicon import LEXICONS, closed_class, read_table
from robustfim_words.text.options import at_least, one_of
from robustfim_words.text.stop_words import stop_words
from robustfim_words.text.text_kind import KINDS, kind_of
from robustfim_words.text.tokens import Token, sentence_bounds, token_at
from robustfim_words.text.tone import denied, sided, sides

__all__ = ["Adverbs", "Intensifiers", "Openers"]

_ADVERBS = ("RB", "RBR", "RBS", "WRB")
_RELATIVE = ("WDT", "WP")
_PRONOUNS = ("PRP", "EX", "DT", *_RELATIVE)
"""Tags of words that can be the whole subject of the next verb."""
_SHORTEST = 4
"""The smallest number of words and marks of a sentence. Shorter ones are exclamations."""
_PAUSES = (",", ":", "-", "–", "—")
"""Marks after which a sentence begins anew, such as the dash after a dateline."""
_NO_STATEMENT = ("UH", "CC", "VB", "VBZ", "VBD", "MD")
"""Tags of words that never begin a statement."""


class _Insertions(WithTagger, Editing):
    """Draws a few of the insertions that fit at each place."""

    def __init__(self, name: str, alternatives: int) -> None:
        self._name, self._alternatives = name, at_least("alternatives", alternatives, 1)

    def _edits(self, field: str, text: str, tokens: Sequence[Token], random: Random) -> Iterator[Edit]:
        """List insertions at each place that can bear one."""
        quoted = fixed(text, tokens)
        for index in range(len(tokens)):
            fitting = self._fitting(text, tokens, index) if index not in quoted else ()
            for word in random.sample(fitting, min(self._alternatives, len(fitting))):
                yield self._insert(field, text, tokens, index, word)

    @abstractmethod
    def _fitting(self, text: str, tokens: Sequence[Token], index: int) -> Sequence[str]:
        """List what may be inserted before a token."""

    def _insert(self, field: str, text: str, tokens: Sequence[Token], index: int, word: str) -> Edit:
        """Insert a word before a token; an article before it agrees, and a first capital moves."""
        token = tokens[index]
        head = token.text
        article = article_before(text, tokens, index)
        shouted = head.isupper() and len(head) > 1
        if article is not None:
            small = indefinite_article(word)
            small = title(small) if article.text[0].isupper() else small
            before = text[article.start : token.end]
            written = word.upper() if shouted else word
            return Edit(field, article.start, token.end, before, f"{small} {written} {head}", f"{self._name}: {word}")
        after = f"{like(head, word)} {head[0].lower() + head[1:] if token.starts and not shouted else head}"
        return Edit(field, token.start, token.end, head, after, f"{self._name}: {word}")


class Intensifiers(_Insertions):
    """Strengthens an adjective: "a very good film", "absolutely superb".

    Only gradable adjectives get an adverb, and the adverb fits their degree ("absolutely superb", never "very superb").
    Adjectives beside another adverb ("so good", "good enough") stay. Adjectives after a negation stay as well, since
    there an intensifier would weaken them.

    Args:
        alternatives: Adverbs offered at each adjective, drawn at random, at least 1.

    Raises:
        UsageError: ``alternatives`` is below 1.
    """

    def __init__(self, *, alternatives: int = 3) -> None:
        super().__init__("intensifiers", alternatives)
        table = read_table(LEXICONS / "intensifiers.tsv", ("adverb", f"strengthens: {'|'.join(DEGREES)}|both"))
        self._adverbs = {
            degree: [adverb for adverb, strengthened in table if strengthened in (degree, "both")]
            for degree in (*DEGREES, "any")
        }

    def _fitting(self, text: str, tokens: Sequence[Token], index: int) -> Sequence[str]:
        token = tokens[index]
        word = token.text.lower()
        judges = sided(word) is not None and set(inflection.parts_of_speech(word)) == {"ADJ"}
        degree = gradable().get(word, "any" if judges else "")
        if not degree or token.tag != "JJ" or in_name(tokens, index):
            return ()
        before = tokens[index - 1] if index and not token.starts else None
        after = token_at(tokens, index + 1)
        if before is not None and (before.tag[:2] in ("JJ", "NN", "RB", "WR") or before.text in "-‑"):
            return ()
        if after is not None and (
            after.text.lower() in (*closed_class("behind a degree"), "-", "‑") or after.kind == "number"
        ):
            return ()
        named = after is not None and capitalised(after) and not (after.starts or text.isupper())
        return () if named or index in denied(tokens) else self._adverbs[degree]


class Adverbs(_Insertions):
    """Puts an adverb of assurance beside a verb and its subject: "I certainly enjoyed it", "The plot is really thin".

    The verb may stand in a relative clause ("a film that really moves"). Questions and headlines stay, and so do verbs
    beside another adverb.

    Args:
        alternatives: Adverbs offered at each verb, drawn at random, at least 1.
        source: A list of adverbs, one a line; the shipped one by default.

    Raises:
        UsageError: ``alternatives`` is below 1, or the list cannot be read.
    """

    def __init__(self, *, alternatives: int = 3, source: Path | None = None) -> None:
        super().__init__("adverbs", alternatives)
        self._adverbs = [word for (word,) in read_table(source or LEXICONS / "adverbs.txt", ("adverb",))]

    def _fitting(self, text: str, tokens: Sequence[Token], index: int) -> Sequence[str]:
        if not 0 < index < len(tokens) - 1:
            return ()
        subject, token, after = tokens[index - 1 : index + 2]
        verb = token.tag in FINITE or _denied_verb(token)
        spoken = subject.tag in _PRONOUNS or (subject.tag.startswith("NN") and token.tag in ("VBZ", "VBP", "MD"))
        if not spoken or not verb or text[subject.end : token.start] != " ":
            return ()
        if index > 1 and not subject.starts and subject.tag not in _RELATIVE and tokens[index - 2].tag[:2] == "NN":
            return ()  # "the film I saw"
        sentence = tokens[slice(*sentence_bounds(tokens, index))]
        if after.kind == "mark" or after.tag in _ADVERBS or sentence[-1].text == "?" or index in in_headline(tokens):
            return ()
        return [] if any(each.text.lower() in self._adverbs for each in sentence) else self._adverbs

    def _insert(self, field: str, text: str, tokens: Sequence[Token], index: int, word: str) -> Edit:
        """Insert the adverb behind an auxiliary, and before any other verb."""
        token = tokens[index]
        if token.pos != "AUX" or _denied_verb(token):
            return super()._insert(field, text, tokens, index, word)
        return Edit(field, token.start, token.end, token.text, f"{token.text} {word}", f"{self._name}: {word}")


class Openers(_Insertions):
    """Opens a sentence with a phrase without content: "To be honest, ", "In my opinion, "; in news "As reported, ".

    The phrase fits the kind of the text. Questions, greetings, headlines and sentences with a comma or colon near the
    beginning stay.

    Args:
        alternatives: Phrases offered at each sentence, drawn at random, at least 1.
        source: A list of phrases for texts of every kind, one phrase a line, with its comma or colon. By default the
            shipped phrases are used, which differ by the kind of the text.
        texts: The kind of the texts (review, news, question, message). ``auto`` recognises the kind of each text by its
            words.

    Raises:
        UsageError: ``alternatives`` is below 1, the table is malformed, or the kind is unknown.
    """

    def __init__(self, *, alternatives: int = 3, source: Path | None = None, texts: str = "auto") -> None:
        super().__init__("openers", alternatives)
        self._texts = one_of("texts", texts, ("auto", *KINDS))
        columns = ("phrase", "opens: opinion|frank|message|news|again")
        self._openers: dict[str, list[str]] = {}
        if source is not None:
            self._openers["any"] = [phrase for (phrase,) in read_table(source, ("phrase",))]
            return
        for phrase, opens in read_table(LEXICONS / "openers.tsv", columns):
            self._openers.setdefault(opens, []).append(phrase)

    def _fitting(self, text: str, tokens: Sequence[Token], index: int) -> Sequence[str]:
        token, sentence = tokens[index], tokens[index : sentence_bounds(tokens, index)[1]]
        if not token.starts or token.kind != "word" or token.tag in _NO_STATEMENT or len(sentence) < _SHORTEST:
            return ()
        before = text[: token.start]
        if index in in_headline(tokens) or before.endswith(("(", "[", '"', "'", "“", "‘")):
            return ()
        if before.rstrip().endswith(("-", "–", "—")):
            return ()  # a dateline
        if sentence[-1].text in "?…" or any(each.text in _PAUSES for each in sentence[1:_SHORTEST]):
            return ()
        phrase = token.tag == "DT" and token.text[0] in "aA"
        stated = takewhile(lambda each: each.tag not in ("WDT", "WP", "IN"), sentence) if phrase else sentence
        if not any(each.tag in FINITE for each in stated):
            return ()
        return [opener for opens in self._opens(text, index, sentence) for opener in self._openers.get(opens, ())]

    def _opens(self, text: str, index: int, sentence: Sequence[Token]) -> Sequence[str]:
        """Tell which phrases open a sentence of a text."""
        kind, again = kind_of(text, self._texts), ("again",) if index else ()
        if kind == "news":
            return (*again, "news", "any") if index else ()
        if kind == "question":
            return ()
        opinion = ("opinion",) if kind == "review" and sides(sentence) else ()
        return (*opinion, *again, "frank", "any", *(["message"] if kind == "message" else []))

    def _insert(self, field: str, text: str, tokens: Sequence[Token], index: int, word: str) -> Edit:
        """Insert a phrase before a sentence, whose first word keeps its capital where it is a name or an initialism."""
        token = tokens[index]
        bare = token.text.replace("’", "'").partition("'")[0]
        ordinary = bare.lower() in stop_words() or (token.pos != "PROPN" and inflection.is_word(bare))
        shouted = token.text.isupper() and len(token.text) > 1
        keeps = bare == "I" or not ordinary or shouted or not capitalised(token)
        lowered = token.text if keeps else token.text[0].lower() + token.text[1:]
        phrase = word.lower() if caseless(text) else word
        return Edit(field, token.start, token.end, token.text, f"{phrase} {lowered}", f"openers: {word}")


def _denied_verb(token: Token) -> bool:
    """Tell whether a token is two words to the tagger, so that it has no tag: "don't"."""
    return token.text.lower().endswith(("n't", "n’t"))
