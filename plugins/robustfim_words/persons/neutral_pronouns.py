"""Neutral pronouns: "they" for "she" and "he", with the verbs that go with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim_words.persons.gender import pronouns
from robustfim_words.persons.people import register
from robustfim_words.tagging.resourced import Proposing, WithTagger
from robustfim_words.text import inflection
from robustfim_words.text.casing import capitalised, like
from robustfim_words.text.denials import auxiliaries
from robustfim_words.text.guard import fixed
from robustfim_words.text.lexicon import LEXICONS, read_pairs
from robustfim_words.text.tokens import Token, token_at

__all__ = ["NeutralPronouns"]

_WILL_OR_HAD = ("'ll", "'d")
_BETWEEN = 3
"""Adverbs that may stand between a pronoun and its verb."""


class NeutralPronouns(WithTagger, Proposing):
    """Replaces "she" and "he" by "they", with the verbs: "she sings" becomes "they sing".

    All pronouns of a text change together. A text is left alone if it names a person, if it has "they" or "them", if
    the verb of a pronoun is not found, if a form is ambiguous ("she's gone"), or if a pronoun stands in the title of a
    work.
    """

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose the text with neutral pronouns."""
        edits: list[Edit] = []
        for field, tokens in self._read(example).items():
            kept = fixed(example.fields[field], tokens)
            if _names_somebody(tokens) or any(token.small.partition("'")[0] in _neutral_ones() for token in tokens):
                return
            for index, token in enumerate(tokens):
                word = token.small.partition("'")[0]
                if word not in pronouns():
                    continue
                found = None if index in kept else _neutral(field, tokens, index)
                if found is None:
                    return
                edits += [edit for edit in found if edit not in edits]
        if edits:
            yield Candidate(example, tuple(edits))


def _names_somebody(tokens: Sequence[Token]) -> bool:
    """Tell whether a name stands in a text that no list has as a place's, a group's or another thing's."""
    return any(
        token.pos == "PROPN" and token.kind == "word" and not register().things.match(tokens, index)
        for index, token in enumerate(tokens)
    )


def _edit(field: str, token: Token, word: str) -> Edit:
    word = word.replace("'", "’") if "’" in token.text else word
    shouted = token.text.isupper()
    after = word.capitalize() if token.starts and capitalised(token) and not shouted else like(token.text, word)
    return Edit(field, token.start, token.end, token.text, after, f"neutral_pronouns: {token.small} → {word}")


def _neutral(field: str, tokens: Sequence[Token], index: int) -> list[Edit] | None:
    """Make the edits of one pronoun and its verbs; None where they are not sure."""
    token, small = tokens[index], tokens[index].small
    follower = token_at(tokens, index + 1)
    if "'" in small:
        return _contracted(field, tokens, index)
    cases = {case: neutral for case, (_, neutral) in pronouns()[small].items()}
    if len(cases) > 1:
        noun = follower is not None and follower.tag[:2] in ("NN", "JJ", "CD", "VB", "RB") and follower.kind == "word"
        if follower is not None and (follower.kind == "number" or (token.tag == "PRP$" and follower.kind == "word")):
            return [_edit(field, token, cases["owner"])]
        if "owned" in cases and (follower is None or follower.kind == "mark"):
            return [_edit(field, token, cases["owned"])]
        return None if noun or "object" not in cases else [_edit(field, token, cases["object"])]
    if "subject" not in cases:
        return [_edit(field, token, neutral) for neutral in cases.values()]
    verbs = _verbs(tokens, index)
    if verbs is None:
        return None
    changed = []
    for place in verbs:
        plural = _plural(tokens[place])
        if plural is None:
            return None
        if plural != tokens[place].small:
            changed.append(_edit(field, tokens[place], plural))
    return [_edit(field, token, cases["subject"]), *changed]


def _contracted(field: str, tokens: Sequence[Token], index: int) -> list[Edit] | None:
    """Write "she'll" and its like; "she's" is "they've" before a participle, and "they're" before anything else."""
    token = tokens[index]
    pronoun, _, letters = token.small.partition("'")
    ending, they = f"'{letters}", pronouns()[pronoun]["subject"][1]
    if ending in _WILL_OR_HAD:
        return [_edit(field, token, they + ending)]
    follower = next((other for other in tokens[index + 1 : index + 1 + _BETWEEN] if other.tag[:2] != "RB"), None)
    participle = follower is not None and inflection.lemma(follower.text, "VBN", rules=False) is not None
    if ending != "'s" or follower is None or participle:  # is or has gone
        return None
    return None if _joined(tokens, index) else [_edit(field, token, f"{they}'re")]


def _verbs(tokens: Sequence[Token], index: int) -> list[int] | None:
    """Find the verbs that agree with a pronoun: behind it or, in a question, before it, and those joined to it."""
    before = token_at(tokens, index - 1)
    if before is not None and before.small in _plurals() and not tokens[index].starts:
        asks = index + 1 < len(tokens) and tokens[index + 1].tag[:2] in ("VB", "JJ", "DT", "RB", "VBN", "IN", "PRP")
        verb = _finite_behind(tokens, index)
        return [index - 1] if asks and (verb is None or tokens[verb].tag == "VBD") else None
    if before is not None and before.tag == "MD":
        return [] if not _finite_behind(tokens, index) else None
    verb = _finite_behind(tokens, index)
    if verb is None:
        return None
    joined = _joined(tokens, verb)
    if joined and any(t.tag in ("WDT", "WP") for t in tokens[verb : joined[-1]]):
        return None  # "it sets a tone that grows and stays": the tone, or the other
    return [place for place in (verb, *joined) if tokens[place].tag != "MD"]


def _finite_behind(tokens: Sequence[Token], index: int) -> int | None:
    """Find the finite verb right behind a pronoun, adverbs apart."""
    for place in range(index + 1, min(index + 2 + _BETWEEN, len(tokens))):
        token = tokens[place]
        if token.small in _plurals() or token.tag in ("VBZ", "VBD", "MD", "VBP") or token.small.endswith("n't"):
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
        if token.tag != "VBZ" and token.small not in _plurals():
            continue
        leader = next((other for other in reversed(tokens[verb:place]) if other.tag[:2] != "RB"), None)
        if leader is not None and (leader.tag == "CC" or leader.text == ","):
            found.append(place)
    return found


@lru_cache(maxsize=1)
def _neutral_ones() -> frozenset[str]:
    return frozenset(neutral for cases in pronouns().values() for _, neutral in cases.values())


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
