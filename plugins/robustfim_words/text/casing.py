"""Letter case: a new word takes the case of the word that it replaces."""

from __future__ import annotations

import unicodedata

from robustfim_words.text.tokens import Token

__all__ = ["as_listed", "capitalised", "caseless", "like", "like_name", "title", "unaccented"]


def capitalised(token: Token) -> bool:
    """Check whether a token is a word with a first capital."""
    return token.kind == "word" and token.text[0].isupper()


def caseless(text: str) -> bool:
    """Check whether a text has letters but no capitals, so that a word in small letters may be a name."""
    return text.islower()


def title(word: str) -> str:
    """Write a word with a capital first letter and leave the other letters unchanged.

    >>> title("o'Brien"), title("iPhone"), title("éclair")
    ("O'Brien", 'IPhone', 'Éclair')
    """
    return word[:1].upper() + word[1:]


def unaccented(word: str) -> str:
    """Leave out the accents and other marks of letters: "Sao Paulo"."""
    return "".join(sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))


def as_listed(model: str, word: str) -> str:
    """Return the new word in its own case, since the old word is always in capitals ("TV", "HBO")."""
    return word


def like(model: str, word: str) -> str:
    """Write a word in the case of another word.

    Args:
        model: The word whose case is taken over.
        word: The word to write, in its dictionary form.

    Returns:
        The word in capitals if the model is (with two letters or more), with a first capital if the model has one, else
        unchanged: a model in small letters or in mixed case (``iPhone``) changes nothing.

    >>> like("Film", "movie"), like("FILM", "movie"), like("film", "TV"), like("eBay", "shop"), like("I", "we")
    ('Movie', 'MOVIE', 'TV', 'shop', 'We')
    """
    if model.isupper() and sum(c.isalpha() for c in model) > 1:
        return word.upper()
    return title(word) if model[:1].isupper() else word


def like_name(model: str, name: str) -> str:
    """Write a name in capitals or small letters if another name is written so, else return it unchanged.

    >>> like_name("Dunst", "de Niro"), like_name("dunst", "de Niro"), like_name("DUNST", "de Niro")
    ('de Niro', 'de niro', 'DE NIRO')
    """
    if model.isupper() and sum(c.isalpha() for c in model) > 1:
        return name.upper()
    return name.lower() if model.islower() else name
