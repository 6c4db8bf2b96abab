"""Punctuation: small changes, as between careless and careful writers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import ClassVar

from robustfim_texts import touches
from robustfim_words.form.kinds import ByKind, Change, Kind, replaced

__all__ = ["Punctuation"]

_OPENING, _CLOSING = {"'": "‘", '"': "“"}, {"'": "’", '"': "”"}
_DROPPED = (
    r"(?i)\b(?:(?:ai|are|ca|could|did|do|does|had|has|have|is|should|was|were|wo|would)n['’]t|I['’]m"
    r"|(?:he|here|it|let|she|that|there|what|who)['’]s|(?:could|I|should|they|we|would|you)['’]ve)\b"
)
"""Contractions that are no other word without their apostrophe, or one that careless writers mean by it."""
_CLAUSE = r"(?<=\w) (?:and|but|or|so) (?:he|I|it|she|there|they|we|you)\b"
_SHORTENED = r"\b(?:(?:[A-Z]\.){2,}|(?:Dr|Jr|Mr|Mrs|Ms|Prof|Sr|St|vs)\.(?= ))"
_STRAIGHT = {"’": "'", "‘": "'", "“": '"', "”": '"'}


def _final_stop(text: str) -> Iterator[Change]:
    """Remove the full stop at the end, or set one."""
    end = len(text.rstrip())
    if re.search(r"[^\W_][\"'”’)]? ?\.\Z", text[:end]):
        start = len(text[: end - 1].rstrip())
        yield start, end, ""
    elif end and text[end - 1].isalnum():
        yield end, end, "."


def _final(mark: str) -> Kind:
    """Replace the full stop at the end by another mark."""
    return replaced(r"(?<=[^\W_])(?: ?)\.(?=\s*\Z)", lambda match: match.group()[:-1] + mark)


def _quotes(text: str) -> Iterator[Change]:
    """Curl straight quotation marks and apostrophes, or straighten curly ones."""
    if any(mark in text for mark in _STRAIGHT):
        yield from replaced("[‘’“”]", lambda match: _STRAIGHT[match.group()])(text)
        return
    open_marks: set[str] = set()
    for match in re.finditer("['\"]", text):
        mark, (start, end) = match.group(), match.span()
        before, after = text[max(0, start - 1) : start], text[end : end + 1]
        free = not before or before.isspace()
        loose = free and (not after or after.isspace())
        closes = loose and mark in open_marks  # tokenised text: blanks on either side, so they are counted
        if free and not closes:
            open_marks.add(mark)
        elif closes or not after.isalnum():
            open_marks.discard(mark)
        opening = not closes and (free or before in "([{—–-") and not _elided(text, end)
        yield start, end, (_OPENING if opening else _CLOSING)[mark]


def _elided(text: str, end: int) -> bool:
    """Tell whether an apostrophe stands for left-out letters: 'em, 'til, '90s."""
    return re.match(r"(?:em|til|cause|tis|twas|n|\d0s)\b", text[end:], re.IGNORECASE) is not None


def _dash(match: re.Match[str]) -> str:
    """Set a hyphen between words as a dash, or a dash as a hyphen."""
    if match.group()[0] == "-":
        return "—"
    return "-" if match.string[match.start() - 1] == " " else " - "


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


class Punctuation(ByKind):
    """Changes the punctuation of the whole example; each candidate has one kind of change.

    ``final_stop`` removes or sets the full stop at the end, ``final_exclamation`` and ``final_ellipsis`` replace it; a
    text gets one of the three, drawn at random. ``commas`` drops the commas between words. ``pauses`` sets a comma
    before "and", "but", "or" or "so" with a pronoun. ``exclamation`` doubles exclamation marks. ``quotes`` curls or
    straightens quotation marks and apostrophes. ``apostrophes`` drops those of contractions ("dont"), ``initials`` the
    stops of abbreviations ("US", "Mr"). ``brackets`` and ``colons`` set dashes for brackets, colons and semicolons.
    ``ellipsis`` and ``dashes`` exchange their two notations. ``stripped`` is used only if you name it. It removes all
    marks and puts a blank where a mark stood between two words. It keeps marks inside numbers and emoticons, signs such
    as % and &, and apostrophes without which the word would be another word ("we're").

    Args:
        kinds: The kinds of changes to make; all except ``stripped`` by default.

    Raises:
        UsageError: A kind is unknown.
    """

    _name = "punctuation"
    _known: ClassVar = {
        "final_stop": _final_stop,
        "final_exclamation": _final("!"),
        "final_ellipsis": _final("..."),
        "commas": replaced(r" ?,(?= )", ""),
        "pauses": replaced(_CLAUSE, lambda match: f",{match.group()}"),
        "apostrophes": replaced(_DROPPED, lambda match: re.sub("['’]", "", match.group())),
        "initials": replaced(_SHORTENED, lambda match: match.group().replace(".", "")),
        "brackets": replaced(r"(?<= )\([^()\n]{2,80}\)(?= )", lambda match: f"- {match.group()[1:-1].strip()} -"),
        "colons": replaced(r"(?<=\w) ?[:;] (?=\w)", " - "),
        "exclamation": replaced(r"(?<![!?])!(?![!?])", "!!"),
        "quotes": _quotes,
        "ellipsis": replaced(r"(?<!\.)\.\.\.(?!\.)|…", lambda match: "..." if match.group() == "…" else "…"),
        "dashes": replaced(r"(?<= )(?:--?|–|—)(?= )|(?<=\w)(?:--|—)(?=\w)", _dash),
        "stripped": _stripped,
    }
    _on_demand = ("stripped",)
    _alternatives = ("final_stop", "final_exclamation", "final_ellipsis")
