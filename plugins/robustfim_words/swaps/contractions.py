"""Contractions: "do not" and "don't", "it is" and "it's", in both directions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

from robustfim.candidate import Edit
from robustfim_words.tagging.resourced import Editing, WithTagger
from robustfim_words.tagging.tagger import check_pipeline
from robustfim_words.text.casing import title
from robustfim_words.text.denials import auxiliaries
from robustfim_words.text.lexicon import LEXICONS, closed_class, read_table
from robustfim_words.text.options import one_of
from robustfim_words.text.tokens import Token, token_at

__all__ = ["Contraction", "Contractions"]

DIRECTIONS = ("both", "expand", "contract")
COLUMNS = ("full", "contracted", "direction: both|contract-only")
_SUBJECT_TAGS = frozenset(["PRP", "EX", "DT", "NNP", "NNPS", "PRP$"])
_READINGS = {
    "is": (re.compile(r"JJ[RS]?|DT|VBG|IN|CD|PRP\$|PDT|NN|NNP|NNS|RP|EX|WRB|WP|TO"), "", "never behind is"),
    "has": (re.compile("(?!)"), "behind has", ""),
    "had": (re.compile("VBN"), "behind had", ""),
    "would": (re.compile("VB"), "", "behind had"),
}
"""Evidence for each verb with an ambiguous contraction: fine tags, words that always follow, words that never do."""


class Contraction(NamedTuple):
    """One line of the table of contractions, such as "is not" and "isn't".

    Attributes:
        full: The full form.
        contracted: The contraction, with a straight apostrophe.
        direction: ``both``, or ``contract-only`` for an ambiguous contraction ("he's"). An ambiguous contraction is
            expanded only after a pronoun, a question word, "there" or "here", and only if the next word decides between
            the full forms ("he is", "he has").
    """

    full: str
    contracted: str
    direction: str


class Contractions(WithTagger, Editing):
    """Contracts and expands verbs: "is not" and "isn't", "I have seen" and "I've seen".

    "It's" is expanded only if the next word decides between "is" and "has" ("It's been" becomes "It has been"), and
    "I'd" only if the next word decides between "would" and "had". Without spaCy, ambiguous contractions are not
    expanded. A possessive 's, "it's" after a preposition ("in it's way") and negated questions ("Isn't it?") are never
    changed. Verbs before a pause ("what it is.") and "have" as a main verb ("I have a car") are never contracted.

    Args:
        direction: ``both``, ``expand`` or ``contract``.
        source: A table of full form, contraction and direction (both, contract-only); the shipped one by default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: An option is unknown, or the lexicon malformed.
    """

    def __init__(
        self, *, direction: str = "both", source: Path | None = None, pipeline: Path | str | None = None
    ) -> None:
        self._pipeline = check_pipeline(pipeline)
        one_of("direction", direction, DIRECTIONS)
        rows = [Contraction(*row) for row in read_table(source or LEXICONS / "contractions.tsv", COLUMNS)]
        self._to_short = {tuple(row.full.lower().split()): row for row in rows} if direction != "expand" else {}
        self._to_full: dict[str, list[Contraction]] = {}
        for row in rows if direction != "contract" else ():
            self._to_full.setdefault(row.contracted.lower(), []).append(row)

    def _edits(self, field: str, text: str, tokens: Sequence[Token], random: Random) -> Iterator[Edit]:
        """List the changes from left to right; of two that overlap ("it is not"), the one with "not"."""
        found = [self._expand(field, tokens, index) for index in range(len(tokens))]
        found += [self._contract(field, text, tokens, index) for index in range(len(tokens) - 1)]
        taken: list[Edit] = []
        for edit in sorted(edit for edit in found if edit is not None):
            if taken and edit.overlaps(taken[-1]):
                if edit.before.lower().endswith("not"):
                    taken[-1] = edit
            else:
                taken.append(edit)
        yield from taken

    def _expand(self, field: str, tokens: Sequence[Token], index: int) -> Edit | None:
        """Expand a contraction whose reading is plain."""
        token = tokens[index]
        rows = self._to_full.get(token.small, [])
        follower = _after(tokens, index)
        if rows and token.small.endswith("n't"):
            if _inverted(tokens, index):
                return None
        elif rows and "'" in rows[0].contracted:
            misspelled = index > 0 and tokens[index - 1].pos == "ADP" and rows[0].contracted.lower() == "it's"
            rows = [] if misspelled else [row for row in rows if _reading_fits(row.full.split()[-1], follower)]
        if len(rows) != 1 or (
            rows[0].direction != "both" and rows[0].full.split()[0].lower() not in closed_class("before a contraction")
        ):
            return None
        full = _in_case(token.text, rows[0].full)
        return Edit(
            field, token.start, token.end, token.text, full, f"contractions: {rows[0].contracted} → {rows[0].full}"
        )

    def _contract(self, field: str, text: str, tokens: Sequence[Token], index: int) -> Edit | None:
        """Contract two words, or three, where speech would."""
        for length in (3, 2):
            inside = tokens[index : index + length]
            row = self._to_short.get(tuple(token.text.lower() for token in inside))
            if row is None or len(inside) < length:
                continue
            gaps = [text[a.end : b.start] for a, b in pairwise(inside)]
            words = [token.text for token in inside]
            if any(gap != " " for gap in gaps) or not (_all_shouted(words) or all(w.islower() for w in words[1:])):
                continue
            last = index + length - 1
            if not row.contracted.endswith("n't") and not _leans(tokens, last):
                continue
            short = row.contracted.replace("'", "’") if "’" in text else row.contracted
            before = text[inside[0].start : inside[-1].end]
            after = _in_case(before, short)
            return Edit(
                field, inside[0].start, inside[-1].end, before, after, f"contractions: {row.full} → {row.contracted}"
            )
        return None


def _in_case(old: str, new: str) -> str:
    """Carry capitals over; the I of a contraction stays one."""
    letters = [c for c in old if c.isalpha()]
    if len(letters) > 2 and all(c.isupper() for c in letters):
        return new.upper()
    return title(new) if old[:1].isupper() else new


def _all_shouted(words: Sequence[str]) -> bool:
    return all(word.isupper() for word in words)


def _after(tokens: Sequence[Token], index: int) -> Token | None:
    """Return the next token that is no adverb but the one of "had better", or None."""
    for token in tokens[index + 1 :]:
        if token.tag not in ("RB", "RBR", "RBS") or token.text.lower() == "better":
            return token
    return None


def _inverted(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a subject follows a contraction with n't, as in a question: "not" could not stay there."""
    follower = token_at(tokens, index + 1)
    if follower is None or not (
        follower.tag in _SUBJECT_TAGS or follower.text.lower() in closed_class("before a contraction")
    ):
        return False
    if follower.tag in ("PRP", "EX") and follower.text.lower() not in ("it", "you", "her"):
        return True
    before = token_at(tokens, index - 1)
    opens = before is None or tokens[index].starts or before.kind == "mark" or before.tag in ("WRB", "WP", "WDT", "CC")
    return opens and not (tokens[index].text.lower().startswith("don") and tokens[index].starts)


def _reading_fits(verb: str, follower: Token | None) -> bool:
    """Tell whether what follows allows 's, 'd and their like to stand for a verb."""
    if verb not in _READINGS:
        return True
    if follower is None:
        return False
    tags, only, never = _READINGS[verb]
    word = follower.text.lower()
    return word in closed_class(only) or (tags.fullmatch(follower.tag) is not None and word not in closed_class(never))


def _leans(tokens: Sequence[Token], last: int) -> bool:
    """Tell whether a contraction could lean on the word behind it, and have is an auxiliary."""
    follower = token_at(tokens, last + 1)
    if follower is None or follower.kind == "mark" or follower.starts:
        return False
    beyond = _after(tokens, last)
    kind, _ = auxiliaries().get(tokens[last].text.lower(), ("", ""))
    return kind != "perfect" or (beyond is not None and beyond.tag == "VBN")
