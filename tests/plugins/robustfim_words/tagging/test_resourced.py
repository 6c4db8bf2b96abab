"""What perturbations of words say that their texts depend on."""

from __future__ import annotations

import sys

import pytest

import robustfim_words
from robustfim.plugin.offer import import_class
from robustfim_words.swaps.contractions import Contractions
from robustfim_words.tagging import resourced
from robustfim_words.tagging.dictionary import DictionaryTagger


def test_a_perturbation_names_its_tagger_and_tables_and_says_where_a_dictionary_tags(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_spacy = Contractions()
    assert with_spacy.resources()["tagger"].startswith("spaCy 3.")
    assert with_spacy.fallback == ""
    monkeypatch.setattr(resourced, "tagger", lambda pipeline: DictionaryTagger())
    assert Contractions().resources()["tagger"].startswith("dictionary of lemminflect ")
    assert "since spaCy is not installed" in Contractions().fallback


def test_whatever_is_tagged_in_prepare_names_its_tagger() -> None:
    offered = {
        **robustfim_words.robustfim_offers()["perturbations"],
        **robustfim_words.robustfim_offers()["constraints"],
    }
    for name, target in offered.items():
        cls = import_class(target, "words")
        if "tagger" in vars(sys.modules[cls.__module__]):
            assert issubclass(cls, resourced.WithTables), name
