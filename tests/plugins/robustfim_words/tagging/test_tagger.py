from __future__ import annotations

import hashlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import robustfim_words.tagging.base as tagger_base
import robustfim_words.tagging.tagger as tagger_module
from benchmarks.taggers.speech import accuracy
from benchmarks.taggers.treebank import read_conllu
from robustfim.errors import UsageError
from robustfim_words.tagging.dictionary import DictionaryTagger
from robustfim_words.tagging.tagger import SHIPPED, SpacyTagger, check_pipeline, tagger
from robustfim_words.text.tokens import tokenise
from tests.plugins.robustfim_words.samples import TABLES, perturbation, texts

DEV = Path(__file__).parents[5] / "shared" / "data" / "ud_english_ewt" / "dev.conllu"


def tags(text: str) -> dict[str, str]:
    return {token.text: token.tag for token in tagger().tag(text)}


def test_words_are_tagged_in_their_sentence() -> None:
    assert tags("They film a film.")["film"] == "NN"
    assert tags("the film's story was told")["film's"] == "NN"
    assert tags("She didn't see Oslo.") == {"She": "PRP", "didn't": "", "see": "VB", "Oslo": "NNP", ".": "."}


def test_tokens_are_those_of_the_tokeniser() -> None:
    text = "A well-made, 2-hour film — isn't it?  😀 café"
    assert [token._replace(tag="", pos="") for token in tagger().tag(text)] == list(tokenise(text))


def test_texts_are_tagged_once_and_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    made = SpacyTagger()
    batches: list[int] = []
    original = made._tag
    monkeypatch.setattr(made, "_tag", lambda wanted: batches.append(len(wanted)) or original(wanted))  # type: ignore[func-returns-value]  # append gives None
    some = [f"film {i}" for i in range(5)]
    made.prepare_texts(some)
    made.prepare_texts(some)
    made.tag("film 3")
    made.tag("film 9")
    assert [size for size in batches if size] == [5, 1]


def test_one_tagger_serves_all_that_name_no_pipeline() -> None:
    assert tagger() is tagger(None)


def test_the_oldest_texts_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tagger_base, "_KEPT_TOKENS", 6)
    made = DictionaryTagger()
    for text in ("one two three", "four five six", "seven eight nine"):
        made.tag(text)
    assert list(made._kept) == ["four five six", "seven eight nine"]


def test_the_shipped_pipeline_is_small_and_holds_no_pickle() -> None:
    files = [file for file in SHIPPED.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) <= 6_000_000
    assert not [
        file for file in files if file.suffix in (".pkl", ".pickle", ".py", ".bin") and file.name != "lookups.bin"
    ]
    assert "null" in (SHIPPED / "config.cfg").read_text(encoding="utf-8").split("[paths]")[1][:40]
    assert json.loads((SHIPPED / "meta.json").read_text(encoding="utf-8"))["license"] == "CC BY-SA 4.0"
    assert "CC BY-SA 4.0" in (SHIPPED / "MODEL_CARD.md").read_text(encoding="utf-8")


def test_the_shipped_pipeline_names_no_word_of_its_training_texts() -> None:
    strings = json.loads((SHIPPED / "vocab" / "strings.json").read_text(encoding="utf-8"))
    labels = json.loads((SHIPPED / "meta.json").read_text(encoding="utf-8"))["labels"]
    assert set(strings) == {label for names in labels.values() for label in names}


@pytest.mark.slow
def test_the_shipped_pipeline_loads_quietly_and_tags_alike_in_every_process() -> None:
    program = (
        "from robustfim_words.tagging.tagger import SpacyTagger\n"
        "tokens = SpacyTagger().tag('Kirsten Dunst really saw two dull films about an old man.')\n"
        "print([(token.tag, token.pos) for token in tokens])"
    )
    command = [sys.executable, "-W", "error::UserWarning", "-c", program]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stderr == ""
    here = SpacyTagger().tag("Kirsten Dunst really saw two dull films about an old man.")
    assert run.stdout == f"{[(token.tag, token.pos) for token in here]}\n"
    assert "('NNS', 'NOUN')" in run.stdout


@pytest.mark.slow
@pytest.mark.skipif(not DEV.is_file(), reason="the treebank is not here")
def test_the_shipped_pipeline_is_accurate_on_the_development_file() -> None:
    import spacy

    sentences = list(read_conllu(DEV))
    fine, coarse = accuracy(spacy.load(SHIPPED), sentences)
    assert fine >= 0.93
    assert coarse >= 0.93
    card = (SHIPPED / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert f"| fine tags (XPOS) | {fine:.4f} accuracy" in card
    assert f"| coarse tags (UPOS) | {coarse:.4f} accuracy" in card
    assert hashlib.sha256(DEV.read_bytes()).hexdigest() in card
    lower_fine, lower_coarse = accuracy(spacy.load(SHIPPED), sentences[:800], lower=True)
    assert lower_fine >= 0.90
    assert lower_coarse >= 0.91


# ---- without spaCy ------------------------------------------------------------------------------------


@pytest.fixture
def without_spacy(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "spacy" else find(name, *rest))
    tagger_module._made.cache_clear()


@pytest.mark.usefixtures("without_spacy")
def test_the_dictionary_tags_only_words_with_one_reading() -> None:
    made = tagger()
    try:
        assert isinstance(made, DictionaryTagger)
        assert made.version.startswith("dictionary of lemminflect ")
        found = {token.text: token.tag for token in made.tag("The actors love Kirsten and walked to three movies.")}
        assert found["actors"] == "NNS"
        assert found["movies"] == "NNS"
        assert found["Kirsten"] == "NNP"
        assert found["love"] == found["walked"] == found["The"] == ""
    finally:
        tagger_module._made.cache_clear()


@pytest.mark.usefixtures("without_spacy")
def test_synonyms_work_without_spacy_on_plain_words(tmp_path: Path) -> None:
    try:
        made = perturbation("synonyms", tmp_path)
        assert texts(made, "An actor sees the actors.") == [
            "A performer sees the actors.",
            "An actor sees the performers.",
        ]
    finally:
        tagger_module._made.cache_clear()


@pytest.mark.usefixtures("without_spacy")
def test_a_pipeline_without_spacy_is_refused() -> None:
    with pytest.raises(UsageError, match=r"needs spaCy: pip install 'robustfim\[spacy\]'"):
        check_pipeline("en_core_web_sm")
    tagger_module._made.cache_clear()


# ---- other pipelines ----------------------------------------------------------------------------------


def test_a_pipeline_that_is_not_installed_is_refused() -> None:
    with pytest.raises(UsageError, match="'en_core_web_xxl' is not installed"):
        perturbation("name_origins", Path(), pipeline="en_core_web_xxl")


def test_a_folder_that_is_no_pipeline_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"it has no config\.cfg"):
        check_pipeline(tmp_path)


def test_a_pipeline_without_tags_is_refused(tmp_path: Path) -> None:
    import spacy

    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(UsageError, match="must set fine and coarse part-of-speech tags"):
        SpacyTagger(tmp_path / "blank").tag("a film")


def test_a_pipeline_can_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "synonyms.tsv").write_text(TABLES["synonyms"], encoding="utf-8")
    made: Any = perturbation("synonyms", tmp_path, pipeline=SHIPPED)
    assert "An enormous film." in texts(made, "A big film.")
