from __future__ import annotations

import importlib
import subprocess
import sys

import pytest
from pydantic_core import PydanticUndefined

import robustfim_words
from robustfim.plugin.options import options_model

OFFERED = {**robustfim_words.robustfim_offers()["perturbations"], **robustfim_words.robustfim_offers()["constraints"]}


def test_the_names_that_suites_rely_on_are_offered() -> None:
    assert set(robustfim_words.robustfim_offers()["perturbations"]) == {
        "abbreviations", "accents", "adverbs", "ages", "antonyms", "articles", "case", "contractions",
        "drop_sentence", "elongations", "gender", "homoglyphs", "homophones", "hyphens", "identities", "intensifiers",
        "invisible", "links",
        "misspellings", "name_origins", "nationalities", "near_synonyms", "negation", "negative_sentence", "neighbours",
        "neutral_pronouns", "neutral_sentence", "nouns", "numbers", "ocr", "openers", "organisations", "people",
        "places",
        "positive_sentence", "punctuation", "random_words", "regional_spelling", "religions", "repeated_words",
        "slang", "spaces", "synonyms", "titles", "typos", "word_breaks",
        *(f"languages/{name}" for name in (
            "abbreviations", "accents", "ages", "articles", "contractions", "countries", "dates", "name_gender",
            "name_origins", "nationalities", "negation", "negative_sentence", "neutral_sentence", "numbers", "openers",
            "people", "places", "positive_sentence", "religions", "typos",
        )),
    }  # fmt: skip
    assert set(robustfim_words.robustfim_offers()["constraints"]) == {
        "same_part_of_speech", "max_changed", "edit_distance", "stop_words", "no_repeated_edit",
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(OFFERED))
def test_every_offer_is_a_class_with_documented_options(name: str) -> None:
    module, cls = OFFERED[name].split(":")
    offered = getattr(importlib.import_module(module), cls)
    assert isinstance(offered, type)
    assert offered.__doc__
    assert cls in importlib.import_module(module).__all__
    fields = options_model(offered, "words").model_fields
    assert all(field.default is not PydanticUndefined for field in fields.values()), "every option has a default"
    documented = "".join(base.__doc__ or "" for base in offered.__mro__)
    assert all(any(f"{name}:" in documented for name in (option, f"{option}_")) for option in fields)


def test_offered_modules_import_nothing_heavy() -> None:
    modules = sorted({target.split(":")[0] for target in OFFERED.values()})
    program = (
        "import sys, importlib\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        "print(sorted({'numpy', 'spacy', 'lemminflect', 'torch', 'pandas'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
