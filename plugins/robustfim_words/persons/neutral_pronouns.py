"""Neutral pronouns: "they" for "she" and "he", with the verbs that go with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim_words.tagging.resourced import WithTagger
from robustfim_words.tagging.tagger import tagger
from robustfim_words.text import inflection
from robustfim_words.text.casing import capitalised, like
from robustfim_words.text.guard import fixed
from robustfim_words.text.tokens import Token

__all__ = ["NeutralPronouns"]

_PRONOUNS = frozenset("he she him her his hers himself herself".split())  # noqa: SIM905  # words read better as a text
_CONTRACTED = {"'ll": "they'll", "'d": "they'd"}
_PLURAL = {"is": "are", "was": "were", "has": "have", "does": "do", "isn't": "aren't", "wasn't": "weren't"}
_PLURAL |= {"hasn't": "haven't", "doesn't": "don't"}
_THEY = frozenset("they them their theirs themselves they're they've they'd they'll".split())  # noqa: SIM905  # words read better as a text
_BETWEEN = 3
"""Adverbs that may stand between a pronoun and its verb."""


class NeutralPronouns(WithTagger):
    """Writes "they", "them" and "their" for "she" and "he", with their verbs: "she sings" is "they sing".

    All pronouns of a text change together. A text stays where one of them cannot: beside "they" or "them"; where the
    verb of a pronoun is not found; where a form may be two things ("she's gone"); and in titles of works.
    """

    def foresee(self, examples: Sequence[Example]) -> None:
        """Tag the texts of a block in batches."""
        tagger().prepare(examples)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose the text with neutral pronouns.

        Args:
            example: The source example.
            random: Not used: there is one candidate.
        """
        edits: list[Edit] = []
        for field, text in example.fields.items():
            tokens = tagger().tag(text)
            kept = fixed(text, tokens)
            if any(_small(token) in _THEY for token in tokens):
                return
            for index, token in enumerate(tokens):
                word = _small(token).partition("'")[0]
                if word not in _PRONOUNS:
                    continue
                found = None if index in kept else _neutral(field, tokens, index)
                if found is None:
                    return
                edits += [edit for edit in found if edit not in edits]
        if edits:
            yield Candidate(example, tuple(edits))


def _small(token: Token) -> str:
    return token.text.lower().replace("’", "'")


def _edit(field: str, token: Token, word: str) -> Edit:
    word = word.replace("'", "’") if "’" in token.text else word
    shouted = token.text.isupper()
    after = word.capitalize() if token.starts and capitalised(token) and not shouted else like(token.text, word)
    return Edit(field, token.start, token.end, token.text, after, f"neutral_pronouns: {_small(token)} → {word}")


def _neutral(field: str, tokens: Sequence[Token], index: int) -> list[Edit] | None:
    """Make the edits of one pronoun and its verbs; None where they are not sure."""
    token, small = tokens[index], _small(tokens[index])
    follower = tokens[index + 1] if index + 1 < len(tokens) else None
    if small in ("himself", "herself"):
        return [_edit(field, token, "themself")]
    if small in ("him", "hers"):
        return [_edit(field, token, {"him": "them", "hers": "theirs"}[small])]
    if small in ("her", "his"):
        noun = follower is not None and follower.tag[:2] in ("NN", "JJ", "CD", "VB", "RB") and follower.kind == "word"
        if follower is not None and (follower.kind == "number" or (token.tag == "PRP$" and follower.kind == "word")):
            return [_edit(field, token, "their")]
        if small == "his" and (follower is None or follower.kind == "mark"):
            return [_edit(field, token, "theirs")]
        return None if noun or small == "his" else [_edit(field, token, "them")]
    if "'" in small:
        return _contracted(field, tokens, index)
    verbs = _verbs(tokens, index)
    if verbs is None:
        return None
    changed = []
    for place in verbs:
        plural = _plural(tokens[place])
        if plural is None:
            return None
        if plural != _small(tokens[place]):
            changed.append(_edit(field, tokens[place], plural))
    return [_edit(field, token, "they"), *changed]


def _contracted(field: str, tokens: Sequence[Token], index: int) -> list[Edit] | None:
    """Write "she'll" and its like; "she's" is "they've" before a participle, and "they're" before anything else."""
    token = tokens[index]
    ending = _small(token)[_small(token).index("'") :]
    if ending in _CONTRACTED:
        return [_edit(field, token, _CONTRACTED[ending])]
    follower = next((other for other in tokens[index + 1 : index + 1 + _BETWEEN] if other.tag[:2] != "RB"), None)
    participle = follower is not None and inflection.lemma(follower.text, "VBN", rules=False) is not None
    if ending != "'s" or follower is None or participle:  # is or has gone
        return None
    return None if _joined(tokens, index) else [_edit(field, token, "they're")]


def _verbs(tokens: Sequence[Token], index: int) -> list[int] | None:
    """Find the verbs that agree with a pronoun: behind it or, in a question, before it, and those joined to it."""
    before = tokens[index - 1] if index else None
    if before is not None and _small(before) in _PLURAL and not tokens[index].starts:
        asks = index + 1 < len(tokens) and tokens[index + 1].tag[:2] in ("VB", "JJ", "DT", "RB", "VBN", "IN", "PRP")
        verb = _finite_behind(tokens, index)
        return [index - 1] if asks and (verb is None or tokens[verb].tag == "VBD") else None
    if before is not None and before.tag == "MD":
        return [] if not _finite_behind(tokens, index) else None
    verb = _finite_behind(tokens, index)
    if verb is None:
        return None
    joined = _joined(tokens, verb)
    if joined and any(t.text.lower() in ("that", "which", "who") for t in tokens[verb : joined[-1]]):
        return None  # "it sets a tone that grows and stays": the tone, or the other
    return [place for place in (verb, *joined) if tokens[place].tag != "MD"]


def _finite_behind(tokens: Sequence[Token], index: int) -> int | None:
    """Find the finite verb right behind a pronoun, adverbs apart."""
    for place in range(index + 1, min(index + 2 + _BETWEEN, len(tokens))):
        token = tokens[place]
        if _small(token) in _PLURAL or token.tag in ("VBZ", "VBD", "MD", "VBP") or _small(token).endswith("n't"):
            return place
        if token.tag[:2] != "RB":
            return None
    return None


def _joined(tokens: Sequence[Token], verb: int) -> list[int]:
    """Find the verbs of the same subject behind "and": "she sings and dances"."""
    found: list[int] = []
    for place in range(verb + 1, len(tokens)):
        token = tokens[place]
        if token.starts:
            break
        if token.tag != "VBZ" and _small(token) not in ("is", "was", "has", "does"):
            continue
        leader = next((other for other in reversed(tokens[verb:place]) if other.tag[:2] != "RB"), None)
        if leader is not None and leader.text.lower() in ("and", "or", "but", ",", "then", "yet"):
            found.append(place)
    return found


def _plural(token: Token) -> str | None:
    """Return the form of a verb that goes with "they"; None where it is not known."""
    small = _small(token)
    if small in _PLURAL:
        return _PLURAL[small]
    if token.tag in ("VBD", "VBP") or small.endswith("n't"):
        return small
    base = inflection.lemma(small, "VBZ")
    return base if base is not None and base != small and inflection.is_word(base) else None
