"""Swaps for fairness checks: nationality and religion, which should not affect a model's output."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.persons.names import Key, Mention, places, rename
from robustfim_words.tagging.resourced import Proposing, WithTagger
from robustfim_words.text.commonness import drawn
from robustfim_words.text.leftovers import left_over
from robustfim_words.text.lexicon import LEXICONS
from robustfim_words.things.groups import Groups
from robustfim_words.things.nations import Nations

__all__ = ["Nationalities", "Religions"]

_WORDS = frozenset(["adjective", "person", "persons"])


def _is_word(key: Key) -> bool:
    return key[0] in _WORDS


class Nationalities(WithTagger, Proposing):
    """Swaps a nationality, its adjective and its nouns together: "a Polish film", "two Poles".

    If the text names the country, it changes, too. A text that names one of its cities, leaders or institutions stays.

    Args:
        to: The country or countries of the new nationality, spelled as in the table ("Norway", "the United States");
            all by default.
        source: A table of word, country and role (adjective, person, persons); the shipped table by default.

    Raises:
        UsageError: A country is unknown, or the table is malformed.
    """

    contract = Contract(carries=True)

    def __init__(self, *, to: list[str] | str | None = None, source: Path | None = None) -> None:
        self._nations = Nations(words=source, to=to)

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one nationality swapped throughout."""
        tokens = self._read(example)
        mentions = self._nations.mentions(example, tokens)
        among = self._nations.peoples
        yield from self._nations.moved(example, tokens, mentions, _is_word, among, random, "nationalities")


class Religions(WithTagger, Proposing):
    """Swaps a religion and its words together: adherents, adjective, house, clergy, scripture.

    For example, "The vicar of our church" becomes "The rabbi of our synagogue". Words that several religions share
    ("temple", "monk", "God") are not changed. A text stays if it also has a word of the religion that cannot change
    ("archbishop").

    Args:
        to: The new religion or religions: christian, muslim, jewish, hindu, sikh, buddhist; all by default.
        source: A table of word, religion and role; the shipped one by default.

    Raises:
        UsageError: A religion is unknown, or the table is malformed.
    """

    def __init__(self, *, to: list[str] | str | None = None, source: Path | None = None) -> None:
        nouns = frozenset(["adherent", "adherents"])
        self._groups = Groups(
            source or LEXICONS / "religions.tsv", nouns=nouns, ambiguous=frozenset(["christian"]), to=to
        )

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one religion swapped throughout."""
        tokens, words = self._read(example), self._groups.words
        lowered = example.text.casefold()
        mentions = [
            Mention(field, match.first, match.end, (match.entry[1][role], role))
            for field, text in example.fields.items()
            for match, role in self._groups.found(text, tokens[field])
        ]
        keys = list(dict.fromkeys(mention.key for mention in mentions))
        links = [(one, other) for one in keys for other in keys if one < other and one[0] == other[0]]
        covered = places(tokens, mentions)
        stay = {
            group
            for group in {key[0] for key in keys}
            if left_over(tokens, covered, [w for w, roles in self._groups.roles.items() if group in roles.values()])
        }

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            able = [
                group
                for group in self._groups.to
                if all(key[1] in words[group] and key[0] != group for key in entity)
                and not any(word.casefold() in lowered for word in (group, *words[group].values()))
            ]
            if not able or not stay.isdisjoint(key[0] for key in entity):
                return None
            (group,) = drawn(able, 1, random)
            return {key: words[group][key[1]] for key in entity}

        yield from rename(example, tokens, mentions, draw, "religions", links)
