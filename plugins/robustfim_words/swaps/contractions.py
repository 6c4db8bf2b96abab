"""Contractions: "do not" and "don't", "it is" and "it's", in both directions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from robustfim.candidate import Edit
from robustfim_texts import one_of
from robustfim_words.tagging.resourced import Editing, WithTagger
from robustfim_words.tagging.tagger import check_pipeline
from robustfim_words.text.casing import like
from robustfim_words.text.clauses import NOUNS
from robustfim_words.text.denials import auxiliaries
from robustfim_words.text.lexicon import LEXICONS, closed_class, read_table
from robustfim_words.text.tokens import NOTHING, Token, Tokens, token_at

__all__ = ["Contractions"]

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
        rows = read_table(source or LEXICONS / "contractions.tsv", COLUMNS)
        self._to_short = {tuple(full.lower().split()): short for full, short, _ in rows if direction != "expand"}
        self._to_full: dict[str, list[tuple[str, bool]]] = {}
        for full, short, way in rows if direction != "contract" else ():
            self._to_full.setdefault(short.lower(), []).append((full, way == "both"))

    def _edits(self, field: str, text: str, tokens: Tokens, random: Random) -> Iterator[Edit]:
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

    def _expand(self, field: str, tokens: Tokens, index: int) -> Edit | None:
        """Expand a contraction whose reading is plain."""
        token, follower = tokens[index], _after(tokens, index)
        rows = self._to_full.get(token.small, [])
        if token.small.endswith("n't"):
            rows = [] if _inverted(tokens, index) else rows
        elif "'" in token.small:
            misspelled = token_at(tokens, index - 1).pos == "ADP" and token.small == "it's"
            rows = [row for row in rows if not misspelled and _reading_fits(row[0].split()[-1], follower)]
        if len(rows) != 1:
            return None
        full, sure = rows[0]
        if not sure and full.split()[0].lower() not in closed_class("before a contraction"):
            return None
        why = f"contractions: {token.small} → {full}"
        return Edit(field, token.start, token.end, token.text, like(token.text, full), why)

    def _contract(self, field: str, text: str, tokens: Tokens, index: int) -> Edit | None:
        """Contract two words, or three, where speech would."""
        for length in (3, 2):
            inside = tokens[index : index + length]
            short = self._to_short.get(tuple(token.small for token in inside))
            if short is None or len(inside) < length:
                continue
            before = text[inside[0].start : inside[-1].end]
            if not (before.isupper() or all(token.text.islower() for token in inside[1:])):
                continue
            if short.endswith("n't") or _leans(tokens, index + length - 1):
                after = like(before, short.replace("'", "’") if "’" in text else short)
                why = f"contractions: {before.lower()} → {short}"
                return Edit(field, inside[0].start, inside[-1].end, before, after, why)
        return None


def _after(tokens: Tokens, index: int) -> Token:
    """Return the next token that is no adverb but the one of "had better", or an empty mark."""
    adverbs = ("RB", "RBR", "RBS")
    return next((it for it in tokens[index + 1 :] if it.tag not in adverbs or it.small == "better"), NOTHING)


def _inverted(tokens: Tokens, index: int) -> bool:
    """Tell whether the subject follows a contraction with n't, as in a question: "not" could not stay there."""
    before, follower = token_at(tokens, index - 1), token_at(tokens, index + 1)
    behind = before.tag in (*NOUNS, "WDT", "WP")
    return follower.tag in _SUBJECT_TAGS and not behind


def _reading_fits(verb: str, follower: Token) -> bool:
    """Tell whether what follows allows 's, 'd and their like to stand for a verb."""
    if verb not in _READINGS:
        return True
    tags, only, never = _READINGS[verb]
    word = follower.small
    return word in closed_class(only) or (tags.fullmatch(follower.tag) is not None and word not in closed_class(never))


def _leans(tokens: Tokens, last: int) -> bool:
    """Tell whether a contraction could lean on the word behind it, and have is an auxiliary."""
    kind, _ = auxiliaries().get(tokens[last].small, ("", ""))
    leans = kind != "perfect" or _after(tokens, last).tag == "VBN"
    return leans and token_at(tokens, last + 1).kind != "mark"
