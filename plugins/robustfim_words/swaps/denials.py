"""Denials of a sentence as a whole: "not a good film", "I don't think the plot moves anybody"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from robustfim.candidate import Edit
from robustfim_words.text import inflection
from robustfim_words.text.clauses import FINITE, finite, joined
from robustfim_words.text.guard import in_headline
from robustfim_words.text.stop_words import STOP_WORDS, read_stop_words
from robustfim_words.text.text_kind import text_kind
from robustfim_words.text.tokens import Token, sentence_bounds
from robustfim_words.text.tone import sided

__all__ = ["SET_AGAINST", "WEIGHED", "deny_fragment", "deny_whole", "judged_outside"]

_OPENS_A_STATEMENT = ("DT", "PRP", "PRP$", "NN", "NNS", "NNP", "NNPS", "JJ", "EX", "VBG")
_FORE = ("that", "as", "than", "though", "although", "because", "if", "while", "whereas", "since", "unless", "until")
_UNTHOUGHT = frozenset(
    """
    i i'm i've i'd i'll all every always both each just certainly definitely surely clearly obviously unfortunately
    sadly thankfully hopefully honestly frankly personally perhaps maybe probably because since either let even
    lack absence may might
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Words of statements of which "I don't think" would not say the contrary, or that it does not stand before."""
_QUALITY = ("JJ", "RB", "VB")
_RELATIVE = ("that", "who", "which", "that's", "who's")
SET_AGAINST = frozenset("but yet although though while nor or if because than so few lot bit couple".split())  # noqa: SIM905  # words read better as a text
"""Words after which a denied phrase would say something else than its contrary."""
WEIGHED = frozenset(
    """
    quite several more most less first last second third only almost nearly about around just both another other all
    every each some too even best worst finest main one also still already sure worth supposed about enough
    lack absence as reminiscent arguably probably perhaps maybe
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Words beside which a denial says something else than the contrary, or nothing: "isn't quite", "isn't the first"."""


def deny_fragment(field: str, text: str, sentence: Sequence[Token], place: int) -> Iterator[Edit]:
    """Deny a sentence that is nothing but a noun phrase: "a warm , funny film" and "not a warm , funny film".

    Args:
        field: The field's name.
        text: Its text.
        sentence: The tagged tokens of a sentence.
        place: That of a token among them; only the first can be denied.
    """
    token = sentence[0]
    if place or token.text.lower() not in ("a", "an") or text_kind(text) == "news":
        return
    words = [each for each in sentence if each.kind == "word"]
    opened = next((at for at, each in enumerate(words) if each.text.lower() in _RELATIVE), len(words))
    has_verb = any(each.tag in FINITE for each in words[:opened])
    split = any(each.text in (":", ";", "-", "–", "—", "(", '"', "“", "…") for each in sentence)
    split = split or any(one.text == other.text == "." for one, other in pairwise(sentence))
    told = list(takewhile(lambda each: each.text.lower() not in _RELATIVE, sentence))
    listed = any(each.text == "," and not _before_its_noun(told[at + 1 :]) for at, each in enumerate(told))
    said = [each.text.lower() for each in words]
    barred = not SET_AGAINST.isdisjoint(said) or not WEIGHED.isdisjoint(said[1:3])
    if len(words) > 2 and not (has_verb or split or listed or barred) and any(w.tag[:2] in _QUALITY for w in words[1:]):
        after = "Not a" if token.text[0].isupper() else "not a"
        yield Edit(field, token.start, token.end, token.text, after + token.text[1:], "negation: a phrase denied")


def deny_whole(field: str, text: str, sentence: Sequence[Token]) -> Iterator[Edit]:
    """Deny a statement by what stands before it: "I don't think the plot moves anybody".

    Args:
        field: The field's name.
        text: Its text.
        sentence: The tagged tokens of a sentence.
    """
    token = sentence[0]
    verb = next((place for place, each in enumerate(sentence) if finite(each)), 0)
    words = {each.text.lower() for each in sentence}
    opened = sentence[:verb]
    if (
        not opened
        or in_headline(sentence)
        or verb + 1 == len(sentence)
        or len(sentence[verb].text) < 2
        or token.tag not in _OPENS_A_STATEMENT
        or words & _UNTHOUGHT
        or (sentence[verb].tag == "MD" and sentence[verb + 1].text.lower().endswith("ly"))
        or sentence[verb + 1].text.lower() == "to"
        or any(each.text in (",", ":", "-", "–", "—", '"', "“", "(") or each.kind == "number" for each in opened)
        or any(each.tag in ("WDT", "WP", "WRB", "UH") or each.text.lower() in _FORE for each in opened)
        or joined(sentence, verb)
    ):
        return
    known = token.text.lower() in read_stop_words(STOP_WORDS) or (token.tag != "NNP" and inflection.is_word(token.text))
    small = token.text[0].lower() + token.text[1:] if known and token.text != "I" else token.text
    before = "i don't think" if text.islower() else "I don't think"
    before = before.replace("'", "’") if "’" in text else before
    yield Edit(field, token.start, token.end, token.text, f"{before} {small}", "negation: denied as a whole")


def judged_outside(tokens: Sequence[Token], told: range, index: int, end: int) -> bool:
    """Tell whether a text praises, blames or compares outside of what a denial reaches, which would stand as it is.

    A denial reaches from its subject to the end of the sentence, or to a comma that no other quality follows, or to
    "but": not to the appositive of "it's a warm film , a triumph of style", nor to the phrase of "like a charm , it
    works".

    Args:
        tokens: The tagged tokens of a text.
        told: The places of those that are to agree with what is denied.
        index: The place of the verb or word that denies.
        end: The place behind its sentence.
    """
    reach = next((place for place in range(index + 2, end) if _goes_elsewhere(tokens, place, end)), end)
    first, _ = sentence_bounds(tokens, index)
    subject = max((place + 1 for place in range(first, index) if tokens[place].text == ","), default=first)
    likened = tokens[first].text.lower() in ("like", "unlike", "as") or (
        tokens[first].text.lower() in ("a", "an") and any(each.text == "," for each in tokens[first:index])
    )
    return (likened and first < index) or any(
        sided(tokens[place].text.lower()) is not None for place in told if not subject <= place < reach
    )


def _goes_elsewhere(tokens: Sequence[Token], place: int, end: int) -> bool:
    """Tell whether a comma or "but" ends what is denied: behind a comma another quality or an "and" goes on with it."""
    if tokens[place].text.lower() in ("but", "yet", "-", "–", "—", ";", ":"):
        return True
    behind = [each for each in tokens[place + 1 : end] if each.tag[:2] != "RB"]
    goes_on = any(each.tag[:2] in ("JJ", "CC") for each in behind[:1]) or _before_its_noun(behind)
    return tokens[place].text == "," and not goes_on


def _before_its_noun(tokens: Sequence[Token]) -> bool:
    """Tell whether qualities, and behind them their noun, follow: those of a comma between them, "warm , funny"."""
    rest = [each for each in tokens if each.tag[:2] not in (*_QUALITY, "CC") and each.text != ","]
    quality = bool(tokens) and (tokens[0].tag[:2] in _QUALITY or tokens[0].text.endswith("ing"))
    return quality and bool(rest) and rest[0].tag[:2] == "NN"
