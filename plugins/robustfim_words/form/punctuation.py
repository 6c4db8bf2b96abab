"""Punctuation: what a careless or a careful writer would set otherwise."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from random import Random

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim.guard import touches
from robustfim_words.text.kinds import Change, by_kind
from robustfim_words.text.options import some_of

__all__ = ["KINDS", "Punctuation"]

_CURLY = {"'": "’", '"': "”"}
_STRAIGHT = {"’": "'", "‘": "'", "“": '"', "”": '"'}


def _final_stop(text: str) -> Iterator[Change]:
    """Remove the full stop at the end, or set one."""
    end = len(text.rstrip())
    if re.search(r"[^\W_][\"'”’)]? ?\.\Z", text[:end]):
        start = len(text[: end - 1].rstrip())
        yield start, end, ""
    elif end and text[end - 1].isalnum():
        yield end, end, "."


def _commas(text: str) -> Iterator[Change]:
    """Drop the commas between words."""
    for match in re.finditer(r" ?,(?= )", text):
        yield match.start(), match.end(), ""


def _exclamation(text: str) -> Iterator[Change]:
    """Double each exclamation mark that stands alone."""
    for match in re.finditer(r"(?<![!?])!(?![!?])", text):
        yield match.start(), match.end(), "!!"


def _quotes(text: str) -> Iterator[Change]:
    """Curl straight quotation marks and apostrophes, or straighten curly ones."""
    curly = [(match.start(), match.end(), _STRAIGHT[match.group()]) for match in re.finditer("[‘’“”]", text)]
    if curly:
        yield from curly
        return
    open_marks: set[str] = set()
    for match in re.finditer("['\"]", text):
        before = text[match.start() - 1 : match.start()] if match.start() else ""
        after = text[match.end() : match.end() + 1]
        loose = (not before or before.isspace()) and (not after or after.isspace())
        if loose and match.group() in open_marks:  # tokenised text: blanks on either side, so they are counted
            open_marks.discard(match.group())
            yield match.start(), match.end(), _CURLY[match.group()]
            continue
        if loose or not before or before.isspace():
            open_marks.add(match.group())
        elif not after.isalnum():
            open_marks.discard(match.group())
        opening = not before or before.isspace() or before in "([{—–-"
        curled = (
            {"'": "‘", '"': "“"}[match.group()] if opening and not _elided(text, match.end()) else _CURLY[match.group()]
        )
        yield match.start(), match.end(), curled


def _elided(text: str, end: int) -> bool:
    """Tell whether an apostrophe stands for left-out letters: 'em, 'til, '90s."""
    return re.match(r"(?:em|til|cause|tis|twas|n|\d0s)\b", text[end:], re.IGNORECASE) is not None


def _ellipsis(text: str) -> Iterator[Change]:
    """Set three dots as one character, or one as three."""
    for match in re.finditer(r"(?<!\.)\.\.\.(?!\.)|…", text):
        yield match.start(), match.end(), "..." if match.group() == "…" else "…"


def _dashes(text: str) -> Iterator[Change]:
    """Set a hyphen between words as a dash, or a dash as a hyphen."""
    for match in re.finditer(r"(?<= )(?:--?|–|—)(?= )|(?<=\w)(?:--|—)(?=\w)", text):
        inner = text[match.start() - 1] != " "
        yield match.start(), match.end(), "—" if match.group()[0] == "-" else " - " if inner else "-"


_FACE = r"(?<!\w)[:;=8xX]['’]?-?[)(DPpOo/|\\\]\[](?!\w)"
_MARK = rf"(?!{_FACE})[^\w\s$€£¥%&@\#+*=^~|<>°]"
_STRIPPED = re.compile(rf" ?(?P<marks>{_MARK}+(?: {_MARK}+)*) ?")


def _stripped(text: str) -> Iterator[Change]:
    """Leave all punctuation out; what stood between two words becomes a blank."""
    faces = [match.span() for match in re.finditer(_FACE, text)]
    for match in _STRIPPED.finditer(text):
        marks, (start, end), (first, last) = match["marks"], match.span(), match.span("marks")
        left, right = text[first - 1 : first], text[last : last + 1]
        if touches(faces, first, last) or any(unicodedata.category(mark)[0] != "P" for mark in marks if mark != " "):
            continue
        if right.isdigit() and (left.isdigit() or (marks in {"-", "–", "."} and not left.isalnum())):
            continue  # 3.4, 10:30, 1990-95, -5, .5
        if marks in {"'", "’"} and left.isalpha() and re.match(r"(?:ll|re|d)\b", text[last:], re.IGNORECASE):
            continue  # "we're" is not "were", "he'll" not "hell"
        apostrophe = marks in {"'", "’"} and left.isalpha()
        initials = marks == "." and left.isalpha() and not text[first - 2 : first - 1].isalpha()  # U.S., e.g.
        joined = right.isalpha() and (apostrophe or initials)
        yield start, end, "" if start == 0 or end == len(text) or joined else " "


_KINDS: dict[str, Callable[[str], Iterator[Change]]] = {
    "final_stop": _final_stop,
    "commas": _commas,
    "exclamation": _exclamation,
    "quotes": _quotes,
    "ellipsis": _ellipsis,
    "dashes": _dashes,
    "stripped": _stripped,
}
KINDS = tuple(_KINDS)
_EACH = KINDS[:-1]
"""The kinds that a suite has which names none."""


class Punctuation:
    """Changes the punctuation, one kind in the whole example at a time.

    ``final_stop`` removes or sets the full stop at the end, ``commas`` drops the commas between words,
    ``exclamation`` doubles exclamation marks, ``quotes`` curls or straightens quotation marks and apostrophes,
    ``ellipsis`` and ``dashes`` exchange their two notations. ``stripped``, which has to be named, leaves all marks
    out, but for that inside numbers and emoticons, signs such as % and &, and apostrophes without which another word
    would stand there ("we're"); a mark between two words becomes a blank.

    Args:
        kinds: Which changes; all but ``stripped`` by default.

    Raises:
        UsageError: A kind is unknown.
    """

    contract = Contract(carries=True)

    def __init__(self, *, kinds: list[str] | None = None) -> None:
        self._kinds = _EACH if kinds is None else some_of("kinds", kinds, KINDS)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate a kind, in random order."""
        yield from by_kind("punctuation", _KINDS, self._kinds, example, random)
