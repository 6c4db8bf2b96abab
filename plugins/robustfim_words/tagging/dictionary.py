"""Tags without spaCy: only words with one part of speech and one form in a dictionary get a tag."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator, Sequence

from robustfim_words.tagging.base import Tagger
from robustfim_words.text import inflection
from robustfim_words.text.stop_words import stop_words
from robustfim_words.text.tokens import Token, tokenise

__all__ = ["DictionaryTagger"]

_TAGS = {
    "NOUN": ("NN", "NNS"),
    "VERB": ("VB", "VBZ", "VBG", "VBD", "VBN"),
    "ADJ": ("JJ", "JJR", "JJS"),
    "ADV": ("RB", "RBR", "RBS"),
}


class DictionaryTagger(Tagger):
    """A tagger for use without spaCy. It looks words up in a dictionary and does not tag ambiguous words.

    A word is tagged only if lemminflect's dictionary lists it as one part of speech, and in one form. "movie" is tagged
    as a noun. "love" (noun or verb) and "walked" (past or participle) get no tag, and perturbations leave them
    unchanged. A capitalised word inside a sentence counts as a name if it is not in the dictionary. Perturbations
    therefore swap fewer words than with spaCy.
    """

    fallback = (
        "words are tagged by a dictionary, since spaCy is not installed; "
        "pip install 'robustfim[spacy]' lets these checks change more words"
    )

    @property
    def version(self) -> str:
        """The dictionary's name and version."""
        return f"dictionary of lemminflect {importlib.metadata.version('lemminflect')}"

    def _tag(self, texts: Sequence[str]) -> Iterator[tuple[Token, ...]]:
        for text in texts:
            yield tuple(_tagged(token) for token in tokenise(text))


def _tagged(token: Token) -> Token:
    """Tag a word with one reading."""
    word = token.base
    if token.kind != "word" or not word.isalpha():
        return token
    if word[0].isupper() and not inflection.is_word(word):
        return token if token.starts else token._replace(tag="NNP", pos="PROPN")
    if word.lower() in stop_words() or set(inflection.parts_of_speech(word)) - set(_TAGS):
        return token
    readings = {
        (tag, pos): base
        for pos, tags in _TAGS.items()
        for tag in tags
        if (base := inflection.lemma(word, tag, rules=False))
    }
    if readings.get(("NNS", "NOUN"), word.lower()) != word.lower():
        readings.pop(("NN", "NOUN"), None)  # the table has some plurals as words of their own
    if len(readings) != 1:
        return token
    ((tag, pos),) = readings
    # The table lacks "act" and "acts" as nouns, so that such a reading of a verb is not sure.
    return token if tag in ("VB", "VBZ") else token._replace(tag=tag, pos=pos)
