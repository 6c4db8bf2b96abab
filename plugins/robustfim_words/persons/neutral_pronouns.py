"""Neutral pronouns: "they" for "she" and "he", with the verbs that go with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim_words.persons.gender import pronouns
from robustfim_words.persons.people import register
from robustfim_words.tagging.resourced import Proposing, WithTagger
from robustfim_words.text import inflection
from robustfim_words.text.analysed import Analysed, analysed
from robustfim_words.text.casing import capitalised, like
from robustfim_words.text.denials import auxiliaries
from robustfim_words.text.lexicon import LEXICONS, read_pairs
from robustfim_words.text.tokens import NOTHING, Token

__all__ = ["NeutralPronouns"]

_BETWEEN = 3
"""Adverbs that may stand between a pronoun and its verb."""
_NOUN_LIKE = ("NN", "JJ", "CD", "VB", "RB")
"""Beginnings of the tags of words before which "her" may be either case."""

_BEHIND_IS = ("JJ", "JJR", "JJS", "VBG", "DT", "PRP$")
"""Tags of words before which 's is "is"."""


class NeutralPronouns(WithTagger, Proposing):
    """Replaces "she" and "he" by "they", with the verbs: "she sings" becomes "they sing".

    All pronouns of a text change together. A text is left alone if it names a person, if it has "they" or "them", if
    the verb of a pronoun is not found or stands before it, if a form is ambiguous ("she's gone"), or if a pronoun
    stands in the title of a work.
    """

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose the text with neutral pronouns."""
        edits: dict[Edit, None] = {}
        neutral = {new for cases in pronouns().values() for _, new in cases.values()}
        for read in analysed(example, self._read(example)):
            if any(token.small.partition("'")[0] in neutral for token in read.tokens) or _names_somebody(read):
                return
            for index, token in enumerate(read.tokens):
                if token.small.partition("'")[0] in pronouns():
                    found = None if index in read.fixed else _neutral(read, index)
                    if found is None:
                        return
                    edits |= dict.fromkeys(found)
        if edits:
            yield Candidate(example, tuple(edits))


def _names_somebody(read: Analysed) -> bool:
    """Tell whether a name stands in a text that no list has as a place's, a group's or another thing's."""
    return any(
        token.pos == "PROPN" and token.kind == "word" and not register().things.match(read.tokens, index)
        for index, token in enumerate(read.tokens)
    )


def _edit(read: Analysed, token: Token, word: str) -> Edit:
    word = word.replace("'", "’") if "’" in token.text else word
    first = token.starts and capitalised(token) and not token.text.isupper()
    after = word.capitalize() if first else like(token.text, word)
    return Edit(read.field, token.start, token.end, token.text, after, f"neutral_pronouns: {token.small} → {word}")


def _neutral(read: Analysed, index: int) -> list[Edit] | None:
    """Make the edits of one pronoun and its verbs; None where they are not sure."""
    token, word = read.tokens[index], read.at(index + 1)
    small, _, letters = token.small.partition("'")
    cases = {case: neutral for case, (_, neutral) in pronouns()[small].items()}
    if letters:
        ending = {"d": "d", "ll": "ll", "s": "re" if _is(read, index) else None}.get(letters)
        sure = ending and "subject" in cases and not _joined(read, index)
        return [_edit(read, token, f"{cases['subject']}'{ending}")] if sure else None
    if "subject" in cases:
        verbs = _verbs(read, index)
        forms = [(read.tokens[place], _plural(read.tokens[place])) for place in verbs or ()]
        if verbs is None or any(form is None for _, form in forms):
            return None
        changed = [_edit(read, verb, form) for verb, form in forms if form and form != verb.small]
        return [_edit(read, token, cases["subject"]), *changed]
    owner = word.text != "" and (token.tag == "PRP$" or word.kind == "number")
    if len(cases) > 1 and owner:
        return [_edit(read, token, cases["owner"])]
    open_ = word.kind != "mark" and ("object" not in cases or word.tag.startswith(_NOUN_LIKE))
    if len(cases) > 1 and open_:
        return None  # "saw her run" may be either case
    case = next(iter(cases)) if len(cases) == 1 else "owned" if "owned" in cases else "object"
    return [_edit(read, token, cases[case])]


def _is(read: Analysed, index: int) -> bool:
    """Tell whether the 's of a pronoun certainly is "is": "she's gone" is she is gone, or she has gone."""
    behind = read.tokens[index + 1 : index + 2 + _BETWEEN]
    after = next((other for other in behind if other.tag[:2] != "RB"), NOTHING)
    if inflection.lemma(after.text, "VBN", rules=False) is not None:
        return False
    return after.tag in _BEHIND_IS or after.small == "gonna"


def _verbs(read: Analysed, index: int) -> list[int] | None:
    """Find the verbs that agree with a pronoun before them, and those joined by "and"; None in a question."""
    before, verb = read.at(index - 1), _finite_behind(read, index)
    if (before.small in _plurals() or before.tag == "MD") and not read.tokens[index].starts:
        return None
    if verb is None:
        return None
    joined = _joined(read, verb)
    if joined and any(token.tag in ("WDT", "WP") for token in read.tokens[verb : joined[-1]]):
        return None  # "it sets a tone that grows and stays": the tone, or the other
    return [place for place in (verb, *joined) if read.tokens[place].tag != "MD"]


def _joined(read: Analysed, verb: int) -> list[int]:
    """Find the verbs of the same subject behind "and": "she sings and dances"."""
    found: list[int] = []
    for place, token in enumerate(read.tokens[verb + 1 :], verb + 1):
        if token.starts:
            break
        if token.tag == "VBZ" or token.small in _plurals():
            leader = next((other for other in read.tokens[place - 1 : verb - 1 : -1] if other.tag[:2] != "RB"), token)
            if leader.tag == "CC" or leader.text == ",":
                found.append(place)
    return found


def _finite_behind(read: Analysed, index: int) -> int | None:
    """Find the finite verb right behind a pronoun, adverbs apart."""
    for place, token in enumerate(read.tokens[index + 1 : index + 2 + _BETWEEN], index + 1):
        if token.small in _plurals() or token.tag in ("VBZ", "VBD", "MD", "VBP") or token.small.endswith("n't"):
            return place
        if token.tag[:2] != "RB":
            break
    return None


@lru_cache(maxsize=1)
def _plurals() -> Mapping[str, str]:
    """Return the forms of the auxiliaries that go with "they", their denials among them."""
    table = read_pairs(LEXICONS / "agreement.tsv", ("one", "several"))
    denied = auxiliaries()
    return table | {denied[one][1]: denied[several][1] for one, several in table.items()}


def _plural(token: Token) -> str | None:
    """Return the form of a verb that goes with "they"; None where it is not known."""
    small = token.small
    if small in _plurals():
        return _plurals()[small]
    if token.tag in ("VBD", "VBP") or small.endswith("n't"):
        return small
    base = inflection.lemma(small, "VBZ")
    return base if base is not None and base != small and inflection.is_word(base) else None
