"""What perturbations of words say that their texts depend on."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import pytest

import robustfim_words
from robustfim.example import Example
from robustfim.plugin.offer import import_class
from robustfim_words.swaps.contractions import Contractions
from robustfim_words.tagging import resourced
from robustfim_words.tagging.dictionary import DictionaryTagger

PERTURBATIONS = {
    name: target for name, target in robustfim_words.robustfim_offers()["perturbations"].items() if "/" not in name
}
OFFERED = {**PERTURBATIONS, **robustfim_words.robustfim_offers()["constraints"]}


def test_a_perturbation_names_its_tagger_and_tables_and_says_where_a_dictionary_tags(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_spacy = Contractions()
    assert with_spacy.resources()["tagger"].startswith("spaCy 3.")
    assert with_spacy.resources()["lexicons"].startswith("robustfim_words ")
    assert with_spacy.fallback == ""
    monkeypatch.setattr(resourced, "tagger", lambda pipeline: DictionaryTagger())
    assert Contractions().resources()["tagger"].startswith("dictionary of lemminflect ")
    assert "since spaCy is not installed" in Contractions().fallback


def test_whatever_is_tagged_in_prepare_names_its_tagger() -> None:
    for name, target in OFFERED.items():
        cls = import_class(target, "words")
        if "tagger" in vars(sys.modules[cls.__module__]):
            assert issubclass(cls, resourced.WithTables), name


def test_every_perturbation_leaves_what_is_not_english_unless_it_fits_any_language() -> None:
    german = Example({"text": "Das ist nicht gut und sehr schlecht."})
    for name, target in PERTURBATIONS.items():
        cls = import_class(target, "words")
        assert issubclass(cls, resourced.WithTables), name
        if not cls.any_language:
            made: Any = cls()
            assert not list((made.edits if hasattr(made, "edits") else made.propose)(german, Random(0))), name
            assert made.skipped == {"not English": 1}, name
