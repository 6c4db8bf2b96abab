"""Letter case: how a word is written, carried over to the word that replaces it."""

from __future__ import annotations

from robustfim_words.text.tokens import Token

__all__ = ["as_listed", "capitalised", "caseless", "like", "like_name", "title"]


def capitalised(token: Token) -> bool:
    """Tell whether a token is a word with a first capital."""
    return token.kind == "word" and token.text[0].isupper()


def caseless(text: str) -> bool:
    """Tell whether a text has letters but no capital: then the lack of one says nothing."""
    return text.islower()


def title(word: str) -> str:
    """Raise the first letter and leave the rest.

    >>> title("o'Brien"), title("iPhone"), title("éclair")
    ("O'Brien", 'IPhone', 'Éclair')
    """
    return word[:1].upper() + word[1:]


def as_listed(model: str, word: str) -> str:
    """Return a word as it is, where the one that it replaces has no case of its own ("TV", "HBO")."""
    return word


def like(model: str, word: str) -> str:
    """Write a word in the case of another.

    Args:
        model: The word whose case is taken over.
        word: The word to write, in its dictionary form.

    Returns:
        Capitals for capitals (two letters at least), a first capital for a first capital, else ``word`` as it
        is: a lower-case or a mixed model (``iPhone``) changes nothing.

    >>> like("Film", "movie"), like("FILM", "movie"), like("film", "TV"), like("eBay", "shop"), like("I", "we")
    ('Movie', 'MOVIE', 'TV', 'shop', 'We')
    """
    if model.isupper() and sum(c.isalpha() for c in model) > 1:
        return word.upper()
    return title(word) if model[:1].isupper() else word


def like_name(model: str, name: str) -> str:
    """Write a name in the case of another: as it is, unless that one is all in capitals or in small letters.

    >>> like_name("Dunst", "de Niro"), like_name("dunst", "de Niro"), like_name("DUNST", "de Niro")
    ('de Niro', 'de niro', 'DE NIRO')
    """
    if model.isupper() and sum(c.isalpha() for c in model) > 1:
        return name.upper()
    return name.lower() if model.islower() else name
