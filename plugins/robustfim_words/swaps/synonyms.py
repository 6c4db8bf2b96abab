"""Synonyms: a word gives way to one that means the same, in the same form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random

from robustfim.errors import UsageError
from robustfim_words.swaps.word_swaps import Entry, WordSwaps, antonyms, substitutes
from robustfim_words.swaps.wordnet import WordNet
from robustfim_words.text.options import one_of
from robustfim_words.text.tokens import Token

__all__ = ["Antonyms", "NearSynonyms", "RandomWords", "Synonyms"]

FROM = ("lexicon", "wordnet")
_STIFF = frozenset(
    [
        "savor",
        "abode",
        "slothful",
        "commence",
        "visualize",
        "chum",
        "clandestinely",
        "divulge",
        "discourteous",
        "probe",
        "madcap",
    ]
)  # words read better as a text
"""Words that are near in meaning and in few slots the same."""
_TURNED = frozenset(
    """
    too so as not never no nor none neither but hardly barely n't less least would could well more most worth like only
    almost
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Words beside which an opposite turns nothing round, or reads as another phrase: "not good", "too good", "would
like"."""


_DENYING = frozenset(["nor", "none", "neither", "nothing", "nobody", "never", "hardly"])
"""Words that deny a whole sentence."""


class Synonyms(WordSwaps):
    """Swaps a noun, verb, adjective or adverb for a synonym.

    The part of speech is the word's in its sentence, by spaCy; the synonym takes the word's fine form (plural,
    past, comparative), its case, and the article before it. Names, auxiliaries, verbs with a particle
    ("give up"), the first noun of two ("phone book"), idioms and words in a quoted title stay. Without spaCy only words
    with a single reading in lemminflect's dictionary are swapped (see
    :class:`robustfim_words.tagging.dictionary.DictionaryTagger`).

    Args:
        source: A table of lemma, part of speech (noun, verb, adjective, adverb) and substitutes, separated by
            commas; the shipped one by default.
        from_: ``lexicon``, the table, or ``wordnet``: the synonyms of the word's commonest sense in WordNet, through
            NLTK.
        pos: Parts of speech to swap; all by default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: A lexicon, part of speech or pipeline is unknown or malformed, or NLTK or its WordNet is missing.
    """

    def __init__(
        self,
        *,
        source: Path | None = None,
        from_: str = "lexicon",
        pos: list[str] | None = None,
        pipeline: Path | str | None = None,
    ) -> None:
        super().__init__("synonyms", pos, pipeline)
        if one_of("from", from_, FROM) == "wordnet":
            if source is not None:
                raise UsageError("source: a table and 'from: wordnet' exclude each other")
            self._table: WordNet | Mapping[Entry, tuple[str, ...]] = WordNet()
        else:
            self._table = substitutes(*([source] if source is not None else []))

    def resources(self) -> dict[str, str]:
        """Name the tagger, the tables and WordNet."""
        found = super().resources()
        return found | {"wordnet": self._table.version} if isinstance(self._table, WordNet) else found

    def _others(self, entry: Entry, random: Random) -> Iterable[str]:
        """List the synonyms, in the lexicon's order."""
        return self._table.get(entry, ())


class NearSynonyms(WordSwaps):
    """Swaps a word for a synonym of its synonyms: near in meaning, and less sure to fit than ``synonyms``.

    Words are near that two synonyms lead to, or from which one leads back; known antonyms are left out. What
    surrounds the word is treated as by ``synonyms``.

    Args:
        source: A table of lemma, part of speech (noun, verb, adjective, adverb) and substitutes, separated by
            commas; the shipped one by default.
        pos: Parts of speech to swap; all by default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: A lexicon, part of speech or pipeline is unknown or malformed.
    """

    def __init__(
        self, *, source: Path | None = None, pos: list[str] | None = None, pipeline: Path | str | None = None
    ) -> None:
        super().__init__("near_synonyms", pos, pipeline)
        self._substitutes = substitutes(*([source] if source is not None else []))

    def _others(self, entry: Entry, random: Random) -> Iterable[str]:
        """List synonyms of synonyms that are none themselves."""
        pos = entry[1]
        direct = self._substitutes.get(entry, ())
        opposites = antonyms().get(entry, ())
        near = Counter(other for word in direct for other in self._substitutes.get((word, pos), ()))
        known = {*direct, *opposites, entry[0]}
        near = Counter({word: ways for word, ways in near.items() if word not in _STIFF})
        back = {other for other in near if entry[0] in self._substitutes.get((other, pos), ())}
        return [word for word, ways in near.items() if word not in known and (ways > 1 or word in back)]


class Antonyms(WordSwaps):
    """Swaps an evaluative word for its opposite: "good" for "bad", "succeed" for "fail".

    Not beside a denial or a degree ("not good", "too good"), after which the opposite would not say the contrary.

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
        self._antonyms = antonyms(*([source] if source is not None else []))

    def _others(self, entry: Entry, random: Random) -> Iterable[str]:
        """List the antonyms."""
        return self._antonyms.get(entry, ())

    def _fits(self, tokens: Sequence[Token], index: int) -> bool:
        """Tell whether the opposite of a word says the contrary where it stands."""
        if not super()._fits(tokens, index) or (tokens[index].tag == "VB" and tokens[index].text.lower() == "help"):
            return False
        first = next((place for place in range(index, -1, -1) if tokens[place].starts), 0)
        if any(token.text.lower() in _DENYING for token in tokens[first:index]):
            return False
        near = [token.text.lower().replace("’", "'") for token in tokens[max(0, index - 4) : index]]
        near = [part for word in near for part in word.split("-")]
        behind = tokens[index + 1].text.lower() if index + 1 < len(tokens) else ""
        if behind == "of" or (behind == "to" and tokens[index].text.lower() in ("interesting", "important")):
            return False
        if any(word in _TURNED or word.endswith("n't") for word in near):
            return False
        token, after = tokens[index], tokens[index + 1 : index + 4]
        if any(other.text.lower() == "each" for other in after) or (
            token.starts and (not after or after[0].kind == "mark")
        ):
            return False
        small = token.text.lower()
        if token.tag[:2] == "VB" and any(other.tag == "VB" or other.text.lower() == "to" for other in after):
            return False
        if small == "well":
            return index > 0 and tokens[index - 1].tag in ("VBN", "VBD", "VBZ", "RB") and not token.starts
        if small in ("better", "best"):
            return not any(
                other.text.lower() in ("than", "of", "to", "in", "part", "way", "thing") for other in after[:2]
            )
        # What is at the same time its contrary, said beside it, would be both: "good or bad".
        return not any(other.text.lower() in ("or", "and", "but") for other in after[:1])


class RandomWords(WordSwaps):
    """Swaps a word for any other of its part of speech, in the same form: the yardstick for swaps with a meaning.

    What surrounds the word is treated as by ``synonyms``. The new words are those of the shipped synonyms; they may say
    anything, so a model that never changes its mind here does not read the words.

    Args:
        alternatives: Words offered for each, drawn at random, at least 1.
        pos: Parts of speech to swap; all by default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: A part of speech or pipeline is unknown.
    """

    keeps_label = False
    yardstick = True

    def __init__(
        self, *, alternatives: int = 2, pos: list[str] | None = None, pipeline: Path | str | None = None
    ) -> None:
        super().__init__("random_words", pos, pipeline)
        self._alternatives = max(1, alternatives)
        self._words: dict[str, list[str]] = {}
        for word, its_pos in substitutes():
            if " " not in word:
                self._words.setdefault(its_pos, []).append(word)

    def _others(self, entry: Entry, random: Random) -> Iterable[str]:
        """Draw words of the part of speech."""
        words = self._words[entry[1]]
        return [word for word in random.sample(words, min(self._alternatives, len(words))) if word != entry[0]]
