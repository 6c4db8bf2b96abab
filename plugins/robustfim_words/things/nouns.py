"""Nouns: a noun is swapped for another of its kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from robustfim.candidate import Edit
from robustfim_texts import at_least
from robustfim_words.persons.names import in_name, stands_alone
from robustfim_words.ranking.edit_ranker import EditRanker, Ranked
from robustfim_words.tagging.tagger import check_pipeline
from robustfim_words.text import inflection
from robustfim_words.text.articles import swap
from robustfim_words.text.casing import capitalised, title
from robustfim_words.text.commonness import drawn
from robustfim_words.text.guard import fixed
from robustfim_words.text.joined import joined
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import Token, Tokens, token_at

__all__ = ["Nouns"]

_LEAVES = ">"
"""The sign before the group of a noun that is replaced by others, but never put into a text."""
_LAST_DAYS = ("29", "30", "31")
"""Days that some months lack."""
_NAMELESS = ("sport", "game", "dance", "school_subject", "weather")
"""Groups whose nouns have no plural in this sense."""


class Nouns(Ranked):
    """Swaps a noun for another of its group: "coffee" for "tea", "uncles" for "cousins".

    The meaning of the text changes, but its sentiment, its topic and the type of a question should not. A noun changes
    everywhere in the text, in one edit. The new noun keeps number and case, and the article before it agrees. A noun
    before another noun is not swapped ("price tag"). An entry with a capital ("Friday") is swapped only if the text
    writes it with a capital. Without spaCy, only nouns with one part of speech and one form in lemminflect's dictionary
    are swapped.

    Args:
        source: A table of noun (singular) and group; the shipped table by default. A > before the group means that the
            noun may be replaced by others of the group, but is never put into a text.
        alternatives: The number of nouns offered for each noun, drawn at random from its group, at least 1.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.
        ranker: The folder of the encoder all-MiniLM-L6-v2. If you name it, the edit ranker chooses the most natural of
            at most eight edits of each place.

    Raises:
        UsageError: The lexicon or pipeline is unknown or malformed, ``alternatives`` is below 1, or ``ranker`` holds
            another encoder.
    """

    def __init__(
        self,
        *,
        source: Path | None = None,
        alternatives: int = 8,
        pipeline: Path | str | None = None,
        ranker: Path | None = None,
    ) -> None:
        self._pipeline = check_pipeline(pipeline)
        self._ranker = None if ranker is None else EditRanker(ranker)
        self._alternatives = at_least("alternatives", alternatives, 1)
        self._groups: dict[str, list[str]] = {}
        self._group_of: dict[str, list[str]] = {}
        for noun, cell in read_table(source or LEXICONS / "nouns.tsv", ("noun", "group")):
            group = cell.removeprefix(_LEAVES)
            self._groups.setdefault(group, []).extend([noun] if group == cell else [])
            self._group_of.setdefault(noun.lower(), []).append(group)
        self._capitalised = {noun for mates in self._groups.values() for noun in mates if noun[:1].isupper()}

    def _edits(self, field: str, text: str, tokens: Tokens, random: Random) -> Iterator[Edit]:
        """List swaps of each noun."""
        kept, mentions = fixed(text, tokens), dict[str, list[int]]()
        for index, token in enumerate(tokens):
            mentions.setdefault(_stem(token), []).append(index)
        for places in mentions.values():
            found = [None if index in kept else self._entry(text, tokens, index) for index in places]
            bases = {entry[0] for entry in found if entry is not None}
            if len(bases) != 1 or None in found:
                continue
            (base,) = bases
            mates = sorted({mate for group in self._group_of[base.lower()] for mate in self._groups[group]} - {base})
            mates = [mate for mate in mates if mate.lower().removesuffix("s") not in mentions]
            for mate in drawn(mates, self._alternatives, random):
                edits = [
                    edit
                    for index, entry in zip(places, found, strict=True)
                    if entry is not None
                    for edit in _swapped(field, text, tokens, index, base, mate, plural=entry[1])
                ]
                if len(edits) == len(places):
                    yield joined(text, edits)

    def _entry(self, text: str, tokens: Tokens, index: int) -> tuple[str, bool] | None:
        """Return the entry that a word is a form of, and whether it is a plural; None where it is none."""
        token, word = tokens[index], tokens[index].base
        after = token_at(tokens, index + 1)
        if word in self._capitalised or word.removesuffix("s") in self._capitalised:
            numbered = after.kind == "number"
            if after.text in _LAST_DAYS:
                return None
            before = token_at(tokens, index - 1)
            after_preposition = before.tag in ("IN", "DT", "JJ") and before.small != "to"
            month = "month" in self._group_of.get(word.lower(), ())
            if not stands_alone(text, tokens, index, index) or (month and not (numbered or after_preposition)):
                return None  # "May" and "April" are names, too
            return (word, False) if word in self._capitalised else (word.removesuffix("s"), True)
        plural = token.tag == "NNS"
        if token.tag not in ("NN", "NNS") or token.pos != "NOUN" or in_name(tokens, index):
            return None
        if [other.small for other in tokens[index + 1 : index + 3]] in (["of", "a"], ["of", "an"]):
            return None  # "this dog of a film"
        if capitalised(after):
            return None  # "Theo van Gogh"
        if after.tag in ("NN", "NNS") and word == token.text:
            return None  # "price tag"
        base = inflection.lemma(word, token.tag)
        groups = self._group_of.get(base or "", []) if title(base or "") not in self._capitalised else []
        if base is None or not groups or (plural and not set(groups).isdisjoint(_NAMELESS)):
            return None
        return base, plural


def _swapped(
    field: str, text: str, tokens: Tokens, index: int, base: str, mate: str, *, plural: bool
) -> Iterator[Edit]:
    """Make the edit of one mention; none where the plural of the new noun could be one or several."""
    form = inflection.inflect(mate, "NNS") if plural else mate
    if form is not None and not (plural and form == mate):
        yield swap(field, text, tokens, index, form, f"nouns: {base} → {mate}", end=tokens[index].base_end)


def _stem(token: Token) -> str:
    """Cut the ending of a plural and a possessive off."""
    word = token.base.lower()
    return word.removesuffix("es") if word.endswith(("ches", "shes", "sses")) else word.removesuffix("s")
