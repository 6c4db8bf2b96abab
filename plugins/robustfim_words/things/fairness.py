"""Swaps for fairness checks: nationality and religion, which no verdict should depend on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence, Set
from functools import partial
from pathlib import Path
from random import Random

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim_words.tagging.resourced import WithTagger
from robustfim_words.tagging.tagger import tagger
from robustfim_words.text.casing import capitalised
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import Token
from robustfim_words.things.bonds import bound, names_beside, neighbours
from robustfim_words.things.groups import Groups

__all__ = ["Nationalities", "Religions"]


_IS = re.compile(r"(?:^(?:is|are|was|were|be|been|am|half)|['’](?:s|re|m))\Z", re.IGNORECASE)
_LESSONS = frozenset(
    """
    meaning translation language speaker speakers accented speaking literature grammar name names root roots
    class classes lesson lessons teacher exam homework course words word subtitles dialogue
    synchronisation dub dubbing dubbed subtitled original
    """.split()  # noqa: SIM905  # words read better as a text
)  # words read better as a text


def _no_language(lowered: str, tokens: Sequence[Token], index: int, country: str, role: str) -> bool:
    """Tell whether a nationality may be swapped: it is no language."""
    last = index + country.removeprefix("the ").count(" ")  # "New Zealand", which is its own adjective
    last = last if tokens[index].text.lower() in country.lower().split() else index
    follower = tokens[last + 1] if last + 1 < len(tokens) else None
    alone = follower is None or follower.kind == "mark" or not follower.tag.startswith(("NN", "JJ", "VBN"))
    if role != "adjective":
        return True
    before = tokens[index - 1] if index else None
    opens = before is None or before.kind == "mark" or before.tag == "CC"
    if opens and follower is not None and follower.tag in ("NN", "NNP") and tokens[index].text.islower():
        return follower.text in _MASS  # no article: "american psycho" is a title
    if _bound_noun(tokens, last) or (before is not None and before.text.lower() in _WHICH):
        return False
    if alone:  # a language, unless it is said what somebody or something is
        return index > 0 and _IS.search(tokens[index - 1].text) is not None
    return follower is not None and follower.text.lower() not in _LESSONS


_FEASTS = re.compile(
    r"\b(?:christmas|easter|hallowe[’']?en|thanksgiving|carnival|new year|independence day|national anthem)\b",
    re.IGNORECASE,
)
"""What a nation keeps in its own way."""
_WHICH = frozenset("ancient middle native old pre-war postwar imperial colonial anglo".split())  # noqa: SIM905  # words read better as a text
_OWN = frozenset(
    """
    anthem bond bonds brogue burr capital cheese coast congress consul crew crews crown currency custom customs dialect
    drawl dream embassy empire enclave exchange exclave festival festivals flag flags holiday holidays island islands
    king language lilt monarchy navy north parliament president prime premier queen region revolution senate south
    stock territory throne toast tradition traditions treasury twang town village city province dressing fries kiss mob
    soul
    """.split()  # noqa: SIM905  # words read better as a text
)
"""What a nation has one of, or what is called after it."""


def _bound_noun(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether the words behind a nationality say whom or what it is: an office, a town, somebody by name."""
    behind: list[Token] = []
    for token in tokens[index + 1 : index + 6]:
        if token.kind != "word" or token.starts:
            break
        behind.append(token)
        if token.tag[:2] not in ("NN", "JJ"):
            break
    nouns = [token for token in behind if token.tag[:2] in ("NN", "JJ")]
    named = any(map(capitalised, behind[1:]))
    return (named and not capitalised(behind[0])) or any(token.text.lower() in _OWN for token in nouns)


_MASS = frozenset(
    """
    food cooking cuisine cinema culture history society music television tv humor humour politics life
    """.split()  # noqa: SIM905  # words read better as a text
)


_SHARED = {
    "monk": ("christian", "buddhist"), "monks": ("christian", "buddhist"),
    "monastery": ("christian", "buddhist"), "monasteries": ("christian", "buddhist"),
    "temple": ("hindu", "buddhist", "sikh", "jewish"), "temples": ("hindu", "buddhist", "sikh", "jewish"),
    "god": ("christian", "muslim", "jewish", "sikh"), "prophet": ("christian", "muslim", "jewish"),
    "gods": ("hindu",), "saint": ("christian", "sikh", "hindu"), "saints": ("christian", "sikh", "hindu"),
}  # fmt: skip
"""What several religions have, and no others: where the text has it, a new religion is one of them."""


def _sharing(religion: str, said: Set[str]) -> Collection[str] | None:
    """List the religions that have what the text says of one and others share; None for any."""
    able = [frozenset(_SHARED[word]) for word in said if word in _SHARED]
    return frozenset.intersection(*able) if able else None


_POWERS = frozenset("establishment establishments hierarchy institution institutions authorities authority".split())  # noqa: SIM905  # words read better as a text
"""Those that some religions have, and others have not."""
_WHOM = frozenset(["you", "him", "her", "them", "me", "us"])


_AT = frozenset("in at to into inside outside near from behind by around of".split())  # noqa: SIM905  # words read better as a text
_OF = frozenset("in at on near where".split())  # noqa: SIM905  # words read better as a text


def _no_manner(lowered: str, tokens: Sequence[Token], index: int, religion: str, role: str) -> bool:
    """Tell whether a religion's word may be swapped: it is no manner of acting, as in "very Christian of you"."""
    behind = [token.text.lower() for token in tokens[index + 1 : index + 3]]
    if len(behind) == 2 and behind[0] == "of" and behind[1] in _WHOM:
        return False
    before = tokens[index - 1] if index else None
    if role == "house" and before is not None and before.text.lower() == "the":
        place = tokens[index - 2].text.lower() if index > 1 else ""
        return place in _AT or bool(behind and behind[0] in _OF)  # "the church" alone is who leads it
    if behind and behind[0] in _POWERS:
        return False
    thing = before is not None and before.tag == "NN" and role in ("adherent", "adherents")
    return not (thing and tokens[index].text.islower())  # "the silver jews"


class Nationalities(WithTagger):
    """Swaps a nationality, adjective and persons together: "a Polish film", "two Poles".

    The country changes along where the text names it. Languages stay ("speaks Danish", "French class"), and a nation
    that is mentioned in a way that cannot change, too ("S. Korean"). So does a text with any other name, but for
    persons in other sentences.

    Args:
        to: Countries, or one, whose nationality is put in, as the table has them ("Norway", "the United States");
            all by default.
        source: A table of word, country and role (adjective, person, persons); the shipped one by default.

    Raises:
        UsageError: A country is unknown, or the table is malformed.
    """

    def __init__(self, *, to: list[str] | str | None = None, source: Path | None = None) -> None:
        nouns = frozenset(["person", "persons"])
        table = source or LEXICONS / "nationalities.tsv"
        countries = {country: country for _, country, _ in read_table(table, ("word", "group", "role"))}
        self._groups = Groups(
            "nationalities", table, nouns=nouns, to=to, fits=_no_language, names=countries,
            bound=partial(bound, nation=True), near=neighbours,
        )  # fmt: skip

    def foresee(self, examples: Sequence[Example]) -> None:
        """Tag the texts of a block in batches."""
        tagger().prepare(examples)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one nationality swapped throughout.

        Args:
            example: The source example.
            random: Draws the nationalities.
        """
        if _FEASTS.search(example.text):
            return
        tokens = {field: tagger().tag(text) for field, text in example.fields.items()}
        for candidate in self._groups.propose(example, random):
            if names_beside(candidate, example.fields, tokens, persons=True):
                return  # it is so of what stays, too
            yield candidate


class Religions(WithTagger):
    """Swaps a religion with all that the text says of it: adherents, adjective, house, clergy, scripture.

    "The vicar of our church" becomes "The rabbi of our synagogue". Words that several religions share ("temple",
    "monk", "God") stay.

    Args:
        to: Religions, or one, put in: christian, muslim, jewish, hindu, sikh, buddhist; all by default.
        source: A table of word, religion and role; the shipped one by default.

    Raises:
        UsageError: A religion is unknown, or the table is malformed.
    """

    def __init__(self, *, to: list[str] | str | None = None, source: Path | None = None) -> None:
        nouns = frozenset(["adherent", "adherents"])
        self._groups = Groups(
            "religions", source or LEXICONS / "religions.tsv", nouns=nouns, ambiguous=frozenset(["christian"]), to=to,
            fits=_no_manner, near=_sharing,
        )  # fmt: skip

    def foresee(self, examples: Sequence[Example]) -> None:
        """Tag the texts of a block in batches."""
        tagger().prepare(examples)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one religion swapped throughout.

        Args:
            example: The source example.
            random: Draws the religions.
        """
        yield from self._groups.propose(example, random)
