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

_Place = tuple[str, int, int, str]


class _Inflected(Renaming):
    """Swaps the words of paradigms; a subclass names the group."""

    _group = ""

    def _renamed(self, spoken: Language, example: Example, random: Random) -> Iterator[Candidate]:
        entities = self._entities(spoken, example)
        drawn = [
            (places, paradigm, stem, new)
            for (paradigm, stem), places in entities.items()
            for new in paradigm.inflected
            if new != stem and spoken.onset(new) == spoken.onset(stem)
        ]
        known = {written.lower() for *_, written in (place for places in entities.values() for place in places)}
        for places, paradigm, stem, new in random.sample(drawn, len(drawn)):
            put = {form: _opposite(paradigm, stem, new, form) for form in {_form(paradigm, stem, p[3]) for p in places}}
            if all(put.values()) and not known.intersection(form.lower() for form in paradigm.inflected[new]):
                edits = tuple(
                    Edit(
                        field,
                        start,
                        end,
                        written,
                        like(written, put[_form(paradigm, stem, written)]),
                        self._told(stem, new),
                    )
                    for field, start, end, written in places
                )
                yield Candidate(example, edits, carries=True)

    def _told(self, stem: str, new: str) -> str:
        return f"{self._group}: {stem}~ -> {new}~"

    def _entities(self, spoken: Language, example: Example) -> Mapping[tuple[Paradigm, str], list[_Place]]:
        """Find the words of the group that stand in an example and mean nothing else, by paradigm and stem."""
        forms: dict[str, list[tuple[Paradigm, str]]] = {}
        for paradigm in spoken.grammar.paradigms.get(self._group, ()):
            for stem, inflected in paradigm.inflected.items():
                for form in set(inflected):
                    forms.setdefault(form, []).append((paradigm, stem))
        found: dict[tuple[Paradigm, str], list[_Place]] = {}
        stay, capitals = set(), spoken.grammar.nouns_capital
        for field, text in example.fields.items():
            fixed = spoken.fixed(text)
            for token in spoken.tokens(text):
                own = forms.get(token.text) or (not capitals and forms.get(token.text.lower())) or []
                for entity in own:
                    found.setdefault(entity, []).append((field, token.start, token.end, token.text))
                    named = token.text in spoken.world["country"] or (not capitals and token.text in spoken.last_names)
                    if len(own) > 1 or named or touches(fixed, token.start, token.end):
                        stay.add(entity)
        return {entity: places for entity, places in found.items() if entity not in stay}


def _form(paradigm: Paradigm, stem: str, written: str) -> str:
    inflected = paradigm.inflected[stem]
    return written if written in inflected else written.lower()


def _opposite(paradigm: Paradigm, stem: str, new: str, form: str) -> str:
    """The other word's form; nothing where the form may be several of the word's and the other's differ."""
    pairs = zip(paradigm.inflected[stem], paradigm.inflected[new], strict=True)
    other = {put for written, put in pairs if written == form}
    return other.pop() if len(other) == 1 else ""


class Nationalities(_Inflected):
    """Swaps nationalities, nouns for nouns and adjectives for adjectives, in the same form everywhere in the text."""

    needs = ("paradigms",)
    _group = "nationalities"


class Religions(_Inflected):
    """Swaps religions and their people, nouns for nouns and adjectives for adjectives, in the same form."""

    needs = ("paradigms",)
    _group = "religions"
