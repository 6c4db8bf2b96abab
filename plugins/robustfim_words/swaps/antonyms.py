"""Antonyms: the evaluative words of a text give way to their opposites, so that it says the contrary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
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

_LONGEST = 120
"""Words of a text: a longer one says more than its evaluative words do."""
_SENTENCES = 8
_ASIDE = 7
"""Words of a sentence beside them that says nothing good or bad at most: a longer one tells what happened."""
_WORDS = 8
"""Words that turn together at most."""
_EITHER_WAY = frozenset(
    """
    not cannot never no none nor neither nobody nothing nowhere without hardly barely scarcely lack lacks lacking lacked
    but yet though although albeit despite however still even nevertheless otherwise whereas while unlike instead
    except because since thus therefore until unless if whether than too enough least less almost nearly
    could should might may must ought shall wish wishes hope hopes hoping want wants wanted need needs needed deserve
    deserves recommend recommended recommending avoid avoids rate rated rating worth miss skip waste wasted money
    failing refuse refuses stop stops seem seems seemed supposed allegedly supposedly reportedly
    opposite when whenever why how again so-called only please hire
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Words of a text that sets one thing against another, supposes, wishes, advises or gives reasons."""
_LEADING = frozenset(["that", "who", "which", "where", "whose", "as", "so", "like", "about"])
"""Words that lead from a judgment to what fits it alone: "so bad that", "a film that"."""
_MARKS = re.compile(
    r"[?\"“”]|[:;=]['-]?[()dp]|\d\s*/\s*\d+|\d+ stars|\.\s?\.|…|\bwhat (?!an? )|\bmakes (?:it|this|for)\b",
    re.IGNORECASE,
)
"""Questions, quotations, smileys, ratings and what is left open."""
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
    very really pretty quite absolutely totally extremely truly just also all completely utterly so incredibly by far
    both rather
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Adverbs that say no more than how much."""
_THINGS = frozenset(
    """
    film films movie movies story stories script screenplay plot plots acting cast performance performances direction
    ending book books novel novels show shows series episode episodes comedy comedies drama dramas thriller thrillers
    documentary sequel remake adaptation tale entertainment cinema filmmaking work piece effort debut picture flick
    score music soundtrack album albums song songs cinematography photography
    dialogue dialog characters character visuals
    food service services place places restaurant restaurants hotel hotels staff room rooms location atmosphere
    experience experiences job store stores shop shops selection team website site blog product products company doctor
    doctors dentist dentists teacher teachers school class classes instructor instructors trip stay visit view meal
    meals lunch dinner breakfast pizza coffee burgers burger sandwiches sandwich sushi bar bars bartender game games
    author writer writers writing actor actors actress director directors person people man woman guy girl boss
    neighbor neighbors neighborhood area city cook baker pie pies choice choices time haircut work workmanship quality
    dealership mechanic vet salon spa gym park beach apartment apartments value prices price design garden
    presentation event concert band singer voice performer performers dish dishes dessert desserts drinks beer wine
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Nouns of what is judged, good or bad."""
_ASPECTS = tuple(
    frozenset(group.split())
    for group in (
        "acting cast performance performances actor actors actress actresses acted perform performed roles role",
        "plot story script screenplay writing written writer writers storyline tale plots",
        "music soundtrack score songs song sound singing sung musical",
        "cinematography photography visuals shot camera visually look looks filmed",
        "dialogue dialog conversations",
        "direction director directed directing directs",
        "ending end ended ends finale conclusion climax final",
        "characters character characterization",
        "costumes sets scenery costume set",
        "food meal meals menu dish dishes ate eat eating lunch dinner breakfast tasty delicious taste tastes portions "
        "pizza burger burgers sandwich sandwiches sushi chicken steak fish salad sauce bread cuisine chef cook cooked",
        "service staff waiter waitress server servers employees crew rude friendly helpful polite attitude manager",
        "room rooms bed beds bathroom suite",
        "location area neighborhood",
        "atmosphere decor ambience ambiance",
    )
)
"""Words of one aspect each: what is said of it twice cannot turn once."""
_AS_THE_OTHER = frozenset(["too", "also", "either", "same", "they", "them", "their", "but", "though", "mean"])
_FINITE = frozenset(["VBD", "VBZ", "VBP", "MD"])
_PARTING = frozenset(["-", "–", "—", ":", ";", "(", "both", "film", "movie"])
_ASPECT_LONGEST = 25
_LEANING = frozenset(
    """
    it they he she this that these those and but or so also even however still yet though although not in
    nevertheless then too unfortunately fortunately sadly especially which plus as thanks first second third
    firstly secondly finally lastly
    """.split()  # noqa: SIM905  # words read better as a text
)
"""First words of a sentence that goes on from the one before."""
_ALL = frozenset(["everything", "nothing", "overall", "anything", "all-around", "aspect", "aspects", "except"])
"""Words that judge the aspects together."""
_JUDGMENTS = frozenset(
    ["love", "hate", "adore", "detest", "loathe", "despise", "abhor", "enjoy", "dislike", "admire", "like"]
)
_MOST = frozenset(["best", "worst", "dumbest", "stupidest", "smartest", "ugliest"])
_KINDS_AND_FATES = frozenset(
    """
    kind sort thing things way ways death life fate wishes regards luck news idea reason example deal job storm pain
    death deaths killer war crime victory loss win success failure time day night morning evening afternoon part bit
    shape measure intentions intention cheer efforts bet friend friends taste weather wolf guy guys affair interest sign
    will faith point chance sense question
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Nouns before which a word tells a kind, an amount or a greeting, or that are good or bad themselves."""
_WELL = frozenset(
    """
    acted made written done directed shot crafted told cast executed played filmed produced performed sung paced edited
    designed built cooked prepared dressed organised organized maintained trained run kept staged photographed
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Participles that are done well or badly."""
_ARTICLES = frozenset("a an the this these another such some its his her my our their".split())  # noqa: SIM905  # words read better as a text
_SELF = frozenset(["myself", "yourself", "himself", "herself", "ourselves", "themselves"])
_GOES_ON = frozenset(["in", "at", "with", "from", "by", "on", "here", "there", "today", "and", ",", "this", "all"])
_ENDS = frozenset([".", "!", ",", ";", "-", "–", "—", ")"])


class Antonyms(WordSwaps):
    """Swaps the evaluative words of a text for their opposites: "good" for "bad", "love" for "hate".

    All of a text turn together, or none: "The food was great and the staff friendly" becomes "The food was terrible and
    the staff hostile". It applies where nothing else says whether the text praises or blames: in short texts that have
    no other word of praise or blame, no denial, contrast, condition, reason, question, quotation or advice, where the
    words are said of their subject ("was great"), or of a thing that can be either way ("a great film").

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
        """List the swaps of each field: one of all its evaluative words, or one for each aspect.

        Args:
            example: The source example.
            random: Unused.
        """
        for field, text in example.fields.items():
            tokens = tagger(self._pipeline).tag(text)
            kept, whole = fixed(text, tokens), (0, len(tokens))
            parts = [whole] if _short(tokens) else [part for part in _sentences(tokens) if _of_an_aspect(tokens, *part)]
            for first, last in parts:
                inside = tokens[first:last]
                turning = set[int]() if _two_sided(text, inside) else self._turning(tokens, first, last)
                if turning.isdisjoint(kept) and all(self._fits(text, tokens, index) for index in turning):
                    edits = [next(self._swaps(field, text, tokens, index, random), None) for index in sorted(turning)]
                    found = [edit for edit in edits if edit]
                    if found and len(found) == len(edits) and not _said_twice(found):
                        yield joined(text, found)

    def _others(self, entry: tuple[str, str], random: Random) -> Iterable[str]:
        """List the antonyms."""
        return self._antonyms.get(entry, ())[:1]

    def _turning(self, tokens: Sequence[Token], first: int, last: int) -> set[int]:
        """Find the words that have an opposite; none if other words praise or blame, or they are not on one side."""
        sides = {index: self._side(tokens[index]) for index in range(first, last) if not _as_well(tokens, index)}
        turning = {index for index, side in sides.items() if side is not None}
        rest = [_small(tokens[index]) for index in range(first, last) if index not in turning]
        told = (span for span in _sentences(tokens[:last]) if span[1] > first and turning.isdisjoint(range(*span)))
        one = len({sides[index] for index in turning}) == 1 and len(turning) <= _WORDS
        one = one and all(end - begin <= _ASIDE for begin, end in told)
        one = one and not any(word == "well" and done in _WELL for word, done in pairwise(rest))
        return turning if one and all(sided(word) is None for word in rest) else set()

    def _fits(self, text: str, tokens: Sequence[Token], index: int) -> bool:
        """Tell whether the opposite of a word says the contrary where it stands."""
        token, small = tokens[index], _small(tokens[index])
        before = [_small(other) for other in tokens[max(0, index - 2) : index]]
        if in_name(tokens, index):
            return False
        if before[-1:] in (["as"], ["most"], ["more"]) or not _LEADING.isdisjoint(_behind(tokens, index)):
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


def _short(tokens: Sequence[Token]) -> bool:
    return len(tokens) <= _LONGEST and sum(token.starts for token in tokens) <= _SENTENCES


def _sentences(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    starts = [0, *(place for place, token in enumerate(tokens) if token.starts and place), len(tokens)]
    yield from pairwise(starts)


def _two_sided(text: str, tokens: Sequence[Token]) -> bool:
    """Tell whether a text or sentence says more than its evaluative words do, or nothing."""
    if not tokens:
        return True
    if _MARKS.search(text[tokens[0].start : tokens[-1].end].strip(". ")):
        return True
    words = [_small(token) for token in tokens]
    if any(word in _EITHER_WAY or word.endswith(("n't", "'d")) for word in words):
        return True
    return any(token.starts and token.tag == "VB" for token in tokens) or text_kind(text) == "news"


def _of_an_aspect(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Tell whether a sentence says something of one aspect of what a text judges, as no other does or leans on."""
    said = next((place for place in range(first, last) if _ends_in(tokens[place], _COPULAS)), first)
    subject = {_small(token) for token in tokens[first:said]}
    aspect = next((group for group in _ASPECTS if not group.isdisjoint(subject)), frozenset[str]())
    if not aspect or last - first > _ASPECT_LONGEST:
        return False
    for begin, end in _sentences(tokens):
        words = {_small(token) for token in tokens[begin:end]}
        judges = begin != first and any(sided(word) is not None for word in words)
        if judges and not (aspect | _ALL).isdisjoint(words):
            return False
    follower = tokens[last : sentence_bounds(tokens, last)[1]] if last < len(tokens) else ()
    behind = [_small(token) for token in follower]
    return (
        (not follower or any(token.tag in _FINITE for token in follower))
        and _LEANING.isdisjoint([_small(tokens[first]), *behind[:1]])
        and _AS_THE_OTHER.isdisjoint(behind)
        and _PARTING.isdisjoint(_small(token) for token in tokens[first:last])
    )


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
    if follower.tag in ("JJ", "NN", "NNS", "NNP", "NNPS"):
        return True
    return follower.tag in ("DT", "PRP", "PRP$") and _small(follower) not in _SELF


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
    if tokens[head - 1].tag[:2] != "NN" or _small(tokens[head - 1]) in _KINDS_AND_FATES:
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
