"""What perturbations of words say that their texts depend on."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import robustfim_words
from robustfim.example import Example
from robustfim.plugin.offer import import_class
from robustfim_words.swaps.contractions import Contractions
from robustfim_words.tagging import resourced
from robustfim_words.tagging.dictionary import DictionaryTagger
from robustfim_words.text import lexicon
from tests.plugins.robustfim_words.samples import SENTENCES, candidates, prepared

PERTURBATIONS = {
    name: target for name, target in robustfim_words.robustfim_offers()["perturbations"].items() if "/" not in name
}
OFFERED = {**PERTURBATIONS, **robustfim_words.robustfim_offers()["constraints"]}


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
    for name, target in OFFERED.items():
        cls = import_class(target, "words")
        if "tagger" in vars(sys.modules[cls.__module__]):
            assert issubclass(cls, resourced.WithTables), name


def named(name: str) -> set[str]:
    tables = resourced.named_tables(import_class(OFFERED[name], "words"))
    return {table.name if isinstance(table, Path) else table[0] for table in tables}


def test_every_perturbation_names_its_tables_and_leaves_what_is_not_english_unless_it_fits_any_language() -> None:
    german = Example({"text": "Das ist nicht gut und sehr schlecht."})
    for name, target in PERTURBATIONS.items():
        cls = import_class(target, "words")
        assert issubclass(cls, resourced.WithTables), name
        if not cls.any_language:
            made: Any = cls()
            assert not list((made.edits if hasattr(made, "edits") else made.propose)(german, Random(0))), name
            assert made.skipped == {"not English": 1}, name


def test_another_lexicon_is_another_resource_of_those_alone_that_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def hashes() -> dict[str, str]:
        return {name: resourced.shipped_tables(import_class(each, "words")) for name, each in OFFERED.items()}

    before, files_hash = hashes(), lexicon.files_hash
    monkeypatch.setattr(resourced, "files_hash", lambda path: path.stem == "nouns" or files_hash(path))
    assert {name for name, now in hashes().items() if now != before[name]} == {"nouns"}
    monkeypatch.setattr(resourced, "files_hash", lambda path: path.stem == "synonyms" or files_hash(path))
    assert {name for name, now in hashes().items() if now != before[name]} == {
        *("synonyms", "near_synonyms", "random_words", "antonyms")
    }


def test_of_the_closed_classes_those_are_named_that_are_asked_for() -> None:
    assert "never behind is" in named("contractions")
    assert "never behind is" not in named("typos")
    assert "classes.tsv" not in named("contractions")


def test_every_import_of_the_package_is_followed() -> None:
    for path in lexicon.LEXICONS.parent.rglob("*.py"):
        imported = [
            f"{node.module}.{name.name}".split(".")[1:]
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == "robustfim_words"
            for name in node.names
        ]
        wanted = {lexicon.LEXICONS.parent.joinpath(*parts).with_suffix(".py") for parts in imported}
        wanted |= {lexicon.LEXICONS.parent.joinpath(*parts[:-1]).with_suffix(".py") for parts in imported if parts[1:]}
        assert {each for each in wanted if each.is_file()} <= set(resourced._named(path)[1]), path


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PERTURBATIONS))
def test_whatever_is_read_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.partition(".")[0] == "robustfim_words"]:
        monkeypatch.delitem(sys.modules, module)
    read = set[str]()
    fresh, read_text = importlib.import_module("robustfim_words.text.lexicon"), Path.read_text

    def traced(path: Path, *args: str, **options: str) -> str:
        read.add(path.name)
        return read_text(path, *args, **options)

    def asked(name: str, closed_class: Callable[[str], frozenset[str]] = fresh.closed_class) -> frozenset[str]:
        read.add(name)
        return closed_class(name)

    monkeypatch.setattr(Path, "read_text", traced)
    monkeypatch.setattr(fresh, "closed_class", asked)
    perturbation = prepared(import_class(PERTURBATIONS[name], "words")())
    for sentence in SENTENCES:
        candidates(perturbation, sentence)
    monkeypatch.undo()
    tables = {path.name for path in lexicon.LEXICONS.parent.rglob("*.t*")}
    rows = lexicon.read_pairs(lexicon.LEXICONS / "classes.tsv", ("class", "words"))
    assert read & (tables | rows.keys()) - {"classes.tsv"} <= named(name)
