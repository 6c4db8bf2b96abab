"""The perturbation ``entity_forms``: card numbers, accounts, phone numbers or e-mail addresses in other notations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from random import Random

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_evasion.tables import table
from robustfim_texts import checksummed, some_of

__all__ = ["EntityForms", "entities"]

_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]*\w@(?:\w[\w-]*\.)+[^\W\d_]{2,}(?![\w-])")
_PHONE = re.compile(r"(?<![\w.:/=@+-])(?<!\d[ ,])(?:\+|\((?=\d))?\d(?:[ .-]?\(?\d\)?){7,14}(?![\w:/%€$£]|[ .,-]\d)")
_NO_PHONE = re.compile(r"\d{4}([.-])\d\d?\1\d\d?|\d\d?([.-])\d\d?\2\d{4}|\d{1,3}(?:\.\d{1,3})+|\d{3}-\d\d-\d{4}")
"""Dates, IP addresses, amounts and social security numbers, whose digits could be those of a phone number."""
_SHORTEST_PHONE = 9
"""The smallest number of digits of a grouped phone number without ``+``, a leading ``0`` or brackets."""
_GROUPS = {14: (4, 6, 4), 15: (4, 6, 5)}
"""Groups of digits on a card (ISO/IEC 7812: Diners Club, American Express); other cards have groups of four."""


def entities(text: str) -> list[tuple[int, int, str]]:
    """Find e-mail addresses, card and account numbers with valid check digits, and phone numbers.

    Returns:
        For each entity its first character, the place after its last character, and ``mail``, ``card``, ``account`` or
        ``phone``. The entities are in the order of the text and do not overlap.
    """
    found = [(*match.span(), "mail") for match in _MAIL.finditer(text)]
    for start, end in checksummed(text):
        number, digits = _bare(text[start:end]), sum(map(str.isdigit, text[start:end]))
        account = number[:2].isalpha() and number[2:4].isdigit() and 2 * digits >= len(number)
        if text[max(0, start - 1) : start] not in ("+", "/", "=") and (account or digits == len(number)):
            found.append((start, end, "account" if account else "card"))
    for match in _PHONE.finditer(text):
        number, digits = match[0], sum(map(str.isdigit, match[0]))
        grouped = digits >= _SHORTEST_PHONE and not number.isdigit()
        if _NO_PHONE.fullmatch(number) is None and (number[0] in "+0" or grouped or re.search(r"\(\d+\)", number)):
            found.append((*match.span(), "phone"))
    apart: list[tuple[int, int, str]] = []
    for each in found:  # an address before a number, and a number that is proved before one that looks like a phone's
        if all(each[1] <= start or end <= each[0] for start, end, _ in apart):
            apart.append(each)
    return sorted(apart)


def _bare(number: str) -> str:
    """The letters and digits of a number."""
    return re.sub(r"[^A-Za-z\d]", "", number)


def _grouped(number: str, kind: str) -> list[str]:
    """Cut a number into the groups that it is written in; a phone number's are those it has."""
    if kind == "phone":
        return re.findall(r"[+(]?\d+\)?", number)
    bare = _bare(number)
    sizes = _GROUPS.get(len(bare), ()) if kind == "card" else ()
    ends = [sum(sizes[: place + 1]) for place in range(len(sizes))] or [*range(4, len(bare) + 4, 4)]
    return [bare[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _separated(mark: str) -> Callable[[str, str], str | None]:
    def written(entity: str, kind: str) -> str | None:
        return None if kind == "mail" else mark.join(_grouped(entity, kind))

    return written


def _spelled(at: str, dot: str) -> Callable[[str, str], str | None]:
    def written(entity: str, kind: str) -> str | None:
        if kind != "mail":
            return None
        name, _, domain = entity.rpartition("@")
        return name + at + domain.replace(".", dot)

    return written


def _cased(change: Callable[[str], str]) -> Callable[[str, str], str | None]:
    def written(entity: str, kind: str) -> str | None:
        return change(entity) if kind in ("mail", "account") else None

    return written


def _prefixed(entity: str, kind: str) -> str | None:
    """Write the sign of another country as ``00``, and the other way round."""
    if kind != "phone":
        return None
    return f"00{entity[1:]}" if entity[0] == "+" else f"+{entity[2:]}" if re.match("00[1-9]", entity) else None


class EntityForms:
    """Writes a card number, an account, a phone number or an e-mail address in another common notation.

    A tagger of personal data should find every notation of an entity: another grouping, other marks between the groups,
    "(at)" for "@", another case. The digits stay the same, and a gold span moves with its entity. Card and account
    numbers change only if their check digits are valid.

    Args:
        kinds: Which notations; all by default. ``blanks``, ``hyphens``, ``dots`` and ``none`` are the marks between the
            groups of a number. ``at``, ``at_dot``, ``brackets`` and ``wide`` are spellings of "@"
            (``tables/entities.yaml``). ``upper`` and ``lower`` change the case of addresses and accounts. ``prefix``
            writes "00" for "+".

    Raises:
        UsageError: A kind is unknown.
    """

    contract = Contract(carries=True)

    name = "entity_forms"

    def __init__(self, *, kinds: list[str] | None = None) -> None:
        known: Mapping[str, Callable[[str, str], str | None]] = {
            **{kind: _separated(mark) for kind, mark in table("entities")["marks"].items()},
            **{kind: _spelled(*signs) for kind, signs in table("entities")["signs"].items()},
            "upper": _cased(str.upper),
            "lower": _cased(str.lower),
            "prefix": _prefixed,
        }
        self._forms = {kind: known[kind] for kind in some_of("kinds", kinds, known)}

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """Return the edits that write an entity in another notation, without duplicates."""
        for field, text in example.fields.items():
            for start, end, what in entities(text):
                before, seen = text[start:end], {text[start:end]}
                for kind, written in self._forms.items():
                    after = written(before, what)
                    if after is not None and after not in seen:
                        seen.add(after)
                        yield Edit(field, start, end, before, after, f"{self.name}: {what}, {kind}")
