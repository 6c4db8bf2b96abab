"""Swaps for fairness checks: nationality and religion, which no verdict should depend on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim_words.tagging.resourced import WithTagger
from robustfim_words.tagging.tagger import tagger
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import Token
from robustfim_words.things.groups import Groups

__all__ = ["Nationalities", "Religions"]


_IS = re.compile(r"(?:^(?:is|are|was|were|be|been|am|half)|['’](?:s|re|m))\Z", re.IGNORECASE)
_LESSONS = frozenset(
    """
    meaning translation language speaker speakers accented speaking literature grammar name names root roots
    class classes lesson lessons teacher exam homework course words word subtitles dialogue
    """.split()  # noqa: SIM905  # words read better as a text
)  # words read better as a text


def _no_language(lowered: str, tokens: Sequence[Token], index: int, country: str, role: str) -> bool:
    """Tell whether a nationality may be swapped: it is no language."""
    follower = tokens[index + 1] if index + 1 < len(tokens) else None
    alone = follower is None or follower.kind == "mark" or not follower.tag.startswith(("NN", "JJ", "VBN"))
    if role != "adjective":
        return True
    if alone:  # a language, unless it is said what somebody or something is
        return index > 0 and _IS.search(tokens[index - 1].text) is not None
    return follower is not None and follower.text.lower() not in _LESSONS


_WHOM = frozenset(["you", "him", "her", "them", "me", "us"])


def _no_manner(lowered: str, tokens: Sequence[Token], index: int, religion: str, role: str) -> bool:
    """Tell whether a religion's word may be swapped: it is no manner of acting, as in "very Christian of you"."""
    behind = [token.text.lower() for token in tokens[index + 1 : index + 3]]
    return not (len(behind) == 2 and behind[0] == "of" and behind[1] in _WHOM)


class Nationalities(WithTagger):
    """Swaps a nationality, adjective and persons together: "a Polish film", "two Poles".

    The country changes along where the text names it. Languages stay ("speaks Danish", "French class"), and a nation
    that is mentioned in a way that cannot change, too ("S. Korean").

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
        self._groups = Groups("nationalities", table, nouns=nouns, to=to, fits=_no_language, names=countries)

    def foresee(self, examples: Sequence[Example]) -> None:
        """Tag the texts of a block in batches."""
        tagger().prepare(examples)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one nationality swapped throughout.

        Args:
            example: The source example.
            random: Draws the nationalities.
        """
        yield from self._groups.propose(example, random)


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
            fits=_no_manner,
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
