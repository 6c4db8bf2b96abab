"""Nationalities and religions: a word is swapped for a word with the same inflection, in the same form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim_texts import touches
from robustfim_words.languages.language import Language, Paradigm
from robustfim_words.languages.perturbation import Renaming
from robustfim_words.text.casing import like

__all__ = ["Nationalities", "Religions"]

_Word = tuple[Paradigm, str]
"""A paradigm, and the stem of a word of the paradigm."""


class _Inflected(Renaming):
    """Swaps the words of paradigms; a subclass names the group."""

    needs = ("paradigms",)
    _group = ""

    def _renamed(self, spoken: Language, example: Example, random: Random) -> Iterator[Candidate]:
        words = self._words(spoken, example)
        said = {edit.before.lower() for edits in words.values() for edit in edits}
        drawn = [
            (paradigm, stem, new)
            for paradigm, stem in words
            for new, forms in paradigm.inflected.items()
            if new != stem and spoken.onset(new) == spoken.onset(stem) and said.isdisjoint(map(str.lower, forms))
        ]
        for paradigm, stem, new in random.sample(drawn, len(drawn)):
            edits = [_swapped(edit, paradigm, stem, new, self._group) for edit in words[paradigm, stem]]
            if all(edits):
                yield Candidate(example, tuple(filter(None, edits)), carries=True)

    def _words(self, spoken: Language, example: Example) -> Mapping[_Word, list[Edit]]:
        """Find the words of the group that mean nothing else in an example, each with the places where it stands."""
        forms: dict[str, set[_Word]] = {}
        for paradigm in spoken.grammar.paradigms.get(self._group, ()):
            for stem, inflected in paradigm.inflected.items():
                for form in inflected:
                    forms.setdefault(form, set()).add((paradigm, stem))
        found: dict[_Word, list[Edit]] = {}
        stay, capitals = set[_Word](), spoken.grammar.nouns_capital
        for field, text in example.fields.items():
            fixed = spoken.fixed(text)
            for word, start, end in spoken.tokens(text):
                own = forms.get(word) or (not capitals and forms.get(word.lower())) or set()
                named = word in spoken.world["country"] or (not capitals and word in spoken.last_names)
                if len(own) > 1 or named or touches(fixed, start, end):
                    stay |= own
                for entity in own:
                    found.setdefault(entity, []).append(Edit(field, start, end, word, "", self._group))
        return {entity: places for entity, places in found.items() if entity not in stay}


def _swapped(place: Edit, paradigm: Paradigm, stem: str, new: str, group: str) -> Edit | None:
    """Put the other word's form; None where the form may be several of the word's and the other's differ."""
    pairs = [*zip(paradigm.inflected[stem], paradigm.inflected[new], strict=True)]
    others = {put for form, put in pairs if form == place.before} or {
        put for form, put in pairs if form == place.before.lower()
    }
    if len(others) != 1:
        return None
    after = like(place.before, others.pop())
    return Edit(place.field, place.start, place.end, place.before, after, f"{group}: {stem}~ -> {new}~")


class Nationalities(_Inflected):
    """Swaps nationalities, nouns for nouns and adjectives for adjectives, in the same form everywhere in the text."""

    _group = "nationalities"


class Religions(_Inflected):
    """Swaps religions and their people, nouns for nouns and adjectives for adjectives, in the same form."""

    _group = "religions"
