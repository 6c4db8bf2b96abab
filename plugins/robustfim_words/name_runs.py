"""Runs of capitalised words, and the full names of persons among them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from robustfim_words import inflection
from robustfim_words.names import Key, capitalised, caseless
from robustfim_words.register import Register
from robustfim_words.stop_words import STOP_WORDS, read_stop_words
from robustfim_words.tokens import Token, base_of

__all__ = ["FullName", "full_name", "runs", "title_before"]

_PARTICLES = frozenset(
    "de da do dos das del della di du von van der den ter ten la le al el bin ibn ap ben bint".split()  # noqa: SIM905  # words read better as a text
)
_ARTICLES = frozenset(["a", "an", "the"])
_AT_A_PLACE = frozenset("in at near across around outside through into above below over".split())  # noqa: SIM905  # words read better as a text
_PERSON_BEFORE = frozenset("by with starring stars star played like as and named called from of".split())  # noqa: SIM905  # words read better as a text
_FAMILY_FIRST = frozenset(["chinese", "korean", "vietnamese", "japanese", "hungarian"])
_LONGEST = 4
_MARKS_BESIDE = frozenset("&-‐‑–/+@#_")


class FullName(NamedTuple):
    """A given and a family name side by side.

    Attributes:
        first: Index of the first token.
        last: Index of the last one.
        first_given: Index of the first token of the given names.
        given_end: One past their last character.
        given_key: The first given name.
        first_family: Index of the first token of the family name.
        family_end: One past its last character, a possessive ``'s`` left out.
        family_key: The family name.
        title: The clue of a title before the name, ``""`` for none.
    """

    first: int
    last: int
    first_given: int
    given_end: int
    given_key: Key
    first_family: int
    family_end: int
    family_key: Key
    title: str


def title_before(tokens: Sequence[Token], index: int, register: Register) -> str:
    """Return the clue of a title that stands directly before a word ("Mr. Smith"), ``""`` for none."""
    before = index - 1
    if tokens[index].starts:
        return ""
    if before > 0 and tokens[before].text == ".":
        before -= 1
    clue = register.clue(tokens[before].text) if index and tokens[before].kind == "word" else ""
    return clue if "title" in clue else ""


def runs(text: str, tokens: Sequence[Token], register: Register, taken: Collection[int]) -> Iterator[list[int]]:
    """Find runs of words that could be one name.

    Args:
        text: The text.
        tokens: Its tagged tokens.
        register: The known names.
        taken: Indices of tokens that belong to something else.

    Yields:
        Indices of a run's words, from left to right: capitalised words parted by a blank, with the initials and the
        small words (``van``, ``de la``) between them; without titles, words such as "Polish", and ordinary words that
        open a sentence. Where capitals say nothing (a text without small letters, without capitals, or a headline), a
        known given name and the known family name behind it.
    """
    if _says_nothing(text, tokens):
        yield from _listed_runs(text, tokens, register, taken)
        return
    run: list[int] = []
    for index, token in enumerate(tokens):
        if index in taken or (token.kind == "mark" and not _ends_initial(tokens, index)):
            yield from _trimmed(tokens, run, register)
            run = []
        elif token.kind == "mark":
            continue
        elif run and not _continues(text, tokens, run[-1], index):
            yield from _trimmed(tokens, run, register)
            run = [index] if _could_begin(token, register) else []
        elif _could_begin(token, register) or (run and (_inside(tokens, index) or _initial(tokens, index))):
            run.append(index)
        else:
            yield from _trimmed(tokens, run, register)
            run = []
    yield from _trimmed(tokens, run, register)


def _says_nothing(text: str, tokens: Sequence[Token]) -> bool:
    """Tell whether the capitals of a text mark no names."""
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
    while place < len(tokens) and (_ends_initial(tokens, place) or _initial(tokens, place)):
        place += 1
    match = register.families.match(tokens, place) if place < len(tokens) else None
    if match is None or any(not _adjacent(text, tokens, i, i + 1) for i in range(first, match.last)):
        return None
    ordinary = inflection.is_word(tokens[first].text) + inflection.is_word(base_of(tokens[place])[0])
    tagged = any(token.pos == "PROPN" for token in tokens[first : match.last + 1])
    return match.last if ordinary <= (1 if tagged else 0) else None


def _initial(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a token is an initial: ``J`` before a stop, or ``J.R.``."""
    text = tokens[index].text
    stop = index + 1 < len(tokens) and tokens[index + 1].text == "." and tokens[index + 1].start == tokens[index].end
    return tokens[index].kind == "word" and text[0].isupper() and (text.endswith(".") or (len(text) == 1 and stop))


def _ends_initial(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a stop belongs to the initial, or the title, before it."""
    if tokens[index].text != "." or not index or tokens[index - 1].end != tokens[index].start:
        return False
    return _initial(tokens, index - 1) or (index + 1 < len(tokens) and not tokens[index + 1].starts)


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
    if head in read_stop_words(STOP_WORDS) or (apostrophe and head == "i"):
        return (len(head) == 1 and bool(apostrophe) and head != "i") or (not token.starts and register.is_given(word))
    return len(head) > 1 or bool(apostrophe)


def _inside(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a small word stands inside a name: a capital, or another small word with one, comes behind it."""
    place = index
    while place < len(tokens) and tokens[place].text in _PARTICLES:
        place += 1
    return index < place <= index + 2 and place < len(tokens) and capitalised(tokens[place])


def _trimmed(tokens: Sequence[Token], run: list[int], register: Register) -> Iterator[list[int]]:
    """Yield what is left of a run without what stands before a name."""
    left = list(run)
    while left:
        word = base_of(tokens[left[0]])[0]
        clue, given, ordinary = register.clue(word), register.is_given(word), inflection.is_word(word)
        follower = base_of(tokens[left[1]])[0] if len(left) > 1 else ""
        asian = len(left) == 2 and _family_comes_first((word, follower), register)
        opener = tokens[left[0]].starts and ordinary and not given and not asian
        beside = len(left) > 2 and ordinary and not given and not inflection.is_word(follower)
        if "title" in clue or clue == "no_person" or opener or beside or tokens[left[0]].text in _PARTICLES:
            left.pop(0)
        else:
            break
    while left and tokens[left[-1]].text in ("Jr", "Sr", "II", "III"):
        left.pop()
    if left:
        yield left


def full_name(text: str, tokens: Sequence[Token], run: Sequence[int], register: Register) -> FullName | None:
    """Read a run of capitalised words as the name of a person.

    A listed given name, a listed family name, or two words of no dictionary make one; the words around may speak
    against it (an article, "in") or, where one word is ordinary, for it (a title, "by", a verb behind).

    Args:
        text: The text.
        tokens: Its tagged tokens.
        run: Indices of its words, see :func:`runs`.
        register: The known names.
    """
    words = [base_of(tokens[index])[0] for index in run]
    if sum(not _initial(tokens, index) for index in run) < 2 or not _stands(text, tokens, run):
        return None
    listed_only = len(run) > _LONGEST or _says_nothing(text, tokens)
    if any(register.clue(word) == "no_person" for word in words) or register.clue(words[-1]) == "thing":
        return None
    if register.is_family(" ".join(words)):
        return None
    split = _family_start(tokens, run, register)
    title = title_before(tokens, run[0], register)
    asian = len(run) == 2 and _family_comes_first(words, register)
    if not asian and not _person(tokens, run, split, title, register, listed_only=listed_only):
        return None
    if asian:
        family, given = [run[0]], [run[1]]
    else:
        given, family = list(run[:split]), list(run[split:])
    before_family = tokens[family[0] - 1].end if given[0] < family[0] else base_of(tokens[given[-1]])[1]
    return FullName(
        first=run[0],
        last=run[-1],
        first_given=given[0],
        given_end=before_family,
        given_key=("given", base_of(tokens[given[0]])[0].casefold()),
        first_family=family[0],
        family_end=base_of(tokens[family[-1]])[1],
        family_key=("family", " ".join(base_of(tokens[index])[0].casefold() for index in family)),
        title=title,
    )


def _stands(text: str, tokens: Sequence[Token], run: Sequence[int]) -> bool:
    """Tell whether no mark ties a run to what is beside it, as in "Barnes & Noble"."""
    first, last = run[0], run[-1]
    for beside, gap in (
        (first - 1, text[tokens[first - 1].end : tokens[first].start] if first else " "),
        (last + 1, text[tokens[last].end : tokens[last + 1].start] if last + 1 < len(tokens) else " "),
    ):
        mark = tokens[beside].text if 0 <= beside < len(tokens) else ""
        if mark in _MARKS_BESIDE and (not gap or mark == "&"):
            return False
    return True


def _family_start(tokens: Sequence[Token], run: Sequence[int], register: Register) -> int:
    """Return where in a run the family name begins: a listed one of several words, or the last with its particles."""
    start = len(run) - 1
    for place in range(1, len(run)):
        match = register.families.match(tokens, run[place])
        if match is not None and match.last == run[-1]:
            start = place
            break
    while start > 1 and tokens[run[start - 1]].text.lower() in _PARTICLES:
        start -= 1
    return start


def _family_comes_first(words: Sequence[str], register: Register) -> bool:
    """Tell whether a name of two words is written as in Korea or Hungary: "Park Dong-soo"."""
    first, second = words
    origins = register.origins_of(("family", first.casefold())) & _FAMILY_FIRST
    if not origins or register.is_given(first) or register.is_family(second):
        return False
    return bool(origins & register.origins_of(("given", second.casefold()))) or "-" in second


def _person(
    tokens: Sequence[Token], run: Sequence[int], split: int, title: str, register: Register, *, listed_only: bool
) -> bool:
    """Weigh what speaks for a person."""
    first, last = base_of(tokens[run[0]])[0], base_of(tokens[run[-1]])[0]
    family = " ".join(base_of(tokens[index])[0] for index in run[split:])
    known_given, known_family = register.is_given(first), register.is_family(family)
    ordinary_first, ordinary_last = inflection.is_word(first), inflection.is_word(last)
    tagged = tokens[run[0]].pos == tokens[run[-1]].pos == "PROPN"
    before = tokens[run[0] - 1].text.lower() if run[0] else ""
    if known_given and known_family:
        return True
    if listed_only or last.casefold() in register.places:
        return False
    if first.casefold() in register.places:
        return known_given and not ordinary_last
    if known_given:
        return not (ordinary_first and ordinary_last) or (tagged and not tokens[run[0]].starts)
    if title:
        return not (ordinary_first and ordinary_last)
    described = run[0] > 1 and tokens[run[0] - 1].tag == "JJ" and tokens[run[0] - 2].text.lower() in _ARTICLES
    if before in _ARTICLES or before in _AT_A_PLACE or described:
        return False
    if known_family:
        return not ordinary_first
    if not (ordinary_first or ordinary_last):
        return True
    return tagged and not (ordinary_first and ordinary_last) and _person_around(tokens, run, before)


def _person_around(tokens: Sequence[Token], run: Sequence[int], before: str) -> bool:
    """Tell whether the words beside a run are such as stand beside persons."""
    after = tokens[run[-1] + 1] if run[-1] + 1 < len(tokens) else None
    acts = after is not None and after.tag in ("VBZ", "VBD", "MD") and after.kind == "word"
    owns = base_of(tokens[run[-1]])[1] < tokens[run[-1]].end
    return acts or owns or before in _PERSON_BEFORE
