"""Tables of rewrites: rules that rarely change the meaning of a text, each with its weight."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from robustfim.errors import DataError, UsageError
from robustfim.reading import read_text
from robustfim_sears.paraphrase.rewrite import Rewrite
from robustfim_sears.rule.matching import Match, match_at
from robustfim_sears.rule.replacement import replace
from robustfim_sears.rule.rule import Rule, is_mark
from robustfim_sears.rule.tagged_text import TaggedText

_ENGLISH = frozenset(
    [
        *("the", "of", "and", "is", "it", "its", "it's", "this", "that", "with", "for", "but", "you", "not", "are"),
        *("have", "has", "to", "from", "by", "be", "was", "were", "don't", "isn't", "there", "my", "your"),
        *("what", "who", "how", "when", "where", "why", "which", "he", "she", "they", "we", "i"),
    ]
)
"""Words of which a text has one, or else a rule that asks for parts of speech alone cannot be trusted with it."""

__all__ = ["SHIPPED", "Phrase", "PhraseTable", "read_phrases"]

SHIPPED = Path(__file__).parents[1] / "rewrites"
"""The folder of the shipped tables."""

FORM = "rule <tab> any, start or end <tab> weight, such as 'film → movie', 'any', '0.9'"
_BOTH = re.compile(r"\s*(?:<->|↔)\s*")


@dataclass(frozen=True)
class Phrase:
    """A replacement rule from a table of rewrites, in one direction.

    Attributes:
        rule: The replacement rule.
        place: ``any``, ``start`` (of a sentence) or ``end`` (of the text).
        weight: The probability that the meaning stays, in (0, 1].
    """

    rule: Rule
    place: str
    weight: float


@lru_cache(maxsize=4)
def read_phrases(path: Path) -> tuple[Phrase, ...]:
    """Read a table of rewrites, or all tables of a folder.

    Args:
        path: A UTF-8 file, or a folder with files named ``*.tsv``. ``#`` begins a comment line, a tab separates cells.

    Returns:
        The phrases; a line with ``↔`` gives two.

    Raises:
        UsageError: The file does not exist, or a line is malformed.
    """
    files = sorted(path.glob("*.tsv")) if path.is_dir() else [path]
    found = [phrase for file in files for phrase in _read(file)]
    if not found:
        raise UsageError(f"{path} has no rewrite. Each line is: {FORM}.")
    return tuple(found)


def _read(path: Path) -> Iterator[Phrase]:
    try:
        lines = read_text(path).splitlines()
    except DataError as error:
        raise UsageError(f"rewrites: {error} Each line is: {FORM}.") from error
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            try:
                yield from _phrases(line)
            except ValueError as error:
                raise UsageError(f"{path}:{number}: {error}. Each line is: {FORM}.") from None
            except UsageError as error:
                raise UsageError(f"{path}:{number}: {error}") from None


def _phrases(line: str) -> Iterator[Phrase]:
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) != 3:
        raise ValueError(f"{line!r} has {len(cells)} cells, not 3")
    rule, place, written = cells
    if place not in ("any", "start", "end"):
        raise ValueError(f"{place!r} is not a place")
    try:
        weight = float(written)
    except ValueError:
        raise ValueError(f"{written!r} is not a number") from None
    if not 0 < weight <= 1:
        raise ValueError(f"the weight {weight} is not above 0 and at most 1")
    sides = _BOTH.split(rule)
    directions = [rule] if len(sides) != 2 else [" → ".join(sides), " → ".join(reversed(sides))]
    for direction in directions:
        yield Phrase(Rule.parse(direction), place, weight)


class PhraseTable:
    """Finds the phrases of a table in texts."""

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        self._by_word: dict[str, list[Phrase]] = {}
        self._by_tag: dict[str, list[Phrase]] = {}
        for phrase in phrases:
            first = phrase.rule.antecedent[0]
            if first.word:
                # A mark such as "..." is a token a stop.
                self._by_word.setdefault(first.word[0] if is_mark(first.word) else first.word, []).append(phrase)
            else:
                self._by_tag.setdefault(first.tag, []).append(phrase)

    def rewrites(self, text: TaggedText) -> list[Rewrite]:
        """List the rewrites of a text by the phrases, at every place, the largest weight first.

        Capitalised words inside a sentence, which may be names or titles, are not changed. In a text without typical
        English words, only rules that begin with a word (not a tag) apply.
        """
        found: dict[tuple[int, int, str], Rewrite] = {}
        english = not _ENGLISH.isdisjoint(text.words)
        for index, token in enumerate(text.tokens):
            starting = self._by_word.get(text.words[index], [])
            for tag in {token.coarse, token.fine} if english else ():
                starting = [*starting, *self._by_tag.get(tag, [])]
            for phrase in starting:
                match = match_at(phrase.rule, text, index)
                rewrite = None if match is None else _rewrite(phrase, text, match)
                if rewrite is not None:
                    key = (rewrite.start, rewrite.end, rewrite.after)
                    if key not in found or found[key].weight < rewrite.weight:
                        found[key] = rewrite
        return sorted(found.values(), key=lambda each: (-each.weight, each.start, each.end, each.after))


def _rewrite(phrase: Phrase, text: TaggedText, match: Match) -> Rewrite | None:
    """Make the change of a phrase where it has matched, unless it must not stand there."""
    first, last = match.first[0], match.last[-1]
    if phrase.place == "start" and not text.starts_sentence(first):
        return None
    if phrase.place == "end" and last + 1 < len(text.tokens):
        return None
    places = zip(phrase.rule.antecedent, match.first, strict=True)
    if any(element.word and _is_name(text, place) for element, place in places):
        return None
    made = replace(phrase.rule, text, match)
    if made is None:
        return None
    reach = (min(made.start, text.tokens[first].start), max(made.end, text.tokens[last].end))
    return Rewrite(made.start, made.end, made.after, phrase.weight, reach)


def _is_name(text: TaggedText, index: int) -> bool:
    word = text.tokens[index].text
    capital = word[0].isupper() and word not in ("I", "OK") and not word.startswith(("I'", "I’"))
    return capital and not text.starts_sentence(index) and not text.text.isupper()
