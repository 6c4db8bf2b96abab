"""What a component reads is looked for, and a check whose component lacks something is skipped."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import pickle
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim_textattack.resources import Resource
from robustfim_textattack.table import CONSTRAINTS, RECIPES, TRANSFORMATIONS
from tests.plugins.robustfim_textattack.library import Library
from tests.robustfim.command_line import CommandLine
from tests.robustfim.toys import Bench

EVERY = {**TRANSFORMATIONS, **CONSTRAINTS, **RECIPES}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in which nothing was fetched yet."""
    for name in ("NLTK_DATA", "TA_CACHE_DIR", "FLAIR_CACHE_ROOT", "LTP_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TFHUB_CACHE_DIR", str(tmp_path / "tfhub"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
    monkeypatch.delitem(sys.modules, "nltk.data", raising=False)
    return tmp_path


@pytest.mark.parametrize("name", [name for name, component in EVERY.items() if component.needs])
def test_every_need_has_a_name_and_a_command(name: str) -> None:
    for resource in EVERY[name].resources({}):
        assert resource.shown
        assert resource.fetch.startswith(("python -", "hf download ", "pip install ", "curl -o ", "install Java"))


PLACES = {
    "nltk:corpora/wordnet": "nltk_data/corpora/wordnet.zip",
    "nltk:corpora/omw-1.4": "nltk_data/corpora/omw-1.4.zip",
    "nltk:tokenizers/punkt_tab": "prefix/share/nltk_data/tokenizers/punkt_tab/x",
    "data:counter-fitted": ".cache/textattack/word_embeddings/paragramcf/x",
    "data:hownet": ".cache/textattack/transformations/hownet/word_candidates_sense.pkl",
    "data:openhownet": ".openhownet/resources/x",
    "ner:en": ".flair/models/ner-english/models--flair--ner-english/snapshots/1/pytorch_model.bin",
    "sentences:large=False": "tfhub/"
    + hashlib.sha1(b"https://tfhub.dev/google/universal-sentence-encoder/3", usedforsecurity=False).hexdigest()
    + "/x",
}


@pytest.mark.parametrize("need", PLACES)
def test_what_is_there_is_found(home: Path, need: str) -> None:
    resource = Resource.parse(need)
    assert resource is not None
    assert not resource.present
    place = home / PLACES[need]
    place.parent.mkdir(parents=True)
    place.write_text("", encoding="utf-8")
    assert resource.present


def test_a_model_is_a_folder_or_a_name_in_the_cache_of_the_hub(tmp_path: Path) -> None:
    pytest.importorskip("huggingface_hub")
    assert Resource("hub", str(tmp_path)).present
    assert not Resource("hub", "robustfim/no-such-model").present
    assert not Resource("hub", "./no/such/folder").present


def test_a_check_is_skipped_with_the_command_that_fetches(
    robustfim: CommandLine, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TA_CACHE_DIR", str(robustfim.folder / "nothing"))
    suite = robustfim.suite(
        "{vectors: {perturb: textattack/WordSwapEmbedding},"
        " encoder: {perturb: rename, constrain: [{use: textattack/SBERT, model_name: robustfim/no-such-model}]},"
        " fooler: {perturb: textattack/TextFoolerJin2019},"
        " rename: {perturb: rename, limit: 1.0}}"
    )
    shown = robustfim(f"run {suite}")
    assert shown.code == 0, shown
    checks = {check.name: check for check in robustfim.record("other").checks}
    assert [checks[name].outcome.value for name in checks] == ["skipped", "skipped", "skipped", "passed"]
    assert checks["vectors"].message == (
        "textattack/WordSwapEmbedding needs the counter-fitted word vectors, not found on this machine. To fetch: "
        'python -c "from textattack.shared import WordEmbedding as E; E.counterfitted_GLOVE_embedding()"'
    )
    assert "hf download robustfim/no-such-model" in checks["encoder"].message
    assert "pip install tensorflow" in checks["fooler"].message


def test_word_vectors_that_were_fetched_are_used(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "word_embeddings" / "paragramcf"
    folder.mkdir(parents=True)
    words = ["good", "fine", "bad", "poor"]
    vectors = np.array([[1.0, 0.1], [1.0, 0.2], [-1.0, 0.1], [-1.0, 0.2]])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    near = np.argsort(-(vectors @ vectors.T), axis=1, kind="stable")
    np.save(folder / "paragram.npy", vectors)
    np.save(folder / "nn.npy", near)
    (folder / "wordlist.pickle").write_bytes(pickle.dumps({word: index for index, word in enumerate(words)}))
    for name in ("mse_dist.p", "cos_sim.p"):
        (folder / name).write_bytes(pickle.dumps({index: {} for index in range(4)}))
    monkeypatch.setenv("TA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(library.package.shared.utils.install, "TEXTATTACK_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(library.package.shared.utils, "GLOBAL_OBJECTS", {})
    perturbation = made("transformation", "WordSwapEmbedding", max_candidates=1)
    example = Example({"text": "a good film"})
    (edit,) = perturbation.edits(example, Random(0))
    assert (edit.before, edit.after) == ("good", "fine")
    distance = made("constraint", "WordEmbeddingDistance", min_cos_sim=0.9)
    assert distance.reject(Candidate(example, (edit,))) is None
    assert distance.reject(Candidate.replacing(example, {"text": "a bad film"})) == "not met"


def made(module: str, name: str, **options: Any) -> Any:
    part = getattr(importlib.import_module(f"robustfim_textattack.{module}"), name)(**options)
    part.prepare(Bench([]).context)
    return part
