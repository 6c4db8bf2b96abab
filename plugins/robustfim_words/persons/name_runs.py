"""Finds runs, sequences of capitalised words that could be names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from robustfim_words.persons.register import Register
from robustfim_words.text import inflection
from robustfim_words.text.casing import capitalised, caseless
from robustfim_words.text.guard import in_headline
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.stop_words import stop_words
from robustfim_words.text.tokens import Token, base_of, token_at

__all__ = [
    "PARTICLES",
    "family_comes_first",
    "initial",
    "known",
    "runs",
    "says_nothing",
    "strange_family",
    "title_before",
]

PARTICLES = closed_class("particles of names")
"""Small words inside family names."""
_FAMILY = re.compile(r"(?:[od]['’])?[^\W\d_]+")
_FAMILY_FIRST = frozenset(["chinese", "korean", "vietnamese", "japanese", "hungarian"])


def title_before(tokens: Sequence[Token], index: int, register: Register) -> str:
    """Return the kind of the title directly before a word ("Mr. Smith"), or ``""`` without a title."""
    before = index - 1
    if tokens[index].starts:
        return ""
    if before > 0 and tokens[before].text == ".":
        before -= 1
    clue = register.clue(tokens[before].text) if index and tokens[before].kind == "word" else ""
    return clue if "title" in clue else ""


def runs(text: str, tokens: Sequence[Token], register: Register, taken: Collection[int]) -> Iterator[list[int]]:
    """Find runs: sequences of words that could be one name.

    A run consists of capitalised words with blanks between them, and of the initials and small words (``van``, ``de
    la``) among them. Titles, words such as "Polish", and ordinary words at the beginning of a sentence are not part of
    a run. In a headline, or a text all in capitals or all in small letters, a run is a known given name followed by a
    known family name.

    Args:
        text: The text.
        tokens: The text's tagged tokens.
        register: The known names.
        taken: Indices of tokens that cannot be part of a name, since they are part of something else.

    Yields:
        The indices of each run's words in ``tokens``, from left to right.
    """
    if says_nothing(text, tokens):
        yield from _listed_runs(text, tokens, register, taken)
        return
    headline = in_headline(tokens)
    if headline:
        beyond = {*taken, *(index for index in range(len(tokens)) if index not in headline)}
        yield from _listed_runs(text, tokens, register, beyond)
    run: list[int] = []
    for index, token in enumerate(tokens):
        if index in taken or index in headline or (token.kind == "mark" and not _ends_initial(tokens, index)):
            yield from _trimmed(tokens, run, register)
            run = []
        elif token.kind == "mark":
            continue
        elif run and not _continues(text, tokens, run[-1], index):
            yield from _trimmed(tokens, run, register)
            run = [index] if _could_begin(token, register) else []
        elif _could_begin(token, register) or (run and (_inside(tokens, index) or initial(tokens, index))):
            run.append(index)
        else:
            yield from _trimmed(tokens, run, register)
            run = []
    yield from _trimmed(tokens, run, register)


def says_nothing(text: str, tokens: Sequence[Token]) -> bool:
    """Check whether the capitals of a text do not help to find names."""
    words = [token for token in tokens if token.kind == "word" and len(token.text) > 3]
    return caseless(text) or text.isupper() or (len(words) > 5 and sum(map(capitalised, words)) > 0.7 * len(words))


def _listed_runs(text: str, tokens: Sequence[Token], register: Register, taken: Collection[int]) -> Iterator[list[int]]:
    """Find known given names with a known family name, of which at most one is an ordinary word as well."""
    index = 0
    while index < len(tokens):
        last = None if index in taken else _listed_pair(text, tokens, index, register)
        if last is not None:
            yield [place for place in range(index, last + 1) if tokens[place].kind == "word"]
        index = index + 1 if last is None else last + 1


def _listed_pair(text: str, tokens: Sequence[Token], first: int, register: Register) -> int | None:
    """Return the index of the last token of a known full name that begins at a token, or None."""
    if not register.is_given(tokens[first].text):
        return None
    place = first + 1
    while place < len(tokens) and (_ends_initial(tokens, place) or initial(tokens, place)):
        place += 1
    match = register.families.match(tokens, place) if place < len(tokens) else None
    if match is None and place == first + 1 and place < len(tokens) and strange_family(text, tokens, place, register):
        return place
    if match is None or any(not _adjacent(text, tokens, i, i + 1) for i in range(first, match.last)):
        return None
    ordinary = inflection.is_word(tokens[first].text) + inflection.is_word(base_of(tokens[place])[0])
    tagged = any(token.pos == "PROPN" for token in tokens[first : match.last + 1])
    return match.last if ordinary <= (1 if tagged else 0) else None


def strange_family(text: str, tokens: Sequence[Token], place: int, register: Register) -> bool:
    """Check whether a word in small letters after a given name must be a family name: "kevin pollak".

    This is so if neither the given name nor the word is in the dictionary, while the words before and after the two are
    in the dictionary or are punctuation marks, so that the name is complete.

    Args:
        text: The text.
        tokens: The text's tagged tokens.
        place: Index of the word.
        register: The known names.
    """
    if not caseless(text) or not place or not _adjacent(text, tokens, place - 1, place):
        return False
    given, family = tokens[place - 1].text, base_of(tokens[place])[0]
    beside = [place - 2] * (place > 1)
    if base_of(tokens[place])[1] == tokens[place].end and place + 1 < len(tokens):
        beside.append(place + 1)
    return (
        register.is_given(given)
        and not known(given)
        and len(family) > 3
        and _FAMILY.fullmatch(family) is not None
        and not (known(family) or register.is_given(family) or family in register.places or register.clue(family))
        and all(
            tokens[other].kind != "word" or (known(tokens[other].text) and not register.is_given(tokens[other].text))
            for other in beside
        )
    )


def known(word: str) -> bool:
    """Check whether a word is in the dictionary, or all parts of a word with hyphens are.

    Args:
        word: A word, in any case.
    """
    parts = re.sub("['’].*", "", word.lower()).split("-")
    return all(inflection.is_word(part) or part in stop_words() or part in PARTICLES for part in parts)


def initial(tokens: Sequence[Token], index: int) -> bool:
    """Check whether a token is an initial: ``J`` before a full stop or between capitalised words, or ``J.R.``."""
    text, after = tokens[index].text, token_at(tokens, index + 1)
    stop = after is not None and after.text == "." and after.start == tokens[index].end
    between = after is not None and capitalised(after) and index > 0 and capitalised(tokens[index - 1])
    return capitalised(tokens[index]) and (text.endswith(".") or (len(text) == 1 and text != "I" and (stop or between)))


def _ends_initial(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a stop belongs to the initial, or the title, before it."""
    if tokens[index].text != "." or not index or tokens[index - 1].end != tokens[index].start:
        return False
    return initial(tokens, index - 1) or (index + 1 < len(tokens) and not tokens[index + 1].starts)


def _adjacent(text: str, tokens: Sequence[Token], one: int, other: int) -> bool:
    """Tell whether blanks, or nothing before a mark, part two tokens, and the first has no possessive ``'s``."""
    gap = text[tokens[one].end : tokens[other].start]
    return gap.strip(" ") == "" and base_of(tokens[one])[1] == tokens[one].end


def _continues(text: str, tokens: Sequence[Token], last: int, index: int) -> bool:
    """Tell whether a word may belong to the run that ends with another."""
    near = all(_adjacent(text, tokens, i, i + 1) for i in range(last, index))
    return near and not tokens[index].starts


def _could_begin(token: Token, register: Register) -> bool:
    """Tell whether a word has the capital of a name: no stop word, no word in capitals but a listed one."""
    word = base_of(token)[0]
    if not (capitalised(token) or word[:3].lower() in ("al-", "el-", "ul-")):
        return False
    if word.isupper() and len(word) > 1 and not word.endswith("."):
        return register.is_given(word) or register.is_family(word)
    head, apostrophe, _ = word.lower().replace("’", "'").partition("'")
    if head in stop_words() or (apostrophe and head == "i"):
        return (len(head) == 1 and bool(apostrophe) and head != "i") or (not token.starts and register.is_given(word))
    return len(head) > 1 or bool(apostrophe)


def _inside(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a small word stands inside a name: a capital, or another small word with one, comes behind it."""
    place = index
    while place < len(tokens) and tokens[place].text in PARTICLES:
        place += 1
    return index < place <= index + 2 and place < len(tokens) and capitalised(tokens[place])


def _trimmed(tokens: Sequence[Token], run: list[int], register: Register) -> Iterator[list[int]]:
    """Yield what is left of a run without what stands before a name."""
    left = list(run)
    while left:
        word = base_of(tokens[left[0]])[0]
        clue, given, ordinary = register.clue(word), register.is_given(word), inflection.is_word(word)
        follower = base_of(tokens[left[1]])[0] if len(left) > 1 else ""
        asian = len(left) == 2 and family_comes_first((word, follower), register)
        opener = tokens[left[0]].starts and ordinary and not given and not asian
        beside = len(left) > 2 and ordinary and not given and not inflection.is_word(follower)
        if "title" in clue or clue == "no_person" or opener or beside or tokens[left[0]].text in PARTICLES:
            left.pop(0)
        else:
            break
    while left and tokens[left[-1]].text in ("Jr", "Sr", "II", "III"):
        left.pop()
    if left:
        yield left


def family_comes_first(words: Sequence[str], register: Register) -> bool:
    """Check whether the family name comes first in a full name, as in Korea or Hungary: "Park Dong-soo"."""
    first, second = words
    origins = register.origins_of(("family", first.casefold())) & _FAMILY_FIRST
    if not origins or register.is_family(second):
        return False
    shared = origins & register.origins_of(("given", second.casefold()))
    return bool(shared) or ("-" in second and not register.is_given(first))
