"""Induction: derive rules from a text and its paraphrase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from robustfim.errors import UsageError
from robustfim.roles import TaggedToken
from robustfim.words import shared_ends
from robustfim_sears.rule.rule import Element, Piece, Rule
from robustfim_sears.rule.tagged_text import TaggedText, fold
from robustfim_sears.rule.tags import kind_of

__all__ = ["LONGEST", "Change", "changed", "induce", "proposals"]

LONGEST = 3
"""The most tokens that a rule replaces or puts in, besides its context."""

Change = tuple[int, int, int]
"""Tokens ``[start:old_end]`` of a text become tokens ``[start:new_end]`` of its paraphrase."""

Proposal = tuple[tuple[Element, ...], tuple[Piece, ...]]
"""Antecedent and consequent."""


def changed(before: Sequence[str], after: Sequence[str]) -> Change | None:
    """Find the shortest run of words that contains all differences between two texts.

    "a" and "an" count as the same word, since rules adjust the article.

    Returns:
        The change; None if no word differs.
    """
    before, after = (["a" if word == "an" else word for word in words] for words in (before, after))
    start, tail = shared_ends(before, after)
    change = (start, len(before) - tail, len(after) - tail)
    return None if change[0] == change[1] == change[2] else change


def proposals(text: TaggedText, paraphrase: TaggedText, change: Change) -> Iterator[tuple[int, Proposal]]:
    """Yield possible rules for a change: the words to find (antecedent) and the new words (consequent).

    The change is proposed alone, with the word before, with the word after, and with both. Each word of the antecedent
    is given by its text, its coarse tag or its fine tag, in every combination. If the paraphrase repeats a word that is
    given by its tag, the consequent has this tag (Ribeiro, Singh and Guestrin 2018).

    Args:
        text: The text.
        paraphrase: The paraphrase of the text.
        change: The result of :func:`changed`.

    Yields:
        The first token of the antecedent in the text, and the proposal.
    """
    start, old_end, new_end = change
    for left, right in ((0, 0), (1, 0), (0, 1), (1, 1)):
        first, last = start - left, old_end + right
        if first < 0 or last > len(text.tokens) or first == last or (left + right == 0 and start == new_end):
            continue
        for antecedent in product(*map(_elements, text.tokens[first:last])):
            known = [(element.tag, word) for element, word in zip(antecedent, text.words[first:last], strict=True)]
            inner = [_piece(paraphrase, place, known) for place in range(start, new_end)]
            head = [_context(antecedent, 0)] if left else []
            tail = [_context(antecedent, last - first - 1)] if right else []
            yield first, (antecedent, (*head, *inner, *tail))


def induce(pairs: Iterable[tuple[TaggedText, TaggedText]], most: int) -> list[Rule]:
    """Return the replacement rules behind many paraphrases, ordered by the number of pairs that they explain.

    A rule with a tag is left out if the tag stood for a single word in all its pairs, because nothing suggests that the
    rule holds for other words. (The paper leaves this to the filter, which then scores many more texts.)

    Args:
        pairs: Texts and paraphrases that differ in a word.
        most: The largest number of rules.
    """
    found: dict[Proposal, _Evidence] = {}
    for text, paraphrase in pairs:
        change = changed(text.words, paraphrase.words)
        if change is None or max(change[1], change[2]) - change[0] > LONGEST:
            continue
        for first, proposal in proposals(text, paraphrase, change):
            words = text.words[first : first + len(proposal[0])]
            evidence = found.get(proposal)
            if evidence is None:
                found[proposal] = _Evidence(words)
            else:
                evidence.add(words)
    supported = (pair for pair, evidence in found.items() if evidence.supports(pair[0]))
    ordered = sorted(supported, key=lambda pair: (-found[pair].pairs, len(pair[0]), str(pair)))
    return list(islice((rule for rule in map(_rule, ordered) if rule is not None), most))


class _Evidence:
    """The pairs behind a proposal: how many, and where their words differ."""

    __slots__ = ("_varied", "_words", "pairs")

    def __init__(self, words: tuple[str, ...]) -> None:
        self._words, self._varied, self.pairs = words, 0, 1

    def add(self, words: tuple[str, ...]) -> None:
        self.pairs += 1
        for place, (one, other) in enumerate(zip(self._words, words, strict=True)):
            if one != other:
                self._varied |= 1 << place

    def supports(self, antecedent: Sequence[Element]) -> bool:
        """Return whether each tag has stood for at least two different words."""
        return all(element.word or self._varied >> place & 1 for place, element in enumerate(antecedent))


def _rule(proposal: Proposal) -> Rule | None:
    """Make a rule of a proposal as it is read from its text, if it can be: an arrow or a word in capitals cannot."""
    rule = Rule(*proposal)
    try:
        read = Rule.parse(rule.text)
    except UsageError:
        return None
    return read if (read.antecedent, read.text) == (rule.antecedent, rule.text) else None


def _elements(token: TaggedToken) -> list[Element]:
    """A word by its text, its coarse tag and its fine tag."""
    return [Element(fold(token.text)), *(Element(tag=tag) for tag in (token.coarse, token.fine) if kind_of(tag))]


def _context(antecedent: Sequence[Element], place: int) -> Piece:
    """A word of the context, which stays as it is."""
    element = antecedent[place]
    return Piece(element.word) if element.word else Piece("", place)


def _piece(paraphrase: TaggedText, place: int, known: Sequence[tuple[str, str]]) -> Piece:
    """A word of the paraphrase: one of the antecedent's again, alone or with ``'s`` behind it, or a new one."""
    word = paraphrase.words[place]
    for index, (tag, old) in enumerate(known):
        if tag and (word == old or word.startswith(f"{old}'")):
            return Piece(word[len(old) :], index)
    token = paraphrase.tokens[place]
    keeps = not paraphrase.starts_sentence(place) or token.coarse == "PROPN" or word == "i" or word.startswith("i'")
    return Piece(token.text.replace("’", "'") if keeps else word)
