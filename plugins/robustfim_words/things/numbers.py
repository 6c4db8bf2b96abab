"""Numbers: one gives way to a near one, or to its other spelling; ratings stay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random

from robustfim.candidate import Edit
from robustfim.example import Example
from robustfim_words.tagging.resourced import WithTagger
from robustfim_words.tagging.tagger import tagger
from robustfim_words.text.articles import swap
from robustfim_words.text.casing import capitalised, caseless
from robustfim_words.text.guard import fixed
from robustfim_words.text.numerals import near, ordinal_suffix, ordinal_value, spell, spell_ordinal, value
from robustfim_words.text.options import one_of
from robustfim_words.text.ratings import in_rating
from robustfim_words.text.tokens import Token, sentence_bounds

__all__ = ["Numbers"]

TO = ("near", "words", "digits")
_ORDINAL = re.compile(r"(\d{1,3})(st|nd|rd|th)\Z", re.IGNORECASE)
_DECADE = re.compile(r"(\d|\d{3})0s\Z", re.IGNORECASE)
_PAIR = re.compile(r"\b(?:both|each other|couple|pair|twins?)\b", re.IGNORECASE)
_RANGE = frozenset(["or", "to", "and", "-", "–", "—", "/", ":", "of", "x", "×", "by"])
_IDIOMS = frozenset(
    [
        "rate",
        "hand",
        "dimensional",
        "faced",
        "sided",
        "cents",
        "faces",
        "fold",
        "bit",
        "sense",
        "senses",
        "something",
        "somethings",
        "nature",
        "ways",
        "wheeler",
        "wheelers",
    ]
)
_CURRENCY = frozenset("$£€#")
_LABELS = frozenset(
    """
    flight number no nos route room gate channel chapter version episode part volume season act page section type model
    ext phone fax tel box highway interstate psalm level step grade class rule line track lane seat article
    co ref id po order invoice item unit suite apt
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Words that a number behind them names: "flight 1472", "chapter 3"."""
_LINES = frozenset("line train bus tram freeway street avenue".split())  # noqa: SIM905  # words read better as a text
"""Words that a number before them names: "the 13 line"."""
_ZONES = frozenset("GMT UTC EST EDT ET CST CDT PST PDT BST CET AM PM HRS".split())  # noqa: SIM905  # words read better as a text
"""Words behind a time of the day."""
_LISTING = frozenset(["by", ":", "namely", "-", "--", "–", "—", "("])
"""Words and marks behind which the things that were counted may be listed."""
_KNOWN_DATES = frozenset(
    [(month, "11") for month in ("september", "sept", "sep")] + [("july", "4"), ("december", "25"), ("dec", "25")]
)
_PLACED = frozenset("runner-up runnerup runners-up bronze silver gold podium last winner".split())  # noqa: SIM905  # words read better as a text
"""Words of a race beside which another place would be a wrong one."""
_EVENTS = re.compile(
    r"\b(?:elect(?:ion|ions|ed|oral)|re-?elect\w*|president(?:ial|s)?|campaign\w*|voters?|census|world cups?|euro|"
    r"olympi\w+|games|super bowl|world series|wars?|attacks?|invasion|revolution|tsunami|earthquake|hurricane)\b",
    re.IGNORECASE,
)
"""What happened, or happens, in years that everybody knows."""
_EITHER = re.compile(r"\d+[\"”″']\s*(?:or|to|and|-)\s*\d+")
_FINGERS = 10
"""The number up to which a double of another says nothing."""
_PHONE = re.compile(r"\(?\d{3}(?:[ .-]|\)[ .-]?)\d{3}[ .-]\d{4}")


class Numbers(WithTagger):
    """Swaps numbers: 3 for 4, "two hours" for "three hours", 1994 for 1996, $10 for $9.

    Left alone is what carries an opinion or is a name: ratings ("8/10", "8 out of 10", "four stars", "give it a
    3", "90% fresh"), "one" and "first", zero, "two-dimensional", ranges ("two or three"), clock times, "two" where
    "both" is said of it, numbers beside a capitalised word ("Toy Story 3", "12 Angry Men"), those that name something
    ("flight 1472", telephone numbers), a figure that the text has twice, lists or ranks by ("two times" beside "the
    second time"), and the years of elections, wars, games and the like.

    Args:
        to: ``near``: another number of the same size; ``words`` and ``digits``: the same number, up to 99, spelled
            the other way.

    Raises:
        UsageError: ``to`` is unknown.
    """

    def __init__(self, *, to: str = "near") -> None:
        self._to = one_of("to", to, TO)

    def foresee(self, examples: Sequence[Example]) -> None:
        """Tag the texts of a block in batches."""
        tagger().prepare(examples)

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List one swap for each number.

        Args:
            example: The source example.
            random: Draws the near numbers.
        """
        for field, text in example.fields.items():
            tokens = tagger().tag(text)
            titles = fixed(text, tokens)
            for index, token in enumerate(tokens):
                number = _leading_number(token)
                parts = number and self._to == "near"
                parts = parts and (_elsewhere(tokens, index, number) or _reckoned(tokens, index, number))
                if number and not parts and index not in titles and _free(text, tokens, index, number):
                    after = self._swap(text, tokens, index, number, random)
                    said = self._to == "near" and after is not None and _elsewhere(tokens, index, after)
                    if after is not None and after != number and not said:
                        why = f"numbers: {number} → {after}"
                        yield swap(field, text, tokens, index, after, why, end=token.start + len(number))

    def _swap(self, text: str, tokens: Sequence[Token], index: int, number: str, random: Random) -> str | None:
        """Return what takes the number's place, None to leave it."""
        if self._to == "near":
            return _near(text, tokens[index], number, random)
        if self._to == "digits":
            known = value(number)
            return None if known is None or known < 2 else str(known)
        plain = number.isascii() and number.isdigit() and len(number) < 3 and str(int(number)) == number
        token = tokens[index]
        marked = _before(text, token) in _CURRENCY or text[token.end :].lstrip()[:1] in ("%", "°")
        return spell(int(number)) if plain and not marked else None


def _before(text: str, token: Token) -> str:
    """Return the character before a token, or nothing."""
    return text[token.start - 1] if token.start else ""


def _leading_number(token: Token) -> str:
    """Return the number at the beginning of a token: the whole of "12", "3rd", "80s", the "two" of "two-hour"."""
    if token.kind == "number" and token.text.isascii():
        return token.text
    if token.kind != "word":
        return ""
    if _ORDINAL.match(token.text) or _DECADE.match(token.text) or (ordinal_value(token.text) or 0) > 2:
        return token.text
    parts = re.split("([-‐‑])", token.text)
    for length in (3, 1):
        head = "".join(parts[:length])
        if value(head) is not None:
            rest = "".join(parts[length + 1 :]).lower()
            return "" if rest in _IDIOMS else head
    return ""


@lru_cache(maxsize=8)
def _speaks_of_pairs(text: str) -> bool:
    """Tell whether a text has "both", "twins" or the like, which hold for two only."""
    return _PAIR.search(text) is not None


def _free(text: str, tokens: Sequence[Token], index: int, number: str) -> bool:
    """Tell whether a number is neither a rating, nor part of a name, a range, a time or an idiom."""
    token = tokens[index]
    before = tokens[index - 1] if index else None
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    if in_rating(text, tokens, index) or (number.lower() in ("two", "2") and _speaks_of_pairs(text)):
        return False
    if before and not text[before.end : token.start] and before.text not in (*_CURRENCY, "(", '"', "“", "'", "‘", "’"):
        return False
    if before and before.text == "#":
        return False
    label = tokens[index - 2] if before and before.text in (".", ":") and index > 1 else before
    if label and label.text.lower().rstrip(".") in _LABELS:
        return False
    if any(match.start() <= token.start < match.end() for match in _EITHER.finditer(text)):
        return False
    dated = ordinal_value(number) is not None or _ORDINAL.match(number) is not None
    if dated and any(other.text.lower() in ("century", "centuries") for other in tokens):
        return False
    if token.text.isupper() and token.kind == "word" and before and before.text.isupper() and not text.isupper():
        return False  # a name in capitals
    if after and after.text.lower() == "of" and ordinal_value(number) is not None:
        return False  # "the third of these"
    if before and before.text.lower() == "top":
        return False
    if any(match.start() <= token.start < match.end() for match in _PHONE.finditer(text)):
        return False
    if _coded(before, number) or _dated(tokens, index, number) or _identifies(before, number, after):
        return False
    if after and (after.text.lower() in _LINES or _of_a_day(after, number)):
        return False
    named = before is not None and (before.tag[:2] == "NN" or (caseless(text) and before.tag in ("VB", "VBP", "JJ")))
    sequel = token.kind == "number" and len(number) < 2 and named
    if sequel and (after is None or after.kind == "mark" or after.tag[:2] not in ("NN", "JJ")):
        return False
    if value(number) is not None and before and _counts_known(tokens[:index], after):
        return False
    if before and capitalised(before) and not before.starts and not caseless(text) and not before.text.isupper():
        return False
    if after and not text[token.end : after.start] and after.text in ("/", ":", "*", "+", "'", "’", "°", "_"):
        return False
    if after and capitalised(after) and not after.starts and not (token.text.isupper() or after.text.isupper()):
        return after.text.split("'")[0] == "I"
    if after and after.text.lower() in _IDIOMS:
        return False
    if before and before.text.lower() == "all" and value(number) in (2, 3):
        return False  # "all three" of them could become "all two"
    few = (value(number) or (int(number) if number.isdecimal() and len(number) < 3 else 99)) < 6
    _, end = sentence_bounds(tokens, index)
    if few and any(
        tokens[place].text.lower() in _LISTING and (place < index + 5 or _lists(tokens[place:end]))
        for place in range(index + 1, end)
    ):
        return False  # they may be listed
    if _ranked(tokens, index, number) or _of_an_event(text, tokens, index, number):
        return False
    for near_by, beyond in ((before, index - 2), (after, index + 2)):
        other = tokens[beyond] if 0 <= beyond < len(tokens) else None
        if near_by and other and near_by.text.lower() in _RANGE and _leading_number(other):
            return False
    return not any(other and _leading_number(other) for other in (before, after))


def _lists(behind: Sequence[Token]) -> bool:
    """Tell whether several things stand behind a dash or colon: "-- the prison flick and the fight film"."""
    return behind[0].kind == "mark" and any(each.text.lower() in (",", "and") for each in behind)


def _ranked(tokens: Sequence[Token], index: int, number: str) -> bool:
    """Tell whether the text goes on to tell what was counted ("two times", "the second time"), or ranks others."""
    place = ordinal_value(number)
    others = {ordinal_value(token.text) for at, token in enumerate(tokens) if at != index} - {None}
    if place is None and not _ORDINAL.match(number):
        return value(number) in others or (number.isdecimal() and int(number) in others)
    return bool(others) or any(token.text.lower() in _PLACED for token in tokens)


def _of_an_event(text: str, tokens: Sequence[Token], index: int, number: str) -> bool:
    """Tell whether a year stands in a sentence on what everybody knows the years of: an election, the Olympics."""
    first, end = sentence_bounds(tokens, index)
    year = len(number) == len("2000") and number.isdecimal()
    return year and _EVENTS.search(text[tokens[first].start : tokens[end - 1].end]) is not None


def _counts_known(before: Sequence[Token], after: Token | None) -> bool:
    """Tell whether those are counted whom everybody knows: "we are two", "the two" of which the text has spoken."""
    words = [token.text.lower() for token in before[-2:]]
    own = len(words) > 1 and words[0] in ("we", "us", "they", "you") and words[1] in ("are", "were")
    return (
        own
        or words[-1] in ("us", "we", "these", "those")
        or (words[-1] in ("the", "his", "her", "their") and (after is None or after.tag[:2] not in ("NN", "JJ")))
    )


def _of_a_day(after: Token, number: str) -> bool:
    """Tell whether a number is a time of the day: "2029 GMT", "0930 hours"."""
    return after.text.upper() in _ZONES or (len(number) == 4 and after.text.lower() == "hours")


def _coded(before: Token | None, number: str) -> bool:
    """Tell whether a number is a post code behind a state: "CA 90210"."""
    return before is not None and before.text.isupper() and len(before.text) in (2, 3) and len(number) in (4, 5)


def _identifies(before: Token | None, number: str, after: Token | None) -> bool:
    """Tell whether a long number counts nothing and is no year, but names something: "Its id is 11608."."""
    bare = number.isdecimal() and len(number) >= len("2000") and (after is None or after.kind == "mark")
    return bare and (before is None or before.tag not in ("IN", "TO") or len(number) > len("2000"))


def _dated(tokens: Sequence[Token], index: int, number: str) -> bool:
    """Tell whether a number makes a date that everybody knows: "Sept. 11"."""
    words = [token.text.lower().removeprefix("post-").removeprefix("pre-") for token in tokens if token.text != "."]
    place = index - sum(token.text == "." for token in tokens[:index])
    beside = [words[other] for other in (place - 1, place + 1) if 0 <= other < len(words)]
    return any((word, number.lower().removesuffix("th")) in _KNOWN_DATES for word in beside)


def _elsewhere(tokens: Sequence[Token], index: int, number: str) -> bool:
    """Tell whether the text has the same figure at another place, in digits or in letters: the two would part."""
    mine = {
        number.lower(),
        str(value(number)),
        spell(int(number)) if number.isdecimal() and len(number) < 3 else number,
    }
    others = (_leading_number(token).lower() for place, token in enumerate(tokens) if place != index)
    return any(other and other in mine for other in others)


def _reckoned(tokens: Sequence[Token], index: int, number: str) -> bool:
    """Tell whether a figure is the sum, the difference or the double of others in the text."""
    mine, others = _amount(number), {_amount(_leading_number(each)) for at, each in enumerate(tokens) if at != index}
    others -= {0.0}
    doubled = (mine > _FINGERS and mine / 2 in others) or (2 * mine > _FINGERS and 2 * mine in others)
    return mine > 0 and (doubled or any(mine - one in others - {one} or mine + one in others for one in others))


def _amount(number: str) -> float:
    """Return what a number amounts to; 0 for none."""
    digits = number.replace(",", "")
    return float(digits) if re.fullmatch(r"\d+(?:\.\d+)?", digits) else float(value(number) or 0)


def _near(text: str, token: Token, number: str, random: Random) -> str | None:
    """Return a near number in the same notation."""
    if match := _ORDINAL.match(number):
        new = near(int(match[1]), random) if int(match[1]) > 1 else 0
        return f"{new}{ordinal_suffix(new)}" if new else None
    if match := _DECADE.match(number):
        return _near_decade(match[1], random) + number[len(match[1]) :]
    place = ordinal_value(number)
    if place is not None:
        new = near(place, random)
        return spell_ordinal(new if new < 100 else 2 * place - new)
    known = value(number)
    if known is not None:
        new = near(known, random) if known > 1 else 0
        return spell(new if new < 100 else 2 * known - new) if new else None
    whole, point, rest = number.partition(".")
    if not re.fullmatch(r"\d+|\d{1,3}(,\d{3})+", whole) or "." in rest or "," in rest:
        return None
    amount = int(whole.replace(",", ""))
    if amount < 2 or (len(whole) > 1 and whole.startswith("0")):
        return None
    if len(whole) == 4 and 1900 <= amount <= 2039 and not point and _before(text, token) not in _CURRENCY:
        return str(amount + random.choice((-3, -2, -1, 1, 2, 3)))
    new = near(amount, random)
    return (f"{new:,}" if "," in whole else str(new)) + point + rest


def _near_decade(head: str, random: Random) -> str:
    """Return a neighbouring decade's digits without the final 0s."""
    decade = int(head)
    lowest, highest = (2, 9) if decade < 10 else (decade - 1, decade + 1)
    return str(random.choice([d for d in (decade - 1, decade + 1) if lowest <= d <= highest]))
