"""Antonyms: the evaluative words of a text give way to their opposites, so that it says the contrary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from robustfim.candidate import Edit
from robustfim.example import Example
from robustfim_words.persons.names import in_name
from robustfim_words.swaps.word_swaps import TAGS, WordSwaps, antonyms, better
from robustfim_words.tagging.tagger import tagger
from robustfim_words.text import inflection
from robustfim_words.text.guard import fixed
from robustfim_words.text.joined import joined
from robustfim_words.text.lexicon import LEXICONS
from robustfim_words.text.text_kind import text_kind
from robustfim_words.text.tokens import Token, sentence_bounds
from robustfim_words.text.tone import sided

__all__ = ["Antonyms"]

_LONGEST = 25
"""Words of a text: a longer one says more than its evaluative words do."""
_SENTENCES = 3
_MARKS = re.compile(r"[?\"“”\d]|[:;=]['-]?[()dp]|\.\s?\.|…", re.IGNORECASE)
"""Questions, quotations, smileys, numbers and what is left open."""
_PLAIN = frozenset(
    """
    a an the this that these some its my our your his her it he she i we you us me and of in at on for with from to by
    near around here there everything every ever today yesterday tonight well him again first second throughout one new
    local whole entire little another chinese mexican italian thai indian french german british american greek romantic
    animated live-action musical historical foreign graphic domestic black-and-white year years summer season minute
    minutes week day days town city country area end family kids birthday party parties morning evening customer
    customers audience career genre sports action war crime horror school roof oven bakery house home garden car cars
    computer information lesson lessons piano tutoring photographer environment wait business life sleep world screen
    hours hour
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Words that say nothing good or bad whatever stands beside them."""
_DOINGS = frozenset(
    """
    be have do go get make come watch see read buy eat stay play look sound feel taste smell think find serve visit
    offer give provide write act direct film shoot tell cast perform cook run live work shop be use order
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Verbs that say nothing good or bad."""
_COPULAS = frozenset(
    """
    is are was were 's 're 'm am been being look looks looked sound sounds sounded feel feels felt taste tastes tasted
    smell smells smelled remain remains remained
    """.split()  # noqa: SIM905  # words read better as a text
)
_HAVING = frozenset(
    """
    is are was were 's 're 'm am been has have had 've offers offered offer delivers delivered deliver gives gave give
    got provides provided provide serves served features featured makes made make did does do with
    created creates directed crafted wrote
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Words before which what is judged stands: "they have great food"."""
_HOW_MUCH = frozenset(
    """
    very really pretty quite absolutely totally extremely truly just also completely utterly so incredibly by far both
    rather
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Adverbs that say no more than how much."""
_THINGS = frozenset(
    """
    film films movie movies story stories script screenplay plot plots acting cast performance performances direction
    ending book books novel novels show shows series episode episodes comedy comedies drama dramas thriller thrillers
    documentary sequel remake adaptation tale entertainment cinema filmmaking work piece effort debut picture flick
    score music soundtrack album albums song songs cinematography photography dialogue dialog characters character
    visuals food service services place places restaurant restaurants hotel hotels staff room rooms location atmosphere
    experience experiences job store stores shop shops selection team website site blog product products company doctor
    doctors dentist dentists teacher teachers school class classes instructor instructors trip stay visit view meal
    meals lunch dinner breakfast pizza coffee burgers burger sandwiches sandwich sushi bar bars bartender game games
    author writer writers writing actor actors actress director directors person man woman guy girl boss neighbor
    neighbors neighborhood area city cook baker pie pies choice choices haircut workmanship quality dealership mechanic
    vet salon facility centre center department office storytelling satire melodrama mystery romance fable farce
    biography offering feature spa gym park beach apartment apartments value prices price design garden presentation
    event concert band singer voice performer performers dish dishes dessert desserts drinks beer wine
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Nouns of what is judged, good or bad."""
_JUDGMENTS = frozenset(
    ["love", "hate", "adore", "detest", "loathe", "despise", "abhor", "enjoy", "dislike", "admire", "like"]
)
_MOST = frozenset(["best", "worst", "dumbest", "stupidest", "smartest", "ugliest"])
_WELL = frozenset(
    """
    acted made written done directed shot crafted told cast executed played filmed produced performed sung paced edited
    designed built cooked prepared dressed organised organized maintained trained run kept staged photographed
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Participles that are done well or badly."""
_ARTICLES = frozenset("a an the this these another such some its his her my our their".split())  # noqa: SIM905  # words read better as a text
_GOES_ON = frozenset(["in", "at", "with", "from", "by", "on", "here", "there", "today", "and", ",", "this", "all"])
_ENDS = frozenset([".", "!", ",", ";", "-", "–", "—", ")"])


class Antonyms(WordSwaps):
    """Swaps the evaluative words of a text for their opposites: "good" for "bad", "love" for "hate".

    All of a text turn together, or none: "The food was great and the staff was friendly" becomes "The food was terrible
    and the staff was unfriendly". It applies where nothing else can praise or blame: to one sentence, or two or three
    very short ones, that beside these words have names, everyday nouns, verbs and function words only: no other
    judgment, denial, contrast, reason, question, quotation, number or advice, and no group of people. The words are
    said of their subject ("was great"), or of a thing that can be either way ("a great film").

    The meaning turns round, so a check expects ``changes`` where its suite names nothing else; ``directional`` with
    ``direction: down`` suits it where a text says more than one thing. What surrounds a word is treated as by
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

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the swap of each field, of all its evaluative words.

        Args:
            example: The source example.
            random: Unused.
        """
        for field, text in example.fields.items():
            tokens = tagger(self._pipeline).tag(text)
            if not _short(text, tokens):
                continue
            turning, kept = self._turning(tokens), fixed(text, tokens)
            if turning.isdisjoint(kept) and all(self._fits(text, tokens, index) for index in turning):
                edits = [next(self._swaps(field, text, tokens, index, random), None) for index in sorted(turning)]
                found = [edit for edit in edits if edit]
                if found and len(found) == len(edits) and not _said_twice(found):
                    yield joined(text, found)

    def _others(self, entry: tuple[str, str], random: Random) -> Iterable[str]:
        """List the antonyms."""
        return self._antonyms.get(entry, ())[:1]

    def _turning(self, tokens: Sequence[Token]) -> set[int]:
        """Find the words that have an opposite; none if others may praise or blame, or they are not on one side."""
        sides = {index: self._side(token) for index, token in enumerate(tokens) if not _as_well(tokens, index)}
        turning = {index for index, side in sides.items() if side is not None}
        one = len({sides[index] for index in turning}) == 1
        rest = (index for index in range(len(tokens)) if index not in turning)
        return turning if one and all(_says_nothing(tokens, index) for index in rest) else set()

    def _fits(self, text: str, tokens: Sequence[Token], index: int) -> bool:
        """Tell whether the opposite of a word says the contrary where it stands."""
        token, small = tokens[index], _small(tokens[index])
        if in_name(tokens, index):
            return False
        if token.tag == "JJR" or (token.tag == "JJS" and small not in _MOST):
            return False
        if token.tag == "VBN" and token.starts:
            return _behind(tokens, index)[:1] == ["by"]
        if token.tag[:2] == "VB":
            base = inflection.lemma(small, token.tag)
            alone = base in ("succeed", "fail") and (not _behind(tokens, index) or _behind(tokens, index)[0] in _ENDS)
            return alone or (base in _JUDGMENTS and _judges(tokens, index))
        if token.tag[:2] == "RB":
            return _beside_what_is_done(tokens, index)
        return _is_said(tokens, index) or (token.tag[:2] == "JJ" and _is_of_a_thing(tokens, index))

    def _side(self, token: Token) -> bool | None:
        """Tell whether a word is the better one of its pair or the worse; None for other words."""
        base = inflection.lemma(token.text, token.tag) if token.tag in TAGS else None
        if base is None or (base, TAGS[token.tag]) not in self._antonyms:
            return None
        return (base, TAGS[token.tag]) in self._better


def _short(text: str, tokens: Sequence[Token]) -> bool:
    """Tell whether a text is so short and plain that a few words can be its verdict."""
    if len(tokens) > _LONGEST or sum(token.starts for token in tokens) > _SENTENCES or text_kind(text) == "news":
        return False
    return not _MARKS.search(text.strip(". ")) and not any(token.starts and token.tag == "VB" for token in tokens)


def _says_nothing(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a word neither praises nor blames, tells nothing and leads to nothing that fits a verdict alone."""
    token, small = tokens[index], _small(tokens[index])
    if token.kind == "mark":
        return True
    if small == "well" and {_small(other) for other in tokens[max(0, index - 1) : index + 2]} & _WELL:
        return False
    if small in _PLAIN | _HOW_MUCH | _THINGS or _ends_in(token, _COPULAS | _HAVING):
        return token.tag != "WDT" and not (small == "that" and token.tag == "IN")
    if token.tag == "NNP":
        return sided(small) is None
    return token.tag[:2] == "VB" and inflection.lemma(small, token.tag) in _DOINGS


def _said_twice(edits: Sequence[Edit]) -> bool:
    """Tell whether two words have become one and the same."""
    words = [
        {text.split()[-1].lower() for text in texts}
        for texts in zip(*((e.before, e.after) for e in edits), strict=True)
    ]
    return len(words[1]) < len(words[0])


def _small(token: Token) -> str:
    return token.text.lower().replace("’", "'")


def _behind(tokens: Sequence[Token], index: int) -> list[str]:
    """List the words behind a token, to the end of its sentence."""
    return [_small(token) for token in tokens[index + 1 : sentence_bounds(tokens, index)[1]]]


def _as_well(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a "well" praises nothing: "as well", "well over an hour"."""
    return _small(tokens[index]) == "well" and not _beside_what_is_done(tokens, index)


def _beside_what_is_done(tokens: Sequence[Token], index: int) -> bool:
    return any(_small(other) in _WELL for other in (*tokens[index - 1 : index], *tokens[index + 1 : index + 2]))


def _judges(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a verb says what somebody thinks of something: "we love our new roof"."""
    place = index - 1
    while place >= 0 and _small(tokens[place]) in _HOW_MUCH:
        place -= 1
    follower = tokens[index + 1] if index + 1 < len(tokens) else None
    if place < 0 or tokens[place].tag not in ("PRP", "NN", "NNS", "NNP") or follower is None:
        return False
    return follower.tag in ("JJ", "NN", "NNS", "NNP", "NNPS", "DT", "PRP", "PRP$")


def _is_said(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a word is what its sentence says of its subject: "was great", "is a masterpiece"."""
    token, follower = tokens[index], _small(tokens[index + 1]) if index + 1 < len(tokens) else "."
    if follower not in _GOES_ON and follower not in _ENDS:
        return False
    place, adjective = _before(tokens, index), token.tag[:2] != "NN"
    if place < 0 or tokens[place + 1].starts:
        return adjective and (
            follower in _ENDS or follower == "and" or token.tag == "JJS" or (token.tag == "JJ" and follower == "by")
        )
    if not adjective and _small(tokens[place + 1]) not in _ARTICLES:
        return False
    made = place > 0 and tokens[place].tag == "PRP" and _small(tokens[place - 1]) in ("make", "makes", "made")
    found = tokens[place].tag[:2] == "NN" and any(_small(other) in ("find", "finds") for other in tokens[:place])
    fragment = tokens[place].kind == "mark" and adjective and follower in _ENDS
    return made or found or fragment or _ends_in(tokens[place], _COPULAS)


def _is_of_a_thing(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether an adjective judges a thing that can be either way: "a great film", "great food!"."""
    head = index + 1
    while head < len(tokens) and (tokens[head].tag[:2] == "JJ" or _small(tokens[head]) in (",", "and")):
        head += 1
    while head < len(tokens) and tokens[head].tag[:2] == "NN":
        head += 1
    if tokens[head - 1].tag[:2] != "NN":
        return False
    place, thing = _before(tokens, index), _small(tokens[head - 1]) in _THINGS
    if place < 0 or tokens[place + 1].starts:
        return thing or head == len(tokens) or tokens[head].tag == "IN" or _small(tokens[head]) in _ENDS
    if _ends_in(tokens[place], _COPULAS):
        return thing or tokens[head - 1].tag == "NNS" or _small(tokens[place + 1]) in ("a", "an")
    if tokens[place].text in ("-", ":", "–", "—") and _small(tokens[place + 1]) in ("a", "an"):
        return True
    listed = tokens[place].kind == "mark" or _small(tokens[place]) == "and" or _ends_in(tokens[place], _HAVING)
    return thing and (listed or tokens[index].tag == "JJS")


def _before(tokens: Sequence[Token], index: int) -> int:
    """Find the token before the phrase of an adjective or noun: before its article, adverbs and other adjectives."""
    place = index
    while place > 0 and not tokens[place].starts:
        word, tag = _small(tokens[place - 1]), tokens[place - 1].tag
        if not (word in _HOW_MUCH or word in _ARTICLES or word in (",", "and") or tag[:2] == "JJ"):
            break
        place -= 1
    while place < index and _small(tokens[place]) in (",", "and"):
        place += 1
    return place - 1


def _ends_in(token: Token, words: frozenset[str]) -> bool:
    """Tell whether a token is one of some words, or ends in a short form of one: "it's"."""
    small = _small(token)
    return small in words or f"'{small.rpartition(chr(39))[2]}" in words
