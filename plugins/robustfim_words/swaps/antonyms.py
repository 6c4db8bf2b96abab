"""Antonyms: an evaluative word gives way to its opposite, where the opposite says the contrary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

from robustfim.candidate import Edit
from robustfim_words.swaps.word_swaps import TAGS, WordSwaps, antonyms, better
from robustfim_words.text import inflection
from robustfim_words.text.lexicon import LEXICONS
from robustfim_words.text.text_kind import text_kind
from robustfim_words.text.tokens import Token, sentence_bounds
from robustfim_words.text.tone import leaning

__all__ = ["Antonyms"]

_DENIED = frozenset("not never no nor none neither but hardly barely less least almost nearly other such what".split())  # noqa: SIM905  # words read better as a text
"""Words close before which an opposite turns nothing round, or reads as another phrase: "not good"."""
_MEASURED = frozenset("too as well more most worth like only would could".split())  # noqa: SIM905  # words read better as a text
"""Words right before which it does: "too good", "would like"."""
_DENYING = frozenset(
    """
    no nor none lack lacks lacking lacked even
    neither nothing nobody never hardly though although despite while whereas unlike considering
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Words that deny a whole sentence, or set its parts against each other."""
_DENIALS = frozenset(["not", "never", "cannot", "without", "nor"])
_SUPPOSING = frozenset(
    """
    if unless until when whenever whether so such still even yet however but because since allegedly supposedly only
    fail fails failed failing refuse refuses stop stops avoid avoids opposite that
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Words after which a sentence supposes something, gives a reason, or goes on from what was said before."""
_REASONS = frozenset("but yet though although albeit despite because since so until rather".split())  # noqa: SIM905  # words read better as a text
"""Words behind which a sentence gives the reason of what was said, or sets something against it."""
_OPPOSING = frozenset(["but", "however", "still", "yet", "though", "although", "nevertheless", "even", "unfortunately"])
"""First words of a sentence that says the contrary of the one before."""
_FELT = frozenset(
    """
    happy unhappy glad delighted dismayed furious pleased displeased satisfied dissatisfied disgusted proud ashamed
    impressed unimpressed happily unhappily fortunate unfortunate lucky unlucky
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Words of what somebody feels about what is said next."""
_JUDGING = frozenset(
    """
    victory victories win wins success triumph failure loss losses defeat fiasco hurricane storm earthquake explosion
    blast disaster crime crimes death deaths deth killer murder injury injuries pain nightmare problem problems mess
    waste complication complications accident war attack attacks violence disease fate man woman person dirt
    dream fun fight answer
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Nouns that are good or bad themselves, or before which a word tells a kind: "a powerful storm"."""
_TURNING = frozenset(["not", "but", "yet", "though", "although", "albeit", "despite", "rather", "instead", "if", "how"])
"""Words that set what follows against what was said: "smart, not silly"."""
_WISHES = frozenset(
    """
    recommend recommended recommending wish hope hopes hoping thank thanks seek seeks sought seeking looking want wants
    wanted need needs needed advice expecting expected deserve deserves deserved
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Words of a sentence that wants the good, as no sentence wants the bad."""
_TELLS_NO_WORTH = frozenset(
    """
    indication sign chance chances deal idea reason reasons example way ways look point points question luck news bit
    while thing things number many part portion length distance debate depression war outdoors britain grandfather
    friend friends morning day night evening afternoon faith will sense measure cause guess bet note job interest
    weekend will detail pains lengths care company measure regard terms fortune
    win wins death regards luck saying strides progress euro dollar yen pound currency currencies acid wind winds
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Nouns before which "good", "great" and their like tell an amount, a greeting or an idiom."""
_COMMON = frozenset(
    [
        "easy",
        "easily",
        "funny",
        "good",
        "great",
        "bad",
        "nice",
        "best",
        "better",
        "worst",
        "worse",
        "strong",
        "stronger",
    ]
)
_DEGREES = frozenset(["badly", "terribly", "horribly", "wonderfully", "beautifully", "perfectly", "well", "poorly"])
"""Adverbs that before an adjective or a verb say how much."""
_ADVISES = frozenset(["recommend", "recommended", "avoid", "rate", "rated", "rating"])
"""Words of a verdict, anywhere in the text, that an opposite would contradict."""
_HOW_MUCH = frozenset(
    "very really pretty quite rather absolutely totally extremely truly just also too always all".split()  # noqa: SIM905  # words read better as a text
)  # words read better as a text
"""Adverbs before an adjective that say no more than how much."""
_PLENTY = frozenset(["much", "lot", "lots", "plenty", "something", "little"])
_REACHED = frozenset("manage manages managed prove proves proved turn turns turned happens happened".split())  # noqa: SIM905  # words read better as a text
_MODALS = frozenset(["must", "should", "may", "might", "would", "could", "be", "'d", "let", "let's"])
_ALONE = frozenset(["than", "of", "to", "in", "part", "way", "thing"])
_QUOTES = frozenset("\"'“”‘’`")
_LEANS = 0.7
"""How far the rest of a sentence may lean to the side of a word that turns."""
_LEANS_BESIDE = 1.5
"""How far the sentences beside it may."""
_SELF = ("self", "selves")


class Antonyms(WordSwaps):
    """Swaps an evaluative word for its opposite: "good" for "bad", "succeed" for "fail".

    Two that are said in one breath turn together: "charming and funny" becomes "repulsive and unfunny". Not beside a
    denial or a degree ("not good", "too good"), after which the opposite would not say the contrary, not against
    another word ("smart, not silly"), not of what is aimed at ("to improve the service"), and not where the word tells
    an amount ("a good deal").

    The meaning turns round, so a check expects ``changes`` where its suite names nothing else; ``directional`` with
    ``direction: down`` suits it where a text says more than one thing. What surrounds the word is treated as by
    ``synonyms``.

    Args:
        source: A table of word, part of speech (noun, verb, adjective, adverb) and antonym; the shipped one by default.
        pos: Parts of speech to swap; all by default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: A lexicon, part of speech or pipeline is unknown or malformed.
    """

    keeps_label = False
    expects = "changes"

    def __init__(
        self, *, source: Path | None = None, pos: list[str] | None = None, pipeline: Path | str | None = None
    ) -> None:
        super().__init__("antonyms", pos, pipeline)
        path = source or LEXICONS / "antonyms.tsv"
        self._antonyms, self._better = antonyms(path), better(path)

    def _others(self, entry: tuple[str, str], random: Random) -> Iterable[str]:
        """List the antonyms."""
        return self._antonyms.get(entry, ())[:1]

    def _swaps(self, field: str, text: str, tokens: Sequence[Token], index: int, random: Random) -> Iterator[Edit]:
        """List the swaps of a word, each with those of the words of its sentence that are on the same side."""
        first, last = sentence_bounds(tokens, index)
        side = self._side(tokens[index])
        mates = [place for place in range(first, last) if place != index and self._side(tokens[place]) == side]
        if side is None or any(place < index for place in mates):
            return  # turned with the first of them
        others = [next(super(Antonyms, self)._swaps(field, text, tokens, mate, random), None) for mate in mates]
        if not all(others) or not all(self._fits(text, tokens, mate) for mate in mates):
            return
        for edit in super()._swaps(field, text, tokens, index, random):
            yield _joined(text, [edit, *(other for other in others if other)])

    def _fits(self, text: str, tokens: Sequence[Token], index: int) -> bool:
        """Tell whether the opposite of a word says the contrary where it stands."""
        token, small = tokens[index], tokens[index].text.lower()
        if not super()._fits(text, tokens, index) or (token.tag == "VB" and small == "help"):
            return False
        first, last = sentence_bounds(tokens, index)
        if any(_small(other) in _ADVISES for other in tokens):
            return False
        words = [_small(other) for other in tokens[first:last]]
        if any(word in _DENYING for word in words[: index - first]) or not _WISHES.isdisjoint(words):
            return False
        ahead = words[: index - first]
        if not _SUPPOSING.isdisjoint(ahead) or any(word in _DENIALS or word.endswith("n't") for word in ahead):
            return False
        if words[-1:] == ["?"] and words[0] not in ("why", "how"):
            return False
        if not _REASONS.isdisjoint(words[index - first + 1 :]) or _opposed(tokens, last):
            return False
        if small in _FELT and words[index - first + 1 : index - first + 2] not in ([], ["."], ["!"]):
            return False
        near = [part for word in words[max(0, index - first - 4) : index - first] for part in word.split("-")]
        if any(word in _DENIED or word.endswith("n't") for word in near) or not _MEASURED.isdisjoint(near[-1:]):
            return False
        behind = words[index - first + 1 : index - first + 6]
        if not _TURNING.isdisjoint(behind[:5]) or behind[:1] in (["or"], ["enough"]) or "enough" in near:
            return False
        if behind[:1] == ["of"] or (
            behind[:1] == ["to"] and small in ("interesting", "important", "best", "nice", "responsible")
        ):
            return False
        after = tokens[index + 1 : index + 4]
        if "each" in behind[:3] or (token.starts and (not after or after[0].kind == "mark")):
            return False
        if small in _COMMON and any(word in _TELLS_NO_WORTH for word in behind[:2]):
            return False
        if text_kind(text) == "news":
            return False
        if any(_small(other) == small for place, other in enumerate(tokens) if place != index):
            return False  # the other mention would say the contrary
        joined = [words[place] for place in (index - first - 1, index - first + 1) if 0 <= place < len(words)]
        if token.tag[:2] != "JJ" and "and" in joined:
            return False
        mate = _mate(tokens, index)
        unlike = mate is not None and self._side(tokens[mate]) != self._side(token)
        if token.tag[:2] == "JJ" and (unlike or not _judges(tokens, first, index)):
            return False
        if small in ("safe", "worthy") and tokens[index - 1].tag[:2] == "NN":
            return False
        if token.tag[:2] == "JJ" and behind and abs(leaning(after[:1])) > _LEANS:
            return False
        if token.tag[:2] == "JJ" and (not _JUDGING.isdisjoint(behind[:2]) or behind[:2] == ["at", "best"]):
            return False
        if token.tag[:2] == "NN" and not (near[-1:] in (["a"], ["an"], ["real"], ["true"]) and behind[:1] != ["in"]):
            return False  # "in its stupidity", "takes pleasure in"
        if small in ("help", "helps", "helped") and (not after or after[0].kind == "mark"):
            return False
        if self._contradicted(tokens, index, first, last):
            return False
        if token.tag[:2] == "VB":
            return not _aimed_at(tokens, first, index) and _turns_verb(tokens, index, behind)
        if small in _DEGREES and after and after[0].tag[:2] in ("JJ", "VB", "RB"):
            return False
        if small == "well":
            return index > first and tokens[index - 1].tag in ("VBN", "VBD", "VBZ", "RB")
        if small in ("best", "worst") and token.tag != "JJS":
            return False
        if small == "disaster" and _small(tokens[index - 1]) not in ("a", "this", "the"):
            return False
        if small in ("better", "best", "worse", "worst") and not _ALONE.isdisjoint(behind[:1]):
            return False
        return not _aimed_at(tokens, first, index)

    def _contradicted(self, tokens: Sequence[Token], index: int, first: int, last: int) -> bool:
        """Tell whether what does not turn is on the same side, so that it would contradict the opposite."""
        side = self._side(tokens[index])
        sign = 1 if side else -1
        rest = [token for token in tokens[first:last] if self._side(token) != side]
        before = sentence_bounds(tokens, first - 1)[0] if first else first
        after = sentence_bounds(tokens, last)[1] if last < len(tokens) else last
        beside = sign * leaning((*tokens[before:first], *tokens[last:after]))
        return sign * leaning(rest) > _LEANS or beside > _LEANS_BESIDE

    def _side(self, token: Token) -> bool | None:
        """Tell whether a word is the better one of its pair or the worse; None for other words."""
        base = inflection.lemma(token.text, token.tag) if token.tag in TAGS else None
        if base is None or (base, TAGS[token.tag]) not in self._antonyms:
            return None
        return (base, TAGS[token.tag]) in self._better


def _joined(text: str, edits: Sequence[Edit]) -> Edit:
    """Make one edit of several, with what stands between them."""
    ordered = sorted(edits, key=lambda edit: edit.start)
    start, end, after = ordered[0].start, ordered[-1].end, ordered[0].after
    for before, edit in pairwise(ordered):
        after += text[before.end : edit.start] + edit.after
    return Edit(edits[0].field, start, end, text[start:end], after, ", ".join(edit.origin for edit in edits))


def _small(token: Token) -> str:
    return token.text.lower().replace("’", "'")


def _opposed(tokens: Sequence[Token], last: int) -> bool:
    """Tell whether the sentence behind says the contrary."""
    return last < len(tokens) and _small(tokens[last]) in _OPPOSING


def _turns_verb(tokens: Sequence[Token], index: int, behind: Sequence[str]) -> bool:
    """Tell whether a verb turns: none that is asked for, aimed at, reflexive or has a verb behind."""
    token = tokens[index]
    if any(other.tag == "VB" or other.text.lower() == "to" for other in tokens[index + 1 : index + 4]):
        return False
    if (behind and behind[0].endswith(_SELF)) or behind[:1] in (["on"], ["upon"]):
        return False
    if token.tag in ("VBN", "VBG") and behind and tokens[index + 1].tag[:2] in ("NN", "JJ"):
        return False  # an adjective by its place
    if token.tag != "VB":
        return True
    before = [_small(other) for other in tokens[max(0, index - 2) : index]]
    if token.starts or not before:
        return False
    if before[-1] == "to":
        return before[0] in _PLENTY
    return tokens[index - 1].tag == "MD"


def _judges(tokens: Sequence[Token], first: int, index: int) -> bool:
    """Tell whether an adjective stands for itself: not quoted, and not in a list with what does not turn."""
    mate = _mate(tokens, index)
    start, end = min(index, mate if mate is not None else index), max(index, mate if mate is not None else index)
    if mate is not None and _mate(tokens[: end + 3], end) != start:
        return False  # one of three
    beside = [tokens[place].text for place in (start - 1, end + 1) if 0 <= place < len(tokens)]
    if any(text in _QUOTES for text in beside):
        return False
    if start > first and tokens[start - 1].text in (",", "and", "&", "or", "-"):
        return False
    follower = tokens[end + 1] if end + 1 < len(tokens) else None
    if follower is not None and follower.tag in ("TO", "VB"):
        return False
    degree = tokens[start - 1] if start > first else None
    return degree is None or degree.tag[:2] != "RB" or _small(degree) in _HOW_MUCH


def _aimed_at(tokens: Sequence[Token], first: int, index: int) -> bool:
    """Tell whether a word stands in what somebody is after, or must be: "to provide better service"."""
    for place in range(max(first, index - 6), index):
        if _small(tokens[place]) in _MODALS and any(_small(other) == "be" for other in tokens[place + 1 : index]):
            return True
        if _small(tokens[place]) == "to" and place + 1 < index and tokens[place + 1].tag == "VB":
            return not (place > first and _small(tokens[place - 1]) in _REACHED)
    return False


def _mate(tokens: Sequence[Token], index: int) -> int | None:
    """Find the adjective that is said in one breath with another: "charming and funny"."""
    if tokens[index].tag[:2] != "JJ":
        return None
    for step in (1, -1):
        place = index + step
        while 0 <= place < len(tokens) and tokens[place].text.lower() in (",", "and") and abs(place - index) < 3:
            place += step
        if abs(place - index) < 2 or not 0 <= place < len(tokens):
            continue
        if tokens[place].tag[:2] == "JJ":
            return place
    return None
