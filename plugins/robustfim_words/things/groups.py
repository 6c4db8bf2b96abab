"""Groups of people, such as nations and religions: the words of one group are swapped for those of another group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from robustfim_texts import some_of
from robustfim_words.persons.names import stands_alone
from robustfim_words.text.casing import capitalised
from robustfim_words.text.gazetteer import Gazetteer, Match
from robustfim_words.text.guard import fixed
from robustfim_words.text.lexicon import read_table
from robustfim_words.text.tokens import Tokens, token_at

__all__ = ["Groups", "before_noun"]


_DETERMINED = ("DT", "PRP$", "JJ", "CD", "POS", "NN", "NNP")


class Groups:
    """A table of groups, such as religions. Each group has words in several roles.

    Args:
        source: A table of word, group and role. A word may have several roles. A new group must have a word in every
            role that the text uses; the first such word in the table is put into the text.
        nouns: The roles that are nouns. A word that is also an adjective ("a German", "a German film") has a role of
            ``nouns`` unless a noun follows directly.
        ambiguous: Words in small letters that are also names of persons.
        to: Groups to swap to; all by default.

    Attributes:
        roles: A mapping from each word to its roles, and from each role to the word's group.
        words: A mapping from each group to its roles, and from each role to the word that is put into a text.
        to: The groups to swap to.

    Raises:
        UsageError: A group of ``to`` is unknown, or the table is malformed.
    """

    def __init__(
        self,
        source: Path,
        *,
        nouns: frozenset[str] = frozenset(),
        ambiguous: frozenset[str] = frozenset(),
        to: Sequence[str] | str | None = None,
    ) -> None:
        self._nouns, self._ambiguous = nouns, ambiguous
        self.roles: dict[str, dict[str, str]] = {}
        self.words: dict[str, dict[str, str]] = {}
        for word, group, role in read_table(source, ("word", "group", "role")):
            self.roles.setdefault(word, {})[role] = group
            self.words.setdefault(group, {}).setdefault(role, word)
        self.to = some_of("to", to, self.words)
        self._gazetteer = Gazetteer((word, (word, found)) for word, found in self.roles.items())

    def found(self, text: str, tokens: Tokens) -> Iterator[tuple[Match[tuple[str, dict[str, str]]], str]]:
        """Find the words of the table in a text, with their possible roles and groups, and their role in this text.

        Args:
            text: The text.
            tokens: The text's tagged tokens.
        """
        titles, index = fixed(text, tokens), 0
        while index < len(tokens):
            match = self._gazetteer.match(tokens, index)
            free = match is not None and match.first not in titles
            role = self._role(text, tokens, match) if match is not None and free else None
            if match is None or role is None:
                index += 1
                continue
            yield match, role
            index = match.last + 1

    def _role(self, text: str, tokens: Tokens, match: Match[tuple[str, dict[str, str]]]) -> str | None:
        """Return the role that a word plays; None where it is a part of a name, or something else."""
        word, roles = match.entry
        first, last = tokens[match.first], tokens[match.last]
        follower = token_at(tokens, match.last + 1)
        if word[0].isupper():
            if not _alone(text, tokens, match):
                return None
            if word.lower() in self._ambiguous and (first.pos == "PROPN" or not capitalised(first)):
                return None
        elif capitalised(first) or last.pos not in ("NOUN", ""):
            return None
        before = token_at(tokens, match.first - 1)
        if "house" in roles and last.tag == "NN" and before.tag not in _DETERMINED:
            return None  # "to church": no other house is gone to without an article
        if "house" in roles and follower.tag.startswith("NN") and text[last.end : follower.start].isspace():
            return None  # "a church friend"
        if len(roles) == 1:
            return next(iter(roles))
        possessive = last.base_end < last.end
        determined = before.tag in ("DT", "CD")
        noun = possessive or (not before_noun(text, tokens, match.last) and (determined or last.tag.startswith("NN")))
        return next((role for role in roles if (role in self._nouns) == noun), None)


def before_noun(text: str, tokens: Tokens, last: int) -> bool:
    """Check whether a noun follows a word, or an adjective, participle, or number that may precede a noun.

    Args:
        text: The text.
        tokens: The text's tagged tokens.
        last: Index of the word.
    """
    after = token_at(tokens, last + 1)
    if not text[tokens[last].end : after.start].isspace():
        return False
    return after.tag.startswith(("NN", "JJ", "VBN", "CD"))


def _alone(text: str, tokens: Tokens, match: Match[tuple[str, dict[str, str]]]) -> bool:
    """Tell whether a name is no part of a longer one, as in "French Connection"."""
    after = token_at(tokens, match.last + 1)
    if tokens[match.first].text.isupper() and after.text.isupper():
        return True
    return stands_alone(text, tokens, match.first, match.last)
